"""`dist/site` on a plain static file server, in a folder below the root: all that such a host must do."""

from __future__ import annotations

import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from page_server import ROOT

SITE = ROOT / "dist" / "site"
FOLDER = "/some/folder/"


class StaticHost:
    """Serves the site as `python -m http.server` would: no rewriting, no compression, no headers of ours."""

    def __init__(self) -> None:
        assert (SITE / "index.html").exists(), "the site is not built; run: make site"
        self.asked: list[str] = []
        """The paths below the folder that were asked for."""
        self.broken = ""
        """A file whose name ends like this breaks off in the middle."""
        self._server: ThreadingHTTPServer | None = None
        self._port = 0
        self.start()
        self.url = f"http://127.0.0.1:{self._port}{FOLDER}"

    def start(self) -> None:
        host = self

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *given: Any) -> None:
                super().__init__(*given, directory=str(SITE))

            def translate_path(self, path: str) -> str:
                if not path.startswith(FOLDER):
                    return str(SITE / "nothing is here")
                return super().translate_path(path.removeprefix(FOLDER[:-1]))

            def do_GET(self) -> None:
                name = self.path.removeprefix(FOLDER)
                host.asked.append(name)
                if not host.broken or not name.endswith(host.broken):
                    return super().do_GET()
                body = (SITE / name).read_bytes()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
                return None

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """From now on nobody answers."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
