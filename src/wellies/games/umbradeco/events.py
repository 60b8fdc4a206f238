"""The events of Umbradeco: built only when someone listens, with what only some seats may know kept apart."""

from __future__ import annotations

from typing import Final

from wellies.core.events import Event, ScoreLine
from wellies.core.state import CHANCE
from wellies.core.texts import capital, some
from wellies.games.umbradeco.mat import Mat
from wellies.games.umbradeco.mat_geometry import COORDINATES, DIRECTION_WORDS, at_space
from wellies.games.umbradeco.material import COLOURS
from wellies.games.umbradeco.moves import move_fields, take_apart, umbrella
from wellies.games.umbradeco.scoring import Scored, lines_of

END: Final = "Every hand is empty."


def to_box(colour: int) -> Event:
    """A tile leaves the game unseen: not even the seats know which."""
    return Event("out", CHANCE, "A tile leaves the game unseen.", secret={"colour": COLOURS[colour]})


def to_mat(colour: int, space: int) -> Event:
    data = {"colour": COLOURS[colour], "at": list(COORDINATES[space])}
    return Event("start", CHANCE, f"{capital(umbrella(colour))} opens {at_space(space)}.", data)


def to_hand(seat: int, colour: int) -> Event:
    return Event(
        "draw",
        seat,
        f"{{{seat}}} draws a tile.",
        secret_text=f"You draw a tile: {COLOURS[colour]}.",
        secret={"colour": COLOURS[colour]},
        audience=(seat,),
    )


def to_market(colour: int) -> Event:
    return Event("market", CHANCE, f"{COLOURS[colour].capitalize()} comes to the market.", {"colour": COLOURS[colour]})


def begins(seat: int) -> Event:
    return Event("first", seat, f"{{{seat}}} begins.")


def placed(seat: int, move: int, points: int, mat: Mat, scored: Scored | None) -> Event:
    """A tile was placed, with every reason for its points."""
    parts = take_apart(move)
    assert parts is not None
    place = at_space(parts.space)
    colour = COLOURS[parts.colour]
    data = move_fields(move)
    data["points"] = points
    if parts.kind == "place":
        text = f"{{{seat}}} opens {umbrella(parts.colour)} {place}"
    elif parts.kind == "push":
        beyond = mat.geometry.beyond[parts.space * 6 + parts.direction]
        pushed = COLOURS[mat.top[beyond]]
        data["pushed"] = pushed
        data["to"] = list(COORDINATES[beyond])
        way = DIRECTION_WORDS[parts.direction]
        text = f"{{{seat}}} pushes {pushed} to the {way} and opens {colour} in its place {place}"
    else:
        text = f"{{{seat}}} stacks {colour} on {COLOURS[mat.under[parts.space]]} {place}"
    if scored is None:
        return Event(parts.kind, seat, f"{text}.", data)
    lines = lines_of(mat, scored)
    scores = f"{text} for {some(points, 'point')}{_reasons(lines)}."
    return Event(parts.kind, seat, scores, data, lines=[(seat, line) for line in lines])


def _reasons(lines: list[ScoreLine]) -> str:
    """What the points are for: " (row)" if it is one thing, else ": rows 1 + 2, stack 5"."""
    if len(lines) == 1:
        return f" ({lines[0].rule})"
    by_rule: dict[str, list[int]] = {}
    for line in lines:
        by_rule.setdefault(line.rule, []).append(line.points)
    parts = [f"{rule}{'s' * (len(each) > 1)} {' + '.join(map(str, each))}" for rule, each in by_rule.items()]
    return f": {', '.join(parts)}"


def dropped(seat: int, colour: int) -> Event:
    data = {"colour": COLOURS[colour]}
    return Event("drop", seat, f"{{{seat}}} can place nothing and discards {COLOURS[colour]}.", data)


def took(seat: int, colour: int) -> Event:
    data = {"colour": COLOURS[colour]}
    return Event("take", seat, f"{{{seat}}} takes {COLOURS[colour]} from the market.", data)
