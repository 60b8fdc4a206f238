"""A table moment by moment, from its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellies.match import Record
from wellies.table.errors import Refused
from wellies.table.log import EntryInfo, LogEntry
from wellies.table.table import Table


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """The table after one entry of its log."""

    number: int
    entry: EntryInfo
    view: Mapping[str, Any] | None
    scores: list[int]
    outcome: Mapping[str, Any] | None


class Replayer:
    """Goes through the log of a table as one seat (None: a spectator) saw it."""

    def __init__(self, table: Table, seat: int | None, skipped: int = 0) -> None:
        """It begins after so many entries."""
        self._seat = seat
        self._now = table.initial()
        for entry in table.log[:skipped]:
            self._now.apply(LogEntry(*entry.stored()))

    def next(self, table: Table) -> ReplayMoment:
        """The next moment. `table` is the table of today: whether its game is over decides what may be shown."""
        now = self._now
        entry = table.log[now.version]
        now.apply(LogEntry(*entry.stored()))
        return ReplayMoment(
            entry.number, table.entry_for(entry, self._seat), now.view_for(self._seat), now.scores(), now.outcome()
        )


def record_at(table: Table, number: int) -> Record:
    """The game up to an entry of the log, without what was taken back. Refused while the game goes on."""
    if table.state != "finished":
        raise Refused("not_finished", "Only a finished game can be gone on with from a moment of it.")
    then = table.initial()
    for entry in table.log[:number]:
        then.apply(LogEntry(*entry.stored()))
    if then.match is None:
        return Record(table.setup.game, len(table.seats), options=table.options, position=table.setup.position)
    return then.match.record()
