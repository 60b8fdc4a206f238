"""Marram for a terminal: each tile three rows of ground, grass and sand as textures, with its beasts drawn through it.

grass \"\"\"   sand ...      blue double lines, head @, tail <     orange heavy lines, end o
worm light lines, end *, saddle =      Beastly dashed lines      $ gold, s silver, f flower
a seat's number in its colour is a claim (a boot on ground, a boot or fork on a beast); small 1-3: flips left
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, Panes, seat_names
from wellies.core.events import Json
from wellies.core.types import View

LEGEND: Final = (
    '" grass . sand; ═ blue (@ head, < tail); ━ orange (o end); ─ worm (* end, = saddle); ┄ Beastly; $ gold, s silver, '
    "f flower; 0 1 2 3 a seat's claim; ¹²³ flips left; F fly, R frog; ♠ a tile with a spade"
)

_PAPER: Final = {"grass": "on #2f6b3a", "sand": "on #d9bf7c"}
_BLADE: Final = {"grass": '"', "sand": "."}
_SPECK: Final = {"grass": "#4f9a58", "sand": "#b89a55"}
_INK: Final = {
    "blue": {"grass": "bold #8fd0ff", "sand": "bold #0b4fa8"},
    "orange": {"grass": "bold #ffb060", "sand": "bold #b34700"},
    "worm": {"grass": "bold #ffb3d0", "sand": "bold #a3135c"},
    "any": {"grass": "bold white", "sand": "bold black"},
}
_LINES: Final = {"blue": "═║╔╗╝╚", "orange": "━┃┏┓┛┗", "worm": "─│╭╮╯╰", "any": "┄┆┌┐┘└"}
_TIPS: Final = {"blue head": "@", "blue tail": "<", "orange end": "o", "worm end": "*", "worm saddle": "="}
_ORNAMENTS: Final = {"gold": ("$", "bold #ffd700"), "silver": ("s", "bold white"), "flower": ("f", "bold #c2185b")}
_SEATS: Final = (
    "bold white on #b3261e",
    "bold white on #1f4fa3",
    "bold black on #f2c230",
    "bold white on #6a2fb0",
)
_CORNERS: Final = ("NW", "NE", "SE", "SW")
_BENDS: Final = {"EW": 0, "NS": 1, "SE": 2, "SW": 3, "NW": 4, "NE": 5}
_ACROSS: Final = {"NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}


class _Brush:
    """Draws tiles of one size: three rows by `wide` columns, an odd number, so that there is a middle."""

    def __init__(self, canvas: Canvas, wide: int) -> None:
        self.canvas = canvas
        self.wide = wide
        self.half = wide // 2

    def tile(self, row: int, column: int, shown: Json, odd: int) -> None:
        """A tile with its north-west corner of grass (odd 0) or sand (odd 1)."""
        grounds = self.ground(shown["bridge"], odd)
        for line in range(3):
            for step in range(self.wide):
                ground = grounds[line][step]
                self.canvas.put(row + line, column + step, _BLADE[ground], f"{_SPECK[ground]} {_PAPER[ground]}")
        signs: dict[tuple[int, int], tuple[str, str]] = {}
        ornament = shown.get("ornament", "none")
        if ornament != "none":
            signs[(1, self.half)] = _ORNAMENTS[ornament]
        if shown.get("flips", 0):
            dark = grounds[2][self.wide - 1] == "sand"
            sign = "¹²³"[min(shown["flips"], 3) - 1]
            signs[(2, self.wide - 1)] = (sign, "bold black" if dark else "bold white")
        bends = [text for text in shown["segments"] if self.is_bend(text.split()[2])]
        for text in shown["segments"]:
            kind = text.split()[0]
            for (line, step), sign in self.strokes(text, len(bends) > 1).items():
                signs[(line, step)] = (sign, _INK[kind][grounds[line][step]])
        for (line, step), (sign, ink) in signs.items():
            self.canvas.put(row + line, column + step, sign, f"{ink} {_PAPER[grounds[line][step]]}")
        if "claim" in shown:
            seat = shown["claim"]["seat"]
            line, step = self.spot(shown["claim"]["on"], list(signs))
            self.canvas.put(row + line, column + step, str(seat), _SEATS[seat])

    def ground(self, bridge: str, odd: int) -> list[list[str]]:
        """The ground of each character: the corners in their quarters, the bridge across the middle."""
        north_west = "sand" if odd else "grass"
        north_east = "grass" if odd else "sand"
        parted = north_west if north_west != bridge else north_east
        top = [north_west] * self.half + [parted] + [north_east] * self.half
        low = [north_east] * self.half + [parted] + [north_west] * self.half
        return [top, [bridge] * self.wide, low]

    def is_bend(self, edges: str) -> bool:
        return len(edges) == 2 and edges not in ("NS", "EW")

    def strokes(self, text: str, crowded: bool) -> dict[tuple[int, int], str]:
        """The characters of a segment by row and column. In a crowd, each bend keeps to its own quarter."""
        kind, role, edges = text.split()
        lines = _LINES[kind]
        middle = self.half
        tip = _TIPS.get(f"{kind} {role}", "")
        drawn: dict[tuple[int, int], str] = {}
        if "N" in edges:
            drawn[(0, middle)] = lines[1]
        if "S" in edges:
            drawn[(2, middle)] = lines[1]
        if "W" in edges:
            drawn.update({(1, step): lines[0] for step in range(middle)})
        if "E" in edges:
            drawn.update({(1, step): lines[0] for step in range(middle + 1, self.wide)})
        if len(edges) == 1:
            drawn[{"N": (0, middle), "S": (2, middle), "W": (1, middle - 1), "E": (1, middle + 1)}[edges]] = tip
        elif self.is_bend(edges) and crowded:
            line = 0 if "N" in edges else 2
            near = middle - 1 if "W" in edges else middle + 1
            bend = lines[_BENDS[edges]]
            drawn[(line, middle)] = bend
            drawn[(line, near)] = lines[_BENDS[_ACROSS[edges]]]
            drawn[(1, near)] = tip or bend
        else:
            drawn[(1, middle)] = tip or lines[_BENDS[edges]]
        return drawn

    def spot(self, on: str, taken: list[tuple[int, int]]) -> tuple[int, int]:
        """Where a piece is drawn: on its beast, in its corner, or near the middle for the bridge."""
        if on == "bridge":
            for place in ((1, self.half - 1), (1, self.half + 1), (1, self.half)):
                if place not in taken:
                    return place
            return (1, self.half)
        if on in _CORNERS:
            return (0 if on[0] == "N" else 2, 0 if on[1] == "W" else self.wide - 2)
        return {"N": (0, self.half), "S": (2, self.half), "W": (1, 0), "E": (1, self.wide - 1)}[on]


def panes(view: View, marks: dict[Any, str], width: int, small: bool) -> Panes:
    """The board with its coordinates, the players, and the hands."""
    position = view["position"]
    laid = {(each["at"][0], each["at"][1]): each for each in position["laid"]}
    open_places = [(place[0], place[1]) for place in view["extra"]["open"]]
    wide = 5 if small else 7
    board = Canvas()
    brush = _Brush(board, wide)
    for x, y in open_places:
        label = marks.get((x, y), marks.get(f"{x},{y}", ""))
        board.put(3 * y + 1, wide * x, (label or "·").center(wide), "bold yellow" if label else "grey37")
    for (x, y), shown in laid.items():
        brush.tile(3 * y, wide * x, shown, (x + y) & 1)
        label = marks.get((x, y), marks.get(f"{x},{y}", ""))
        if label:
            board.put(3 * y + 1, wide * x, label[:wide].center(wide), "bold black on yellow")
    for name, sign in (("fly", "F"), ("frog", "R")):
        if name in position:
            x, y = position[name]["at"]
            board.put(3 * y + (0 if name == "fly" else 2), wide * x + 1, sign, "bold white on #333333")
    _axes(board, wide, [*laid, *open_places])
    top, left, _, _ = board.bounds()
    places: dict[Any, tuple[int, int]] = {
        (x, y): (3 * y + 1 - top, wide * x + wide // 2 - left) for x, y in [*laid, *open_places]
    }
    players = Canvas()
    _players(players, view, width)
    hands = Canvas()
    _hand(hands, view)
    notes = Canvas()
    notes.text(0, 2, LEGEND, width, "grey50")
    return Panes(board, table=players, hand=hands, notes=notes, fixed=(1, 4), places=places, scored=True)


def _axes(board: Canvas, wide: int, places: list[tuple[int, int]]) -> None:
    """x along the top, y down the left side."""
    xs = [x for x, _ in places]
    ys = [y for _, y in places]
    for x in range(min(xs), max(xs) + 1):
        board.put(3 * min(ys) - 1, wide * x, str(x).center(wide), "grey62")
    for y in range(min(ys), max(ys) + 1):
        board.put(3 * y + 1, wide * min(xs) - 4, f"{y:>3} ", "grey62")


def _players(canvas: Canvas, view: View, width: int) -> None:
    position = view["position"]
    acting = view["active"]
    names = seat_names(view)
    for seat, each in enumerate(position["seats"]):
        turn = "▶" if seat in acting else " "
        canvas.put(seat, 0, f"{turn} ", "bold")
        canvas.put(seat, 2, f" {seat} ", _SEATS[seat])
        canvas.put(seat, 6, names[seat], "bold" if turn == "▶" else "")
        forks = f"  forks {each['forks']}" if position["options"]["variant"] != "classic" else ""
        pieces = f"boots {each['boots']}{forks}  spades {each['spades']:>2}"
        hand = " ".join(str(tile) for tile in each["hand"]) or "-"
        canvas.put(seat, 19, f"{each['score']:>4} points  {pieces}  hand {hand}")
    row = len(position["seats"])
    goal = view["extra"]["knock_out"]
    words = f"{view['extra']['stock']} tiles in the stock"
    if position["phase"] in ("move", "claim"):
        words += f", move {position['move']} of 2"
    if goal:
        words += f", knock-out at {goal}"
    for name in ("fly", "frog"):
        if name in position:
            animal = position[name]
            told = ", ".join("?" if guess is None else str(guess) for guess in animal["guesses"])
            sign = "F" if name == "fly" else "R"
            words += f"; {name} ({sign}) at hop {animal['hops']}, guesses {told}"
    canvas.text(row, 2, words, width, "grey62")


def _hand(canvas: Canvas, view: View) -> None:
    """The tiles of whoever acts (or of the viewer), both faces in base position: a has grass at NW, b has sand."""
    seats = [seat for seat in view["active"] if seat >= 0]
    seat = seats[0] if seats else view["seat"]
    if seat is None:
        return
    held = set(view["position"]["seats"][seat]["hand"])
    brush = _Brush(canvas, 7)
    column = 0
    for face in view["extra"]["hands"]:
        if face["tile"] not in held:
            continue
        canvas.put(0, column, f"{face['tile']}a", "bold")
        canvas.put(0, column + 8, f"{face['tile']}b", "bold")
        for side in range(2):
            shown = {"segments": face["segments"], "bridge": face["bridges"][side], "ornament": face["ornaments"][side]}
            brush.tile(1, column + 8 * side, shown, side)
        if face["spade"]:
            canvas.put(0, column + 4, "♠", "bold")
        column += 19
