"""The contract of a game in progress. Every game inherits `GameState`; every caller relies on nothing else.

Words: a *seat* is a chair at the table, counted from 0; `CHANCE` is the seat of the dice. A *move* is a packed int
whose meaning never depends on the state; `move_text` writes it as it is typed, `describe` says it in words.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from wellies.core.dice import Rng
from wellies.core.errors import IllegalMove, NotYourTurn, UnknownSeat
from wellies.core.events import Event, Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Outcome
from wellies.core.texts import default_names, listed, seat_marks, some, with_notation
from wellies.core.types import Move, Seat, View

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec

CHANCE: Final = -1
"""The seat that rolls the dice and draws the tiles."""

ALL_SEEING: Final = -2
"""A viewer from whom nothing is hidden: records, tests and analysis; never a player and never a bot."""


@mypyc_attr(allow_interpreted_subclasses=True)
class GameState:
    """One game at one moment.

    A state holds no future: what is left in a bag or deck is kept as counts, and each draw is a move by `CHANCE` with a
    weight. So a replay needs no randomness, a game from a real table can be typed in, and a bot has nothing to peek at.

    A game implements `active`, `legal`, `rule_against`, `step`, `clone`, `scores`, `score_lines`, `outcome` and
    `position`; where it has chance, `weight`; where it hides anything, `resample`. The rest is given here.
    """

    def __init__(self, spec: GameSpec, seats: int, options: Json) -> None:
        self.spec = spec
        self.seats = seats
        self.options = options

    # --- whose turn, and what may be done -------------------------------------------------------------------------

    def active(self) -> list[Seat]:
        """The seats that may decide now: one, several at once, `[CHANCE]` alone, or none when the game is over."""
        raise NotImplementedError

    def due(self) -> list[Seat]:
        """Those of the active seats that the game waits for. The others may act now, and nobody waits for them to."""
        return self.active()

    def legal(self, seat: Seat) -> list[Move]:
        """All moves of this seat now, each once, in a fixed order; `legal(CHANCE)` lists what chance can do.

        Empty for a seat that is not active. An active seat always has a move.
        """
        raise NotImplementedError

    def weight(self, move: Move) -> int:
        """How likely a chance move is beside the others of `legal(CHANCE)`, as a positive whole number."""
        return 1

    def rule_against(self, seat: Seat, move: Move) -> str | None:
        """Why this active seat may not make this move, in words that teach the rule (see `texts`); None if it may.

        Must agree with `legal` for every int whatever: `move in legal(seat)` exactly when the answer is None.
        """
        raise NotImplementedError

    def refusal(self, seat: Seat, move: Move) -> str | None:
        """None if the move is legal for the seat now, else the rule that it breaks, in words."""
        turn = self.turn_refusal(seat, move)
        if turn is not None:
            return turn
        return self.rule_against(seat, move)

    def check_move(self, seat: Seat, move: Move) -> None:
        """Raise `NotYourTurn` or `IllegalMove`, with the rule in words, if the move is not legal for the seat now."""
        why = self.refusal(seat, move)
        if why is not None:
            raise IllegalMove(why) if seat in self.active() else NotYourTurn(why)

    def turn_refusal(self, seat: Seat, move: Move | None = None) -> str | None:
        """Why this seat has nothing to decide now; None if it has. With a move, why it may not make that one now."""
        active = self.active()
        if seat in active:
            return None
        if not active:
            return "The game is over."
        if active == [CHANCE]:
            return "A draw comes first; nobody is to move."
        if not CHANCE <= seat < self.seats:
            return self.no_seat(seat)
        why = self.rule_out_of_turn(seat, move)
        if why is not None:
            return why
        due = self.due()
        return f"It is not your turn; {seat_marks(due)} {'is' if len(due) == 1 else 'are'} to move."

    def no_seat(self, seat: Seat) -> str:
        """What there is to say of a number that is no seat."""
        return f"There is no seat {seat} at this table; seats run from 0 to {self.seats - 1}."

    def check_seat(self, seat: Seat) -> None:
        """Raise `UnknownSeat` if there is no such seat."""
        if not 0 <= seat < self.seats:
            raise UnknownSeat(self.no_seat(seat))

    def rule_out_of_turn(self, seat: Seat, move: Move | None) -> str | None:
        """What there is to tell a seat that is not active, beyond whose turn it is: that it has chosen already, or
        that what this move needs is used up. None if there is nothing."""
        return None

    def decline_move(self, seat: Seat) -> Move | None:
        """The legal move with which this seat declines an optional follow-up of its last move, such as a claim; else
        None. Previews assume that such a follow-up is declined."""
        return None

    def offered(self, seat: Seat) -> list[Move]:
        """The moves of an optional follow-up with which this seat would score at once. Previews list them."""
        return []

    # --- planning ahead -----------------------------------------------------------------------------------------------

    def can_plan(self, seat: Seat) -> bool:
        """Whether this seat, while others move, could choose its next move already: it knows what it will choose from,
        even though the moves of others may change what fits. It depends only on what the seat may know.

        False where the next move is one that nobody can know yet, such as how to lay a tile that is still to be drawn.
        """
        return False

    def give_turn(self, seat: Seat) -> None:
        """Make it the turn of this seat, which `can_plan`, with everything else as it is now. For planning only: call
        it on a state that is thrown away afterwards."""
        raise NotImplementedError

    # --- moves for people -------------------------------------------------------------------------------------------

    def move_text(self, seat: Seat, move: Move) -> str:
        """The move in notation, as it is typed and as records keep it: `a2@1,-1`. BadNotation for a number that is no
        move of this game."""
        return self.spec.move_text(self, seat, move)

    def describe(self, seat: Seat, move: Move, names: Sequence[str] | None = None) -> str:
        """The move as a phrase for people: `open a red umbrella at 1,-1`.

        All marks are filled in: notation is shown, and seats are called by these names, or `seat 0` and so on.
        `GameSpec.move_words` has the phrase with its marks (see `texts`). BadNotation for a number that is no move.
        """
        self.move_text(seat, move)  # raises for what is no move
        filled = default_names(self.seats) if names is None else names
        return with_notation(self.spec.move_words(self, seat, move), filled)

    # --- making moves ---------------------------------------------------------------------------------------------

    def apply(self, seat: Seat, move: Move, sink: Sink | None = None) -> None:
        """Make a move in place, after checking it. The sink hears what happened; without one no event is built.

        Raises `NotYourTurn` or `IllegalMove` with the rule, and leaves the state as it was.
        """
        self.check_move(seat, move)
        self.step(seat, move, sink)

    def step(self, seat: Seat, move: Move, sink: Sink | None = None) -> None:
        """`apply` without the check, for moves that come from `legal`. Any other move leaves the state broken."""
        raise NotImplementedError

    def chance(self, rng: Rng) -> Move:
        """One of `legal(CHANCE)`, by weight, from one call of `rng.randrange(total weight)`.

        A game may override it with something quicker that picks the very same move for the same number.
        """
        moves = self.legal(CHANCE)
        weights = [self.weight(move) for move in moves]
        mark = rng.randrange(sum(weights))
        for move, weight in zip(moves, weights, strict=True):
            mark -= weight
            if mark < 0:
                return move
        raise AssertionError("the weights of chance do not add up")

    def clone(self) -> GameState:
        """A state of its own: nothing done to either is ever seen in the other."""
        raise NotImplementedError

    def __copy__(self) -> GameState:
        return self.clone()

    def __deepcopy__(self, _memo: object) -> GameState:
        return self.clone()

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """A pickle holds the attributes of a compiled class, which are not in `__dict__`, and those that a game from
        outside adds to them, which are."""
        pickled: Any = object.__reduce_ex__(self, protocol)
        added: Json = getattr(self, "__dict__", {})
        return (*pickled[:2], {**pickled[2], **added}, *pickled[3:])

    def __eq__(self, other: object) -> bool:
        """Two states are equal if they have the same complete position: then all that can follow is the same too.

        How they came about does not count. A position does not keep the reasons for points scored before it, so
        `score_lines` may differ: `spec.from_position(state.position()) == state` always holds.
        """
        if self is other:
            return True
        if not isinstance(other, GameState) or self.spec.name != other.spec.name or self.seats != other.seats:
            return False
        return self.position() == other.position()

    def __hash__(self) -> int:
        """A state that is still played on must not be a key: its hash changes with every move. It is the same in every
        process and on both engines."""
        return int.from_bytes(hashlib.sha256(self.serialize().encode()).digest()[:7], "big")

    def serialize(self) -> str:
        """The complete position as one line of text, which `GameSpec.deserialize` reads. Equal states have the same
        text, in every process and on both engines."""
        return json.dumps(self.position(), sort_keys=True, separators=(",", ":"))

    def __repr__(self) -> str:
        """One short line: the game, seats, whose turn it is, scores."""
        return f"<{state_line(self)}>"

    def __str__(self) -> str:
        """The table as a terminal draws it for a spectator: printing a state shows nothing that a seat hides."""
        return self.spec.draw(self.view(None)).plain()

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def position(self, viewer: Seat | None = ALL_SEEING) -> Json:
        """This moment as JSON that `GameSpec.from_position` sets up again, exactly.

        For a seat, or None (a spectator), it lists only what that viewer may see; what is hidden is a count or a `?`.
        """
        raise NotImplementedError

    def view(self, seat: Seat | None) -> View:
        """All that a seat (None: a spectator) may know, as JSON, built by listing it, never by deleting.

        Its frame is the same in every game: `types.View`. `UnknownSeat` if there is no such seat.
        """
        if seat is not None and seat != ALL_SEEING:
            self.check_seat(seat)
        outcome = self.outcome()
        view: View = {
            "game": self.spec.name,
            "seat": seat,
            "seats": self.seats,
            "active": self.active(),
            "due": self.due(),
            "scores": self.scores(),
            "outcome": None if outcome is None else outcome.to_json(),
            "position": self.position(seat),
            "extra": self.extra(seat),
        }
        board = self.spec.plain_board(view)
        if board is not None:
            view["plain_board"] = board
        return view

    def extra(self, viewer: Seat | None) -> Json:
        """What a page or a terminal wants beside the position, for this viewer: counts, hints, derived facts."""
        return {}

    def resample(self, seat: Seat, rng: Rng) -> GameState:
        """A state that this seat cannot tell from this one, with all that it has not seen dealt afresh.

        It must change neither the seat's view nor its legal moves, and must depend on nothing but these and the rng.
        A game without hidden information is its own resample. `UnknownSeat` if there is no such seat.
        """
        self.check_seat(seat)
        return self.clone()

    # --- the score --------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of each seat now."""
        raise NotImplementedError

    def score_lines(self, seat: Seat) -> list[ScoreLine]:
        """Every reason for this seat's points, in the order they came; they sum to its score. `UnknownSeat` if there is
        no such seat."""
        raise NotImplementedError

    def estimate(self, seat: Seat) -> int:
        """An estimate of this seat's final score, in hundredths of a point, from what every seat may see or from a
        resampled state. Greedy bots and search use it; a game overrides it where the score alone is short-sighted."""
        return 100 * self.scores()[seat]

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        raise NotImplementedError

    def end_event(self) -> Event:
        """The last event of every game: that it is over, why, and who has won."""
        outcome = self.outcome()
        assert outcome is not None
        wins = "wins" if len(outcome.winners) == 1 else "share the win"
        points = some(max(outcome.scores), "point")
        text = f"The game is over. {outcome.reason} {seat_marks(outcome.winners)} {wins} with {points}."
        return Event("end", CHANCE, text, {"scores": outcome.scores, "winners": outcome.winners})


def state_line(state: GameState) -> str:
    """A state in a few words: `guppies, 2 seats, seat 0 to move, scores 3 5`."""
    due = state.due()
    if not due:
        turn = "over"
    elif due == [CHANCE]:
        turn = "chance to move"
    else:
        turn = f"{'seat' if len(due) == 1 else 'seats'} {listed([str(seat) for seat in due])} to move"
    scores = " ".join([str(score) for score in state.scores()])
    return f"{state.spec.name}, {state.seats} seats, {turn}, scores {scores}"
