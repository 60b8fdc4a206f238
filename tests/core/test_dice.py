"""Dice that anyone can check."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellies.core.dice import Draw, Stream, make_seed, roll, seed_hash, shuffle
from wellies.core.errors import BadOption


def test_a_draw_can_be_checked_by_hand() -> None:
    seed = bytes(range(32))
    block = hashlib.sha256(seed + (5).to_bytes(8, "big") + (0).to_bytes(4, "big")).digest()
    assert roll(seed, 5, 128) == int.from_bytes(block[:8], "big") % 128
    assert Draw(seed, 5).randrange(128) == roll(seed, 5, 128)


def test_the_dice_never_change() -> None:
    """These numbers are published with every game: they must be the same on every machine and for ever."""
    seed = make_seed(7)
    assert [roll(seed, draw, 100) for draw in range(8)] == [79, 89, 62, 18, 28, 45, 6, 44]
    stream = Stream(7)
    assert [stream.randrange(100) for _ in range(8)] == [21, 26, 66, 5, 99, 67, 81, 73]


def test_a_word_beyond_the_last_whole_multiple_is_thrown_again() -> None:
    """With 3 * 2^62 sides a quarter of all words are thrown away; the second word of the draw counts then."""
    seed, sides = bytes(32), 3 << 62

    def word(draw: int, attempt: int) -> int:
        block = hashlib.sha256(seed + draw.to_bytes(8, "big") + attempt.to_bytes(4, "big")).digest()
        return int.from_bytes(block[:8], "big")

    draw = next(number for number in range(100) if word(number, 0) >= sides > word(number, 1))
    assert roll(seed, draw, sides) == word(draw, 1)


@given(st.integers(1, 1000), st.integers(0, 10**6))
def test_every_roll_is_on_the_die(sides: int, draw: int) -> None:
    assert 0 <= roll(b"seed", draw, sides) < sides
    assert 0 <= Stream(draw).randrange(sides) < sides


def test_rolls_are_fair() -> None:
    """Chi-squared with 5 degrees of freedom: 20.5 is one in a thousand."""
    counts = [0] * 6
    for draw in range(6000):
        counts[roll(b"fair", draw, 6)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5


@pytest.mark.parametrize("sides", [0, -1, (1 << 64) + 1])
def test_impossible_dice_are_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        roll(b"", 0, sides)
    with pytest.raises(ValueError, match="pick"):
        Stream(1).randrange(sides)


def test_seeds_come_from_numbers_bytes_or_nothing() -> None:
    assert make_seed(bytes(32)) == bytes(32)
    assert len(make_seed(b"short")) == 32
    assert make_seed(1) == make_seed(1) != make_seed(2)
    assert make_seed(None) != make_seed(None)
    assert seed_hash(bytes(32)) == hashlib.sha256(bytes(32)).hexdigest()
    for wrong in ("seven", True, 1.5):
        with pytest.raises(BadOption, match="seed"):
            make_seed(wrong)


def test_streams_of_different_names_are_different_and_repeat() -> None:
    def take(stream: Stream) -> list[int]:
        return [stream.randrange(1000) for _ in range(5)]

    assert take(Stream(1).fork("a")) == take(Stream(1).fork("a"))
    assert len({tuple(take(Stream(1).fork(name))) for name in "abc"}) == 3
    assert take(Stream("1")) == take(Stream(b"1"))


def test_shuffling_keeps_every_item() -> None:
    items = list(range(50))
    shuffle(items, Stream(3))
    assert items != list(range(50))
    assert sorted(items) == list(range(50))
    shuffle(items, random.Random(3))  # the standard generator will do as well
    assert sorted(items) == list(range(50))
