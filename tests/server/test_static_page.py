"""The page's files as the server sends them, whether or not the page was built."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar.exceptions import NotFoundException

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


def test_a_file_that_is_missing_is_not_answered_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>front</p>")
    page = Page(str(tmp_path))
    for path in ("/assets/app-1234.js", "/assets/nothing", "/favicon.ico", "/deep/below/style.css"):
        with pytest.raises(NotFoundException):
            page.find(path)


def test_the_page_is_served_with_the_right_caching(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "x" * 1000)
    (tmp_path / "assets" / "app-1234.js").write_text("let x = 1;" * 100)
    page = Page(str(tmp_path))
    assert "immutable" in page.find("/assets/app-1234.js").caching
    assert page.find("/t/some-table") is page.find("/index.html")
    assert page.find("/index.html").caching == "no-cache"
    assert page.find("/index.html").squeezed is not None
    assert page.find("/../../etc/passwd") is page.find("/index.html")
