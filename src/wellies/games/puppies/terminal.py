"""Good Puppies for a terminal: the park, every yard group by group with its bones, and the viewer's hand.

A bone is a little plate with its value; the brighter the plate, the more it is worth.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, seat_names, width
from wellies.core.events import Json
from wellies.games.puppies.cardfile import load_cards
from wellies.games.puppies.material import FIRST_DOGGO, Cards

WIDE: Final = 100
_PUPS: Final = 17
_BONES: Final = 47
_POINTS: Final = 74

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


def draw_view(view: Json, marks: dict[Any, str] | None = None) -> Canvas:
    """The table as the viewer sees it. `marks` labels cards by number and groups by name."""
    position = view["position"]
    cards = load_cards(position["options"]["cards"])
    canvas = Canvas()
    labels = marks or {}
    row = _head(canvas, view, position)
    row = _park(canvas, row, position, cards, labels)
    row = _turns(canvas, row, view, position, cards)
    for seat in range(view["seats"]):
        row = _yard(canvas, row + 1, view, seat, cards, labels)
    if view["seat"] is not None:
        _hand(canvas, row + 1, position["seats"][view["seat"]], cards, labels)
    return canvas


def _head(canvas: Canvas, view: Json, position: Json) -> int:
    place = "final round" if position["final"] else f"round {position['round']}"
    canvas.put(0, 0, " Good Puppies ", "bold white on dark_green")
    canvas.put(0, 15, f"{place} · {_PHASE[position['phase']]}", "bold" if not view["outcome"] else "bold gold1")
    cards = f"deck {position['deck']} · box {position['box']}"
    canvas.put(0, WIDE - len(cards), cards, _QUIET)
    if view["outcome"]:
        names = seat_names(view)
        winners = " and ".join(names[seat] for seat in view["outcome"]["winners"])
        canvas.put(1, 15, f"{winners} won: {view['outcome']['reason']}", "gold1")
        return 2
    return 1


def _coat(card: int) -> str:
    return _COAT[9 if card >= FIRST_DOGGO else card // 10]


def _card(canvas: Canvas, row: int, card: int, cards: Cards, marks: dict[Any, str]) -> None:
    """A card with its number, name and trick on a line of its own."""
    label = marks.get(card, "")
    canvas.put(row, 9 - len(label), label, "bold yellow")
    canvas.put(row, 10, f" {card:02d} ", f"bold black on {_coat(card)}")
    canvas.put(row, 15, cards.titles[card][3:], f"bold {_coat(card)}")
    canvas.put(row, 37, cards.tricks[card].text)


def _park(canvas: Canvas, row: int, position: Json, cards: Cards, marks: dict[Any, str]) -> int:
    if not position["park"]:
        return row
    canvas.put(row + 1, 0, "Park", "bold green3")
    for card in position["park"]:
        row += 1
        _card(canvas, row, card, cards, marks)
    return row + 1


def _turns(canvas: Canvas, row: int, view: Json, position: Json, cards: Cards) -> int:
    """The turns to come, and what is being asked."""
    turns = position.get("turns", [])
    if turns:
        row += 1
        canvas.put(row, 0, "Turns", "bold green3")
        names = seat_names(view)
        column = 10
        for index, turn in enumerate(turns):
            text = f"{names[turn['seat']]} {cards.titles[turn['card']]}"
            if column + width(text) + 2 > WIDE + 10:
                row, column = row + 1, 10
            canvas.put(row, column, ("▶ " if index == 0 else "→ ") + text, "bold" if index == 0 else _QUIET)
            column += width(text) + 4
    asks = view["extra"]["asks"]
    if "pup" in position:
        asks = f"{cards.titles[position['pup']]} may join any group."
    if asks:
        row += 1
        canvas.put(row, 10, asks, "yellow")
    return row + 1 if turns else row


def _yard(canvas: Canvas, row: int, view: Json, seat: int, cards: Cards, marks: dict[Any, str]) -> int:
    position = view["position"]
    each = position["seats"][seat]
    active = seat in view["active"]
    over = view["outcome"] is not None
    canvas.put(row, 0, "─" * WIDE, "green3" if active else "grey30")
    canvas.put(row, 2, f" {'▶ ' if active else ''}{seat_names(view)[seat]} ", "bold green3" if active else "bold")
    canvas.put(row, 20, f" {_about_hand(each)} ", _QUIET)
    bonuses = {bonus["breed"]: bonus for bonus in view["extra"]["bonuses"][seat]}
    coming = sum(bonus["points"] for bonus in bonuses.values())
    total = f" {view['scores'][seat]} points "
    canvas.put(row, _POINTS, total, "bold")
    if coming:
        canvas.put(row, _POINTS + len(total), f"({coming} by bonuses) " if over else f"(+{coming} bonus) ", "gold3")
    if not each["groups"]:
        canvas.put(row + 1, 5, "an empty yard", _QUIET)
        return row + 2
    for group in each["groups"]:
        row = _group(canvas, row + 1, group, bonuses.get(group["breed"]), cards, marks if active else {})
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


def _group(canvas: Canvas, row: int, group: Json, bonus: Json | None, cards: Cards, marks: dict[Any, str]) -> int:
    """A group on one line, or on more if its pups or bones need them."""
    index = cards.keys.index(group["breed"])
    label = marks.get(group["breed"], "")
    canvas.put(row, 0, label, "bold yellow")
    canvas.put(row, 5, cards.names[index], f"bold {_COAT[index]}")
    last = _wrap(canvas, row, _PUPS, _BONES - 1, [(f"{pup:02d}", _coat(pup)) for pup in group["pups"]])
    plates = [(f" {value} ", _PLATE[value]) for value in group["bones"]]
    last = max(last, _wrap(canvas, row, _BONES, _POINTS - 1, plates))
    worth = sum(group["bones"])
    if worth:
        canvas.put(row, _POINTS, f"{worth:>3}")
    if bonus and bonus["points"]:
        steps = ", ".join(f"{before}>{after}" for before, after in bonus["bones"][:3])
        more = "..." if len(bonus["bones"]) > 3 else ""
        canvas.put(row, _POINTS + 4, f"+{bonus['points']}", "bold gold3")
        canvas.put(row, _POINTS + 9, steps + more, "gold3")
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


def _hand(canvas: Canvas, row: int, each: Json, cards: Cards, marks: dict[Any, str]) -> None:
    canvas.put(row, 0, "Hand", "bold green3")
    chosen = each["chosen"] if isinstance(each["chosen"], list) else [each["chosen"]]
    for card in each["hand"]:
        if card == "?":
            continue
        _card(canvas, row, card, cards, marks)
        if card in chosen:
            canvas.put(row, 8, "✓", "bold green3")
        row += 1
