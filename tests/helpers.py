"""What tests of several games share: which games to play, and how to play one at random."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import wellies
from wellies import CHANCE, BadOption, GameSpec, GameState, Stream

HERE = Path(__file__).parent
GAMES = 1
"""How many random games each law is tried on here; `soak` plays many more."""

SOAK = bool(os.environ.get("WELLIES_SOAK"))
THINNING = 1 if SOAK else 3
"""In `make soak` the laws that take long look at so many times more moments of a game."""

LONGEST = 5_000
"""No game takes so many moves, draws included."""


class Case:
    """A game at a number of seats with some options."""

    def __init__(self, game: str, seats: int, options: dict[str, Any]) -> None:
        self.game = game
        self.seats = seats
        self.options = options

    @property
    def spec(self) -> GameSpec:
        return wellies.game(self.game)

    def start(self) -> GameState:
        return self.spec.start(self.seats, self.options)

    def __repr__(self) -> str:
        options = "".join(f"-{name}={value}" for name, value in self.options.items())
        return f"{self.game}-{self.seats}{options}"


def cases() -> list[Case]:
    """Every game at every number of seats, and at its fewest seats with each value of each option."""
    found: list[Case] = []
    for name in wellies.list_games():
        spec = wellies.game(name)
        found += [Case(name, seats, {}) for seats in range(spec.min_seats, spec.max_seats + 1)]
        for option in spec.options:
            for value in option.values:
                if value != option.default:
                    found.append(Case(name, spec.min_seats, {option.name: value}))
    return [case for case in found if _possible(case)]


def _possible(case: Case) -> bool:
    try:
        case.start()
    except BadOption:
        return False
    return True


def random_move(state: GameState, rng: Stream, *, eager: bool = False) -> tuple[int, int]:
    """A seat that is due (or, if eager, any that may act) and one of its moves."""
    seats = state.active() if eager and rng.randrange(4) == 0 else state.due()
    seat = seats[rng.randrange(len(seats))]
    if seat == CHANCE:
        return seat, state.chance(rng)
    moves = state.legal(seat)
    return seat, moves[rng.randrange(len(moves))]


def random_play(state: GameState, rng: Stream) -> Iterator[tuple[int, int]]:
    """Play on at random to the end, in place; yields each move just before it is made."""
    for _ in range(LONGEST):
        if not state.active():
            return
        seat, move = random_move(state, rng, eager=True)
        yield seat, move
        state.step(seat, move)
    raise AssertionError("the game does not end")


def play_by(state: GameState, reply: Callable[[int], int], rng: Stream) -> None:
    """Play to the end by the replies of a function, which must be legal and must leave the state as it is."""
    while due := state.due():
        if due[0] == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        before = state.position()
        move = reply(due[0])
        assert state.position() == before
        assert move in state.legal(due[0])
        state.step(due[0], move)


def some_states(case: Case, seed: object, every: int) -> Iterator[GameState]:
    """Clones of about one in `every` states of random games, the first and the last always among them."""
    for number in range(GAMES):
        rng = Stream(f"{case} {seed} {number}")
        state = case.start()
        yield state.clone()
        for _ in random_play(state, rng):
            if rng.randrange(every) == 0:
                yield state.clone()
        yield state.clone()


def facts(state: GameState) -> dict[str, Any]:
    """All that can be asked of a state, for comparing two."""
    seats = [CHANCE, *range(state.seats)]
    return {
        "position": state.position(),
        "active": state.active(),
        "due": state.due(),
        "legal": {seat: state.legal(seat) for seat in seats},
        "weights": [state.weight(move) for move in state.legal(CHANCE)],
        "scores": state.scores(),
        "outcome": None if state.outcome() is None else str(state.outcome()),
        "views": [state.view(None), *(state.view(seat) for seat in range(state.seats))],
    }


def damage(value: Any, rng: Stream) -> None:
    """Change one thing somewhere in a JSON value."""
    junk: list[Any] = [None, -1, 7, 10**9, "", "?", "red", [], {}, True, 1.5, [1, 2, 3], {"at": [0, 0]}]
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = keys[rng.randrange(len(keys))]
        if isinstance(value[key], dict | list) and value[key] and rng.randrange(5):
            value = value[key]
            continue
        kind = rng.randrange(3)
        if kind == 0:
            del value[key]
        elif kind == 1 and isinstance(value, list):
            value.append(value[key])
        else:
            value[key] = junk[rng.randrange(len(junk))]
        return
