"""New tables: from a setup, from a record, from a finished game, or for a rematch."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wellies.core.dice import SEED_BYTES, make_seed
from wellies.core.events import Json
from wellies.core.sources import now_millis, random_bytes, random_urlsafe
from wellies.games import game
from wellies.match import Record
from wellies.table.errors import Refused
from wellies.table.ids import new_id
from wellies.table.names import fit_name
from wellies.table.seats import Seat
from wellies.table.settings import Clock, Setup, check_game_options
from wellies.table.table import Table

SeatWishKind = Literal["me", "open", "bot"]


def new_table(
    setup: Setup,
    *,
    seed: bytes | None = None,
    imported: bool = False,
    table_id: str = "",
    created: int | None = None,
) -> Table:
    """A table with an empty log. Without a seed it gets a secret one of its own; without a time it is made now."""
    return Table(
        table_id or new_id(),
        setup,
        make_seed(random_bytes(SEED_BYTES) if seed is None else seed),
        random_urlsafe(16),
        now_millis() if created is None else created,
        imported,
    )


def new_setup(game_name: str, options: Json, seats: int) -> Setup:
    """A setup for a new game of so many seats, with checked options; who sits there is for the caller to fill in."""
    spec = game(game_name)
    spec.check_seats(seats)
    return Setup(spec.name, check_game_options(spec, options, seats), [], False, Clock(), "", "")


def setup_from_record(record: Record) -> Setup:
    """A setup that goes on from the end of a record; who sits there is for the caller to fill in."""
    setup = Setup(record.game, record.full_options(), [], False, Clock(), "", "", position=record.position)
    return replace(setup, proves=False, prefix=record.moves) if record.moves else setup


def check_seats(record: Record, seats: int) -> None:
    """Refused unless a table that goes on from a record has as many seats as that."""
    if record.seats != seats:
        raise Refused("bad_seats", f"That game has {record.seats} seats; give as many.", 400)


def wished_seat(kind: SeatWishKind, level: str, name: str, identity: str) -> Seat:
    """A seat as whoever makes the table wants it: `me`, a person of this name; a `bot` of this level; or `open`."""
    if kind == "me":
        return Seat("person", identity, name)
    if kind == "bot":
        return Seat("bot", "", level, level)
    return Seat()


def rematch_table(table: Table, identity: str, name: str, at: int) -> Table:
    """A table with the same people, bots and settings, hosted by this person. Another seat begins. The game starts at
    once if nobody else need agree."""
    seats = [
        Seat("bot", "", seat.name, seat.name) if seat.kind == "bot" else Seat(seat.kind, seat.identity, seat.name)
        for seat in table.seats
    ]
    seats = seats[1:] + seats[:1]
    setup = Setup(
        table.setup.game,
        table.options,
        seats,
        table.private,
        table.clock,
        identity,
        name,
        aids=table.aids,
        rated=table.rated,
    )
    made = new_table(setup, table_id=table.rematch_id(), created=at)
    if all(seat.kind == "bot" or seat.identity == identity for seat in seats):
        made.start(identity, made.created)
    return made


def table_from_text(text: str, identity: str, name: str, table_id: str = "") -> Table:
    """A table that shows the finished game of a record, given as text."""
    record = Record.parse(text)
    given = record.players or []
    names = [
        fit_name(given[number] if number < len(given) else "", f"Seat {number + 1}") for number in range(record.seats)
    ]
    return imported_table(record, names, identity, name, table_id)


def imported_table(record: Record, names: list[str], identity: str, name: str, table_id: str = "") -> Table:
    """A finished game from elsewhere as a table. Refused if it is not over."""
    match = record.replay()
    if match.state.outcome() is None:
        raise Refused("not_finished", "This game is not over; play it on instead (a new table from this record).", 400)
    setup = Setup(
        record.game,
        record.full_options(),
        [Seat("person", "", each) for each in names],
        False,
        Clock(),
        identity,
        name,
        bool(record.seed),
        record.moves,
        record.position,
    )
    seed = bytes.fromhex(record.seed) if record.seed else None
    table = new_table(setup, seed=seed, imported=True, table_id=table_id)
    table.begin(table.created)
    return table
