"""Pictures of boards as the page draws them.

The page's own files are shown in a browser without a window, which a process beside this one drives. There is no server
and no network: the page asks for a replay of one moment, and is given the view of a spectator. What it draws of that is
cut out: the board, without the frame, scores and buttons around it.

It needs the extra `pictures`, a Chromium (that of the system, or `playwright install chromium`), and the built page,
which is in every wheel; in a checkout, `make page` builds it. The first picture takes some seconds, each further one a
few tenths of a second.
"""

from __future__ import annotations

import atexit
import io
import json
import mimetypes
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.core.extras import require
from wellies.core.state import GameState

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from playwright.sync_api import Page, Route

PAGE: Final = Path(__file__).parent.parent / "server" / "page"
ADDRESS: Final = "http://wellies.invalid"
TABLE: Final = "picture"
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
SIZE: Final = {"width": 1280, "height": 900}
ONLY_THE_BOARD: Final = (
    ".controls { display: none !important } * { animation: none !important; transition: none !important }"
)
DRAWN: Final = b"+"
FAILED: Final = b"-"
_LENGTH: Final = struct.Struct(">I")


class NoPicture(WelliesError):
    """A board cannot be drawn; the message says what is missing or went wrong."""


# --- this process -----------------------------------------------------------------------------------------------------


class Painter:
    """The process that drives the browser."""

    def __init__(self) -> None:
        require("pictures", "playwright", "PIL", "numpy", needs="a picture of the page")
        if not (PAGE / "index.html").is_file():
            raise NoPicture("a picture needs the built page; in a checkout, `make page` builds it.")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wellies.research.page_pictures"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        atexit.register(self.close)

    def draw(self, moment: Json) -> bytes:
        """A moment of a game as a PNG."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        data = json.dumps(moment).encode()
        try:
            self._process.stdin.write(_LENGTH.pack(len(data)) + data)
            self._process.stdin.flush()
            kind, answer = self._process.stdout.read(1), _read(self._process.stdout)
        except OSError:
            kind, answer = b"", None
        if answer is None:
            raise NoPicture("the process that drives the browser has ended; its messages are above.")
        if kind == FAILED:
            raise NoPicture(answer.decode())
        return answer

    def close(self) -> None:
        """End the process and its browser."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


def _read(stream: IO[bytes]) -> bytes | None:
    """The next message of a stream; None at its end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return stream.read(int(_LENGTH.unpack(head)[0]))


_painter: list[Painter] = []


def picture(state: GameState) -> npt.NDArray[np.uint8]:
    """The board as the page draws it for a spectator, as an array (rows, columns, 3)."""
    if not _painter:
        _painter.append(Painter())
    data = _painter[0].draw(moment_of(state))
    import numpy
    from PIL import Image

    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def moment_of(state: GameState) -> Json:
    """What the page asks for when it replays a game of one moment: the table, and that moment."""
    outcome = state.outcome()
    seats = [
        {"bot": None, "kind": "person", "mine": False, "name": f"Seat {seat}", "once": False, "seat": seat, "why": ""}
        for seat in range(state.seats)
    ]
    table: Json = {
        "badges": True,
        "clock": None,
        "created": 0,
        "finished": None,
        "game": state.spec.name,
        "goes_on": False,
        "hints": "off",
        "host": "",
        "hosting": False,
        "id": TABLE,
        "imported": False,
        "invite": None,
        "options": state.options,
        "outcome": None,
        "private": False,
        "rematch": None,
        "scores": state.scores(),
        "seats": seats,
        "seed": None,
        "seed_hash": "",
        "started": 0,
        "state": "playing",
        "takebacks": "off",
        "title": state.spec.title,
        "updated": 0,
        "version": 1,
        "waiting": state.due(),
    }
    moment: Json = {
        "number": 1,
        "entry": None,
        "view": state.view(None),
        "scores": state.scores(),
        "outcome": None if outcome is None else outcome.to_json(),
    }
    return {"table": table, "moment": moment, "game": state.spec.describe()}


# --- the process that drives the browser ------------------------------------------------------------------------------


class Browser:
    """A page that is shown what it asks for without a server."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.moment: Json = {}
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        if path.startswith("/api/v1/"):
            found = self._api(path.removeprefix("/api/v1"))
            if found is None:
                route.fulfill(status=404, json={"code": "not_found", "message": f"There is no {path} here."})
            else:
                route.fulfill(json=found)
            return
        file = PAGE / path.lstrip("/")
        if not file.is_file():
            file = PAGE / "index.html"
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        route.fulfill(body=file.read_bytes(), content_type=kind)

    def _api(self, path: str) -> Any:
        about = {
            "/session": {"me": None},
            f"/tables/{TABLE}": self.moment["table"],
            f"/tables/{TABLE}/replay": {"version": 1, "moments": [self.moment["moment"]]},
            f"/tables/{TABLE}/log": {"version": 1, "entries": []},
            f"/games/{self.moment['table']['game']}": self.moment["game"],
        }
        return about.get(path)

    def draw(self, moment: Json) -> bytes:
        self.moment = moment
        self.page.goto(f"{ADDRESS}/t/{TABLE}/replay?at=1")
        board = self.page.locator(".board svg").first
        board.wait_for()
        self.page.add_style_tag(content=ONLY_THE_BOARD)
        self.page.evaluate("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(done)))")
        return bytes(self.page.locator(".board").first.screenshot())


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Draw what is asked for until there is nothing more to read."""
    from playwright.sync_api import Error, sync_playwright

    path = next((found for found in map(shutil.which, BROWSERS) if found), None)
    with sync_playwright() as playwright:
        shown: Browser | None = None
        while (data := _read(requests)) is not None:
            try:
                if shown is None:
                    launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
                    shown = Browser(launched.new_page(viewport=SIZE, reduced_motion="reduce"))  # type: ignore[arg-type]
                kind, answer = DRAWN, shown.draw(json.loads(data))
            except Error as error:
                kind, answer = FAILED, f"the browser cannot draw this: {error.message.splitlines()[0]}".encode()
            answers.write(kind + _LENGTH.pack(len(answer)) + answer)
            answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
