"""The contract of a game in progress. Every game inherits `GameState`; every caller relies on nothing else.

Words: a *seat* is a chair at the table, counted from 0; `CHANCE` is the seat of the dice. A *move* is a packed int
whose meaning never depends on the state; `GameSpec.move_text` writes it for people.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from wellies.core.dice import Rng
from wellies.core.errors import IllegalMove, NotYourTurn
from wellies.core.events import Event, Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Outcome
from wellies.core.texts import seat_marks, some

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

    def active(self) -> list[int]:
        """The seats that may decide now: one, several at once, `[CHANCE]` alone, or none when the game is over."""
        raise NotImplementedError

    def due(self) -> list[int]:
        """Those of the active seats that the game waits for. The others may act now, and nobody waits for them to."""
        return self.active()

    def legal(self, seat: int) -> list[int]:
        """All moves of this seat now, each once, in a fixed order; `legal(CHANCE)` lists what chance can do.

        Empty for a seat that is not active. An active seat always has a move.
        """
        raise NotImplementedError

    def weight(self, move: int) -> int:
        """How likely a chance move is beside the others of `legal(CHANCE)`, as a positive whole number."""
        return 1

    def rule_against(self, seat: int, move: int) -> str | None:
        """Why this active seat may not make this move, in words that teach the rule (see `texts`); None if it may.

        Must agree with `legal` for every int whatever: `move in legal(seat)` exactly when the answer is None.
        """
        raise NotImplementedError

    def refusal(self, seat: int, move: int) -> str | None:
        """None if the move is legal for the seat now, else the rule that it breaks, in words."""
        turn = self.turn_refusal(seat, move)
        if turn is not None:
            return turn
        return self.rule_against(seat, move)

    def turn_refusal(self, seat: int, move: int | None = None) -> str | None:
        """Why this seat has nothing to decide now; None if it has. With a move, why it may not make that one now."""
        active = self.active()
        if seat in active:
            return None
        if not active:
            return "The game is over."
        if active == [CHANCE]:
            return "A draw comes first; nobody is to move."
        if not CHANCE <= seat < self.seats:
            return f"There is no seat {seat} at this table; seats run from 0 to {self.seats - 1}."
        why = self.rule_out_of_turn(seat, move)
        if why is not None:
            return why
        due = self.due()
        return f"It is not your turn; {seat_marks(due)} {'is' if len(due) == 1 else 'are'} to move."

    def rule_out_of_turn(self, seat: int, move: int | None) -> str | None:
        """What there is to tell a seat that is not active, beyond whose turn it is: that it has chosen already, or
        that what this move needs is used up. None if there is nothing."""
        return None

    def decline_move(self, seat: int) -> int | None:
        """The legal move with which this seat adds nothing to what it has just done, such as not to claim; else None.

        What a move scores is told, before it is made, as if its seat then declined what the move offers.
        """
        return None

    def offered(self, seat: int) -> list[int]:
        """The legal moves with which this seat would score at once from what it has just done, where it may decline."""
        return []

    # --- making moves ---------------------------------------------------------------------------------------------

    def apply(self, seat: int, move: int, sink: Sink | None = None) -> None:
        """Make a move in place, after checking it. The sink hears what happened; without one no event is built.

        Raises `NotYourTurn` or `IllegalMove` with the rule, and leaves the state as it was.
        """
        why = self.refusal(seat, move)
        if why is not None:
            if seat in self.active():
                raise IllegalMove(why)
            raise NotYourTurn(why)
        self.step(seat, move, sink)

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        """`apply` without the check, for moves that come from `legal`. Any other move leaves the state broken."""
        raise NotImplementedError

    def chance(self, rng: Rng) -> int:
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

    def __eq__(self, other: object) -> bool:
        """Whether these are the same moment of the same game, with the same reasons for points."""
        if self is other:
            return True
        if not isinstance(other, GameState) or self.spec.name != other.spec.name or self.seats != other.seats:
            return False
        if self.position() != other.position():
            return False
        return all(self.score_lines(seat) == other.score_lines(seat) for seat in range(self.seats))

    def __hash__(self) -> int:
        return hash(json.dumps(self.position(), sort_keys=True))

    # --- what a seat may know ---------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        """This moment as JSON that `GameSpec.from_position` sets up again, exactly.

        For a seat, or None (a spectator), it lists only what that viewer may see; what is hidden is a count or a `?`.
        """
        raise NotImplementedError

    def view(self, seat: int | None) -> Json:
        """All that a seat (None: a spectator) may know, as JSON, built by listing it, never by deleting."""
        outcome = self.outcome()
        view: Json = {
            "game": self.spec.name,
            "seat": seat,
            "seats": self.seats,
            "active": self.active(),
            "scores": self.scores(),
            "outcome": None if outcome is None else outcome.to_json(),
            "position": self.position(seat),
            "extra": self.extra(seat),
        }
        board = self.spec.plain_board(view)
        if board is not None:
            view["plain_board"] = board
        return view

    def extra(self, viewer: int | None) -> Json:
        """What a page or a terminal wants beside the position, for this viewer: counts, hints, derived facts."""
        return {}

    def resample(self, seat: int, rng: Rng) -> GameState:
        """A state that this seat cannot tell from this one, with all that it has not seen dealt afresh.

        It must change neither the seat's view nor its legal moves, and must depend on nothing but these and the rng.
        A game without hidden information is its own resample.
        """
        return self.clone()

    # --- the score --------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The points of each seat now."""
        raise NotImplementedError

    def score_lines(self, seat: int) -> list[ScoreLine]:
        """Every reason for this seat's points, in the order they came; they sum to its score."""
        raise NotImplementedError

    def estimate(self, seat: int) -> int:
        """What this seat's score promises to become, in hundredths of a point, from what every seat may see or from a
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
