"""Tables as rows of a store, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellies.core.events import Json
from wellies.table.codec import decode, encode
from wellies.table.info import Summary, TableInfo, make_info
from wellies.table.settings import Setup
from wellies.table.table import Table


def first_columns(table: Table) -> Json:
    """What never changes of a table, besides its id."""
    setup = table.setup
    return {
        "game": setup.game,
        "setup": encode(setup),
        "seed": table.seed.hex(),
        "invite": table.invite,
        "host": setup.host,
        "imported": table.imported,
        "created": table.created,
    }


def listing_columns(table: Table) -> Json:
    """What lists and searches show of a table."""
    return {
        "state": table.state,
        "private": table.private,
        "summary": encode(table.summary()),
        "names": "\n".join(seat.name.casefold() for seat in table.seats if seat.name),
    }


def waiting_column(table: Table) -> str:
    """The seats that the game waits for."""
    return ",".join(map(str, table.waiting()))


def row_of(table: Table) -> Json:
    """The whole row of a table."""
    return {
        "id": table.id,
        **first_columns(table),
        **listing_columns(table),
        "version": table.version,
        "waiting": waiting_column(table),
    }


def table_from_row(row: Mapping[str, Any]) -> Table:
    """A table before the first entry of its log."""
    setup = Setup.from_json(decode(row["setup"]))
    return Table(row["id"], setup, bytes.fromhex(row["seed"]), row["invite"], row["created"], bool(row["imported"]))


def info_from_row(row: Mapping[str, Any], owner: str, updated: int | None) -> TableInfo:
    """A table as this person may know it, for lists. `updated` is the time of its last entry, if it has one."""
    return make_info(
        row["id"],
        row["game"],
        Summary.from_json(decode(row["summary"])),
        owner,
        host=row["host"],
        state=row["state"],
        private=bool(row["private"]),
        invite=row["invite"],
        seed=bytes.fromhex(row["seed"]),
        version=row["version"],
        waiting=[int(seat) for seat in row["waiting"].split(",") if seat],
        imported=bool(row["imported"]),
        created=row["created"],
        updated=row["created"] if updated is None else updated,
    )
