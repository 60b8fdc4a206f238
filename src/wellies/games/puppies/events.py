"""The events of Good Puppies: built only when someone listens, with what only some seats may know kept apart."""

from __future__ import annotations

from wellies.core.events import Event, ScoreLine
from wellies.core.texts import some
from wellies.games.puppies.material import VALUES, Cards
from wellies.games.puppies.scoring import bonus_line, bonus_points, upgrades
from wellies.games.puppies.yard import Yard


def _who(seat: int) -> str:
    return "{" + str(seat) + "}"


def dealt(cards: Cards, seat: int, card: int) -> Event:
    """Only the seat that is dealt a card sees it."""
    return Event(
        "deal",
        seat,
        f"{_who(seat)} is dealt a card.",
        secret_text=f"You are dealt {cards.titles[card]}.",
        secret={"card": card},
        audience=(seat,),
    )


def round_begins(number: int, final: bool) -> Event:
    if final:
        text = f"Round {number}: too few cards are left for the park, so this is the final round."
    else:
        text = f"Round {number} begins."
    return Event("round", -1, text, {"round": number, "final": final})


def to_the_park(cards: Cards, card: int) -> Event:
    return Event("park", -1, f"{cards.titles[card]} comes to the park.", {"card": card})


def chose(cards: Cards, seat: int, card: int) -> Event:
    """That a seat has chosen is seen by all, what it chose by that seat alone."""
    return Event(
        "choose",
        seat,
        f"{_who(seat)} has chosen a card.",
        secret_text=f"You have chosen {cards.titles[card]}.",
        secret={"card": card},
        audience=(seat,),
    )


def revealed(cards: Cards, turns: list[int]) -> Event:
    shown = ", ".join(f"{_who(turn & 7)} has {cards.titles[turn >> 3]}" for turn in turns)
    data = {"turns": [{"seat": turn & 7, "card": turn >> 3} for turn in turns]}
    return Event("reveal", -1, f"All cards are shown: {shown}.", data, reveals=True)


def joined(cards: Cards, seat: int, card: int, group: int, pups: int, how: str) -> Event:
    verb = {"played": "plays", "drawn": "draws", "leftover": "gets the leftover"}[how]
    place = f"the {cards.names[group]} are {pups} now" if pups > 1 else f"the first of the {cards.names[group]}"
    data = {"card": card, "group": cards.keys[group], "pups": pups, "how": how}
    return Event("join", seat, f"{_who(seat)} {verb} {cards.titles[card]}: {place}.", data)


def took(cards: Cards, seat: int, card: int) -> Event:
    return Event("take", seat, f"{_who(seat)} takes {cards.titles[card]} from the park.", {"card": card})


def draws(seat: int) -> Event:
    return Event("dig", seat, f"{_who(seat)} draws a pup.")


def buried(cards: Cards, seat: int, group: int) -> Event:
    key = cards.keys[group]
    line = ScoreLine("bones", 1, [key], f"A bone with the {cards.names[group]}")
    return Event(
        "bury", seat, f"{_who(seat)} buries a bone with the {cards.names[group]}.", {"group": key}, lines=[(seat, line)]
    )


def upgraded(cards: Cards, seat: int, bone: int) -> Event:
    key = cards.keys[bone >> 2]
    before = VALUES[bone & 3]
    after = VALUES[(bone & 3) + 1]
    line = ScoreLine("bones", after - before, [key], f"A bone of the {cards.names[bone >> 2]} from {before} to {after}")
    text = f"{_who(seat)} upgrades a bone of the {cards.names[bone >> 2]} from {before} to {after}."
    return Event("up", seat, text, {"group": key, "value": before, "becomes": after}, lines=[(seat, line)])


def moved(cards: Cards, seat: int, bone: int, group: int) -> Event:
    value = VALUES[bone & 3]
    source = bone >> 2
    text = f"{_who(seat)} moves a bone worth {value} from the {cards.names[source]} to the {cards.names[group]}."
    return Event("move", seat, text, {"value": value, "from": cards.keys[source], "to": cards.keys[group]})


def stopped(cards: Cards, seat: int, card: int) -> Event:
    return Event("stop", seat, f"{_who(seat)} leaves it at that ({cards.tricks[card].name}).", {"card": card})


def lost(cards: Cards, seat: int, card: int) -> Event:
    text = f"Deck and box are empty: the rest of the trick of {cards.titles[card]} is lost."
    return Event("lost", seat, text, {"card": card})


def bonuses(cards: Cards, yards: list[Yard]) -> list[Event]:
    """The bonuses, each with the bones it upgrades."""
    found: list[Event] = []
    for seat, yard in enumerate(yards):
        for group in yard.groups_by_age():
            if not bonus_points(cards, yard, group):
                continue
            line = bonus_line(cards, yard, group)
            bones = upgrades(cards, yard, group)
            found.append(
                Event(
                    "bonus",
                    seat,
                    f"{_who(seat)} gets {some(line.points, 'point')} more for the {line.why}.",
                    {"breed": cards.keys[group], "bones": bones, "points": line.points},
                    lines=[(seat, line)],
                )
            )
    return found
