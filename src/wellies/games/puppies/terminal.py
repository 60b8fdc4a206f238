"""Good Puppies for a terminal: the park, every yard group by group with its bones, and the viewer's hand.

A bone is a little plate with its value; the brighter the plate, the more it is worth.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, Panes, seat_names, width
from wellies.core.events import Json
from wellies.core.types import View
from wellies.games.puppies.material import FIRST_DOGGO
from wellies.games.puppies.material_file import load_material

WIDE: Final = 100
LEGEND: Final = (
    "N is the number of pups in the group that the pup has joined, itself included; here is that group. A plate is a "
    "bone with its value; +3 and 1>2, 2>5 are what the group's bonus would bring now."
)
_PUPS: Final = 17
_BONES: Final = 47

_COAT: Final = (
    *("tan", "dark_orange", "gold3", "indian_red", "light_sky_blue1"),
    *("grey70", "khaki1", "orange1", "medium_purple1", "hot_pink"),
)
"""A colour for each breed, and one for Doggos."""
_PLATE: Final = {
    1: "grey93 on grey35",
    2: "bold white on dark_green",
    5: "bold white on dark_orange3",
    10: "bold black on gold1",
}
_QUIET: Final = "grey50"
_PHASE: Final = {
    "deal": "the hands are dealt",
    "park": "the park is filled",
    "choose": "all choose a card in secret",
    "reveal": "the chosen cards are shown",
    "join": "which group does the Doggo join?",
    "trick": "a trick",
    "draw": "a pup is drawn",
    "take": "a card is taken from the park",
    "leftover": "which group does the leftover Doggo join?",
    "over": "the game is over",
}


class _Sheet:
    """What all parts of one drawing share."""

    def __init__(self, view: View, marks: dict[Any, str], width: int) -> None:
        self.view = view
        self.position = view["position"]
        self.cards = load_material(self.position["options"]["cards"])
        self.marks = marks
        self.wide = min(WIDE, max(80, width))
        self.bones = _BONES - (WIDE - self.wide) // 2
        """The column where a group's bones begin."""
        self.points = self.wide - 26
        """The column of the points."""


def panes(view: View, marks: dict[Any, str], room: int, small: bool) -> Panes:
    """The park and the turns to come, every yard, and the viewer's hand. `marks` labels cards by number and groups by
    name. Small: cards without their tricks, which then are among the notes."""
    sheet = _Sheet(view, marks, room)
    position = view["position"]
    head, board, hand, notes = Canvas(), Canvas(), Canvas(), Canvas()
    row = _head(head, sheet)
    row = _chips(head, row, "Park", position["park"], sheet) if small else _park(head, row, sheet)
    _turns(head, row, sheet)
    row = 0
    focus = None
    for seat in range(view["seats"]):
        if seat == view["seat"]:
            focus = (row + 2, 0)
        row = _yard(board, row, sheet, seat)
    held: list[int] = []
    if view["seat"] is not None:
        each = position["seats"][view["seat"]]
        held = [card for card in each["hand"] if card != "?"]
        if small:
            _chips(hand, 0, "Hand", held, sheet, _chosen(each))
        else:
            _hand(hand, held, sheet, _chosen(each))
    row = 0
    if small:
        for card in [*position["park"], *held]:
            row = _card(notes, row, card, sheet)
    notes.text(row, 2, LEGEND, room, _QUIET)
    return Panes(board, head=head, hand=hand, notes=notes, focus=focus)


def _chosen(each: Json) -> list[int]:
    """The cards that a seat has chosen, as far as they are seen."""
    return each["chosen"] if isinstance(each["chosen"], list) else [each["chosen"]]


def _chips(
    canvas: Canvas, row: int, title: str, held: list[int], sheet: _Sheet, chosen: list[int] | None = None
) -> int:
    """Cards side by side with number and name, on as many rows as they need; returns the row after them."""
    if not held:
        return row
    canvas.put(row, 0, title, "bold green3")
    column = 6
    for card in held:
        text = sheet.cards.titles[card][3:] + (" ✓" if card in (chosen or []) else "")
        label = sheet.marks.get(card, "")
        if column > 6 and column + len(label) + 5 + width(text) > sheet.wide:
            row, column = row + 1, 6
        canvas.put(row, column, label, "bold yellow")
        column += len(label)
        canvas.put(row, column, f" {card:02d} ", f"bold black on {_coat(card)}")
        canvas.put(row, column + 5, text, f"bold {_coat(card)}")
        column += 5 + width(text) + 2
    return row + 1


def _head(canvas: Canvas, sheet: _Sheet) -> int:
    view, position = sheet.view, sheet.position
    place = "final round" if position["final"] else f"round {position['round']}"
    canvas.put(0, 0, f"{place} · {_PHASE[position['phase']]}", "bold" if not view["outcome"] else "bold gold1")
    cards = f"deck {position['deck']} · box {position['box']}"
    canvas.put(0, sheet.wide - len(cards), cards, _QUIET)
    if view["outcome"]:
        names = seat_names(view)
        winners = " and ".join(names[seat] for seat in view["outcome"]["winners"])
        return canvas.text(1, 0, f"{winners} won: {view['outcome']['reason']}", sheet.wide, "gold1")
    return 1


def _coat(card: int) -> str:
    return _COAT[9 if card >= FIRST_DOGGO else card // 10]


def _card(canvas: Canvas, row: int, card: int, sheet: _Sheet) -> int:
    """A card with its number, name and trick, on as many rows as the trick needs; returns the row after it."""
    label = sheet.marks.get(card, "")
    canvas.put(row, 9 - len(label), label, "bold yellow")
    canvas.put(row, 10, f" {card:02d} ", f"bold black on {_coat(card)}")
    canvas.put(row, 15, sheet.cards.titles[card][3:], f"bold {_coat(card)}")
    return canvas.text(row, 36, sheet.cards.tricks[card].text, max(sheet.wide, 80))


def _park(canvas: Canvas, row: int, sheet: _Sheet) -> int:
    if not sheet.position["park"]:
        return row
    canvas.put(row, 0, "Park", "bold green3")
    for card in sheet.position["park"]:
        row = _card(canvas, row, card, sheet)
    return row


def _turns(canvas: Canvas, row: int, sheet: _Sheet) -> None:
    """The turns to come, and what is being asked."""
    position, cards = sheet.position, sheet.cards
    turns = position.get("turns", [])
    if turns:
        canvas.put(row, 0, "Turns", "bold green3")
        names = seat_names(sheet.view)
        column = 6
        for index, turn in enumerate(turns):
            text = f"{names[turn['seat']]} {cards.titles[turn['card']]}"
            if column > 6 and column + width(text) + 2 > sheet.wide:
                row, column = row + 1, 6
            canvas.put(row, column, ("▶ " if index == 0 else "→ ") + text, "bold" if index == 0 else _QUIET)
            column += width(text) + 4
        row += 1
    asks = sheet.view["extra"]["asks"]
    if "pup" in position:
        asks = f"{cards.titles[position['pup']]} may join any group."
    if asks:
        canvas.text(row, 6, asks, sheet.wide, "yellow")


def _yard(canvas: Canvas, row: int, sheet: _Sheet, seat: int) -> int:
    """One seat's groups below its line; returns the row after them."""
    view = sheet.view
    each = sheet.position["seats"][seat]
    active = seat in view["active"]
    over = view["outcome"] is not None
    canvas.put(row, 0, "─" * sheet.wide, "green3" if active else "grey30")
    canvas.put(row, 2, f" {'▶ ' if active else ''}{seat_names(view)[seat]} ", "bold green3" if active else "bold")
    about = f" {_about_hand(each)} "
    canvas.put(row, 20, about, _QUIET)
    bonuses = {bonus["breed"]: bonus for bonus in view["extra"]["bonuses"][seat]}
    coming = sum(bonus["points"] for bonus in bonuses.values())
    total = f" {view['scores'][seat]} points "
    if coming:
        total += f"({coming} by bonuses) " if over else f"(+{coming} bonus) "
    if 20 + len(about) > sheet.points:  # cards taken openly: the points go on the next line
        row += 1
    canvas.put(row, sheet.points, total, "bold")
    if not each["groups"]:
        canvas.put(row + 1, 5, "an empty yard", _QUIET)
        return row + 2
    for group in each["groups"]:
        row = _group(canvas, row + 1, group, bonuses.get(group["breed"]), sheet, sheet.marks if active else {})
    return row + 1


def _about_hand(each: Json) -> str:
    chosen = each["chosen"]
    number = 0 if chosen is None else len(chosen) if isinstance(chosen, list) else 1
    text = f"{len(each['hand'])} in hand"
    if number:
        text += ", has chosen" if number == 1 else f", has chosen {number}"
    if each["open"]:
        text += ", taken openly: " + " ".join(f"{card:02d}" for card in each["open"])
    return text


def _group(canvas: Canvas, row: int, group: Json, bonus: Json | None, sheet: _Sheet, marks: dict[Any, str]) -> int:
    """A group on one line, or on more if its pups or bones need them."""
    cards = sheet.cards
    index = cards.keys.index(group["breed"])
    label = marks.get(group["breed"], "")
    canvas.put(row, 0, label, "bold yellow")
    canvas.put(row, 5, cards.names[index], f"bold {_COAT[index]}")
    last = _wrap(canvas, row, _PUPS, sheet.bones - 1, [(f"{pup:02d}", _coat(pup)) for pup in group["pups"]])
    plates = [(f" {value} ", _PLATE[value]) for value in group["bones"]]
    last = max(last, _wrap(canvas, row, sheet.bones, sheet.points - 1, plates))
    worth = sum(group["bones"])
    if worth:
        canvas.put(row, sheet.points, f"{worth:>3}")
    if bonus and bonus["points"]:
        steps = ", ".join(f"{before}>{after}" for before, after in bonus["bones"][:3])
        more = "..." if len(bonus["bones"]) > 3 else ""
        canvas.put(row, sheet.points + 4, f"+{bonus['points']}", "bold gold3")
        canvas.put(row, sheet.points + 8, steps + more, "gold3")
    return last


def _wrap(canvas: Canvas, row: int, left: int, right: int, pieces: list[tuple[str, str]]) -> int:
    """Pieces side by side from `left`, on as many lines as they need; returns the last line."""
    column = left
    for text, style in pieces:
        if column + len(text) > right:
            row += 1
            column = left
        canvas.put(row, column, text, style)
        column += len(text) + 1
    return row


def _hand(canvas: Canvas, held: list[int], sheet: _Sheet, chosen: list[int]) -> None:
    if held:
        canvas.put(0, 0, "Hand", "bold green3")
    row = 0
    for card in held:
        after = _card(canvas, row, card, sheet)
        if card in chosen:
            canvas.put(row, 8, "✓", "bold green3")
        row = after
