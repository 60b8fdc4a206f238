"""One input of the fuzzer: the bytes of one connection, which can be sent again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["http", "socket"]
MARK = b"@"


@dataclass(frozen=True)
class Input:
    """All that is sent over one connection, piece by piece. The pieces of a socket are its opening and its frames;
    `ends` says that a close frame can be understood after them."""

    kind: Kind
    pieces: tuple[bytes, ...]
    ends: bool = True


@dataclass
class World:
    """What a fuzzer knows of a server. A printed input has marks in the place of these values, which differ from run to
    run. They are as long as the values, so that the lengths in the input stay right."""

    cookies: list[bytes] = field(default_factory=list)
    tables: list[bytes] = field(default_factory=list)
    invites: list[bytes] = field(default_factory=list)
    people: list[bytes] = field(default_factory=list)
    records: list[str] = field(default_factory=list)

    def _values(self) -> Iterator[tuple[bytes, bytes]]:
        lists = {"cookie": self.cookies, "table": self.tables, "invite": self.invites, "person": self.people}
        for name, values in lists.items():
            for number, value in enumerate(values):
                mark = MARK + f"{name}{number}".encode()
                yield value, mark.ljust(len(value), MARK)

    def hide(self, given: Input) -> Input:
        """The input with marks."""
        return Input(given.kind, tuple(self._replace(piece, hide=True) for piece in given.pieces), given.ends)

    def fill(self, given: Input) -> Input:
        """The input with the values of this server."""
        return Input(given.kind, tuple(self._replace(piece, hide=False) for piece in given.pieces), given.ends)

    def _replace(self, piece: bytes, *, hide: bool) -> bytes:
        for value, mark in self._values():
            piece = piece.replace(value, mark) if hide else piece.replace(mark, value)
        return piece


def split(rng: random.Random, data: bytes) -> tuple[bytes, ...]:
    """The same bytes in one to four pieces."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(4)))
    return tuple(data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True) if start != stop)
