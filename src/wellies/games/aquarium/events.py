"""The events of Ultimate Aquarium: built only when someone listens, with what only some seats may know kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Event, ScoreLine
from wellies.core.state import CHANCE
from wellies.core.texts import some
from wellies.games.aquarium.card_text import with_article
from wellies.games.aquarium.moves import KEEP_NET, NET, PAIRS, RESTOCK, move_text
from wellies.games.aquarium.phases import EMPTY, KEPT
from wellies.games.aquarium.scoring import card_points
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState


def _who(seat: int) -> str:
    return "{" + str(seat) + "}"


def _changes(state: AquariumState, seat: int, before: list[int], moved: tuple[int, int] | None) -> list[ScoreLine]:
    """How each card's points changed, so that the lines sum to the change of the score.

    A card that was replaced counts as lost and the new one as won; two that were swapped are followed to their place.
    """
    after = state.tanks[seat]
    old, new = card_points(state.cards, before), card_points(state.cards, after)
    lines: list[ScoreLine] = []
    for space in range(SPACES):
        was = space
        if moved is not None and space in moved:
            was = moved[0] + moved[1] - space
        here, name = [SPACE_NAMES[space]], state.cards.names[after[space]]
        if after[space] != before[was]:
            gone = state.cards.names[before[was]]
            if old[was]:
                lines.append(ScoreLine("replaced", -old[was], here, f"{gone} leaves"))
            if new[space]:
                lines.append(ScoreLine("new", new[space], here, f"{name} comes"))
        elif old[was] != new[space]:
            lines.append(ScoreLine("change", new[space] - old[was], here, f"{name}: {old[was]} becomes {new[space]}"))
    return lines


def _with_seat(seat: int, lines: list[ScoreLine]) -> list[tuple[int, ScoreLine]]:
    return [(seat, line) for line in lines]


def _gain(state: AquariumState, seat: int, before: list[int]) -> str:
    change = state.points[seat] - sum(card_points(state.cards, before))
    if not change:
        return f"still {some(state.points[seat], 'point')}"
    return f"{change:+d} point{'s' * (abs(change) != 1)}, now {state.points[seat]}"


def token(state: AquariumState) -> Event:
    return Event("first", CHANCE, f"{_who(state.first)} holds the fish token and goes first.", {"first": state.first})


def dealt(state: AquariumState, seat: int, card: int) -> Event:
    name = state.cards.names[card]
    return Event(
        "deal",
        CHANCE,
        f"{_who(seat)} is dealt a card.",
        {"to": seat},
        secret_text=f"You are dealt {with_article(name)}.",
        secret={"card": name},
        audience=(seat,),
    )


def put(state: AquariumState, seat: int, card: int, space: int) -> Event:
    name = state.cards.names[card]
    count = state.placed_count(seat)
    return Event(
        "put",
        seat,
        f"{_who(seat)} puts a card down in secret ({count} of {KEPT}).",
        {"placed": count},
        secret_text=f"You put {with_article(name)} [on {SPACE_NAMES[space]}] into your tank ({count} of {KEPT}).",
        secret={"card": name, "space": SPACE_NAMES[space]},
        audience=(seat,),
    )


def revealed(state: AquariumState, before: list[list[int]], placed: list[list[int]]) -> Event:
    parts: list[str] = []
    shown: list[dict[str, str]] = []
    lines: list[tuple[int, ScoreLine]] = []
    for seat in range(state.seats):
        names = {SPACE_NAMES[at]: state.cards.names[card] for at, card in enumerate(placed[seat]) if card != EMPTY}
        shown.append(names)
        cards = ", ".join(f"{name} [on {space}]" for space, name in names.items())
        parts.append(f"{_who(seat)}: {cards} ({state.points[seat]} points)")
        lines += _with_seat(seat, _changes(state, seat, before[seat], None))
    return Event(
        "reveal",
        CHANCE,
        "All turn their cards over. " + "; ".join(parts) + ".",
        {"placed": shown},
        reveals=True,
        lines=lines,
    )


def round_begins(state: AquariumState) -> Event:
    return Event(
        "round",
        CHANCE,
        f"Round {state.round} of {state.rounds} begins; {_who(state.first)} goes first.",
        {"round": state.round, "first": state.first},
    )


def stocked(state: AquariumState, card: int) -> Event:
    name = state.cards.names[card]
    return Event("stock", CHANCE, f"{name} comes to the store.", {"card": name})


def took(state: AquariumState, seat: int, card: int, space: int, before: list[int]) -> Event:
    name, replaced = state.cards.names[card], state.cards.names[before[space]]
    return Event(
        "take",
        seat,
        f"{_who(seat)} takes {with_article(name)} in place of {with_article(replaced)} [on {SPACE_NAMES[space]}] "
        f"({_gain(state, seat, before)}).",
        {"card": name, "space": SPACE_NAMES[space], "replaced": replaced},
        lines=_with_seat(seat, _changes(state, seat, before, None)),
    )


def restocked(seat: int) -> Event:
    return Event("restock", seat, f"{_who(seat)} restocks: the whole store is discarded and filled again.")


def swapped(state: AquariumState, seat: int, move: int, before: list[int]) -> Event:
    one, two = PAIRS[move - NET]
    return Event(
        "net",
        seat,
        f"{_who(seat)} uses the net: {_swap_words(state, before, one, two)} ({_gain(state, seat, before)}).",
        {"spaces": [SPACE_NAMES[one], SPACE_NAMES[two]]},
        lines=_with_seat(seat, _changes(state, seat, before, (one, two))),
    )


def _swap_words(state: AquariumState, before: list[int], one: int, two: int) -> str:
    names = state.cards.names
    return (
        f"{names[before[one]]} [on {SPACE_NAMES[one]}] and {names[before[two]]} [on {SPACE_NAMES[two]}] change places"
    )


def answered(state: AquariumState, seat: int, move: int) -> Event:
    text = move_text(state.cards, move)
    return Event(
        "answer",
        seat,
        f"{_who(seat)} has decided about the net.",
        {},
        secret_text=f"You {'keep' if move == KEEP_NET else 'use'} your net [{text}].",
        secret={"move": text},
        audience=(seat,),
    )


def nets_shown(state: AquariumState, before: list[list[int]], answers: list[int]) -> Event:
    parts: list[str] = []
    shown: list[str | None] = [None] * state.seats
    lines: list[tuple[int, ScoreLine]] = []
    for seat in range(state.seats):
        move = answers[seat]
        if move < 0:
            continue
        shown[seat] = move_text(state.cards, move)
        if NET <= move < RESTOCK:
            one, two = PAIRS[move - NET]
            swap = _swap_words(state, before[seat], one, two)
            parts.append(f"{_who(seat)} uses it: {swap} ({_gain(state, seat, before[seat])})")
            lines += _with_seat(seat, _changes(state, seat, before[seat], (one, two)))
        else:
            parts.append(f"{_who(seat)} keeps it")
    return Event(
        "nets", CHANCE, "The last nets: " + "; ".join(parts) + ".", {"answers": shown}, reveals=True, lines=lines
    )
