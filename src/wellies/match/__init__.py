"""One game being played, and its record. No input or output."""

from wellies.core.preview import Offer, Preview
from wellies.match.match import Decision, Match, PlayedMove, UndoPlan
from wellies.match.record import Record

__all__ = ["Decision", "Match", "Offer", "PlayedMove", "Preview", "Record", "UndoPlan"]
