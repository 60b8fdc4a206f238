"""What the search wants to know of a game beyond its rules: how wide and how far to look, what a position is worth, and
what a sensible player would do next. Every answer has a default that needs nothing but the protocol, so a new game can
be searched from its first day; a game that deserves better has a module of its own beside this one.

All worths are in hundredths of a point, as in `GameState.estimate`.
"""

from __future__ import annotations

from typing import Final

from wellies.core.dice import Rng
from wellies.core.native import mypyc_attr
from wellies.core.state import GameState

TO_THE_END: Final = 1_000_000
"""A horizon that no game reaches."""


DEEPER: Final = 3
"""How many times as many games are imagined for a deep thought, if the game has no better use for the time."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristics:
    """The default, for any game. The numbers are those of the instance; a game's own heuristics sets others."""

    def __init__(self) -> None:
        self.width = 10
        """How many moves are compared at the root, at most."""
        self.horizon = 2
        """After so many changes of turn an imagined game is stopped and its position judged."""
        self.scale = 2000
        """A lead that is worth half of what a won game is."""
        self.looks = 240
        """How many positions each step of one's own turn may cost when the moves to compare are sought."""
        self.sampled = 24
        """How many moves a reply is chosen from, at most."""
        self.widening = 0.5
        """How quickly a node of the tree opens further moves: 1 + widening x the root of its visits."""
        self.trust = 1.0
        """How many visits the first impression of a move counts for."""
        self.reuse = True
        """Whether a search may go on with the tree of the one before."""
        self.nodes = 300
        """How many games are imagined for a quick move: about a second of plain Python at the most."""

    def deepen(self) -> None:
        """Look wider, further or more often, for a player who may think for seconds. By default more often."""
        self.nodes *= DEEPER

    def worth(self, state: GameState, seat: int) -> int:
        """What this seat's score promises to become."""
        return state.estimate(seat)

    def worths(self, state: GameState) -> list[int]:
        """What every seat's score promises to become."""
        return [self.worth(state, seat) for seat in range(state.seats)]

    def margins(self, state: GameState) -> list[int]:
        """By seat, how far it is ahead of its strongest rival, or behind."""
        worths = self.worths(state)
        if len(worths) == 2:
            return [worths[0] - worths[1], worths[1] - worths[0]]
        leads: list[int] = []
        for seat, mine in enumerate(worths):
            best = -1_000_000_000
            for other, theirs in enumerate(worths):
                if other != seat and theirs > best:
                    best = theirs
            leads.append(mine - best if len(worths) > 1 else mine)
        return leads

    def margin(self, state: GameState, seat: int) -> int:
        """The margin of one seat."""
        return self.margins(state)[seat]

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """For each of these moves a first impression of how good it is; only the order matters."""
        found: list[int] = []
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            found.append(self.margin(after, seat))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """What a sensible player would do here, quickly: the best of some moves at first sight."""
        moves = state.legal(seat)
        if len(moves) == 1:
            return moves[0]
        if len(moves) > self.sampled:
            moves = some_of(moves, self.sampled, rng)
        return highest(moves, self.promises(state, seat, moves))

    def share(self, state: GameState) -> int:
        """How much of the visits a decision of this kind deserves, per cent."""
        return 100

    def reopen(self, state: GameState, seat: int) -> None:
        """Let rivals who have chosen in secret choose anew, if the game can: then the search thinks about what they
        would choose. By default they keep what `resample` dealt them."""

    def luck(self, state: GameState, dice: Rng) -> list[int]:
        """What is to be drawn in an imagined game, settled before it begins, if the game can: then a move that needs
        more draws than another meets the same luck afterwards. By default nothing is."""
        return []

    def drawn(self, state: GameState, luck: list[int], dice: Rng) -> int:
        """What chance does now; `luck` is what was settled."""
        return state.chance(dice)


def highest(moves: list[int], worths: list[int]) -> int:
    """The move of the highest worth; of equals the first."""
    best = 0
    for index in range(1, len(moves)):
        if worths[index] > worths[best]:
            best = index
    return moves[best]


def some_of(moves: list[int], number: int, rng: Rng) -> list[int]:
    """So many different ones of these moves, by chance, in their order of drawing; the list itself is left alone."""
    pool = moves.copy()
    picked: list[int] = []
    for _ in range(number):
        index = rng.randrange(len(pool))
        picked.append(pool[index])
        pool[index] = pool[-1]
        pool.pop()
    return picked
