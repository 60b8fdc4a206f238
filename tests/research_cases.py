"""What tests of environments share: which games, and positions near the end of one, so that games are short."""

from __future__ import annotations

from functools import cache
from typing import Any

from helpers import SOAK, Case, cases

from wellies import CHANCE, GameState, Stream

CASES = [case for case in cases() if case.spec.encoding(case.seats, case.options) is not None]
"""Every game that has an encoding, at every number of seats and with every value of every option."""

FEWEST = [case for case in CASES if case.seats == case.spec.min_seats and not case.options]
"""Each of these games once."""


def play_on(state: GameState, rng: Stream, decisions: int | None = None) -> int:
    """Play on at random, in place, for so many decisions or to the end; returns how many there were."""
    made = 0
    while (due := state.due()) and made != decisions:
        if due[0] == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        moves = state.legal(due[0])
        state.step(due[0], moves[rng.randrange(len(moves))])
        made += 1
    return made


@cache
def _position_before_end(game: str, seats: int, options: str, left: int) -> Any:
    case = next(each for each in CASES if (each.game, each.seats, repr(each.options)) == (game, seats, options))
    decisions = play_on(case.start(), Stream(f"{case} late"))
    state = case.start()
    play_on(state, Stream(f"{case} late"), max(0, decisions - left))
    return state.position()


def position_before_end(case: Case, left: int) -> dict[str, Any]:
    """A position so many decisions before the end of a random game."""
    position: dict[str, Any] = _position_before_end(case.game, case.seats, repr(case.options), left)
    return position


def late_position(case: Case, left: int) -> dict[str, Any] | None:
    """The same, so that a game is short; but None in `make soak`, for whole games."""
    return None if SOAK else position_before_end(case, left)
