"""Where the tables of a device are stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from wellies.core.events import Json
from wellies.table import LogEntry
from wellies.table.errors import Conflict


@dataclass(slots=True)
class StoredTable:
    """A row, as `table.rows` makes it, with the entries of the log from number 1 on."""

    row: Json
    entries: list[LogEntry] = field(default_factory=list)


class LocalStore(Protocol):
    """What is asked of a store. Errors are `StorageTrouble`; after one, a write may or may not have happened."""

    async def load(self, table_id: str) -> StoredTable | None:
        """A table; None if there is none."""

    async def store(self, table_id: str, first: int, entries: list[LogEntry], row: Json) -> None:
        """Add entries from this number on and replace the row: both, or nothing. `Conflict` if a number is taken."""

    async def put_row(self, table_id: str, row: Json) -> None:
        """Replace the row alone."""

    async def rows(self) -> list[Json]:
        """The rows of all tables, in any order."""

    async def remove(self, table_id: str) -> None:
        """Remove a table with its log; nothing happens if there is none."""


class MemoryStore:
    """A store that lasts as long as the program."""

    def __init__(self) -> None:
        self._tables: dict[str, StoredTable] = {}

    async def load(self, table_id: str) -> StoredTable | None:
        found = self._tables.get(table_id)
        if found is None:
            return None
        return StoredTable(dict(found.row), [LogEntry(*entry.stored()) for entry in found.entries])

    async def store(self, table_id: str, first: int, entries: list[LogEntry], row: Json) -> None:
        table = self._tables.get(table_id)
        if first != 1 + (0 if table is None else len(table.entries)):
            raise Conflict
        table = self._tables.setdefault(table_id, StoredTable({}))
        table.row = dict(row)
        table.entries += [LogEntry(*entry.stored()) for entry in entries]

    async def put_row(self, table_id: str, row: Json) -> None:
        if table_id in self._tables:
            self._tables[table_id].row = dict(row)

    async def rows(self) -> list[Json]:
        return [dict(table.row) for table in self._tables.values()]

    async def remove(self, table_id: str) -> None:
        self._tables.pop(table_id, None)
