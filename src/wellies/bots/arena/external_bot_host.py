"""What runs in the other Wellies when one of its bots visits an arena.

This file is handed to the other installation's Python as it is: it uses nothing but names that every Wellies has, so
that an old version need not know of arenas. It speaks JSON, a line for each message: first who is wanted and in which
game, then a seat's view and a text to draw randomness from, again and again; the answer is a move in notation. It never
gets to see anything but views.
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
    """What the engine and the bots of a Wellies are made of, as a short hash; the arena itself is no part of it."""
    digest = hashlib.sha256()
    for layer in ("core", "games", "bots"):
        for path in sorted((package / layer).rglob("*")):
            name = path.relative_to(package)
            if path.suffix in {".py", ".json", ".txt"} and name.parts[:2] != ("bots", "arena"):
                digest.update(f"{name.as_posix()}\n".encode() + path.read_bytes() + b"\n")
    return digest.hexdigest()[:16]


class Visit:
    """A bot of this Wellies that answers an arena."""

    def __init__(self, asked: dict[str, Any]) -> None:
        import wellies

        if asked.get("protocol") != PROTOCOL:
            raise ValueError(f"protocol {asked.get('protocol')!r} is not spoken here")
        self.spec = wellies.game(asked["game"])
        self.bot: Any = wellies.bot(asked["bot"])
        if asked["settings"]:
            if not hasattr(self.bot, "configured"):
                raise ValueError("the bots of that Wellies have no settings")
            self.bot = self.bot.configured(asked["settings"])
        self.stream = wellies.Stream
        self.table = ""
        self.sessions: dict[int, Any] = {}
        self.about = {
            "ready": True,
            "version": wellies.__version__,
            "rules_version": self.spec.rules_version,
            "code": code_hash(Path(wellies.__file__).parent),
        }

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        view, seat = asked["view"], asked["seat"]
        if asked["table"] != self.table:
            self.table, self.sessions = asked["table"], {}
        if seat not in self.sessions:
            # Version 0.2 calls a session a mind; earlier bots have neither and keep nothing between moves.
            start = getattr(self.bot, "session", None) or getattr(self.bot, "mind", None)
            self.sessions[seat] = self.bot if start is None else start()
        move = self.sessions[seat].choose(view, seat, self.stream(asked["random"]))
        return {"move": self.spec.move_text(self.spec.from_position(view["position"]), seat, move)}


def main() -> None:
    """Answer until nobody asks any more."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the arena, which then closes our input
    out = sys.stdout
    sys.stdout = sys.stderr  # a bot that prints must not be taken for one that moves
    visit: Visit | None = None
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            if visit is None:
                visit = Visit(asked)
                reply = visit.about
            else:
                reply = visit.answer(asked)
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        try:
            out.write(json.dumps(reply) + "\n")
            out.flush()
        except OSError:
            return


if __name__ == "__main__":
    main()
