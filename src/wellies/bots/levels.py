"""The bots that people play against, by the weather: drizzle, shower, storm, monsoon."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot
from wellies.bots.search.beam import Candidate, beam_search
from wellies.bots.search.bot import SearchBot
from wellies.bots.simple import GreedyBot
from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState

MISSED_PERCENT: Final = 45
"""Chance, in percent, that drizzle ignores a legal move."""

NOISE_PERCENT: Final = 60
"""How far drizzle's value of a move may be off, in percent of the gap between the best move and the median one."""

LEAST_NOISE: Final = 50
"""In hundredths of a point."""

DRIZZLE_BEAM: Final = 60
"""The budget of drizzle's beam search."""


class DrizzleBot(Bot):
    """Plays like a beginner: it ignores many moves and misjudges the others. A move that still looks bad is not
    played."""

    name = "drizzle"
    summary = "Plays by feel, and overlooks things."
    strength = "for a first game"

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        candidates = beam_search(state, seat, Heuristics().margin, DRIZZLE_BEAM)
        median = candidates[len(candidates) // 2].value
        # Incomplete candidates come last though their values may be higher, so the gap can be negative.
        noise = max(0, (candidates[0].value - median) * NOISE_PERCENT // 100 + LEAST_NOISE)
        best: Candidate | None = None
        best_value = 0
        for candidate in candidates:
            if rng.randrange(100) < MISSED_PERCENT and (best is not None or candidate is not candidates[-1]):
                continue
            value = candidate.value + rng.randrange(2 * noise + 1) - noise
            if best is None or value > best_value:
                best, best_value = candidate, value
        assert best is not None
        return best.move


class ShowerBot(GreedyBot):
    name = "shower"
    summary = "Takes the most points it can see at once, and makes no slips."
    strength = "sound, but never looks beyond its turn"


def levels() -> list[Bot]:
    """From the weakest to the strongest. `cap` is below `seconds`, since a server has other work too."""
    return [
        DrizzleBot(),
        ShowerBot(),
        SearchBot(
            "storm", "Imagines how the game may go on before it moves.", "strong", deep=False, seconds=1.5, cap=1.2
        ),
        SearchBot(
            "monsoon",
            "As the storm, but looks further and thinks longer.",
            "the strongest",
            deep=True,
            seconds=6.0,
            cap=5.5,
        ),
    ]
