"""A bot that compares its moves by imagined games; docs/bots.md tells how."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot, BotSession, check_settings, whole_setting
from wellies.bots.search.games import heuristics_for
from wellies.bots.search.heuristics import Heuristics
from wellies.bots.search.processes import best_together
from wellies.bots.search.root import Budget, weigh
from wellies.bots.search.session import SearchSession
from wellies.core.dice import Rng
from wellies.core.state import GameState

SEEDS: Final = 1 << 62


class SearchBot(Bot):
    """Imagines as many games as the heuristics of the game says, for a quick move or a `deep` one, and thinks no longer
    than `cap` seconds."""

    def __init__(
        self,
        name: str,
        summary: str,
        strength: str,
        deep: bool,
        seconds: float,
        cap: float,
        nodes: int = 0,
        processes: int = 1,
    ) -> None:
        self.name = name
        self.summary = summary
        self.strength = strength
        self.deep = deep
        self.seconds = seconds
        self.cap = cap
        self.nodes = nodes
        """Instead of the usual number; 0 for the usual one."""
        self.processes = processes

    def configured(self, settings: dict[str, str]) -> Bot:
        """Settings: `nodes` (imagined games a move), `ms` (longest thought in thousandths of a second; 0 for no end),
        `processes`."""
        check_settings(self.name, settings, ["nodes", "ms", "processes"])
        nodes = whole_setting(self.name, settings, "nodes", self.nodes, 1, 10_000_000)
        ms = whole_setting(self.name, settings, "ms", round(1000 * self.cap), 0, 3_600_000)
        processes = whole_setting(self.name, settings, "processes", self.processes, 1, 64)
        name, deep = self.name, self.deep
        return SearchBot(name, self.summary, self.strength, deep, self.seconds, ms / 1000, nodes, processes)

    def session(self) -> BotSession:
        return SearchSession(self)

    def budget(self, game: str) -> Budget:
        """How long it thinks about a move of this game."""
        return Budget(self.nodes or self.heuristics(game).nodes, self.cap)

    def heuristics(self, game: str) -> Heuristics:
        """What it knows of this game."""
        return heuristics_for(game, self.deep)

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        name = state.spec.name
        seed = rng.randrange(SEEDS)
        if self.processes > 1:
            return best_together(state, seat, self.deep, self.budget(name), seed, self.processes)
        return weigh(state, seat, self.heuristics(name), self.budget(name), seed).best.move
