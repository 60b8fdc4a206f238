"""What must be the same on both engines of one and the same state. Plain Python without pytest: a process of the other
engine runs it."""

from __future__ import annotations

from typing import Any

from wellies.core.encoding import Encoding
from wellies.core.state import GameState

_encodings: dict[tuple[str, int, str], Encoding | None] = {}


def engine_facts(state: GameState) -> dict[str, Any]:
    """Positions, texts, hashes, and what each seat observes and may do, as arrays."""
    return {
        "position": state.position(),
        "outcome": state.outcome(),
        "drawn": str(state),
        "serialized": state.serialize(),
        "hash": hash(state),
        "encoded": _encoded(state),
    }


def _encoded(state: GameState) -> list[Any]:
    key = (state.spec.name, state.seats, repr(state.options))
    if key not in _encodings:
        _encodings[key] = state.spec.new_encoding(state.seats, state.options)
    encoding = _encodings[key]
    if encoding is None:
        return []
    cells, mask = bytearray(encoding.size), bytearray(encoding.actions)
    found: list[Any] = []
    for seat in range(state.seats):
        encoding.observe(state, seat, cells)
        encoding.write_mask(state, seat, mask)
        found.append((bytes(cells), bytes(mask), encoding.legal_actions(state, seat)))
    return found
