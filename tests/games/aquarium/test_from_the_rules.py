"""Ultimate Aquarium played beside a slow and obvious oracle, which was written from the rules page alone.

The oracle keeps a game in plain dicts and counts everything by looking at every space. It shares no code with the
engine; the two are compared after every move.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import wellies
from wellies import (
    CHANCE,
    BadNotation,
    BadPosition,
    Event,
    GameState,
    IllegalMove,
    Match,
    MoveError,
    NotYourTurn,
    Stream,
    UnknownPiece,
    WelliesError,
)

SPEC = wellies.game("aquarium")
SPACES = [column + row for row in "123" for column in "abc"]
Tank = dict[str, str]

# --- the cards, copied from the table of the rules page -----------------------------------------------------------

TABLE = """
Anthias (4) | fish | 2 | +1 per adjacent fish
Clown Goby (4) | fish | 3 | +2 if adjacent to a coral
Cardinalfish (4) | fish | 3 | +2 if beside a crustacean
Moray Eel (6) | fish | 5 | -2 per other Moray Eel in the aquarium
Seahorse (4) | fish | 2 | +1 per adjacent plant or coral
Triggerfish (4) | fish | 5 | -1 per crustacean in the aquarium
Brine Shrimp (2) | crustacean | 1 | +1 per fish above this row
Peppermint Shrimp (2) | crustacean | 2 | +1 per coral in the aquarium
Harlequin Shrimp (2) | crustacean | 3 | +4 if there is an Asterina Starfish in the aquarium
Hermit Crab (2) | crustacean | 2 | +1 per adjacent plant
Pink Gravel (3) | gravel | 3 | +2 if directly below a plant
Rainbow Gravel (3) | gravel | 2 | +1 per different type in this row
Neon Gravel (3) | gravel | 3 | +2 if directly below a fish
Shell Gravel (4) | gravel | 2 | +3 if directly below a crustacean
Cabbage Coral (3) | coral | 3 | +1 per other coral in the aquarium
Sun Coral (3) | coral | 3 | +2 if in the top row
Dented Brain Coral (3) | coral | 3 | +2 if directly above a gravel
Bubbly Water (4) | water | 2 | +1 per adjacent fish
Bubble Jet (4) | water | 2 | +1 per water above this row
Flowing Water (4) | water | 3 | +1 per other water in this row
Skull Cave (2) | decor | 3 | +3 if adjacent to a Moray Eel
Sunken Ship (2) | decor | 3 | +1 per fish in this row
Driftwood (2) | decor | 3 | +1 per plant in the aquarium
Treasure Chest (2) | decor | 3 | +3 if there is a Diver in the aquarium
Diver (2) | decor | 3 | +1 per other decor in the aquarium
Manatee Grass (3) | plant | 3 | +1 per crustacean in this row
Spaghetti Algae (2) | plant | 4 | -1 per adjacent fish
Mermaid's Fan (2) | plant | 3 | +2 if directly above a gravel
Mangrove (2) | plant | 2 | +1 per water in the aquarium
Dragon's Tongue Algae (3) | plant | 3 | +1 per other plant in this column
Asterina Starfish (2) | starfish | 5 | -1 per adjacent coral or plant
"""
STARTERS = {"Water": ("water", 1), "Gravel": ("gravel", 1), "Clownfish": ("fish", 2)}
START = [["Water", "Water", "Water"], ["Water", "Clownfish", "Water"], ["Gravel", "Gravel", "Gravel"]]


@cache
def parts(text: str) -> tuple[int, str, str]:
    """ "+1 per adjacent fish" taken apart: 1, "per", "adjacent fish"."""
    found = re.fullmatch(r"([+-]\d+) (per|if|unless) (.*)", text)
    assert found, text
    return int(found[1]), found[2], found[3]


@cache
def sentence(rest: str) -> tuple[str, str]:
    """The relation, and the words for the cards that it is about."""
    for relation, form in {
        "adjacent": r"adjacent (?:to an? )?(.*)",
        "beside": r"beside (?:an? )?(.*)",
        "directly below": r"directly below (?:an? )?(.*)",
        "directly above": r"directly above (?:an? )?(.*)",
        "above this row": r"(.*) above this row",
        "below this row": r"(.*) below this row",
        "in this row": r"(.*) in this row",
        "in this column": r"(.*) in this column",
        "in the aquarium": r"(?:there is an? )?(.*) in the aquarium",
    }.items():
        said = re.fullmatch(form, rest)
        if said is not None:
            return relation, said[1]
    raise AssertionError(rest)


@cache
def related(relation: str, me: str, space: str) -> bool:
    """Whether a card on `me` speaks of the card on `space` with this word."""
    across = ord(space[0]) - ord(me[0])
    down = int(space[1]) - int(me[1])
    return {
        "adjacent": abs(across) + abs(down) == 1,
        "beside": abs(across) == 1 and down == 0,
        "directly below": across == 0 and down == -1,  # I am directly below a plant: it lies one space up
        "directly above": across == 0 and down == 1,
        "above this row": down < 0,
        "below this row": down > 0,
        "in this row": down == 0,
        "in this column": across == 0,
        "in the aquarium": True,
    }[relation]


class Box:
    """Types, bases, numbers and bonus texts of all cards of a game."""

    def __init__(self, lines: list[str]) -> None:
        self.type = {name: kind for name, (kind, _) in STARTERS.items()}
        self.base = {name: base for name, (_, base) in STARTERS.items()}
        self.texts: dict[str, list[str]] = {name: [] for name in STARTERS}
        self.copies: Counter[str] = Counter()
        for line in lines:
            first, kind, base, text = (part.strip() for part in line.split("|"))
            name, number = first.rstrip(")").split(" (")
            self.type[name], self.base[name], self.copies[name] = kind, int(base), int(number)
            self.texts[name] = [part.strip() for part in text.split(";")]

    def deck(self) -> Counter[str]:
        return +self.copies

    def hits(self, tank: Tank, me: str, text: str) -> tuple[int, str, list[str]]:
        """The points in a text, "per" or "if", and the spaces that it counts."""
        points, how, rest = parts(text)
        if rest == "in the top row":
            return points, how, [me] if me[1] == "1" else []
        if rest == "in a corner":
            return points, how, [me] if me in ("a1", "c1", "a3", "c3") else []
        if rest == "different type in this row":
            return points, how, sorted({self.type[tank[column + me[1]]] for column in "abc"})
        relation, words = sentence(rest)
        other = words.startswith("other ")
        wanted = words.removeprefix("other ").split(" or ")
        counted = [
            space
            for space in SPACES
            if related(relation, me, space)
            and (tank[space] in wanted or self.type[tank[space]] in wanted)
            and not (other and space == me)
        ]
        return points, how, counted

    def reasons(self, tank: Tank, me: str) -> list[tuple[int, list[str]]]:
        """The bonuses of a card that are not 0, each with the spaces it counted."""
        told = []
        for text in self.texts[tank[me]]:
            points, how, counted = self.hits(tank, me, text)
            times = len(counted) if how == "per" else int(bool(counted)) if how == "if" else int(not counted)
            if points * times:
                told.append((points * times, counted))
        return told

    def value(self, tank: Tank, me: str) -> int:
        """A card scores base + bonus, never below 0."""
        return max(0, self.base[tank[me]] + sum(points for points, _ in self.reasons(tank, me)))

    def values(self, tank: Tank) -> dict[str, int]:
        return {space: self.value(tank, space) for space in SPACES}


BOX = Box(TABLE.strip().splitlines())

# The cards of rules version 2 that are not as above.
BALANCED = """
Anthias (4) | fish | 3 | +1 per adjacent fish
Seahorse (4) | fish | 3 | +1 per adjacent plant or coral
Triggerfish (4) | fish | 4 | -1 per adjacent crustacean
Brine Shrimp (2) | crustacean | 2 | +1 per fish above this row
Peppermint Shrimp (2) | crustacean | 3 | +1 per coral in the aquarium
Shell Gravel (4) | gravel | 3 | +5 if directly below a crustacean
Cabbage Coral (3) | coral | 2 | +1 per other coral in the aquarium
Bubbly Water (4) | water | 3 | +1 per adjacent fish
Bubble Jet (4) | water | 3 | +1 per water above this row
Flowing Water (4) | water | 4 | +1 per other water in this row
Sunken Ship (2) | decor | 4 | +1 per fish in this row
Mermaid's Fan (2) | plant | 3 | +3 if directly above a gravel
Mangrove (2) | plant | 3 | +1 per water in the aquarium
Dragon's Tongue Algae (3) | plant | 3 | +2 per other plant in this column
"""
NEW_NAMES = [line.partition(" (")[0] for line in BALANCED.strip().splitlines()]
BALANCED_BOX = Box(
    [line for line in TABLE.strip().splitlines() if line.partition(" (")[0] not in NEW_NAMES]
    + BALANCED.strip().splitlines()
)

# A card file of an owner of the box, in the file's words and again in the words of the table.
OWN_FILE: dict[str, Any] = {
    "extends": "standard",
    "cards": [
        {
            "name": "Anthias",
            "copies": 6,
            "type": "fish",
            "base": 1,
            "source": "box",
            "bonuses": [{"points": 3, "if": "in a corner"}, {"points": -2, "per": "beside", "of": "fish"}],
        },
        {
            "name": "Diver",
            "copies": 4,
            "type": "decor",
            "base": 2,
            "source": "box",
            "bonuses": [{"points": 2, "unless": "directly above", "of": "gravel"}],
        },
        {
            "name": "Seahorse",
            "copies": 5,
            "type": "fish",
            "base": 0,
            "source": "box",
            "bonuses": [{"points": 1, "per": "below this row", "of": ["gravel", "Diver"]}],
        },
        {"name": "Triggerfish", "copies": 0, "type": "fish", "base": 5, "source": "box", "bonuses": []},
    ],
}
OWN_BOX = Box(
    [line for line in TABLE.strip().splitlines() if not re.match("Anthias|Diver|Seahorse|Triggerfish", line)]
    + [
        "Anthias (6) | fish | 1 | +3 if in a corner; -2 per beside fish",
        "Diver (4) | decor | 2 | +2 unless directly above gravel",
        "Seahorse (5) | fish | 0 | +1 per gravel or Diver below this row",
    ]
)


def tank_of(grid: list[list[str]]) -> Tank:
    return {"abc"[x] + "123"[y]: grid[y][x] for y in range(3) for x in range(3)}


def grid_of(tank: Tank) -> list[list[str]]:
    return [[tank[column + row] for column in "abc"] for row in "123"]


# --- the oracle -----------------------------------------------------------------------------------------------------


class Oracle:
    """One game in plain dicts and lists, sentence by sentence of the rules page."""

    def __init__(self, seats: int, box: Box) -> None:
        self.seats, self.box = seats, box
        self.rounds = 9 if seats == 3 else 8
        self.room = 6 if seats == 4 else 5
        self.deck = box.deck()
        self.tanks = [tank_of(START) for _ in range(seats)]
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.placed: list[Tank] = [{} for _ in range(seats)]
        self.aside: list[list[str]] = [[] for _ in range(seats)]
        self.net = [True] * seats
        self.restock = [True] * seats
        self.answers: list[str | None] = [None] * seats
        self.store: list[str] = []
        self.discards: list[str] = []
        self.phase = "token"
        self.round = 0
        self.first = 0
        self.turn = 0
        self.reason = ""

    def swaps(self, seat: int) -> set[str]:
        """Two cards of my own aquarium; equal ones would change nothing."""
        tank = self.tanks[seat]
        return {f"net {one} {two}" for one, two in itertools.combinations(SPACES, 2) if tank[one] != tank[two]}

    def due(self) -> list[int]:
        if self.phase in ("token", "deal", "stock"):
            return [CHANCE]
        if self.phase == "setup":
            return [seat for seat in range(self.seats) if len(self.placed[seat]) < 3]
        if self.phase == "turn":
            return [self.turn]
        if self.phase == "nets":
            return [seat for seat in range(self.seats) if self.net[seat] and self.answers[seat] is None]
        return []

    def active(self) -> list[int]:
        if self.phase == "turn":
            return [seat for seat in range(self.seats) if seat == self.turn or self.net[seat]]
        return self.due()

    def legal(self, seat: int) -> set[str]:
        if seat not in self.active():
            return set()
        if self.phase == "setup":
            return {
                f"put {card}@{space}"
                for card in self.hands[seat]
                for space in SPACES
                if space not in self.placed[seat] and self.tanks[seat][space] != card
            }
        moves: set[str] = set()
        if self.phase == "turn" and seat == self.turn:
            for card in self.store:
                moves |= {f"take {card}@{space}" for space in SPACES if self.tanks[seat][space] != card}
            if self.restock[seat] and self.deck.total():
                moves.add("restock")
        if self.net[seat]:
            moves |= self.swaps(seat)
        if self.phase == "nets":
            moves.add("keep net")
        return moves

    def chances(self) -> dict[str, int]:
        if self.phase == "token":
            return {f"first {seat}": 1 for seat in range(self.seats)}
        return {f"draw {card}": number for card, number in self.deck.items() if number}

    def play(self, seat: int, text: str, dealt_to: int | None) -> None:
        verb, _, rest = text.partition(" ")
        if verb == "first":
            self.first, self.phase = int(rest), "deal"
        elif verb == "draw":
            self._draw(rest, dealt_to)
        elif verb == "put":
            card, space = rest.split("@")
            self.hands[seat].remove(card)
            self.placed[seat][space] = card
            if all(len(placed) == 3 for placed in self.placed):
                self._reveal()
        elif verb == "take":
            card, space = rest.split("@")
            self.store.remove(card)
            self.store.append(self.tanks[seat][space])
            self.tanks[seat][space] = card
            self._next_turn()
        elif verb == "restock":
            self.restock[seat] = False
            self.discards += self.store
            self.store = []
            self.phase = "stock"
        elif self.phase == "nets":
            self.answers[seat] = text
            if not self.due():
                self._last_nets()
        else:
            self.net[seat] = False
            self._swap(seat, text)

    def _draw(self, card: str, dealt_to: int | None) -> None:
        self.deck[card] -= 1
        assert self.deck[card] >= 0
        if self.phase == "deal":
            assert dealt_to is not None
            self.hands[dealt_to].append(card)
            assert len(self.hands[dealt_to]) <= 5
            if all(len(hand) == 5 for hand in self.hands):
                self.phase = "setup"
            return
        self.store.append(card)
        self._stocked()

    def _stocked(self) -> None:
        if len(self.store) == self.room or not self.deck.total():
            self.phase = "turn"

    def _reveal(self) -> None:
        for seat in range(self.seats):
            self.tanks[seat] |= self.placed[seat]
            self.aside[seat] = self.hands[seat]
            self.hands[seat], self.placed[seat] = [], {}
        self.turn = self.first
        self._begin_round()

    def _begin_round(self) -> None:
        if self.round == self.rounds or not self.deck.total():
            self.reason = "rounds" if self.round == self.rounds else "deck"
            self.phase = "nets" if any(self.net) else "over"
            return
        self.round += 1
        self.turn = self.first
        self.phase = "stock"

    def _next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        if self.turn == self.first:
            self.discards += self.store
            self.store = []
            self.first = (self.first + 1) % self.seats
            self._begin_round()

    def _swap(self, seat: int, text: str) -> None:
        _, one, two = text.split()
        tank = self.tanks[seat]
        tank[one], tank[two] = tank[two], tank[one]

    def _last_nets(self) -> None:
        for seat, answer in enumerate(self.answers):
            if answer is not None and answer != "keep net":
                self._swap(seat, answer)
        self.phase = "over"

    def scores(self) -> list[int]:
        return [sum(self.box.values(tank).values()) for tank in self.tanks]


# --- comparing ------------------------------------------------------------------------------------------------------


def texts(state: GameState, seat: int) -> list[str]:
    return [SPEC.move_text(state, seat, move) for move in state.legal(seat)]


def compare(state: GameState, oracle: Oracle) -> None:
    assert state.active() == oracle.active()
    assert state.due() == oracle.due()
    for seat in range(oracle.seats):
        told = texts(state, seat)
        assert len(told) == len(set(told))
        assert set(told) == oracle.legal(seat)
    if oracle.due() == [CHANCE]:
        moves = state.legal(CHANCE)
        assert {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in moves} == oracle.chances()
    assert state.scores() == oracle.scores()
    compare_position(state, oracle)
    outcome = state.outcome()
    assert (outcome is not None) == (oracle.phase == "over")
    if outcome is not None:
        best = max(oracle.scores())
        assert outcome.scores == oracle.scores()
        assert outcome.winners == [seat for seat, score in enumerate(oracle.scores()) if score == best]
        assert outcome.ranks == [1 + sum(other > score for other in oracle.scores()) for score in oracle.scores()]
        assert ("deck" if oracle.reason == "deck" else "rounds") in outcome.reason


def compare_position(state: GameState, oracle: Oracle) -> None:
    position = state.position()
    assert position["phase"] == oracle.phase
    assert position["round"] == oracle.round
    assert position["deck"] == oracle.deck.total()
    assert sorted(position.get("store", [])) == sorted(oracle.store)
    assert sorted(position["discards"]) == sorted(card for card in oracle.discards if card not in STARTERS)
    if oracle.phase not in ("token", "nets", "over"):
        assert position["first"] == oracle.first
    if oracle.phase == "turn":
        assert position["to_move"] == oracle.turn
    here: Counter[str] = Counter(position.get("store", []) + position["discards"]) + oracle.deck
    for seat, told in enumerate(position["seats"]):
        assert tank_of(told["grid"]) == oracle.tanks[seat]
        assert sorted(told.get("hand", [])) == sorted(oracle.hands[seat])
        assert told.get("placed", {}) == oracle.placed[seat]
        assert sorted(told.get("aside", [])) == sorted(oracle.aside[seat])
        assert told["restock"] == oracle.restock[seat]
        if oracle.phase != "over":
            assert told["net"] == oracle.net[seat]
            assert told.get("answer") == oracle.answers[seat]
        here += Counter(itertools.chain(*told["grid"], told.get("hand", []), told.get("aside", [])))
        here += Counter(told.get("placed", {}).values())
    assert {card: number for card, number in here.items() if card not in STARTERS} == oracle.box.deck()


def compare_lines(state: GameState, oracle: Oracle) -> None:
    """Every card: a line for its base, one for each bonus that counts, with the cards that made it."""
    for seat in range(oracle.seats):
        lines = state.score_lines(seat)
        tank = oracle.tanks[seat]
        for space in SPACES:
            mine = [line for line in lines if line.where[0] == space]
            assert sum(line.points for line in mine) == oracle.box.value(tank, space)
            assert all(tank[space] in line.why for line in mine)
            assert sum(line.points for line in mine if line.rule == "base") == oracle.box.base[tank[space]]
            bonuses = [line for line in mine if line.rule == "bonus"]
            reasons = oracle.box.reasons(tank, space)
            assert [line.points for line in bonuses] == [points for points, _ in reasons]
            for line, (_, counted) in zip(bonuses, reasons, strict=True):
                if all(spot in SPACES for spot in counted):
                    assert set(line.where) == {space, *counted}
                else:
                    assert set(line.where) <= {column + space[1] for column in "abc"}
        assert {line.where[0] for line in lines} <= set(SPACES)


def compare_gains(events: list[Event], before: list[Tank], oracle: Oracle, moved: bool) -> None:
    """What the events say was gained, space by space (a net moves cards, so there only the sum)."""
    for seat in range(oracle.seats):
        then, now = oracle.box.values(before[seat]), oracle.box.values(oracle.tanks[seat])
        gained = dict.fromkeys(SPACES, 0)
        for event in events:
            for scorer, line in event.lines:
                if scorer == seat:
                    gained[line.where[0]] += line.points
        assert sum(gained.values()) == sum(now.values()) - sum(then.values())
        if not moved:
            assert gained == {space: now[space] - then[space] for space in SPACES}


def every_text(box: Box) -> list[str]:
    found = [f"{verb} {card}@{space}" for verb in ("take", "put") for card in box.type for space in SPACES]
    found += [f"net {one} {two}" for one, two in itertools.combinations(SPACES, 2)]
    return [*found, "restock", "keep net"]


def compare_refusals(state: GameState, oracle: Oracle) -> None:
    for seat in range(oracle.seats):
        legal = oracle.legal(seat)
        for text in every_text(oracle.box):
            if text in legal:
                assert SPEC.move_text(state, seat, SPEC.parse_move(state, seat, text)) == text
                continue
            with pytest.raises(IllegalMove) as caught:
                SPEC.parse_move(state, seat, text)
            assert str(caught.value)
            assert isinstance(caught.value, NotYourTurn) == (seat not in oracle.active())


def pick(state: GameState, rng: Stream, eager: int) -> tuple[int, int]:
    """A move at random. Its kind is chosen first, so that nets and restocks are used early, late and never."""
    seats = state.active() if rng.randrange(100) < eager else state.due()
    seat = seats[rng.randrange(len(seats))]
    if seat == CHANCE:
        return seat, state.chance(rng)
    kinds: dict[str, list[int]] = {}
    for move in state.legal(seat):
        kinds.setdefault(SPEC.move_text(state, seat, move).split()[0], []).append(move)
    for kind, often in (("net", 50 if "keep" in kinds else eager // 2), ("restock", 10)):
        if len(kinds) > 1 and kind in kinds and rng.randrange(100) >= often:
            del kinds[kind]
    moves = kinds[list(kinds)[rng.randrange(len(kinds))]]
    return seat, moves[rng.randrange(len(moves))]


def play_beside(state: GameState, oracle: Oracle, rng: Stream, eager: int) -> None:
    number = 0
    compare(state, oracle)
    while state.active():
        number += 1
        assert number < 400, "the game does not end"
        seat, move = pick(state, rng, eager)
        text = SPEC.move_text(state, seat, move)
        before = [dict(tank) for tank in oracle.tanks]
        events: list[Event] = []
        state.apply(seat, move, events.append)
        dealt = [event.data["to"] for event in events if event.kind == "deal"]
        oracle.play(seat, text, dealt[0] if dealt else None)
        compare(state, oracle)
        compare_gains(events, before, oracle, text.startswith(("net", "keep")))
        if number % 9 == 0 or not state.active():
            compare_lines(state, oracle)
        if rng.randrange(60) == 0:
            compare_refusals(state, oracle)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("eager", [0, 4, 30, 100])
def test_whole_games_go_as_the_rules_say(seats: int, eager: int) -> None:
    state = SPEC.start(seats, {"cards": "standard"})
    play_beside(state, Oracle(seats, BOX), Stream(f"whole {seats} {eager}"), eager)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_with_the_balanced_cards(seats: int) -> None:
    play_beside(SPEC.start(seats), Oracle(seats, BALANCED_BOX), Stream(f"balanced {seats}"), 10)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_with_the_owners_own_cards(seats: int) -> None:
    state = SPEC.start(seats, {"cards": OWN_FILE})
    play_beside(state, Oracle(seats, OWN_BOX), Stream(f"own {seats}"), 10)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("left", [1, 4, 7, 18])
def test_a_game_whose_deck_runs_out(seats: int, left: int) -> None:
    """A position by hand with few cards: stores are filled as far as it goes, then come the last nets."""
    rng = Stream(f"short {seats} {left}")
    oracle = Oracle(seats, BOX)
    cards = sorted(BOX.deck().elements())
    while oracle.deck.total() > left:
        card = cards.pop(rng.randrange(len(cards)))
        oracle.deck[card] -= 1
        oracle.discards.append(card)
    oracle.phase, oracle.round, oracle.first, oracle.turn = "stock", 2, 1, 1
    state = SPEC.from_position(
        {"phase": "stock", "round": 2, "first": 1, "seats": [{}] * seats, "discards": oracle.discards}
    )
    play_beside(state, oracle, rng, 6)


def test_four_players_who_all_restock_use_exactly_the_92_cards() -> None:
    state = SPEC.start(4)
    rng = Stream("all restock")
    draws = 0
    while state.active():
        seat = state.due()[0]
        moves = texts(state, seat)
        text = "restock" if "restock" in moves else moves[rng.randrange(len(moves))]
        draws += text.startswith("draw")
        state.apply(seat, SPEC.parse_move(state, seat, text))
    assert draws == 92
    assert state.position()["deck"] == 0
    assert state.position()["round"] == 8
    assert [seat["restock"] for seat in state.position()["seats"]] == [False] * 4


def test_random_tanks_are_worth_what_the_cards_say() -> None:
    """Any nine cards, more of one than exist: every card beside every other."""
    rng = Stream("tanks")
    names = list(BOX.type)
    for _ in range(150):
        some = [names[rng.randrange(len(names))] for _ in range(2 + rng.randrange(8))]
        grids = [[[some[rng.randrange(len(some))] for _ in range(3)] for _ in range(3)] for _ in range(4)]
        state = SPEC.from_position(
            {"phase": "over", "round": 8, "seats": [{"grid": grid} for grid in grids], "check": False}
        )
        oracle = Oracle(4, BOX)
        oracle.tanks = [tank_of(grid) for grid in grids]
        assert state.scores() == oracle.scores()
        compare_lines(state, oracle)
        values = [grid_of({k: str(v) for k, v in BOX.values(tank).items()}) for tank in oracle.tanks]
        assert [[[str(v) for v in row] for row in grid] for grid in state.view(None)["extra"]["values"]] == values


@pytest.mark.parametrize(("cards", "box"), [("standard", BOX), ("balanced", BALANCED_BOX)])
def test_the_cards_read_as_they_should(cards: str, box: Box) -> None:
    rows = {row["name"]: row for row in SPEC.card_table(cards)}
    assert set(rows) == set(box.type)
    for name, number in box.copies.items():
        row = rows[name]
        assert (row["type"], int(row["base"]), int(row["copies"])) == (box.type[name], box.base[name], number)
        assert row["text"] == box.texts[name][0]
    book = {"Cardinalfish", "Hermit Crab", "Pink Gravel", "Driftwood", "Manatee Grass", "Spaghetti Algae"}
    assert {name for name, row in rows.items() if row["source"].split()[0] == "rulebook"} == book
    assert {name: int(rows[name]["copies"]) for name in STARTERS} == {"Water": 20, "Gravel": 12, "Clownfish": 4}
    assert box.copies.total() == 92


# --- notation -------------------------------------------------------------------------------------------------------

TURN: dict[str, Any] = {"round": 3, "store": ["Mermaid's Fan", "Water", "Diver", "Seahorse", "Clown Goby"]}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("net b2 a1", "net a1 b2"),
        ("net c3 a1", "net a1 c3"),
        ("take Mermaid'sFan@c1", "take Mermaid's Fan@c1"),
        ("take ClownGoby@c1", "take Clown Goby@c1"),
        ("  take Diver@c1  ", "take Diver@c1"),
        ("take Diver @ c1", "take Diver@c1"),
    ],
)
def test_other_ways_to_write_a_move(text: str, same: str) -> None:
    state = SPEC.from_position(TURN)
    assert SPEC.parse_move(state, 0, text) == SPEC.parse_move(state, 0, same)
    assert SPEC.move_text(state, 0, SPEC.parse_move(state, 0, text)) == same


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", BadNotation),
        ("take", BadNotation),
        ("take Diver", BadNotation),
        ("take @a1", MoveError),
        ("Diver@a1", BadNotation),
        ("take Diver@", MoveError),
        ("take Diver@a1 b2", MoveError),
        ("net a1", BadNotation),
        ("net a1 a1", MoveError),
        ("net a1 b2 c3", BadNotation),
        ("restock now", BadNotation),
        ("pass", BadNotation),
        ("draw", BadNotation),
        ("take Goldfish@a1", UnknownPiece),
        ("take Diver@d1", UnknownPiece),
        ("take Diver@a4", UnknownPiece),
        ("take Diver@a0", UnknownPiece),
        ("net a1 d4", UnknownPiece),
        ("take Water@a1", IllegalMove),
        ("take Anthias@a1", IllegalMove),
        ("put Diver@a1", IllegalMove),
        ("keep net", IllegalMove),
        ("net a1 b1", IllegalMove),
    ],
)
def test_texts_that_are_not_moves(text: str, kind: type[MoveError]) -> None:
    state = SPEC.from_position(TURN)
    before = state.position()
    with pytest.raises(MoveError) as caught:
        SPEC.parse_move(state, 0, text)
    assert isinstance(caught.value, kind)
    assert state.position() == before


def test_a_game_from_a_real_table_can_be_typed_in() -> None:
    match = Match(SPEC, 2, {"cards": "standard"}, rolls=False)
    match.play(CHANCE, "first 1")
    hands = [
        "Diver",
        "Diver",
        "Seahorse",
        "Mangrove",
        "Anthias",
        "Anthias",
        "Anthias",
        "Anthias",
        "Moray Eel",
        "Sun Coral",
    ]
    for card in hands:
        match.play(CHANCE, f"draw {card}")
    with pytest.raises(IllegalMove):
        match.play(CHANCE, "draw Cardinalfish")
    for seat, text in [(1, "put Anthias@a1"), (0, "put Diver@b2"), (1, "put Sun Coral@c3"), (0, "put Diver@a1")]:
        match.play(seat, text)
    assert match.state.scores() == [10, 10]
    match.play(1, "put Anthias@b1")
    assert match.state.active() == [0]
    assert match.undo_refusal(1) is None
    match.play(0, "put Mangrove@c3")
    # Seat 0: two Divers 4 + 4, Mangrove 2 and 4 water, 4 Water, 2 Gravel. Seat 1: Anthias a1 3, b1 2 + 2, Clownfish 2,
    # Sun Coral 3 at the bottom, 3 Water, 2 Gravel.
    assert match.state.scores() == [4 + 4 + 6 + 4 + 2, 3 + 4 + 2 + 3 + 3 + 2]
    assert match.undo_refusal(0) is not None
    assert match.state.active() == [CHANCE]


# --- card files -------------------------------------------------------------------------------------------------------


def _file(**changes: Any) -> dict[str, Any]:
    card = {"name": "Anthias", "copies": 4, "type": "fish", "base": 2, "source": "box", "bonuses": []}
    return {"extends": "standard", "cards": [{**card, **changes}]}


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (_file(type="bird"), "type"),
        (_file(base="two"), "base"),
        (_file(copies=-1), "copies"),
        (_file(copies=1.5), "copies"),
        (_file(source="hearsay"), "source"),
        (_file(colour="red"), "colour"),
        (_file(bonuses=3), "bonuses"),
        (_file(bonuses=[{"points": 1}]), "per"),
        (_file(bonuses=[{"points": 1, "per": "near", "of": "fish"}]), "near"),
        (_file(bonuses=[{"points": 1, "per": "adjacent"}]), "of"),
        (_file(bonuses=[{"points": 1, "per": "adjacent", "of": "bird"}]), "bird"),
        (_file(bonuses=[{"points": "x", "per": "adjacent", "of": "fish"}]), "points"),
        (_file(bonuses=[{"per": "adjacent", "of": "fish"}]), "points"),
        (_file(bonuses=[{"points": 1, "per": "adjacent", "if": "beside", "of": "fish"}]), "if"),
        (_file(bonuses=[{"points": 1, "if": "in the top row", "of": "fish"}]), "of"),
        (_file(name=""), "name"),
        ({**_file(), "extends": "nothing"}, "extends"),
        ({"extends": "standard", "cards": 3}, "cards"),
        ({"extends": "standard", "cards": [3]}, "cards[0] must be an object"),
        ({"cards": []}, "cards"),
    ],
)
def test_a_mistake_in_a_card_file_is_named(cards: dict[str, Any], words: str) -> None:
    with pytest.raises(WelliesError) as caught:
        SPEC.start(2, {"cards": cards})
    assert words in str(caught.value)


@pytest.mark.parametrize(("seats", "least"), [(2, 60), (3, 75), (4, 92)])
def test_the_deck_of_a_card_file_must_be_large_enough(seats: int, least: int) -> None:
    def cards(deck: int) -> dict[str, Any]:
        names = [name for name in BOX.copies if name not in ("Moray Eel", "Asterina Starfish", "Diver")]
        out = [{"name": n, "copies": 0, "type": BOX.type[n], "base": 1, "source": "box", "bonuses": []} for n in names]
        rest = deck - sum(BOX.copies[name] for name in ("Moray Eel", "Asterina Starfish", "Diver"))
        out[0]["copies"] = rest
        return {"extends": "standard", "cards": out}

    assert SPEC.start(seats, {"cards": cards(least)}).position()["deck"] == least
    with pytest.raises(WelliesError, match=str(least)):
        SPEC.start(seats, {"cards": cards(least - 1)})


def test_a_card_file_is_read_once_and_goes_with_the_game(tmp_path: Path) -> None:
    """A position or a record of a game with the owner's own cards does not need the file again."""
    path = tmp_path / "box.json"
    path.write_text(json.dumps(OWN_FILE), encoding="utf-8")
    match = Match(SPEC, 2, {"cards": str(path)}, seed=3)
    path.unlink()
    assert match.state.options == SPEC.start(2, {"cards": OWN_FILE}).options
    position = json.loads(json.dumps(match.state.position()))
    assert SPEC.from_position(position).position() == position
    record = wellies.Record.parse(str(match.record()))
    assert record.replay().state.position() == position
    path.write_text('{"extends": "standard",\n "cards": [,]}', encoding="utf-8")
    with pytest.raises(WelliesError, match="line 2"):
        SPEC.start(2, {"cards": str(path)})


# --- positions: what is refused ---------------------------------------------------------------------------------------

HAND = ["Diver", "Diver", "Seahorse", "Mangrove", "Anthias"]
UNSEEN: dict[str, Any] = {"hand": ["?"] * 5, "placed": 0}


def turn(**fields: Any) -> dict[str, Any]:
    return {"round": 2, "store": ["Diver"], **fields}


def seat0(**fields: Any) -> dict[str, Any]:
    return turn(seats=[fields, {}])


def setup(first: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"phase": "setup", "seats": [first, UNSEEN], **fields}


def nets(*seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"phase": "nets", "round": 8, "seats": list(seats), **fields}


BAD: list[tuple[dict[str, Any], str]] = [
    (turn(colour="red"), "colour"),
    (turn(game="guppies"), "guppies"),
    (turn(options={"fish": 3}), "fish"),
    (turn(options=3), "options"),
    (turn(options={"cards": 3}), "cards"),
    (turn(check="no"), "check"),
    (turn(phase="noon"), "phase"),
    (turn(phase=3), "phase"),
    (turn(phase="token"), "round"),
    (turn(phase="over"), "store"),
    (turn(phase="nets"), "store"),
    ({"phase": "turn", "round": 2}, "store"),
    ({"phase": "token", "first": 1}, "first"),
    (turn(round=0), "round"),
    (turn(round=9), "round"),
    (turn(round=10, seats=[{}, {}, {}]), "round"),
    (turn(round=9, seats=[{}, {}, {}, {}]), "round"),
    (turn(round="2"), "round"),
    (turn(round=2.0), "round"),
    (turn(first=2), "first"),
    (turn(first=-1), "first"),
    (turn(first=None), "first"),
    (turn(to_move=2), "to_move"),
    (turn(to_move=True), "to_move"),
    (turn(store="Diver"), "store"),
    (turn(store=["Goldfish"]), "store[0]"),
    (turn(store=["Diver", "?"]), "store[1]"),
    (turn(store=["Diver", 7]), "store[1]"),
    (turn(store=["Diver", "Diver", "Diver"]), "Diver"),
    (turn(store=["Anthias", "Diver", "Seahorse", "Mangrove", "Sun Coral", "Moray Eel"]), "store"),
    (turn(store=["Diver", "Sun Coral"] + ["Anthias", "Seahorse"] * 2 + ["Moray Eel"], seats=[{}] * 4), "store"),
    (turn(deck=92), "deck"),
    (turn(deck=-1), "deck"),
    (turn(deck=["Anthias"]), "deck"),
    (turn(deck="full"), "deck"),
    (turn(discards="Anthias"), "discards"),
    (turn(discards=["Goldfish"]), "discards[0]"),
    (turn(discards=["Anthias", "?"]), "discards[1]"),
    (turn(discards=["Diver", "Diver"]), "Diver"),
    (turn(seats={}), "seats"),
    (turn(seats=[{}] * 5), "seats"),
    (turn(seats=[{}, 3]), "seats[1]"),
    (seat0(nett=True), "seats[0].nett"),
    (seat0(net=1), "seats[0].net"),
    (seat0(net=None), "seats[0].net"),
    (seat0(restock="yes"), "seats[0].restock"),
    (seat0(grid=START[:2]), "seats[0].grid"),
    (seat0(grid=[*START, START[0]]), "seats[0].grid"),
    (seat0(grid=[["Water"] * 2] * 3), "seats[0].grid"),
    (seat0(grid=[["Water"] * 4] * 3), "seats[0].grid"),
    (seat0(grid=[["Water", "Fog", "Water"], *START[1:]]), "seats[0].grid[0][1]"),
    (seat0(grid=[*START[:2], ["Gravel", "Gravel", None]]), "seats[0].grid[2][2]"),
    (seat0(grid=[["?", "Water", "Water"], *START[1:]]), "seats[0].grid[0][0]"),
    (seat0(grid=[["Diver", "Water", "Diver"], *START[1:]]), "Diver"),
    (turn(seats=[{"grid": [["Water"] * 3] * 3}] * 3), "Water"),
    (turn(seats=[{"grid": [["Gravel"] * 3] * 3}] * 2), "Gravel"),
    (turn(seats=[{"grid": [["Clownfish"] * 3, ["Clownfish", "Water", "Water"], START[2]]}, {}]), "Clownfish"),
    (seat0(aside="Anthias"), "seats[0].aside"),
    (seat0(aside=["Anthias", "Seahorse", "Mangrove"]), "seats[0].aside"),
    (seat0(aside=["?", "?", "?"]), "seats[0].aside"),
    (seat0(aside=["Fog", "Anthias"]), "seats[0].aside[0]"),
    (seat0(aside=["Anthias", "Water"]), "seats[0].aside[1]"),
    (seat0(aside=["Diver", "Diver"]), "Diver"),
    (seat0(hand=["Anthias"]), "seats[0].hand"),
    (seat0(placed={"a1": "Anthias"}), "seats[0].placed"),
    (seat0(placed=1), "seats[0].placed"),
    (seat0(answer="keep net"), "seats[0].answer"),
    ({"phase": "setup"}, "seats[0]"),
    (setup({"hand": HAND[:4]}), "seats[0]"),
    (setup({"hand": [*HAND, "Anthias"]}), "seats[0].hand"),
    (setup({"hand": HAND, "placed": {"a1": "Anthias"}}), "seats[0]"),
    (setup({"hand": [*HAND[:4], "Water"]}), "seats[0].hand[4]"),
    (setup({"hand": [*HAND[:4], "Fog"]}), "seats[0].hand[4]"),
    (setup({"hand": "Diver"}), "seats[0].hand"),
    (setup({"hand": ["Diver"] * 3 + HAND[2:4]}), "Diver"),
    (setup({"hand": HAND[:4], "placed": {"d1": "Anthias"}}), "seats[0].placed"),
    (setup({"hand": HAND[:4], "placed": {"a1": "Fog"}}), "seats[0].placed"),
    (setup({"hand": HAND[:4], "placed": {"a1": "Gravel"}}), "seats[0].placed"),
    (setup({"hand": HAND[:4], "placed": ["a1"]}), "seats[0].placed"),
    (setup({"hand": HAND[:4], "placed": -1}), "seats[0].placed"),
    (setup({"hand": ["?"], "placed": 4}), "seats[0].placed"),
    (setup({"hand": HAND[:1], "placed": dict(zip(SPACES, HAND[1:], strict=False))}), "seats[0].placed"),
    (setup({"hand": HAND, "aside": ["Moray Eel"]}), "seats[0].aside"),
    (setup({"hand": HAND, "answer": "keep net"}), "seats[0].answer"),
    (setup({"hand": HAND}, store=["Water"]), "store"),
    (setup({"hand": HAND}, round=1), "round"),
    (nets({"net": False}, {"net": False}), "net"),
    (nets({"answer": "keep net"}, {"net": False}), "net"),
    (nets({"answer": "keep net", "net": False}, {}), "seats[0].answer"),
    (nets({"answer": "maybe"}, {}), "seats[0].answer"),
    (nets({"answer": "restock"}, {}), "seats[0].answer"),
    (nets({"answer": "net a1 a1"}, {}), "seats[0].answer"),
    (nets({"answer": "net a1 d1"}, {}), "seats[0].answer"),
    (nets({"answer": 1}, {}), "seats[0].answer"),
    (nets({}, {}, store=["Diver"]), "store"),
    ({"phase": "deal", "first": 0, "seats": [{"hand": HAND}, UNSEEN | {"hand": ["?"] * 6}]}, "hand"),
    ({"phase": "deal", "first": 0, "seats": [{"hand": ["Diver"], "placed": {"a1": "Anthias"}}, {}]}, "placed"),
]


@pytest.mark.parametrize(("position", "field"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_a_bad_position_is_refused_by_the_name_of_what_is_wrong(position: dict[str, Any], field: str) -> None:
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(position)
    assert field in str(caught.value)


@pytest.mark.parametrize("position", [None, [], 3, "over"])
def test_a_position_is_an_object(position: Any) -> None:
    with pytest.raises(BadPosition):
        SPEC.from_position(position)


@pytest.mark.parametrize("phase", ["nets", "over"])
@pytest.mark.parametrize("fields", [{}, {"round": 7}, {"round": 7, "deck": 30}])
def test_a_game_with_rounds_and_cards_left_did_not_end_for_lack_of_cards(phase: str, fields: dict[str, Any]) -> None:
    """Inconsistent, so refused; or set up (a round left out), but then nothing untrue is said of the deck."""
    try:
        state = SPEC.from_position({"phase": phase, **fields})
    except BadPosition:
        return
    while state.active():
        state.apply(state.active()[0], SPEC.parse_move(state, state.active()[0], "keep net"))
    outcome = state.outcome()
    assert outcome is not None
    assert state.position()["deck"] > 0
    assert "deck ran out" not in outcome.reason


@pytest.mark.parametrize(
    "position",
    [
        turn(store=["Diver"] * 3),
        turn(store=["Diver"] * 5 + ["Water"] * 4),
        turn(discards=["Diver"] * 7),
        turn(seats=[{"grid": [["Water"] * 3] * 3}] * 4),
        seat0(grid=[["Diver"] * 3, ["Diver"] * 3, START[2]]),
        seat0(aside=["Diver", "Diver"]),
        setup({"hand": ["Diver"] * 5}),
    ],
)
def test_more_cards_than_exist_pass_without_the_check(position: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        SPEC.from_position(position)
    state = SPEC.from_position({**position, "check": False})
    assert SPEC.from_position(state.position()).position() == state.position()
    state = state.resample(0, Stream(1))
    rng = Stream("no check")
    for _ in range(400):
        if not state.active():
            break
        state.apply(*pick(state, rng, 10))
    assert state.outcome() is not None


def test_fields_left_out_are_as_at_the_start() -> None:
    old = {"cards": "standard"}
    assert SPEC.from_position({}).position() == SPEC.start(2, old).position()
    assert SPEC.from_position({"seats": [{}, {}, {}]}).position() == SPEC.start(3, old).position()
    told = SPEC.from_position({"round": 3, "store": ["Water"], "seats": [{"net": False}, {}]}).position()
    assert told["phase"] == "turn"
    assert told["first"] == told["to_move"] == 0
    assert told["deck"] == 92
    assert [seat["net"] for seat in told["seats"]] == [False, True]
    assert [seat["restock"] for seat in told["seats"]] == [True, True]
    assert [seat["grid"] for seat in told["seats"]] == [START, START]
    assert SPEC.from_position({"round": 3}).position()["phase"] == "stock"
    assert SPEC.from_position({"first": 1}).position()["phase"] == "deal"
    assert SPEC.from_position({"first": 1, "round": 3, "store": ["Water"]}).due() == [1]


def test_the_deck_is_all_that_is_nowhere_else() -> None:
    grid = [["Seahorse", "Seahorse", "Water"], *START[1:]]
    position = {
        "round": 2,
        "phase": "stock",
        "store": ["Diver"],
        "discards": ["Moray Eel", "Moray Eel", "Diver"],
        "seats": [{"grid": grid, "aside": ["Anthias", "Seahorse"]}, {}],
    }
    state = SPEC.from_position(position)
    weights = {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in state.legal(CHANCE)}
    left = BOX.deck() - Counter(["Diver"] * 2 + ["Moray Eel"] * 2 + ["Seahorse"] * 3 + ["Anthias"])
    assert weights == {f"draw {card}": number for card, number in left.items()}
    assert state.position()["deck"] == 92 - 8


# --- what is hidden ---------------------------------------------------------------------------------------------------


def told(state: GameState, viewer: int | None) -> str:
    return json.dumps(state.view(viewer))


def step(state: GameState, seat: int, text: str) -> list[Event]:
    events: list[Event] = []
    state.apply(seat, SPEC.parse_move(state, seat, text), events.append)
    return events


def heard(events: list[Event], viewer: int | None) -> str:
    return json.dumps([event.seen_by(viewer) for event in events])


SECRET = {
    0: ["Diver", "Seahorse", "Mangrove", "Anthias", "Sun Coral"],
    1: ["Driftwood", "Moray Eel", "Skull Cave", "Bubble Jet", "Hermit Crab"],
    2: ["Triggerfish", "Clown Goby", "Neon Gravel", "Sunken Ship", "Brine Shrimp"],
}
VIEWERS: list[int | None] = [None, 0, 1, 2]


def deal_secrets(state: GameState) -> None:
    step(state, CHANCE, "first 2")
    while state.active() == [CHANCE]:
        for seat, cards in SECRET.items():
            hand = state.position()["seats"][seat].get("hand", [])
            if len(hand) < 5:
                card = next(card for card in cards if card not in hand)
                events = step(state, CHANCE, f"draw {card}")
                for viewer in VIEWERS:
                    assert (card in heard(events, viewer)) == (viewer == seat)
                break


def nothing_leaks(state: GameState) -> None:
    """Nobody else sees a card of a hand, where it lies, or which two were not kept."""
    for viewer in VIEWERS:
        text = told(state, viewer)
        for seat, cards in SECRET.items():
            shown = [card for card in cards if card in text]
            assert shown == (cards if viewer == seat else [])


def test_the_set_up_is_secret_until_all_are_ready() -> None:
    state = SPEC.start(3)
    deal_secrets(state)
    nothing_leaks(state)
    for number, space in enumerate(["a1", "b2", "c3"]):
        for seat in (0, 1, 2):
            card = SECRET[seat][number]
            if (number, seat) == (2, 2):
                break
            events = step(state, seat, f"put {card}@{space}")
            for viewer in VIEWERS:
                assert (card in heard(events, viewer)) == (viewer == seat)
                assert (space in heard(events, viewer)) == (viewer == seat)
            nothing_leaks(state)
            for viewer in VIEWERS:
                seats = state.position(viewer)["seats"]
                assert all(other["grid"] == START for other in seats)
                assert seats[seat]["placed"] == (
                    number + 1 if viewer != seat else dict(zip(SPACES[::4], SECRET[seat][: number + 1], strict=False))
                )
    assert state.scores() == [10, 10, 10]
    events = step(state, 2, f"put {SECRET[2][2]}@c3")
    assert any(event.reveals for event in events)
    for viewer in VIEWERS:
        for seat, cards in SECRET.items():
            assert all(card in told(state, viewer) for card in cards[:3])
            assert all(card in heard(events, viewer) for card in cards[:3])
            for card in cards[3:]:
                assert (card in told(state, viewer)) == (viewer == seat)
                assert card not in heard(events, viewer)


def test_the_cards_not_kept_stay_secret_to_the_end() -> None:
    state = SPEC.start(3)
    deal_secrets(state)
    for seat, cards in SECRET.items():
        for card, space in zip(cards[:3], ["a1", "b2", "c3"], strict=True):
            step(state, seat, f"put {card}@{space}")
    rng = Stream("to the end")
    hidden = {seat: cards[3:] for seat, cards in SECRET.items()}
    secret = [card for cards in hidden.values() for card in cards]
    while state.active():
        seat, move = pick(state, rng, 10)
        if seat == CHANCE:  # keep other copies of these cards out of sight
            moves = [m for m in state.legal(CHANCE) if SPEC.move_text(state, CHANCE, m)[5:] not in secret]
            move = moves[rng.randrange(len(moves))]
        events: list[Event] = []
        state.apply(seat, move, events.append)
        for viewer in VIEWERS:
            for owner, cards in hidden.items():
                for card in cards:
                    assert (card in told(state, viewer)) == (viewer == owner)
                    assert card not in heard(events, viewer)
    assert state.position(None)["seats"][1]["aside"] == ["?", "?"]


def test_the_answers_about_the_last_nets_stay_secret_until_all_are_given() -> None:
    for answer, words in (("net a1 b2", "a1"), ("keep net", "keep")):
        state = SPEC.from_position(nets({}, {}, {"net": False}, round=9))
        assert state.active() == [0, 1]
        blank = SPEC.from_position(nets({}, {}, {"net": False}, round=9))
        events = step(state, 0, answer)
        other = step(blank, 0, "net c1 c3")
        assert state.scores() == [10, 10, 10]
        for viewer in (None, 1, 2):
            assert words not in heard(events, viewer)
            assert answer not in told(state, viewer)
            assert state.view(viewer) == blank.view(viewer)
            assert heard(events, viewer) == heard(other, viewer)
            assert state.position(viewer)["seats"][0]["answer"] == "?"
        assert state.position(0)["seats"][0]["answer"] == answer
        events = step(state, 1, "net b2 c3")
        for viewer in VIEWERS:
            assert "c3" in heard(events, viewer)
        assert state.active() == []
        assert tank_of(state.position()["seats"][1]["grid"])["c3"] == "Clownfish"
        assert tank_of(state.position()["seats"][0]["grid"])["a1"] == ("Clownfish" if "net a1" in answer else "Water")


def test_worlds_that_differ_only_in_secrets_look_the_same_to_others() -> None:
    """Other cards in hand, on other spaces, worth other points; then other cards set aside."""
    one = {"hand": ["Diver", "Diver", "Seahorse"], "placed": {"a1": "Mangrove", "b2": "Anthias"}}
    two = {"hand": ["Moray Eel", "Sun Coral", "Skull Cave"], "placed": {"c3": "Bubble Jet", "c2": "Moray Eel"}}
    mine = {"hand": ["Sunken Ship"] * 2, "placed": {"a1": "Driftwood", "b1": "Hermit Crab", "c1": "Hermit Crab"}}
    worlds = [SPEC.from_position({"phase": "setup", "seats": [other, mine]}) for other in (one, two)]
    for viewer in (None, 1):
        assert worlds[0].view(viewer) == worlds[1].view(viewer)
        assert SPEC.draw(worlds[0].view(viewer)).plain() == SPEC.draw(worlds[1].view(viewer)).plain()
    assert worlds[0].view(0) != worlds[1].view(0)
    assert worlds[0].resample(1, Stream(1)).position() == worlds[1].resample(1, Stream(1)).position()
    late = [
        SPEC.from_position({**TURN, "seats": [{"aside": aside}, {"aside": ["Hermit Crab", "Driftwood"]}]})
        for aside in (["Anthias", "Anthias"], ["Moray Eel", "Sun Coral"])
    ]
    for viewer in (None, 1):
        assert late[0].view(viewer) == late[1].view(viewer)
    assert late[0].resample(1, Stream(1)).position() == late[1].resample(1, Stream(1)).position()
    for state in late:
        step(state, 0, "restock")
    assert late[0].legal(CHANCE) != [], "what is drawn next may differ, but nobody is told the weights"
    for viewer in (None, 1):
        assert late[0].view(viewer) == late[1].view(viewer)


def test_a_secret_card_tells_others_nothing_by_where_and_what_it_is() -> None:
    base = {
        "phase": "setup",
        "seats": [{"hand": HAND}, {"hand": ["Sunken Ship", "Sunken Ship", *["Hermit Crab"] * 2, "Driftwood"]}],
    }
    heard_by_others = set()
    for text in ("put Diver@a1", "put Mangrove@b2", "put Anthias@c3"):
        state = SPEC.from_position(base)
        events = step(state, 0, text)
        assert not any(event.reveals for event in events)
        heard_by_others.add(heard(events, 1) + heard(events, None) + told(state, 1) + told(state, None))
    assert len(heard_by_others) == 1


# --- dealing afresh what a seat has not seen ------------------------------------------------------------------------


def many(state: GameState, seat: int, number: int = 60) -> list[dict[str, Any]]:
    return [state.resample(seat, Stream(f"again {k}")).position() for k in range(number)]


def test_my_own_cards_are_never_dealt_to_others() -> None:
    """I hold both Divers, and all four Anthias are mine or on the table: nobody else has one."""
    mine = {"hand": ["Diver", "Seahorse"], "placed": {"a1": "Diver", "b1": "Mangrove", "c1": "Mangrove"}}
    position = setup(mine)
    position["seats"] = [mine, {"hand": ["?"] * 4, "placed": 1}, {"hand": ["?"] * 2, "placed": 3}]
    state = SPEC.from_position(position)
    for world in many(state, 0):
        assert world["seats"][0]["placed"] == mine["placed"]
        assert sorted(world["seats"][0]["hand"]) == mine["hand"]
        for other, placed in ((1, 1), (2, 3)):
            seat = world["seats"][other]
            cards = [*seat["hand"], *seat["placed"].values()]
            assert len(seat["placed"]) == placed
            assert len(cards) == 5
            assert not {"?", "Diver", "Mangrove"} & set(cards)
        all_cards = [card for seat in world["seats"] for card in [*seat["hand"], *seat["placed"].values()]]
        assert not Counter(all_cards) - BOX.deck()
        assert world["deck"] == 92 - 15
    worlds = {json.dumps(world["seats"][1]["hand"]) for world in many(state, 0)}
    assert len(worlds) > 30
    spaces = {space for world in many(state, 0) for space in world["seats"][1]["placed"]}
    assert len(spaces) == 9


def test_what_everyone_has_seen_leaves_only_two_cards_for_the_other_hand() -> None:
    """All cards are on the table but my two and the other's two, so those are known; the deck is empty."""
    rest = list((BOX.deck() - Counter(["Diver", "Mangrove", "Skull Cave", "Sun Coral"])).elements())
    seen: dict[str, Any] = {
        "round": 5,
        "store": rest[:5],
        "discards": rest[5:],
        "seats": [{"aside": ["Skull Cave", "Sun Coral"]}, {"aside": ["?", "?"]}],
    }
    state = SPEC.from_position(seen)
    assert state.position()["deck"] == 0
    for world in many(state, 0, 20):
        assert sorted(world["seats"][1]["aside"]) == ["Diver", "Mangrove"]
        assert sorted(world["seats"][0]["aside"]) == ["Skull Cave", "Sun Coral"]
    truth = SPEC.from_position(
        {**seen, "seats": [{"aside": ["Skull Cave", "Sun Coral"]}, {"aside": ["Diver", "Mangrove"]}]}
    )
    piles = {json.dumps(sorted(world["seats"][0]["aside"])) for world in many(truth, 1, 20)}
    assert piles == {json.dumps(["Skull Cave", "Sun Coral"])}


def test_unseen_cards_are_dealt_evenly() -> None:
    """Unseen are six Moray Eels and two Divers, in a pile of two and a deck of six: 13 piles in 28 have a Diver."""
    rest = list((BOX.deck() - Counter({"Moray Eel": 6, "Diver": 2, "Sun Coral": 2})).elements())
    state = SPEC.from_position(
        {
            "round": 5,
            "phase": "stock",
            "discards": rest,
            "seats": [{"aside": ["Sun Coral", "Sun Coral"]}, {"aside": ["?", "?"]}],
        }
    )
    assert state.position()["deck"] == 6
    with_diver = 0
    for world in many(state, 0, 600):
        pile = Counter(world["seats"][1]["aside"])
        assert set(pile) <= {"Moray Eel", "Diver"}
        with_diver += "Diver" in pile
        after = SPEC.from_position(world)
        weights = {SPEC.move_text(after, CHANCE, m): after.weight(m) for m in after.legal(CHANCE)}
        left = {"draw Moray Eel": 6 - pile["Moray Eel"], "draw Diver": 2 - pile["Diver"]}
        assert weights == {text: number for text, number in left.items() if number}
    assert 220 < with_diver < 340, "13 in 28 of 600 are 279"


def test_a_seat_knows_what_it_was_dealt_and_what_was_turned_over() -> None:
    """After a real set-up: my two are mine, the cards turned over and drawn stay where they are."""
    state = SPEC.start(3)
    deal_secrets(state)
    for seat, cards in SECRET.items():
        for card, space in zip(cards[:3], ["a1", "b2", "c3"], strict=True):
            step(state, seat, f"put {card}@{space}")
    for card in ("Diver", "Anthias", "Anthias", "Anthias", "Driftwood"):
        step(state, CHANCE, f"draw {card}")
    for seat in range(3):
        for world in many(state, seat, 40):
            for other in range(3):
                assert world["seats"][other]["grid"] == state.position()["seats"][other]["grid"]
            assert sorted(world["seats"][seat]["aside"]) == sorted(SECRET[seat][3:])
            assert world["store"] == state.position()["store"]
            piles = [card for other in world["seats"] for card in other["aside"]]
            assert "Diver" not in piles, "one lies on a tank, one in the store"
            assert "Driftwood" not in piles
            if seat == 0:
                assert piles.count("Anthias") == 1, "my own; the other three are in the store"
            assert world["deck"] == state.position()["deck"] == 92 - 15 - 5


def test_an_unknown_answer_becomes_a_possible_one() -> None:
    grid = [["Water", "Water", "Water"], ["Water", "Water", "Water"], ["Water", "Water", "Diver"]]
    state = SPEC.from_position(nets({"grid": grid, "answer": "?"}, {"answer": "keep net"}, {}, round=9))
    answers = {world["seats"][0]["answer"] for world in many(state, 1)}
    possible = {f"net {space} c3" for space in SPACES[:-1]} | {"keep net"}
    assert answers <= possible
    assert len(answers) > 3
    assert {world["seats"][1]["answer"] for world in many(state, 1, 10)} == {"keep net"}
    for k in range(10):
        dealt = state.resample(1, Stream(k))
        assert dealt.view(1) == state.view(1)
        step(dealt, 2, "keep net")
        assert dealt.outcome() is not None


def test_lost_cards_are_dealt_anew_but_their_number_stands() -> None:
    state = SPEC.from_position(
        {"round": 6, "deck": 7, "store": ["Diver", "Diver"], "seats": [{"aside": ["?", "?"]}, {}]}
    )
    for world in many(state, 1, 10):
        assert world["deck"] == 7
        assert len(world["seats"][0]["aside"]) == 2
        assert "Diver" not in world["seats"][0]["aside"]
    rng = Stream("lost")
    dealt = state.resample(0, rng)
    drawn: Counter[str] = Counter()
    while dealt.active():
        seat, move = pick(dealt, rng, 0)
        if seat == CHANCE:
            drawn[SPEC.move_text(dealt, seat, move)[5:]] += 1
        dealt.apply(seat, move)
    assert drawn.total() <= 7
    assert not drawn - (BOX.deck() - Counter(["Diver", "Diver"]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_can_be_played_on_from_what_any_viewer_sees(seats: int) -> None:
    """At every moment of a game: the position as each seat or a spectator sees it is set up, dealt and played on."""
    rng = Stream(f"seen {seats}")
    state = SPEC.start(seats)
    number = 0
    while state.active():
        number += 1
        phase = state.position()["phase"]
        if phase in ("deal", "setup", "nets") or number % 17 == 0:
            viewers: list[int | None] = [None, *range(seats)]
            viewer = viewers[number % len(viewers)]
            seen = SPEC.from_position(json.loads(json.dumps(state.position(viewer))))
            assert seen.position(viewer) == state.position(viewer)
            assert (seen.active(), seen.scores()) == (state.active(), state.scores())
            if viewer is not None:
                assert texts(seen, viewer) == texts(state, viewer)
            seat = 0 if viewer is None else viewer
            dealt = seen.resample(seat, rng)
            assert '"?"' not in json.dumps(dealt.position())
            while dealt.active():
                dealt.apply(*pick(dealt, rng, 10))
        state.apply(*pick(state, rng, 10))


def test_a_seat_can_play_its_own_moves_from_its_own_view() -> None:
    """What others hold need not be known for my own set-up, my turn and my net."""
    state = SPEC.from_position(setup({"hand": HAND, "placed": {}}))
    for text in ("put Diver@a1", "put Seahorse@b2", "put Mangrove@c3"):
        step(state, 0, text)
    assert state.position()["seats"][0]["hand"] == ["Anthias", "Diver"]
    state = SPEC.from_position({**TURN, "seats": [{"aside": ["Anthias", "Diver"]}, {"aside": ["?", "?"]}]})
    step(state, 0, "net a1 b2")
    step(state, 0, "take Seahorse@a1")
    # Clownfish (2) goes, Seahorse (2) comes.
    assert state.scores() == [10, 10]
    assert state.due() == [1]


def test_a_seat_whose_cards_are_unknown_is_not_waited_for_without_a_move() -> None:
    """An active seat always has a move, says the contract; also where its hand is not seen."""
    state = SPEC.from_position(setup({"hand": HAND, "placed": {}}))
    assert all(state.legal(seat) for seat in state.active())
