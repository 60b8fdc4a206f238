"""Ultimate Aquarium for the search: games are short enough to be imagined to their end, with quick replies."""

from __future__ import annotations

from wellies.bots.search.knowledge import TO_THE_END, Knowledge, highest
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.aquarium.moves import KEEP_NET, NET, PAIRS, RESTOCK, TAKE
from wellies.games.aquarium.phases import EMPTY, NETS, SETUP
from wellies.games.aquarium.scoring import tank_points
from wellies.games.aquarium.state import NET_WORTH, AquariumState
from wellies.games.aquarium.vocabulary import SPACES


class AquariumKnowledge(Knowledge):
    def __init__(self) -> None:
        super().__init__()
        self.width = 12
        self.horizon = TO_THE_END
        self.scale = 800
        self.nodes = 200
        self.trust = 2.0

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """What the tank would be worth."""
        assert isinstance(state, AquariumState)
        cards = state.cards
        tank = state.tanks[seat].copy()
        if state.phase == SETUP:
            for space, card in enumerate(state.placed[seat]):
                if card != EMPTY:
                    tank[space] = card
        held = 0 if state.phase == NETS else NET_WORTH
        found: list[int] = []
        for move in moves:
            if move < NET:
                packed = move if move < TAKE else move - TAKE
                space = packed % SPACES
                before = tank[space]
                tank[space] = packed // SPACES
                found.append(100 * tank_points(cards, tank))
                tank[space] = before
            elif move < RESTOCK:
                one, two = PAIRS[move - NET]
                tank[one], tank[two] = tank[two], tank[one]
                found.append(100 * tank_points(cards, tank) - held)
                tank[one], tank[two] = tank[two], tank[one]
            else:
                found.append(100 * tank_points(cards, tank) + (1 if move == KEEP_NET else 0))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """The best place for the best card; nets are kept for the end, and the store is left as it is."""
        assert isinstance(state, AquariumState)
        moves = state.legal(seat)
        if state.phase != SETUP and state.phase != NETS:
            moves = [move for move in moves if move < NET] or moves
        return highest(moves, self.promises(state, seat, moves))
