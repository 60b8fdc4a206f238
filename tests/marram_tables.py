"""Small tables for tests, written as short as can be."""

from __future__ import annotations

from typing import Any

import wellies
from wellies.games.marram.state import MarramState

SPEC = wellies.game("marram")
START: dict[str, Any] = {"at": [0, 0], "tile": 0}


def tile(x: int, y: int, bridge: str = "sand", *segments: str, **more: Any) -> dict[str, Any]:
    return {"at": [x, y], "bridge": bridge, "segments": list(segments), **more}


def table(
    *laid: dict[str, Any],
    hands: list[list[int]] | None = None,
    variant: str = "classic",
    length: str = "long",
    seats: list[dict[str, Any]] | None = None,
    **more: Any,
) -> MarramState:
    """A position with these tiles; hands, or seats written out."""
    if seats is None:
        seats = [{"hand": hand} for hand in (hands or [[], []])]
    position = {"options": {"variant": variant, "length": length}, "seats": seats, "laid": list(laid), **more}
    state = SPEC.from_position(position)
    assert isinstance(state, MarramState)
    return state


def play(state: MarramState, seat: int, *texts: str) -> None:
    for text in texts:
        state.apply(seat, SPEC.parse_move(state, seat, text))


def texts(state: MarramState, seat: int) -> list[str]:
    return [SPEC.move_text(state, seat, move) for move in state.legal(seat)]


def laid_at(state: MarramState, x: int, y: int) -> dict[str, Any]:
    for each in state.position()["laid"]:
        if each["at"] == [x, y]:
            found: dict[str, Any] = each
            return found
    raise AssertionError(f"no tile at {x},{y}")
