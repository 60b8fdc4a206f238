"""A search that goes on where the last one stopped.

After a move of our own the tree below it is still good, if what has happened since is in it: the next step of a trick,
the claim after a lay. What has happened is told from what the seat sees and from nothing else: the moves of the tree
are played on the state that was imagined then, until it looks to the seat exactly as the table does now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.bots.base import BotSession, seen
from wellies.bots.search.heuristics import TO_THE_END
from wellies.bots.search.root import weigh
from wellies.bots.search.tree import Node
from wellies.core.dice import Rng
from wellies.core.errors import NotYourTurn
from wellies.core.events import Json
from wellies.core.state import CHANCE, GameState

if TYPE_CHECKING:
    from wellies.bots.search.bot import SearchBot

LOOKS: Final = 300
"""How many branches of the old tree are tried, at most, to find the present moment in it."""


class SearchSession(BotSession):
    """One seat of one game. Asked about another game or seat, it simply finds nothing to reuse."""

    def __init__(self, bot: SearchBot) -> None:
        super().__init__(bot)
        self.searcher = bot
        self.state: GameState | None = None
        self.seat = -1
        self.root = Node()
        self.move = -1
        self.reused = 0
        """How many moves were thought about with the help of an old tree."""
        self._looks = 0

    def choose(self, table: GameState | Json, seat: int, rng: Rng) -> int:
        state = seen(table, seat, rng)
        moves = state.legal(seat)
        if not moves:
            raise NotYourTurn(state.turn_refusal(seat) or "There is nothing to decide.")
        if len(moves) == 1:
            return moves[0]
        if self.searcher.processes > 1:
            return self.searcher.pick(state, seat, moves, rng)
        name = state.spec.name
        heuristics = self.searcher.heuristics(name)
        root = self._remembered(state, seat) if heuristics.reuse else None
        if root is None:
            root = Node()
        else:
            self.reused += 1
        seed = rng.randrange(1 << 62)
        verdict = weigh(state, seat, heuristics, self.searcher.budget(name), seed, root)
        self.state, self.seat, self.root, self.move = state, seat, root, verdict.best.move
        return self.move

    def _remembered(self, state: GameState, seat: int) -> Node | None:
        """The node of the last tree that is the present moment; None if there is none."""
        before = self.state
        if before is None or seat != self.seat or before.spec is not state.spec or before.seats != state.seats:
            return None
        node = self.root.children.get((self.move,))
        if node is None or seat not in before.due():
            return None
        after = before.clone()
        after.step(seat, self.move)
        # Where positions are judged a fixed number of turns ahead, what was found in an earlier turn looked less far.
        same_turn = self.searcher.heuristics(state.spec.name).horizon < TO_THE_END
        self._looks = LOOKS
        return self._search(after, node, state.position(seat), same_turn)

    def _search(self, state: GameState, node: Node, wanted: Json, same_turn: bool) -> Node | None:
        due = state.due()
        self._looks -= 1
        if self._looks < 0 or not due:
            return None
        if due == [self.seat]:
            if state.position(self.seat) == wanted:
                return node
            return None
        if due[0] != CHANCE and (same_turn or len(due) > 1):
            return None
        for key, child in node.children.items():
            if len(key) == 1 and key[0] in state.legal(due[0]):
                after = state.clone()
                after.step(due[0], key[0])
                found = self._search(after, child, wanted, same_turn)
                if found is not None:
                    return found
        return None
