"""Tables from the rows that are stored of them."""

from __future__ import annotations

from wellies.server.storage.database import Row
from wellies.table import Setup, Summary, Table, TableInfo
from wellies.table.codec import decode
from wellies.table.info import make_info


def table_from_row(row: Row) -> Table:
    """A table before the first entry of its log."""
    setup = Setup.from_json(decode(row["setup"]))
    return Table(row["id"], setup, bytes.fromhex(row["seed"]), row["invite"], row["created"], bool(row["imported"]))


def info_from_row(row: Row, owner: str) -> TableInfo:
    """A table as this person may know it, for lists."""
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
    )
