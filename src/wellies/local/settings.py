"""What tables on a device can be set to; tests set shorter times."""

from __future__ import annotations

from dataclasses import dataclass

from wellies.table.settings import ANALYSIS_SECONDS, STAND_IN_SECONDS


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """Times in seconds."""

    stand_in_seconds: float = STAND_IN_SECONDS
    """The shortest time for a move of a bot that stands in for a person."""
    analysis_seconds: float = ANALYSIS_SECONDS
    """The longest time for the analysis of a finished game."""
    rescue_seconds: float = 10.0
    """Bots are moved by the tab that made the last change. If it does not do it for so long, another tab does."""
    retry_seconds: float = 0.5
    """How long to wait before the store is asked again after it has failed; each time twice as long."""
