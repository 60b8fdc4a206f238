"""The page: a folder of static files, kept in memory, with the front page for every address that is not a file."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import re
import threading
from pathlib import Path
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

HASHED: Final = ("assets/", "_app/immutable/")
"""Folders whose file names change with their content."""
ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,11}$")
"""How the name of a file ends. Tokens in links have dots too, with more behind the last one."""
TYPES: Final = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
"""Types that not every system knows. A browser runs WebAssembly and modules of the right type only."""
SQUEEZED: Final = (
    "text/",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "application/wasm",
    "image/svg+xml",
)
LARGE: Final = 100_000
"""Bytes above which a file is compressed in a thread: the server must not stand still for it."""
MISSING: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Wellies</title>
<h1>Wellies is running</h1>
<p>The page has not been built yet. Run <code>make page</code> in the source folder and start the server again.</p>
<p>The server itself works: see <a href="/api/v1/games">the games</a>, <a href="/health">its health</a>
and <a href="/api/v1/schema/openapi.json">its interface</a>.</p>
</html>
"""


class StaticFile:
    """One file, ready to be sent."""

    def __init__(self, name: str, body: bytes) -> None:
        self.body = body
        suffix = name[name.rfind(".") :]
        self.media_type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        self.etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        forever = name.startswith(HASHED)
        self.caching = "public, max-age=31536000, immutable" if forever else "no-cache"
        self.can_be_squeezed = self.media_type.startswith(SQUEEZED) and len(body) > 500
        self._squeezed: bytes | None = None
        self._squeezing = threading.Lock()

    @property
    def squeezed(self) -> bytes | None:
        """The body compressed, when it is first asked for; None if that is not worth it."""
        if not self.can_be_squeezed:
            return None
        with self._squeezing:
            if self._squeezed is None:
                self._squeezed = gzip.compress(self.body, 6)
            return self._squeezed

    async def squeeze(self) -> bytes | None:
        """`squeezed`, without a wait for other requests."""
        if self._squeezed is None and self.can_be_squeezed and len(self.body) > LARGE:
            return await asyncio.to_thread(lambda: self.squeezed)
        return self.squeezed


class Page:
    """All files of the page, read again when its front page changes."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else Path(__file__).parent / "page"
        self._stamp = 0.0
        self._files: dict[str, StaticFile] = {}

    @property
    def is_built(self) -> bool:
        return (self._folder / "index.html").is_file()

    def find(self, path: str) -> StaticFile:
        """The file at a path, else the front page: the page itself knows its addresses. NotFoundException if a file is
        meant and there is none: a script must not be answered with a page."""
        self._refresh()
        name = path.strip("/")
        found = self._files.get(name)
        if found is None and name != "index.html" and (name.startswith(HASHED) or ENDING.search(name)):
            raise NotFoundException("There is no such file.")
        found = found or self._files.get("index.html")
        return found or StaticFile("index.html", MISSING.encode())

    def _refresh(self) -> None:
        index = self._folder / "index.html"
        try:
            stamp = index.stat().st_mtime
        except OSError:
            return
        if stamp != self._stamp:
            self._stamp = stamp
            self._files = {
                path.relative_to(self._folder).as_posix(): StaticFile(
                    path.relative_to(self._folder).as_posix(), path.read_bytes()
                )
                for path in self._folder.rglob("*")
                if path.is_file()
            }


async def _answer(request: Request[Any, Any, Any], path: str) -> Response[bytes]:
    page: Page = request.app.state.page
    file = page.find(path)
    headers = {"cache-control": file.caching, "etag": file.etag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    body = file.body
    squeezed = await file.squeeze() if "gzip" in request.headers.get("accept-encoding", "") else None
    if squeezed is not None:
        body = squeezed
        headers["content-encoding"] = "gzip"
    return Response(body, headers=headers, media_type=file.media_type)


@get("/", include_in_schema=False, media_type=MediaType.HTML)
async def front_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    return await _answer(request, "index.html")


@get("/{path:path}", include_in_schema=False, media_type=MediaType.HTML)
async def any_page(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
    if path.startswith(("/api/", "/ws/")):
        raise NotFoundException(f"There is nothing at {path[:100]}.")
    return await _answer(request, path)
