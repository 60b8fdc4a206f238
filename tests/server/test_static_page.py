"""The page's files as the server sends them, whether or not the page was built."""

from __future__ import annotations

import asyncio
import gzip
import threading
from pathlib import Path

import httpx
import pytest
from litestar.exceptions import NotFoundException
from server.serving import play, running, sqlite_file

from wellies.server.page import LARGE, Page


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
    # The tokens in the links of alerts have dots.
    assert page.find(f"/alerts/stop/email.mLVkQTlN_jVR.{'8f' * 16}").body == b"<p>front</p>"


def test_a_file_that_is_missing_is_not_answered_with_the_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>front</p>")
    page = Page(str(tmp_path))
    for path in ("/assets/app-1234.js", "/assets/nothing", "/favicon.ico", "/deep/style.css", "/x.webmanifest"):
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


@pytest.fixture
def compressed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """What was compressed: how many bytes, and whether in the thread of the event loop."""
    found: list[tuple[int, bool]] = []
    compress = gzip.compress

    def watched(body: bytes, level: int) -> bytes:
        found.append((len(body), threading.current_thread() is threading.main_thread()))
        return compress(body, level)

    monkeypatch.setattr(gzip, "compress", watched)
    return found


def test_a_file_is_compressed_when_it_is_first_asked_for_and_a_large_one_in_a_thread(
    tmp_path: Path, compressed: list[tuple[int, bool]]
) -> None:
    (tmp_path / "index.html").write_text("<p>front</p>" * 100)
    (tmp_path / "python.wasm").write_bytes(bytes(LARGE + 1))
    (tmp_path / "engine.zip").write_bytes(bytes(LARGE + 1))
    page = Page(str(tmp_path))
    front, large, archive = page.find("/"), page.find("/python.wasm"), page.find("/engine.zip")
    assert compressed == []

    async def scenario() -> None:
        bodies = await asyncio.gather(*(file.squeeze() for file in (front, large, archive, large, front)))
        assert bodies[2] is None, "an archive is compressed already"
        assert gzip.decompress(bodies[1] or b"") == large.body
        assert bodies[1] is bodies[3]
        assert bodies[0] is bodies[4]

    play(scenario())
    assert sorted(compressed) == [(len(front.body), True), (len(large.body), False)], "each once"


def test_what_a_browser_needs_for_games_on_the_device_is_sent_as_it_expects_it(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>front</p>")
    expected = {
        "python.mjs": "text/javascript",
        "python.wasm": "application/wasm",
        "manifest.webmanifest": "application/manifest+json",
        "engine.zip": "application/zip",
    }
    for name in expected:
        (tmp_path / name).write_bytes(b"rain" * 1_000)
    with sqlite_file() as database, running(database, page=str(tmp_path)) as server:
        for name, kind in expected.items():
            answer = httpx.get(f"{server.url}/{name}", trust_env=False)
            assert answer.headers["content-type"].split(";")[0] == kind
            assert answer.content == b"rain" * 1_000
            assert answer.headers.get("content-encoding") == (None if name.endswith(".zip") else "gzip")
            plain = httpx.get(f"{server.url}/{name}", headers={"accept-encoding": "identity"}, trust_env=False)
            assert "content-encoding" not in plain.headers
            again = httpx.get(
                f"{server.url}/{name}", headers={"if-none-match": answer.headers["etag"]}, trust_env=False
            )
            assert (again.status_code, again.content) == (304, b"")
