"""A game that rolls its own chance from a seed, and takes actions in place of moves."""

from __future__ import annotations

import operator
import secrets
from typing import Any, Final

from wellies.core.dice import Stream
from wellies.core.encoding import NO_MOVE, Encoding
from wellies.core.errors import BadGame, BadOption, IllegalMove
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.core.types import Seat
from wellies.games import game

ILLEGAL: Final = ("refuse", "error")
"""What becomes of an illegal action: it changes nothing and the refusal is told, or it raises IllegalMove."""


class Seeds:
    """Seeds of games, one after another: the same ones after the same first seed."""

    def __init__(self) -> None:
        self._stream: Stream | None = None

    def next(self, seed: int | None) -> bytes:
        """The seed of the next game. With a number, the first of those that this number leads to."""
        if seed is not None:
            self._stream = Stream(seed)
        elif self._stream is None:
            self._stream = Stream(secrets.token_bytes(16))
        return b"%016x" % self._stream.word()


class Episode:
    """One game after another of the same kind. `state` is the game now; chance is never due in it."""

    def __init__(
        self,
        name: str | GameSpec,
        seats: int | None = None,
        options: Json | None = None,
        position: Json | None = None,
    ) -> None:
        self.spec = game(name) if isinstance(name, str) else name
        self.start = starting_state(self.spec, seats, options, position)
        self.seats = self.start.seats
        self.encoding: Encoding = encoding_of(self.start)
        self.state: GameState = self.start.clone()
        self._dice = Stream(0)

    def reset(self, seed: int | bytes | str) -> None:
        """A new game. All its chance comes from the seed."""
        self._dice = Stream(seed)
        self.state = self.start.clone()
        self.roll()

    def roll(self) -> None:
        """Let chance do all that is due."""
        state = self.state
        while state.due() == [CHANCE]:
            state.step(CHANCE, state.chance(self._dice))

    def refusal(self, seat: Seat, action: Any) -> str | None:
        """Why this seat may not take this action now, in words; None if it may. BadOption for what is no number."""
        encoding = self.encoding
        action = whole_action(action)
        if not 0 <= action < encoding.actions:
            return f"{self.spec.title} has the actions 0 to {encoding.actions - 1} here, and no action {action}."
        move = encoding.move_of(self.state, seat, int(action))
        if move == NO_MOVE:
            return (
                self.state.turn_refusal(seat) or f"The action {encoding.action_text(int(action))} names nothing here."
            )
        return self.state.refusal(seat, move)

    def step(self, seat: Seat, action: int) -> None:
        """Take a legal action. Chance does not follow yet: several seats may have to choose first."""
        self.state.step(seat, self.encoding.move_of(self.state, seat, int(action)))

    def play(self, seat: Seat, action: int) -> None:
        """Take a legal action, and let chance do what is due after it."""
        self.step(seat, action)
        self.roll()


def whole_action(action: Any) -> int:
    """An action as a plain number; BadOption for anything but a whole number."""
    try:
        return operator.index(action)
    except TypeError:
        raise BadOption(f"an action is a whole number, and this is {action!r}.") from None


def check_illegal(value: object) -> str:
    """What is to become of illegal actions; BadOption lists what there is."""
    if value not in ILLEGAL:
        raise BadOption(f"illegal: {value!r} is not known; choose one of {', '.join(ILLEGAL)}.")
    return str(value)


def refuse(why: str, illegal: str) -> dict[str, Any]:
    """What an agent is told of its illegal action; IllegalMove if it was asked for."""
    if illegal == "error":
        raise IllegalMove(why)
    return {"refused": why}


def starting_state(spec: GameSpec, seats: int | None, options: Json | None, position: Json | None) -> GameState:
    """Where games begin: at the start, or at a position, which says by itself how many seats there are and with what
    options."""
    if position is None:
        return spec.start(seats, options)
    state = spec.from_position(position)
    if seats is not None and seats != state.seats:
        raise BadOption(f"the position is for {state.seats} seats, not {seats}; leave the seats out.")
    if options:
        raise BadOption("a position brings its own options; leave the others out.")
    return state


def encoding_of(state: GameState) -> Encoding:
    """The encoding of a state's game; BadGame if the game brings none."""
    encoding = state.spec.new_encoding(state.seats, state.options)
    if encoding is None:
        raise BadGame(
            f"the game {state.spec.name!r} brings no encoding, so it has no actions and observations of fixed size; "
            "its spec needs `new_encoding`."
        )
    return encoding
