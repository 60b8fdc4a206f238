"""Runs in the process of an external bot: it lets a bot of another Wellies take part in an arena.

The other installation's Python runs this file as a script. It uses only names that every version of Wellies has, so
that old versions work too. The protocol is JSON, one line for each message. The first request names the game and the
bot. Each further request has a seat's view and a text that seeds the random stream; the answer is a move in notation.
The bot gets views and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import sys
from pathlib import Path
from typing import Any, Final

PROTOCOL: Final = 1


def code_hash(package: Path) -> str:
    """A short hash of the engine and the bots of a Wellies, without the arena itself."""
    digest = hashlib.sha256()
    for layer in ("core", "games", "bots"):
        for path in sorted((package / layer).rglob("*")):
            name = path.relative_to(package)
            if path.suffix in {".py", ".json", ".txt"} and name.parts[:2] != ("bots", "arena"):
                digest.update(f"{name.as_posix()}\n".encode() + path.read_bytes() + b"\n")
    return digest.hexdigest()[:16]


class HostedBot:
    """A bot of this Wellies that answers the requests of an arena."""

    def __init__(self, request: dict[str, Any]) -> None:
        import wellies

        if request.get("protocol") != PROTOCOL:
            raise ValueError(f"protocol {request.get('protocol')!r} is not spoken here")
        self.spec = wellies.game(request["game"])
        self.bot: Any = wellies.bot(request["bot"])
        if request["settings"]:
            if not hasattr(self.bot, "configured"):
                raise ValueError("the bots of that Wellies have no settings")
            self.bot = self.bot.configured(request["settings"])
        self.stream = wellies.Stream
        self.table = ""
        self.sessions: dict[int, Any] = {}
        self.about = {
            "ready": True,
            "version": wellies.__version__,
            "rules_version": self.spec.rules_version,
            "code": code_hash(Path(wellies.__file__).parent),
        }

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        view, seat = request["view"], request["seat"]
        if request["table"] != self.table:
            self.table, self.sessions = request["table"], {}
        if seat not in self.sessions:
            # Version 0.2 calls a session a mind; earlier bots have neither and keep nothing between moves.
            start = getattr(self.bot, "session", None) or getattr(self.bot, "mind", None)
            self.sessions[seat] = self.bot if start is None else start()
        move = self.sessions[seat].choose(view, seat, self.stream(request["random"]))
        return {"move": self.spec.move_text(self.spec.from_position(view["position"]), seat, move)}


def main() -> None:
    """Answer until the input is closed."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena handles Ctrl-C, and then closes our input
    out = sys.stdout
    sys.stdout = sys.stderr  # what a bot prints must not be read as an answer
    hosted: HostedBot | None = None
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if hosted is None:
                hosted = HostedBot(request)
                reply = hosted.about
            else:
                reply = hosted.answer(request)
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        try:
            out.write(json.dumps(reply) + "\n")
            out.flush()
        except OSError:
            return


if __name__ == "__main__":
    main()
