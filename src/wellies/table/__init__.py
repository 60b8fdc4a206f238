"""A match with people: seats, clocks, takebacks, resignation, bots that stand in, and the log of it all.

Standard library only, no input or output: a server stores and sends what is decided here, and a browser can run it
without one.
"""

from wellies.table.clocks import ClockFace, Clocks
from wellies.table.create import new_table
from wellies.table.errors import Refused
from wellies.table.info import Summary, TableInfo
from wellies.table.log import EntryInfo, LogEntry
from wellies.table.seats import Seat, unmarked
from wellies.table.settings import Aids, Clock, Setup
from wellies.table.table import Table
from wellies.table.view import legal_moves, preview, standing, why_not

__all__ = [
    "Aids",
    "Clock",
    "ClockFace",
    "Clocks",
    "EntryInfo",
    "LogEntry",
    "Refused",
    "Seat",
    "Setup",
    "Summary",
    "Table",
    "TableInfo",
    "legal_moves",
    "new_table",
    "preview",
    "standing",
    "unmarked",
    "why_not",
]
