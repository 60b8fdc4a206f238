"""States and moves as arrays of fixed size, for learning programs.

An `Encoding` belongs to a game at a number of seats with some options. It has two parts:

- **Actions**: a dense space of numbers from 0 to `actions - 1`. Every legal move has exactly one action, and an action
  stands for exactly one move in any state. Where a move names a place of an endless table or a tile of a hand, the
  state is needed to translate; see `window`.
- **Observations**: what one seat may see now, as `size` bytes. The observing seat always comes first, then the others
  in turn order. A byte is a number or a code. Code 0 always means that there is nothing.

Both describe themselves: `action_groups` and `fields` list consecutive parts with names, axes and a sentence each.
Documentation, structured dictionaries, planes and float tensors are all made from these lists.

A game brings its encoding in `encoding.py`; `GameSpec.encoding` returns it. The methods here are called for every
decision of millions of games, so they fill buffers that the caller keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.native import mypyc_attr
from wellies.core.state import GameState

NO_MOVE: Final = -1
"""What an action stands for that names nothing in this state, such as a tile that the hand does not have."""

NO_ACTION: Final = -1
"""In place of the action of a number that is no move of a seat."""

MOST: Final = 255
"""The largest number in one cell of an observation; larger ones are cut off."""

HUNDREDS: Final = 100
"""A score takes two cells: its hundreds, and the rest."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Axis:
    """One axis of a part: what it counts, and what each index along it is called."""

    def __init__(self, name: str, labels: Sequence[str]) -> None:
        self.name = name
        self.labels: list[str] = list(labels)


@mypyc_attr(allow_interpreted_subclasses=True)
class Part:
    """Consecutive cells of an observation, or consecutive actions: the last axis runs fastest."""

    def __init__(self, name: str, offset: int, axes: Sequence[Axis], words: str) -> None:
        self.name = name
        self.offset = offset
        self.axes: list[Axis] = list(axes)
        self.words = words
        """What it means, in a sentence or two."""
        self.shape: tuple[int, ...] = tuple([len(axis.labels) for axis in self.axes])
        size = 1
        for length in self.shape:
            size *= length
        self.size = size

    def label(self, index: int) -> str:
        """What one of its cells or actions is called: `lay: row 3, column 5, way a2`."""
        words: list[str] = []
        rest = index - self.offset
        for axis in reversed(self.axes):
            length = len(axis.labels)
            words.append(f"{axis.name} {axis.labels[rest % length]}")
            rest //= length
        words.reverse()
        return f"{self.name}: {', '.join(words)}" if words else self.name


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionGroup(Part):
    """Actions of one kind."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Channel:
    """What a cell holds: a number from 0 to `top`, or a code: 0 for nothing, then those of `codes`."""

    def __init__(self, name: str, top: int, codes: Sequence[str] = ()) -> None:
        self.name = name
        self.codes: list[str] = list(codes)
        """What the codes from 1 on mean; empty for numbers."""
        self.top = len(self.codes) or top

    def meaning(self, value: int) -> str:
        """What a value means."""
        if not self.codes:
            return str(value)
        return "nothing" if value == 0 else self.codes[value - 1]


def code(name: str, codes: Sequence[str]) -> Channel:
    """A channel of codes: 0 for nothing, then these."""
    return Channel(name, 0, codes)


@mypyc_attr(allow_interpreted_subclasses=True)
class Field(Part):
    """A part of an observation. With one channel, all its cells hold the same kind of thing. With several, its last
    axis is the channels."""

    def __init__(
        self,
        name: str,
        offset: int,
        axes: Sequence[Axis],
        words: str,
        channels: Sequence[Channel],
        grid: tuple[int, int],
        where: Sequence[int],
    ) -> None:
        super().__init__(name, offset, axes, words)
        self.channels: list[Channel] = list(channels)
        self.grid = grid
        """For a board: the rows and columns of its planes; (0, 0) for all else."""
        self.where: list[int] = list(where)
        """For a board: for each place, which is its first axis, `row * columns + column` in the planes."""

    @property
    def is_board(self) -> bool:
        return self.grid[0] > 0

    def channel(self, index: int) -> Channel:
        """What a cell of an observation that is in this field holds."""
        return self.channels[(index - self.offset) % len(self.channels)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Memory:
    """The last observation of a game, and what an encoding remembers of it to write the next one quickly."""

    def __init__(self, size: int) -> None:
        self.cells = bytearray(size)
        """The last observation."""
        self.state: GameState | None = None
        """What was observed last; None if the next observation must be written anew."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Encoding:
    """How states and moves of one game become arrays.

    In `__init__` a game adds its action groups and its fields, and calls `seal`. It implements `observe` and, where it
    has chance, `outcome_of` and `chance_of`. Where an action always stands for the same move, `pair` says which. Where
    it depends on the state, the game overrides `action_of` and `move_of`, and `legal_actions` to be quick.
    """

    def __init__(self, game: str, seats: int, options: Json) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.actions = 0
        """How many actions there are."""
        self.size = 0
        """How many cells an observation has."""
        self.outcomes = 0
        """How many different outcomes chance can have; 0 for a game without chance."""
        self.longest = 0
        """No game has more decisions."""
        self.action_groups: list[ActionGroup] = []
        self.fields: list[Field] = []
        self.nothing = bytearray()
        """An observation of zeros."""
        self._no_action = bytearray()
        self._all_actions = slice(0, 0)
        self._of_move: list[Any] = []
        """The action of each move, as objects: compiled code then uses them as they are, in half the time."""
        self._of_action: list[int] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle or a copy holds what an encoding is made from: `__init__` of a game takes seats and options."""
        return (type(self), (self.seats, self.options))

    # --- description --------------------------------------------------------------------------------------------------

    def add_actions(self, name: str, axes: Sequence[Axis], words: str) -> int:
        """The next actions are these. Returns the first of them."""
        group = ActionGroup(name, self.actions, axes, words)
        self.action_groups.append(group)
        self.actions += group.size
        return group.offset

    def add_numbers(self, name: str, axes: Sequence[Axis], words: str, top: int = MOST) -> int:
        """The next cells are numbers from 0 to `top`. Returns the first of them."""
        return self._add(Field(name, self.size, axes, words, [Channel(name, top)], (0, 0), ()))

    def add_codes(self, name: str, axes: Sequence[Axis], words: str, codes: Sequence[str]) -> int:
        """The next cells are codes: 0 for nothing, then these. Returns the first of them."""
        return self._add(Field(name, self.size, axes, words, [code(name, codes)], (0, 0), ()))

    def add_channels(self, name: str, axes: Sequence[Axis], words: str, channels: Sequence[Channel]) -> int:
        """The next cells have these channels along their last axis, which is added. Returns the first of them."""
        return self._add(Field(name, self.size, [*axes, channel_axis(channels)], words, channels, (0, 0), ()))

    def add_board(
        self,
        name: str,
        places: Axis,
        words: str,
        channels: Sequence[Channel],
        grid: tuple[int, int],
        where: Sequence[int],
    ) -> int:
        """The next cells are a board: for each place, these channels. The places lie at `where` in a grid of rows and
        columns. Returns the first of them."""
        return self._add(Field(name, self.size, [places, channel_axis(channels)], words, channels, grid, where))

    def _add(self, field: Field) -> int:
        for channel in field.channels:
            if channel.top > MOST:
                raise BadOption(f"{self.game}: a cell of {field.name} would need {channel.top} values, not {MOST}.")
        self.fields.append(field)
        self.size += field.size
        return field.offset

    def add_scores(self) -> int:
        """The next cells are the scores of all seats. Returns the first of them; `write_scores` fills them."""
        return self.add_numbers(
            "scores",
            [self.seat_axis(), Axis("part", ["hundreds", "rest"])],
            "The points of each seat: whole hundreds, and what is left.",
        )

    def seal(self, moves: int = 0) -> None:
        """All parts are added. `moves` is the number after the last move that is going to be paired with an action."""
        self.nothing = bytearray(self.size)
        self._no_action = bytearray(self.actions)
        self._all_actions = slice(0, self.actions)
        self._of_move = [NO_ACTION] * moves
        self._of_action = [NO_MOVE] * self.actions

    def pair(self, move: int, action: int) -> None:
        """This action stands for this move in every state."""
        self._of_move[move] = action
        self._of_action[action] = move

    def seat_axis(self) -> Axis:
        """The seats as an observer counts them: itself first, then in turn order."""
        return Axis("seat", seat_labels(self.seats))

    def field(self, name: str) -> Field:
        """The field of this name."""
        for each in self.fields:
            if each.name == name:
                return each
        raise KeyError(name)

    def cell_text(self, index: int) -> str:
        """What one cell of an observation is called."""
        return self.field_at(index).label(index)

    def field_at(self, index: int) -> Field:
        """The field that a cell of an observation is in."""
        for field in self.fields:
            if field.offset <= index < field.offset + field.size:
                return field
        raise IndexError(f"an observation of {self.game} has the cells 0 to {self.size - 1}, and no cell {index}")

    def action_text(self, action: int) -> str:
        """What an action is called, whatever the state. `state.move_text` writes the move that it stands for in one."""
        for group in self.action_groups:
            if group.offset <= action < group.offset + group.size:
                return group.label(action)
        raise IndexError(f"{self.game} has the actions 0 to {self.actions - 1}, and no action {action}")

    # --- actions ------------------------------------------------------------------------------------------------------

    def action_of(self, state: GameState, seat: int, move: int) -> int:
        """The action that stands for a legal move of this seat in this state."""
        action: int = self._of_move[move]
        return action

    def move_of(self, state: GameState, seat: int, action: int) -> int:
        """The move that an action stands for in this state, legal or not; NO_MOVE if it names what is not there."""
        return self._of_action[action]

    def legal_actions(self, state: GameState, seat: int) -> list[int]:
        """The actions of `state.legal(seat)`, in the same order."""
        of_move = self._of_move
        if not of_move:
            return [self.action_of(state, seat, move) for move in state.legal(seat)]
        return [of_move[move] for move in state.legal(seat)]

    def write_mask(self, state: GameState, seat: int, mask: bytearray) -> None:
        """Set `mask[action]` to 1 for each legal action of a seat and to 0 for all others."""
        mask[self._all_actions] = self._no_action
        of_move = self._of_move
        if of_move:
            for move in state.legal(seat):
                mask[of_move[move]] = 1
        else:
            for action in self.legal_actions(state, seat):
                mask[action] = 1

    def outcome_of(self, state: GameState, move: int) -> int:
        """The number of a move of chance, from 0 to `outcomes - 1`."""
        raise NotImplementedError

    def chance_of(self, state: GameState, outcome: int) -> int:
        """The move of chance that has this number in this state; NO_MOVE if none has."""
        raise NotImplementedError

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        """Write what a seat may see into `cells`, which has `size` bytes. Whatever was in them is overwritten.

        It depends on nothing that the seat may not see: a resampled state is observed alike.
        """
        raise NotImplementedError

    def new_memory(self) -> Memory:
        """A memory for `observe_again`."""
        return Memory(self.size)

    def observe_again(self, state: GameState, seat: int, memory: Memory) -> None:
        """`observe` into `memory.cells`, with a memory that nobody else writes to. It may be given any state. Where
        that is the one that it was given last, a few moves later, only what has changed is written."""
        self.observe(state, seat, memory.cells)

    def write_scores(self, cells: bytearray, offset: int, scores: list[int], seat: int) -> None:
        """Fill the cells of `add_scores`."""
        at = offset
        for index in range(self.seats):
            points = scores[(seat + index) % self.seats]
            if points > 0:
                cells[at] = min(points // HUNDREDS, MOST)
                cells[at + 1] = points % HUNDREDS
            at += 2


def seat_labels(seats: int) -> list[str]:
    """The seats as an observer counts them."""
    return ["me", *[f"+{distance}" for distance in range(1, seats)]]


def channel_axis(channels: Sequence[Channel]) -> Axis:
    """The channels of a field as its last axis."""
    return Axis("channel", [channel.name for channel in channels])


def numbered(count: int, first: int = 0) -> list[str]:
    """Labels of an axis that are plain numbers."""
    return [str(number) for number in range(first, first + count)]
