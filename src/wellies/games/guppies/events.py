"""The events of Guppies: built only when someone listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Event
from wellies.core.texts import some
from wellies.games.guppies.faces import face_text
from wellies.games.guppies.moves import at_place, place_q, place_r
from wellies.games.guppies.scoring import lay_line, lay_lines

if TYPE_CHECKING:
    from wellies.games.guppies.state import GuppiesState


def drew(state: GuppiesState, fits: bool) -> Event:
    """The seat to move has drawn the tile that the state holds. One that fits nowhere goes back into the bag."""
    seat, number = state.to_move, state.tile_number
    faces = [face_text(face) for face in state.tile]
    quoted = " and ".join(f'"{face}"' for face in faces)
    does = "draws a tile" if fits else "draws a tile that fits nowhere and puts it back"
    text = f"{{{seat}}} {does} [number {number}, faces {quoted}]."
    return Event("draw" if fits else "redraw", seat, text, {"tile": number, "faces": faces})


def laid(state: GuppiesState, place: int, way: int, face: int, slots: tuple[int, ...], points: int) -> Event:
    """The seat to move lays the drawn tile; `slots` is what was demanded at its place."""
    seat = state.to_move
    colour = state.colours[seat]
    why = ""
    if points:
        reason = lay_line(slots, face, colour, place).why
        why = f" for {some(points, 'point')}: {reason[0].lower()}{reason[1:]}"
    return Event(
        "lay",
        seat,
        f"{{{seat}}} lays a tile {at_place(place)}{why}.",
        {
            "tile": state.tile_number,
            "at": [place_q(place), place_r(place)],
            "face": face_text(face),
            "side": "ab"[way // 6],
            "turn": way % 6,
            "points": points,
        },
        lines=[(seat, line) for line in lay_lines(slots, face, colour, place)],
    )
