"""Many games at once, with arrays in and out: the loop inside `wellies.research.vector`.

It is here, and not there, to be compiled with the engine: for each decision it makes a move, rolls the dice up to the
next decision, and writes what the next seat sees and may do. It knows nothing of NumPy or of processes: it reads and
writes memoryviews that the caller keeps.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

from wellies.core.dice import Stream
from wellies.core.encoding import NO_MOVE, Encoding, Memory
from wellies.core.errors import IllegalMove, WelliesError
from wellies.core.state import CHANCE, GameState

MOST_DECISIONS: Final = 20_000
"""A game with more decisions than this is stuck."""


class Batch:
    """Some games of one kind, each with dice of its own. A game that ends is followed by a new one.

    The arrays have a row for each game. `seats` gets the seat to act, `gains` the points that each seat has won or lost
    in this step (if they are wanted), `finals` the last scores of a game that ended in this step, and `lengths` its
    decisions. `gains`, `dones`, `finals` and `lengths` are written where something happened only: the caller sets
    `gains` and `dones` to zero before each step.
    """

    def __init__(self, start: GameState, encoding: Encoding, streams: list[Stream], count_gains: bool) -> None:
        self._start = start
        self._encoding = encoding
        self._streams = streams
        self._count_gains = count_gains
        self._count = len(streams)
        self._states: list[GameState] = [start] * self._count
        self._to_act: list[int] = [0] * self._count
        self._decisions: list[int] = [0] * self._count
        self._scores: list[list[int]] = [[]] * self._count
        """If gains are counted: the scores after the last step."""
        self._memories: list[Memory] = [encoding.new_memory() for _ in streams]
        """What was seen last in each game: little of it changes from one decision to the next."""
        self._mask = bytearray(encoding.actions)
        self._cell_rows: list[slice] = rows(self._count, encoding.size)
        self._mask_rows: list[slice] = rows(self._count, encoding.actions)

    def states(self) -> list[GameState]:
        """The games as they are. Whoever changes one breaks the batch."""
        return self._states

    def reset(self, observations: Any, masks: Any, seats: Any) -> None:
        """Begin all games anew. The dice go on from where they are."""
        for index in range(self._count):
            self._begin(index)
            self._show(index, observations, masks)
        seats[:] = array("i", self._to_act)

    def step(
        self,
        actions: Any,
        observations: Any,
        masks: Any,
        seats: Any,
        gains: Any,
        dones: Any,
        finals: Any,
        lengths: Any,
    ) -> None:
        """Carry out one action in each game. All must be legal: the masks of the step before say which are."""
        encoding = self._encoding
        states = self._states
        to_act = self._to_act
        decisions = self._decisions
        chosen: list[int] = actions.tolist()
        for index in range(self._count):
            state = states[index]
            seat = to_act[index]
            action = chosen[index]
            move = encoding.move_of(state, seat, action)
            if move == NO_MOVE:
                raise IllegalMove(f"game {index}: action {action} stands for no move.")
            state.step(seat, move)
            decisions[index] += 1
            over = self._roll(index)
            if self._count_gains:
                self._write_gains(index, gains)
            if over:
                self._finish(index, dones, finals, lengths)
                self._begin(index)
            self._show(index, observations, masks)
        seats[:] = array("i", to_act)

    def _begin(self, index: int) -> None:
        self._states[index] = self._start.clone()
        self._decisions[index] = 0
        if self._roll(index):
            raise WelliesError(f"{self._start.spec.title} is over before anybody has decided anything.")
        if self._count_gains:
            self._scores[index] = list(self._states[index].scores())

    def _roll(self, index: int) -> bool:
        """Let chance move until a seat is to act. True if the game is over instead."""
        state = self._states[index]
        while True:
            due = state.due()
            if not due:
                return True
            seat = due[0]
            if seat != CHANCE:
                self._to_act[index] = seat
                return False
            state.step(CHANCE, state.chance(self._streams[index]))

    def _show(self, index: int, observations: Any, masks: Any) -> None:
        state = self._states[index]
        seat = self._to_act[index]
        encoding = self._encoding
        encoding.write_mask(state, seat, self._mask)
        masks[self._mask_rows[index]] = self._mask
        if observations is not None:
            memory = self._memories[index]
            encoding.observe_again(state, seat, memory)
            observations[self._cell_rows[index]] = memory.cells
        if self._decisions[index] >= MOST_DECISIONS:
            raise WelliesError(f"game {index} does not end after {MOST_DECISIONS} decisions; try other options.")

    def _write_gains(self, index: int, gains: Any) -> None:
        """What each seat has won or lost in points since the last step."""
        before = self._scores[index]
        now = self._states[index].scores()
        at = index * len(now)
        for seat in range(len(now)):
            if now[seat] != before[seat]:
                gains[at + seat] = float(now[seat] - before[seat])
        self._scores[index] = list(now)

    def _finish(self, index: int, dones: Any, finals: Any, lengths: Any) -> None:
        outcome = self._states[index].outcome()
        if outcome is None:
            raise AssertionError(f"{self._start.spec.name}: nobody is to move, and there is no outcome")
        dones[index] = 1
        lengths[index] = self._decisions[index]
        scores: list[int] = outcome.scores
        at = index * len(scores)
        for seat in range(len(scores)):
            finals[at + seat] = scores[seat]


def rows(count: int, width: int) -> list[slice]:
    """Where each row of a table lies in the bytes of all of it."""
    return [slice(index * width, (index + 1) * width) for index in range(count)]
