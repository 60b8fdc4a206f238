"""Guppies for a terminal: a brick wall of water, each brick a tile with its six edges in their places.

 NW    NE        heads are capital letters on their colour, tails small letters in it, water is a wave;
W  q,r   E       open spaces show their coordinates alone.
 SW    SE
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, Panes, seat_names
from wellies.core.events import Json
from wellies.core.types import View
from wellies.games.guppies.faces import COLOURS

LEGEND: Final = (
    "G g green, O o orange, P p purple: a capital letter is a head, a small one a tail, ~ is water.",
    "A tile has its six edges in their places: two above, one at each side, two below. q,r is an open space.",
)

_INK: Final = {"g": "#6fdc6f", "o": "#ffb347", "p": "#cfa6ff"}
_PAPER: Final = {"g": "#1f7a1f", "o": "#b85c00", "p": "#6a2fb0"}
_SEA: Final = "on #123a52"


def _edge(letter: str) -> tuple[str, str]:
    """How an edge is shown: character and style."""
    if letter == ".":
        return ("~", f"#3f8fb5 {_SEA}")
    low = letter.lower()
    if letter == low:
        return (letter, f"bold {_INK[low]} {_SEA}")
    return (letter, f"bold white on {_PAPER[low]}")


def _tile(canvas: Canvas, row: int, column: int, face: str, label: str, style: str) -> None:
    """A tile of three rows by eight columns."""
    letters = "......" if face == "SQUID" else face
    for line in range(3):
        canvas.put(row + line, column, " " * 8, _SEA)
    middle = "*squid" if face == "SQUID" else label
    canvas.put(row + 1, column + 1, middle.center(6), style)
    spots = ((1, 7), (2, 5), (2, 2), (1, 0), (0, 2), (0, 5))
    for (line, shift), letter in zip(spots, letters, strict=True):
        canvas.put(row + line, column + shift, *_edge(letter))


def _small_tile(canvas: Canvas, row: int, column: int, face: str) -> None:
    """A tile of two rows by six columns."""
    letters = "......" if face == "SQUID" else face
    spots = ((1, 5), (1, 3), (1, 2), (1, 0), (0, 1), (0, 4))
    for line in range(2):
        canvas.put(row + line, column, " " * 6, _SEA)
    for (line, shift), letter in zip(spots, letters, strict=True):
        canvas.put(row + line, column + shift, *_edge(letter))


def panes(view: View, marks: dict[Any, str], width: int, small: bool) -> Panes:
    """The board; beside it the players, the bag and the drawn tile with both faces."""
    position = view["position"]
    canvas = Canvas()
    laid = {tuple(each["at"]): each["face"] for each in position["laid"]}
    open_spaces = [tuple(place) for place in view["extra"]["open"]] or ([] if laid else [(0, 0)])
    tall, across = (2, 7) if small else (3, 9)
    for (q, r), face in laid.items():
        row, column = tall * r, across * (2 * q + r) // 2
        if small:
            _small_tile(canvas, row, column, face)
        else:
            _tile(canvas, row, column, face, f"{q},{r}", f"#7fa8bf {_SEA}")
    for q, r in open_spaces:
        row, column = tall * r + tall // 2, across * (2 * q + r) // 2
        canvas.put(
            row, column + 1, marks.get((q, r), f"{q},{r}").center(6), "bold yellow" if (q, r) in marks else "grey50"
        )
    board = Canvas()
    board.paste(0, 0, canvas)
    top, left, _, _ = canvas.bounds()
    places: dict[Any, tuple[int, int]] = {
        (q, r): (tall * r + tall // 2 - top, across * (2 * q + r) // 2 + across // 2 - left)
        for q, r in [*laid, *open_spaces]
    }
    side = Canvas()
    _side(side, view, position)
    notes = Canvas()
    row = 0
    for line in LEGEND:
        row = notes.text(row, 2, line, width, "grey50")
    return Panes(board, table=side, notes=notes, places=places, scored=True)


def _side(canvas: Canvas, view: View, position: Json) -> None:
    """What lies beside the board."""
    row = 0
    names = seat_names(view)
    for seat, each in enumerate(position["seats"]):
        colour = each["colour"]
        turn = "▶" if seat == position["to_move"] and not view["outcome"] else " "
        canvas.put(row, 0, f"{turn} {names[seat]}", "bold" if turn == "▶" else "")
        canvas.put(row, 15, f" {colour.capitalize():<6} ", f"bold white on {_PAPER[COLOURS[COLOURS.index(colour)][0]]}")
        canvas.put(row, 24, f"{each['score']:>4} points")
        row += 1
    canvas.put(row, 2, f"{view['extra']['bag']} tiles in the bag", "grey50")
    if "tile" in position:
        for index, face in enumerate(position["tile"]):
            _tile(canvas, 0, 40 + 12 * index, face, "ab"[index], f"bold white {_SEA}")
        number = view["extra"]["tile"]
        canvas.put(3, 40, f"drawn: tile {number}" if number > 0 else "drawn", "grey50")
