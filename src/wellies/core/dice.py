"""Dice that anyone can check.

A game's chance comes from a secret seed of 32 bytes. The hash of the seed is published before the first draw and the
seed itself at the end. Draw number `k` (counting a game's chance moves from 0) depends on nothing but the seed and `k`:

    word(k, i) = the first 8 bytes, big-endian, of SHA-256(seed || k as 8 bytes || i as 4 bytes)

and `below(n)` takes the first of word(k, 0), word(k, 1), ... that is smaller than the largest multiple of `n` that fits
in 64 bits, modulo `n`. There is no bias, and the result is the same on every Python version.

Bots never touch a game's dice. They get a `Stream` of their own.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
from typing import Final, Protocol

from wellies.core.errors import BadOption
from wellies.core.native import mypyc_attr

SEED_BYTES: Final = 32
_WORD: Final = 1 << 64
_HALF: Final = 1 << 32
_SMALL: Final = 1 << 29
_HALVES: Final = struct.Struct(">8I")


class Rng(Protocol):
    """All that the engine asks of a source of randomness; `random.Random` has it too."""

    def randrange(self, stop: int, /) -> int: ...


def make_seed(seed: object) -> bytes:
    """32 bytes from what a caller may give: nothing (a fresh secret), a number, or bytes; BadOption for all else."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, bytes):
        return seed if len(seed) == SEED_BYTES else hashlib.sha256(b"wellies seed " + seed).digest()
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadOption(f"seed {seed!r} is not a whole number, bytes or None.")
    return hashlib.sha256(b"wellies seed %d" % seed).digest()


def seed_hash(seed: bytes) -> str:
    """What a table publishes before the first draw."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, draw: int, stop: int) -> int:
    """A fair number from 0 to stop - 1 for draw number `draw` of the game."""
    if not 0 < stop <= _WORD:
        raise ValueError(f"cannot roll a die of {stop} sides")
    limit = _WORD - _WORD % stop
    attempt = 0
    while True:
        block = hashlib.sha256(seed + draw.to_bytes(8, "big") + attempt.to_bytes(4, "big")).digest()
        word = int.from_bytes(block[:8], "big")
        if word < limit:
            return word % stop
        attempt += 1


class Draw:
    """One draw of a game as an `Rng`: `randrange` may be asked once."""

    def __init__(self, seed: bytes, number: int) -> None:
        self.seed: Final = seed
        self.number: Final = number

    def randrange(self, stop: int, /) -> int:
        return roll(self.seed, self.number, stop)


@mypyc_attr(allow_interpreted_subclasses=True)
class Stream:
    """An endless stream of fair numbers from a seed, for bots, resampling, simulations and tests.

    Four 64-bit words come from each hash, so that it is quick; the sequence is the same on every Python version.
    """

    def __init__(self, seed: int | bytes | str) -> None:
        if isinstance(seed, int):
            self._seed = hashlib.sha256(b"wellies stream %d" % seed).digest()
        elif isinstance(seed, str):
            self._seed = hashlib.sha256(b"wellies stream " + seed.encode()).digest()
        else:
            self._seed = hashlib.sha256(b"wellies stream " + seed).digest()
        self._block = 0
        self._halves: tuple[int, ...] = ()
        """What is left of the last hash: each word as its high and its low 32 bits."""
        self._next = 0

    def _high(self) -> int:
        """Where the next word's halves are: at this index and the one after."""
        if self._next == len(self._halves):
            self._halves = _HALVES.unpack(hashlib.sha256(self._seed + self._block.to_bytes(8, "big")).digest())
            self._block += 1
            self._next = 0
        at = self._next
        self._next = at + 2
        return at

    def word(self) -> int:
        """The next 64 random bits."""
        at = self._high()
        return (self._halves[at] << 32) | self._halves[at + 1]

    def randrange(self, stop: int, /) -> int:
        """A fair number from 0 to stop - 1."""
        if not 0 < stop <= _WORD:
            raise ValueError(f"cannot pick one of {stop}")
        if stop > _SMALL:
            limit = _WORD - _WORD % stop
            while True:
                word = self.word()
                if word < limit:
                    return word % stop
        # The same number by halves, so that no step needs more than 62 bits: compiled code aborts the process when
        # Ctrl-C interrupts arithmetic on larger numbers, and is slower with them.
        scale = _HALF % stop
        beyond = _HALF - scale * scale % stop
        while True:
            at = self._high()
            high, low = self._halves[at], self._halves[at + 1]
            if high < _HALF - 1 or low < beyond:
                return (high % stop * scale + low) % stop

    def fork(self, name: str) -> Stream:
        """An independent stream, always the same for the same name and seed."""
        return Stream(self._seed + name.encode())


def shuffle(items: list[int], rng: Rng) -> None:
    """Fisher and Yates, in place."""
    for i in range(len(items) - 1, 0, -1):
        j = rng.randrange(i + 1)
        items[i], items[j] = items[j], items[i]
