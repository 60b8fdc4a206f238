"""A search that continues the tree of the one before.

After a move of our own the tree below it is still valid, if what has happened since is in it: the next step of a trick,
the claim after a lay. The session finds the present node from what the seat sees and from nothing else: it plays the
moves of the tree on the state of the last search until that looks to the seat exactly as the game does now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from wellies.bots.base import BotSession, seen
from wellies.bots.search.root import SearchResult, heuristics_of, search
from wellies.bots.search.tree import Node
from wellies.core.dice import Rng
from wellies.core.errors import NotYourTurn
from wellies.core.events import Json
from wellies.core.heuristics import TO_THE_END
from wellies.core.state import CHANCE, GameState

if TYPE_CHECKING:
    from wellies.bots.search.bot import SearchBot

MOST_TRIES: Final = 300
"""How many nodes of the old tree are tried, at most, to find the present one."""


class SearchSession(BotSession):
    """One seat of one game. Asked about another game or seat, it finds nothing to reuse."""

    def __init__(self, bot: SearchBot) -> None:
        super().__init__(bot)
        self.searcher = bot
        self.state: GameState | None = None
        self.seat = -1
        self.root = Node()
        self.move = -1
        self.result: SearchResult | None = None
        """What the last search found; None if there was nothing to choose, or several processes searched."""
        self.reused = 0
        """How many searches continued an old tree."""
        self._tries_left = 0

    @property
    def proved(self) -> bool:
        return self.result is not None and self.result.proved

    def choose(self, table: GameState | Mapping[str, Any], seat: int, rng: Rng) -> int:
        state = seen(table, seat, rng)
        moves = state.legal(seat)
        self.result = None
        if not moves:
            raise NotYourTurn(state.turn_refusal(seat) or "There is nothing to decide.")
        if len(moves) == 1:
            return moves[0]
        if self.searcher.processes > 1:
            return self.searcher.pick(state, seat, moves, rng)
        heuristics = heuristics_of(state.spec, self.searcher.deep)
        root = self._present_node(state, seat) if heuristics.reuse_tree else None
        if root is None:
            root = Node()
        else:
            self.reused += 1
        seed = rng.randrange(1 << 62)
        result = search(state, seat, heuristics, self.searcher.budget_with(heuristics), seed, root)
        self.state, self.seat, self.root, self.move = state, seat, root, result.best.move
        self.result = result
        return self.move

    def _present_node(self, state: GameState, seat: int) -> Node | None:
        """The node of the last tree that is the present moment; None if there is none."""
        before = self.state
        if before is None or seat != self.seat or before.spec is not state.spec or before.seats != state.seats:
            return None
        node = self.root.children.get((self.move,))
        if node is None or seat not in before.due():
            return None
        after = before.clone()
        after.step(seat, self.move)
        # With a fixed horizon, what was found in an earlier turn looked less far ahead.
        same_turn = heuristics_of(state.spec, self.searcher.deep).horizon < TO_THE_END
        self._tries_left = MOST_TRIES
        return self._find(after, node, state.position(seat), same_turn)

    def _find(self, state: GameState, node: Node, wanted: Json, same_turn: bool) -> Node | None:
        due = state.due()
        self._tries_left -= 1
        if self._tries_left < 0 or not due:
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
                found = self._find(after, child, wanted, same_turn)
                if found is not None:
                    return found
        return None
