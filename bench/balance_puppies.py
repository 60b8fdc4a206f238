"""What each trick, Doggo and bonus of Good Puppies is worth among greedy players.

    python bench/balance_puppies.py [games at each number of seats] [seed] [card file]

For a trick: how often a card with it was chosen of all the times one was in a hand; the points in bones that it brings
while it is used; the same with the bonuses as the yard stands; and how much more (or less) a player ended with who used
it, against the mean of all players at tables of that size. For a bonus: how often a group had it at the end, how often
it brought nothing, and the mean points when there was a group.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import wellies
from wellies import CHANCE, Event, Stream
from wellies.games.puppies.cardfile import load_cards
from wellies.games.puppies.material import BREEDS, FIRST_DOGGO, Cards
from wellies.games.puppies.phases import CHOOSING
from wellies.games.puppies.scoring import all_bonuses, bonus_points
from wellies.games.puppies.state import PuppiesState

SEATS = (2, 3, 4)


class Tally:
    """Sums over many games for one trick."""

    def __init__(self) -> None:
        self.held = 0
        self.chosen = 0
        self.used = 0
        self.points = 0
        self.with_bonus = 0
        self.lead = 0.0


def kind_of(card: int) -> str:
    """Ordinary tricks are alike in all breeds; each Doggo is its own."""
    return str(card) if card >= FIRST_DOGGO else f"x{card % 10}"


class Balance:
    """Plays games and keeps the tallies."""

    def __init__(self) -> None:
        self.tricks: dict[str, Tally] = defaultdict(Tally)
        self.groups = [0] * BREEDS
        self.nothing = [0] * BREEDS
        self.bonus = [0] * BREEDS
        self.finals: dict[int, list[int]] = defaultdict(list)
        self._users: list[tuple[str, int, int]] = []

    def play(self, seats: int, rng: Stream, cards: object = "standard") -> None:
        """One game of greedy players."""
        state = wellies.game("puppies").start(seats, {"cards": cards})
        assert isinstance(state, PuppiesState)
        greedy = wellies.bot("greedy")
        users: list[tuple[str, int]] = []
        while due := state.due():
            if due == [CHANCE]:
                self._step(state, CHANCE, state.chance(rng), users)
                continue
            seat = due[0]
            if state.phase == CHOOSING:
                for card in state.hands[seat]:
                    self.tricks[kind_of(card)].held += 1
            move = greedy.choose(state, seat, rng)
            if state.phase == CHOOSING:
                self.tricks[kind_of(move % 100)].chosen += 1
            self._step(state, seat, move, users)
        scores = state.scores()
        self.finals[seats] += scores
        self._users += [(kind, seats, scores[seat]) for kind, seat in users]
        for yard in state.yards:
            for breed in range(BREEDS):
                if yard.size[breed]:
                    points = bonus_points(state.cards, yard, breed)
                    self.groups[breed] += 1
                    self.nothing[breed] += points == 0
                    self.bonus[breed] += points

    def _step(self, state: PuppiesState, seat: int, move: int, users: list[tuple[str, int]]) -> None:
        """A move, with what it brings credited to the trick under way."""
        within = bool(state.frames)
        owner = state.turns[0] & 7 if within else 0
        yard = state.yards[owner]
        kinds = {kind_of(frame.card) for frame in state.frames}  # a trick within a trick is to the credit of both
        before = (yard.value, all_bonuses(state.cards, yard))
        tricks = bool(state.frames) and state.cards.tricks[state.frames[-1].card].steps[state.frames[-1].part].tricks
        heard: list[Event] = []
        state.step(seat, move, heard.append)
        # A leftover pup may join in the same step; it changes bonuses, and is not the trick's doing.
        leftover = any(event.kind == "join" and event.data["how"] == "leftover" for event in heard)
        for kind in kinds:
            self.tricks[kind].points += yard.value - before[0]
            if not leftover:
                self.tricks[kind].with_bonus += yard.value + all_bonuses(state.cards, yard) - sum(before)
        for event in heard:
            if event.kind == "join" and (event.data["how"] == "played" or (event.data["how"] == "drawn" and tricks)):
                self.tricks[kind_of(event.data["card"])].used += 1
                users.append((kind_of(event.data["card"]), event.seat))

    def finish(self) -> None:
        """Compare those who used a trick with everybody at tables of the same size."""
        means = {seats: sum(scores) / len(scores) for seats, scores in self.finals.items()}
        for kind, seats, score in self._users:
            self.tricks[kind].lead += score - means[seats]


def table(games: int, seed: int, cards: object = "standard") -> list[dict[str, str]]:
    """A row for each trick, Doggo and bonus, from so many games at each number of seats; `cards` is a card file."""
    return _rows(_played(games, seed, cards), load_cards(cards))


def report(games: int, seed: int, cards: object = "standard") -> str:
    """The same as Markdown, with the mean scores."""
    balance = _played(games, seed, cards)
    means = ", ".join(f"{sum(all_) / len(all_):.1f} at {seats} seats" for seats, all_ in sorted(balance.finals.items()))
    rows = _rows(balance, load_cards(cards))
    lines = [f"{games} games of greedy players at each number of seats, seed {seed}; mean scores: {means}.", ""]
    lines += ["| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0])]
    lines += ["| " + " | ".join(row.values()) + " |" for row in rows]
    return "\n".join(lines)


def _played(games: int, seed: int, cards: object) -> Balance:
    balance = Balance()
    rng = Stream(seed)
    for number in range(games * len(SEATS)):
        balance.play(SEATS[number % len(SEATS)], rng.fork(str(number)), cards)
    balance.finish()
    return balance


def _rows(balance: Balance, cards: Cards) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    for card in [*range(10), *range(FIRST_DOGGO, 100)]:
        trick = cards.tricks[card]
        kind = kind_of(card)
        tally = balance.tricks[kind]
        used = max(tally.used, 1)
        rows.append(
            {
                "card": kind,
                "name": trick.name,
                "text": trick.text,
                "chosen when held": f"{tally.chosen / max(tally.held, 1):.0%}",
                "used": str(tally.used),
                "brings nothing": "",
                "points": f"{tally.points / used:.2f}",
                "with bonuses": f"{tally.with_bonus / used:.2f}",
                "lead at the end": f"{tally.lead / used:+.1f}",
                "source": trick.source,
            }
        )
    for digit in range(BREEDS):
        breed = cards.breeds[digit]
        groups = max(balance.groups[digit], 1)
        rows.append(
            {
                "card": f"{digit}x",
                "name": breed.name,
                "text": breed.text,
                "chosen when held": "",
                "used": str(balance.groups[digit]),
                "brings nothing": f"{balance.nothing[digit] / groups:.0%}",
                "points": f"{balance.bonus[digit] / groups:.2f}",
                "with bonuses": "",
                "lead at the end": "",
                "source": breed.source,
            }
        )
    return rows


if __name__ == "__main__":
    given = [*sys.argv[1:], *["200", "1", "standard"][len(sys.argv) - 1 :]]
    print(report(int(given[0]), int(given[1]), given[2]))
