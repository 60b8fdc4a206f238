"""Changes of tables, as they are stored together."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from wellies.server.finished import FinishedGame
from wellies.table import LogEntry


@dataclass(slots=True)
class NewTable:
    """The columns of a table that never change."""

    game: str
    setup: str
    seed: str
    invite: str
    host: str
    imported: bool
    created: int


@dataclass(slots=True)
class Listing:
    """What lists and searches show of a table, and who holds a seat at it."""

    state: str
    private: bool
    summary: str
    names: str
    holders: list[str]


@dataclass(slots=True)
class TableChange:
    """New entries of one table, numbered from where it stood; `listing` if they change what lists show, `new` if the
    table itself is new."""

    table_id: str
    entries: list[LogEntry]
    version: int
    waiting: str
    wake_at: int | None
    listing: Listing | None = None
    new: NewTable | None = None
    finished: FinishedGame | None = None
    """What is kept of the game for its players, if one of the entries ends it."""


def entry_rows(batch: list[TableChange]) -> str:
    """The entries of a batch as a JSON list of rows, in the order of their keys: so two workers never wait for each
    other in a circle."""
    rows = [(change.table_id, *entry.stored()) for change in batch for entry in change.entries]
    return msgspec.json.encode(sorted(rows, key=lambda row: (row[0], row[1]))).decode()


def version_rows(batch: list[TableChange]) -> str:
    """The columns that a move changes, as a JSON list of rows."""
    rows = [(change.table_id, change.version, change.waiting, change.wake_at) for change in batch]
    return msgspec.json.encode(rows).decode()


def conflicts(batch: list[TableChange], stored: dict[str, list[int]]) -> set[str]:
    """The tables of which not every entry found its number free."""
    return {change.table_id for change in batch if len(stored.get(change.table_id, ())) != len(change.entries)}


def new_row(change: TableChange) -> dict[str, object]:
    """All columns of a new table."""
    new = change.new
    assert new is not None
    return {
        **listing_row(change),
        "game": new.game,
        "setup": new.setup,
        "seed": new.seed,
        "invite": new.invite,
        "host": new.host,
        "imported": new.imported,
        "created": new.created,
    }


def listing_row(change: TableChange) -> dict[str, object]:
    """The columns that a change of the listing changes, and the id."""
    listing = change.listing
    assert listing is not None
    return {
        "id": change.table_id,
        "state": listing.state,
        "private": listing.private,
        "summary": listing.summary,
        "names": listing.names,
        "version": change.version,
        "waiting": change.waiting,
        "wake_at": change.wake_at,
    }
