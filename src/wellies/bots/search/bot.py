"""A bot that chooses by Monte Carlo tree search; docs/bots.md describes it."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot, BotSession, check_settings, whole_setting
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.bots.search.session import SearchSession
from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.games import game

SEEDS: Final = 1 << 62


class SearchBot(Bot):
    """Searches with as many rollouts as the heuristics of the game say, for a quick move or a `deep` one, and no longer
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
        """Rollouts for a move; 0 for as many as the heuristics say."""
        self.processes = processes

    def configured(self, settings: dict[str, str]) -> Bot:
        """Settings: `nodes` (rollouts for a move), `ms` (time limit in milliseconds; 0 for none), `processes`."""
        check_settings(self.name, settings, ["nodes", "ms", "processes"])
        nodes = whole_setting(self.name, settings, "nodes", self.nodes, 1, 10_000_000)
        ms = whole_setting(self.name, settings, "ms", round(1000 * self.cap), 0, 3_600_000)
        processes = whole_setting(self.name, settings, "processes", self.processes, 1, 64)
        name, deep = self.name, self.deep
        return SearchBot(name, self.summary, self.strength, deep, self.seconds, ms / 1000, nodes, processes)

    def session(self) -> BotSession:
        return SearchSession(self)

    def budget(self, name: str) -> Budget:
        """How long it searches for a move of this game."""
        return self.budget_with(self.heuristics(name))

    def budget_with(self, heuristics: Heuristics) -> Budget:
        """How long it searches for a move with these heuristics."""
        return Budget(self.nodes or heuristics.nodes, self.cap)

    def heuristics(self, name: str) -> Heuristics:
        """What it knows of this game."""
        return heuristics_of(game(name), self.deep)

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        heuristics = heuristics_of(state.spec, self.deep)
        budget = self.budget_with(heuristics)
        seed = rng.randrange(SEEDS)
        if self.processes > 1:
            # A browser has no processes, and can do without the modules for them.
            from wellies.bots.search.processes import parallel_search

            return parallel_search(state, seat, self.deep, budget, seed, self.processes)
        return search(state, seat, heuristics, budget, seed).best.move
