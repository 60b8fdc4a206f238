"""Where the tables of a device are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from wellies.core.events import Json
from wellies.table import LogEntry


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A row, as `LocalHub` makes it, with the entries of the log from number 1 on."""

    row: Json
    entries: list[LogEntry]


class LocalStore(Protocol):
    """What is asked of a store. Errors are `StorageTrouble`; after one, a write may or may not have happened."""

    async def load(self, table_id: str) -> StoredTable | None:
        """A table; None if there is none."""

    async def store(self, table_id: str, first: int, entries: list[LogEntry], row: Json) -> None:
        """Add entries from this number on and replace the row: both, or nothing. `Conflict` if a number is taken, or if
        there is no such table any more."""

    async def put_row(self, table_id: str, row: Json) -> None:
        """Replace the row alone, if there is one."""

    async def rows(self) -> list[Json]:
        """The rows of all tables that can be read, in any order."""

    async def remove(self, table_id: str) -> None:
        """Remove a table with its log; nothing happens if there is none."""
