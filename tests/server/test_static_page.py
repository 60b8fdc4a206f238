"""The page's files as the server sends them, whether or not the page was built."""

from __future__ import annotations

from pathlib import Path

from wellies.server.page import Page


def test_a_server_without_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    found = Page(str(tmp_path)).find("/t/some-table")
    assert b"Wellies is running" in found.body
    assert b"make page" in found.body


def test_files_are_found_by_name_and_every_other_address_gets_the_front_page(tmp_path: Path) -> None:
    page = Page(str(tmp_path))
    assert b"make page" in page.find("/").body
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "app.js").write_text("let rain = 1;")
    (tmp_path / "index.html").write_text("<p>front</p>")
    assert page.find("/assets/app.js").caching.endswith("immutable")
    assert page.find("/t/some-table").body == b"<p>front</p>"
    assert page.find("/t/some-table").caching == "no-cache"
