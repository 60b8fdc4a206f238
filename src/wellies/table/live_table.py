"""A table in memory, with those who look at it."""

from __future__ import annotations

import asyncio
from typing import Any, Generic, Protocol, TypeVar

from wellies.table.table import Table
from wellies.table.view import LegalMode, legal_moves


class TableViewer(Protocol):
    """A connection, as the table knows it."""

    seat: int | None

    @property
    def owner(self) -> str:
        """The id of the person; empty if nobody knows who it is."""

    def on_entries(self) -> None:
        """The log has grown."""

    def on_info(self) -> None:
        """Seats, settings or the state of the table have changed."""


AnyViewer = TypeVar("AnyViewer", bound=TableViewer)


class ShownTable(Generic[AnyViewer]):
    """The newest stored state of a table, and its viewers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.rematch_lock = asyncio.Lock()
        self.viewers: dict[AnyViewer, None] = {}
        """The connections, in the order in which they came: a set's order would differ from run to run."""
        self.may_be_stale = False
        """Whether a commit failed in a way that leaves open whether it happened."""
        self.bot_task: asyncio.Task[None] | None = None
        """The task that moves this table's bots."""
        self.changed = asyncio.Event()
        """Set, and replaced, when the table changes."""

    def show(self, table: Table) -> None:
        """Replace the table by a newer one and tell the viewers."""
        before = self.table
        kinds = {entry.kind for entry in table.log[before.version :]}
        info_changed = table.state != before.state or kinds != {"move"} or table.seats != before.seats
        self.table = table
        self.changed.set()
        self.changed = asyncio.Event()
        for viewer in self.viewers:
            viewer.on_entries()
            if info_changed:
                viewer.on_info()

    @property
    def idle(self) -> bool:
        """Whether nobody looks at the table and nothing is being done to it."""
        return not self.viewers and self.bot_task is None and not self.lock.locked()

    def view(self, seat: int | None) -> Any:
        """The view of a seat or of spectators, as it is sent; None before the game."""
        return self.table.view_for(seat)

    def legal(self, seat: int | None, mode: LegalMode) -> Any:
        """The legal moves of a seat's open decision, as they are sent."""
        return legal_moves(self.table, seat, mode)

    def watched_here(self) -> tuple[list[int], int]:
        """The seats whose people look at the table through this process, and how many others do. A person is present
        on all seats they hold: pass and play."""
        seats: set[int] = set()
        watching = 0
        for viewer in self.viewers:
            held = self.table.seats_of(viewer.owner)
            seats.update(held)
            watching += not held
        return sorted(seats), watching
