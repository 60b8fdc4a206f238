"""Ultimate Aquarium in a terminal: two tanks beside each other (80 columns), the store and the hand with their texts.

Each type of card has a colour and a sign, so that nothing is told by colour alone.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, Panes, seat_names
from wellies.core.events import Json
from wellies.core.types import View
from wellies.games.aquarium.tank_spaces import SPACE_NAMES

CELL: Final = 12
"""Columns of a card; the longest word of a card's name just fits."""
TANK: Final = 3 * (CELL + 1)
"""Columns of a tank with its inner lines and one border."""
HEIGHT: Final = 14
"""Rows of a tank with its title."""
SMALL_HEIGHT: Final = 10

STYLES: Final = {
    "fish": ("><>", "bright_yellow"),
    "crustacean": ("(V)", "bright_red"),
    "gravel": ("...", "white"),
    "coral": ("\\|/", "bright_magenta"),
    "water": ("~~~", "bright_blue"),
    "decor": ("[#]", "yellow"),
    "plant": ("}}}", "bright_green"),
    "starfish": ("-*-", "magenta"),
}
_UNKNOWN: Final = ("???", "")


def panes(view: View, marks: dict[Any, str], width: int, small: bool) -> Panes:
    """The tanks, two beside each other; below them the store or the hand. Marks may be on spaces ("b2" of the viewer's
    own tank) or on (seat, "b2")."""
    position, seats = view["position"], view["seats"]
    head = Canvas()
    _headline(head, view, width)
    board = Canvas()
    tall = SMALL_HEIGHT if small else HEIGHT + 1
    for seat in range(seats):
        row, column = seat // 2 * tall, seat % 2 * (TANK + 1)
        if small:
            _small_tank(board, row, column, view, seat, marks)
        else:
            _tank(board, row, column, view, seat, marks)
    own = view["seat"]
    focus = None if own is None else (own // 2 * tall + 3, own % 2 * (TANK + 1) + TANK // 2)
    hand = Canvas()
    row = 0
    if position["phase"] in ("stock", "turn"):
        row = _list(hand, row, "The store", position["store"], view, width)
    held = _own(view).get("hand", [])
    if held:
        _list(hand, row, "Your hand: put three of them on your tank", held, view, width)
    notes = Canvas()
    row = _tank_texts(notes, view, width)
    signs = ", ".join(f"{sign} {kind}" for kind, (sign, _) in STYLES.items())
    notes.text(row, 0, f"Signs: {signs}.", width, "dim")
    return Panes(board, head=head, hand=hand, notes=notes, focus=focus)


def _own(view: View) -> Json:
    seat = view["seat"]
    own: Json = {} if seat is None else view["position"]["seats"][seat]
    return own


def _headline(canvas: Canvas, view: View, width: int) -> None:
    position, extra, names = view["position"], view["extra"], seat_names(view)
    phase = position["phase"]
    if phase == "over":
        won = view["outcome"]["winners"] if view["outcome"] is not None else []
        winners = " and ".join(names[seat] for seat in won)
        text = f"The game is over: {winners} {'wins' if len(won) == 1 else 'share the win'}"
    elif phase in ("token", "deal"):
        text = "Set-up: cards are being dealt"
    elif phase == "setup":
        done = ", ".join(f"{names[seat]} {count}" for seat, count in enumerate(extra["placed"]))
        text = f"Set-up: everyone puts three cards down in secret ({done})"
    elif phase == "nets":
        asked = ", ".join(names[seat] for seat in view["due"])
        text = f"The last nets: use it or keep it? Still to answer: {asked}"
    else:
        text = f"Round {position['round']} of {extra['rounds']}"
        if phase == "turn":
            text += f", {names[position['to_move']]} to move"
    canvas.text(0, 0, f"{text}; deck {position['deck']}", width, "bold")


class _Shown:
    """A tank as the viewer sees it: with the viewer's own secret cards in their places."""

    def __init__(self, view: View, seat: int, marks: dict[Any, str]) -> None:
        entry = view["position"]["seats"][seat]
        own = seat == view["seat"]
        plan = view["extra"].get("plan") if own else None
        self.grid = plan["grid"] if plan else entry["grid"]
        self.values = plan["values"] if plan else view["extra"]["values"][seat]
        self.points = plan["points"] if plan else view["scores"][seat]
        self.secret = list(entry["placed"]) if plan and isinstance(entry.get("placed"), dict) else []
        self.marks = {name: marks.get((seat, name), marks.get(name, "") if own else "") for name in SPACE_NAMES}

    def label(self, space: str) -> tuple[str, str]:
        """A space's name and its style; a star marks a secret card."""
        return (f"{space}*", "bold reverse") if space in self.secret else (space, "dim")


def _tank(canvas: Canvas, row: int, column: int, view: View, seat: int, marks: dict[Any, str]) -> None:
    tank = _Shown(view, seat, marks)
    _title(canvas, row, column, view, seat, tank.points)
    top = row + 1
    for line in range(3):
        _rule(canvas, top + 4 * line, column, line)
        for place in range(3):
            space = SPACE_NAMES[3 * line + place]
            left = column + 1 + place * (CELL + 1)
            canvas.put(top + 4 * line, left, *tank.label(space))
            mark = tank.marks[space]
            if mark:
                canvas.put(top + 4 * line, left + CELL - len(mark), mark, "bold reverse")
            _card(canvas, top + 4 * line + 1, left, tank.grid[line][place], tank.values[line][place], view)
            for inner in range(3):
                canvas.put(top + 4 * line + 1 + inner, left - 1, "│" if place else "║", "dim")
                canvas.put(top + 4 * line + 1 + inner, left + CELL, "│" if place < 2 else "║", "dim")
    _rule(canvas, top + 12, column, 3)


def _small_tank(canvas: Canvas, row: int, column: int, view: View, seat: int, marks: dict[Any, str]) -> None:
    """A tank without its level lines; each card has its space, or the number of a move there, below its name."""
    tank = _Shown(view, seat, marks)
    _title(canvas, row, column, view, seat, tank.points)
    for line in range(3):
        for place in range(3):
            space = SPACE_NAMES[3 * line + place]
            top, left = row + 1 + 3 * line, column + 1 + place * (CELL + 1)
            for inner in range(3):
                canvas.put(top + inner, left - 1, "│", "dim")
                canvas.put(top + inner, left + CELL, "│", "dim")
            _card(canvas, top, left, tank.grid[line][place], tank.values[line][place], view)
            mark = tank.marks[space]
            text, style = (mark, "bold reverse") if mark else tank.label(space)
            canvas.put(top + 2, left + 4, text, style)


def _title(canvas: Canvas, row: int, column: int, view: View, seat: int, points: int) -> None:
    position = view["position"]
    entry = position["seats"][seat]
    turn = position.get("to_move") == seat and position["phase"] == "turn"
    token = position.get("first") == seat and position["phase"] in ("stock", "turn")
    name = f"{'▶' if turn else ' '} {seat_names(view)[seat]}{' (you)' if seat == view['seat'] else ''}:"
    canvas.put(row, column, name, "bold" if turn or seat == view["seat"] else "")
    canvas.put(row, column + len(name) + 1, str(points), "bold bright_cyan")
    tools = " ".join(word for word in ("net", "restock") if entry[word])
    right = column + TANK - len(tools)
    canvas.put(row, right, tools, "bright_green")
    if token:
        canvas.put(row, right - 6 if tools else right - 5, "first", "bright_yellow")


def _rule(canvas: Canvas, row: int, column: int, line: int) -> None:
    """One of the four level lines of a tank."""
    edge, cross = "═" if line in (0, 3) else "─", {0: "╤", 3: "╧"}.get(line, "┼")
    ends = {0: "╔╗", 3: "╚╝"}.get(line, "╟╢")
    canvas.put(row, column, ends[0] + cross.join([edge * CELL] * 3) + ends[1], "dim")


def _card(canvas: Canvas, row: int, column: int, name: str, points: int, view: View) -> None:
    sign, colour = _style(name, view)
    for line, text in enumerate(_wrap(name, CELL)):
        canvas.put(row + line, column, text, colour)
    canvas.put(row + 2, column, sign, colour)
    shown = str(points)
    canvas.put(row + 2, column + CELL - len(shown), shown, "bold")


def _style(name: str, view: View) -> tuple[str, str]:
    card = view["extra"]["cards"].get(name)
    return _UNKNOWN if card is None else STYLES[card["type"]]


def _wrap(text: str, columns: int) -> list[str]:
    """A name on two lines at most, broken at spaces where it can be."""
    if len(text) <= columns:
        return [text]
    at = text.rfind(" ", 0, columns + 1)
    if at <= 0 or len(text) - at - 1 > columns:
        at = text.find(" ")
    if at <= 0 or at > columns:
        return [text[:columns], text[columns : 2 * columns]]
    return [text[:at], text[at + 1 : at + 1 + columns]]


def _list(canvas: Canvas, row: int, title: str, names: list[str], view: View, width: int) -> int:
    """Cards with their texts, one below the other; returns the next free row."""
    canvas.put(row, 0, title, "bold")
    row += 1
    if not names:
        canvas.put(row, 2, "(empty)", "dim")
        row += 1
    for name in names:
        row = _describe(canvas, row, name, view, "bold", width)
    return row


def _describe(canvas: Canvas, row: int, name: str, view: View, weight: str, width: int) -> int:
    sign, colour = _style(name, view)
    canvas.put(row, 2, sign, colour)
    canvas.put(row, 6, name, f"{weight} {colour}".strip())
    card = view["extra"]["cards"].get(name)
    if card is None:
        return row + 1
    canvas.put(row, 29, str(card["base"]), "bold")
    return canvas.text(row, 32, card["text"] or "no bonus", width, "" if card["text"] else "dim")


def _tank_texts(canvas: Canvas, view: View, width: int) -> int:
    """The texts of the cards in the viewer's own tank that have one, so that nobody needs the box; the next row."""
    if view["seat"] is None or view["position"]["phase"] in ("token", "deal", "over"):
        return 0
    plan = view["extra"].get("plan")
    grid = plan["grid"] if plan else _own(view)["grid"]
    names = sorted({name for line in grid for name in line if view["extra"]["cards"][name]["text"]})
    if not names:
        return 0
    canvas.put(0, 0, "In your tank", "bold")
    row = 1
    for name in names:
        row = _describe(canvas, row, name, view, "", width)
    return row
