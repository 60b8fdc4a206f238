"""One game being played, and its record. No input or output."""

from wellies.match.match import Decision, Entry, Match, UndoPlan
from wellies.match.preview import Offer, Preview
from wellies.match.record import Record

__all__ = ["Decision", "Entry", "Match", "Offer", "Preview", "Record", "UndoPlan"]
