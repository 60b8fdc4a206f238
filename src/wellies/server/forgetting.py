"""Taking a person's name and id out of what is stored of a table. What the log amounts to stays the same, but that the
person is nobody, whose name is `SOMEONE`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from wellies.table import LogEntry, Seat, Setup, Summary
from wellies.table.codec import decode, encode
from wellies.table.seats import SOMEONE

SEAT_KINDS: Final = ("join", "name", "leave", "seat", "chair", "unchair")
"""The entries that say who sits where."""


def forget_in_setup(text: str, identity: str) -> str:
    """The setup without the person."""
    setup = Setup.from_json(decode(text))
    seats = [_forgotten(seat, identity) for seat in setup.seats]
    if setup.host == identity:
        setup = replace(setup, host="", host_name=SOMEONE)
    return encode(replace(setup, seats=seats))


def forget_in_summary(text: str, identity: str, was_host: bool) -> tuple[str, str]:
    """The summary without the person, and the names that tables are searched by."""
    summary = Summary.from_json(decode(text))
    seats = [_forgotten(seat, identity) for seat in summary.seats]
    summary = replace(summary, seats=seats, host_name=SOMEONE if was_host else summary.host_name)
    return encode(summary), "\n".join(seat.name.casefold() for seat in seats if seat.name)


def forget_in_entries(setup: str, entries: Sequence[LogEntry], identity: str) -> dict[int, str]:
    """The new texts of entries of `SEAT_KINDS`, by their numbers, where the person is named in them."""
    seats: list[str] = [seat.identity for seat in Setup.from_json(decode(setup)).seats]
    changed: dict[int, str] = {}
    for entry in entries:
        seat = entry.seat
        assert seat is not None
        if entry.kind == "join":
            holder = Seat.from_json(decode(entry.text))
            seats[seat] = holder.identity
            if holder.identity == identity:
                changed[entry.number] = encode(_forgotten(holder, identity))
        elif entry.kind == "name":
            if seats[seat] == identity:
                changed[entry.number] = SOMEONE
        elif entry.kind in ("chair", "unchair"):
            seats[seat : seat + 1] = [""] if entry.kind == "chair" else []
        else:
            seats[seat] = ""
    return changed


def forget_in_row(row: Mapping[str, Any], identity: str) -> dict[str, str]:
    """The columns of a table's row without the person."""
    was_host = row["host"] == identity
    summary, names = forget_in_summary(row["summary"], identity, was_host)
    return {
        "setup": forget_in_setup(row["setup"], identity),
        "host": "" if was_host else row["host"],
        "summary": summary,
        "names": names,
    }


def _forgotten(seat: Seat, identity: str) -> Seat:
    return replace(seat, identity="", name=SOMEONE) if seat.identity == identity else seat
