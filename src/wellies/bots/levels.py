"""The bots that people play against, by the weather: drizzle, shower, storm, monsoon."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot, check_settings, whole_setting
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.heuristics import Heuristics
from wellies.bots.search.turns import Candidate, look_through
from wellies.bots.simple import GreedyBot
from wellies.core.dice import Rng
from wellies.core.state import GameState

OVERLOOKED: Final = 45
"""Per cent of the moves that somebody playing by the window does not see."""

VAGUE: Final = 60
"""How much a judgement may be off, in per cent of what lies between the best move and a middling one."""


class DrizzleBot(Bot):
    """Makes the mistakes that people make: it does not see every move, and it judges those it sees by feel. It never
    plays what looks bad even so."""

    name = "drizzle"
    summary = "Plays by feel, and overlooks things."
    strength = "for a first game"

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        eye = Heuristics()
        eye.looks = 60
        candidates = look_through(state, seat, eye)
        middling = candidates[len(candidates) // 2].promise
        blur = (candidates[0].promise - middling) * VAGUE // 100 + 50
        best: Candidate | None = None
        best_feeling = 0
        for candidate in candidates:
            if rng.randrange(100) < OVERLOOKED and (best is not None or candidate is not candidates[-1]):
                continue
            feeling = candidate.promise + rng.randrange(2 * blur + 1) - blur
            if best is None or feeling > best_feeling:
                best, best_feeling = candidate, feeling
        assert best is not None
        return best.move


class ShowerBot(GreedyBot):
    name = "shower"
    summary = "Takes the most points it can see at once, and makes no slips."
    strength = "sound, but never looks beyond its turn"

    def configured(self, settings: dict[str, str]) -> Bot:
        check_settings(self.name, settings, ["looks"])
        return ShowerBot(whole_setting(self.name, settings, "looks", self.looks, 1, 1_000_000))


def levels() -> list[Bot]:
    """From the weakest to the strongest. The cap is below the promise, for a server has more to do than to think."""
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
