"""Tables for tests, without a server."""

from __future__ import annotations

import random
from typing import Any

import wellies
from wellies.table import Aids, Clock, LogEntry, Seat, Setup, Table, new_table

ANN, BOB = "ann", "bob"


def table_of(game: str, seats: list[Seat], clock: Clock | None = None, aids: Aids | None = None) -> Table:
    options = wellies.game(game).start(len(seats)).options
    setup = Setup(game, options, seats, False, clock or Clock(), ANN, "Ann", aids=aids or Aids())
    return new_table(setup, seed=b"s" * 32)


def rebuilt(table: Table) -> Table:
    again = Table(table.id, table.setup, table.seed, table.invite, table.created, table.imported)
    for entry in table.log:
        again.apply(LogEntry(*entry.stored()))
    return again


def facts(table: Table, now: int) -> dict[str, Any]:
    seats = range(len(table.seats))
    return {
        "info": table.info_for(ANN),
        "faces": table.clocks.faces(now),
        "deadline": table.clocks.deadline(),
        "decisions": [table.decision_for(seat) for seat in seats],
        "views": [table.view_for(seat) for seat in (*seats, None)],
        "entries": [table.entry_for(entry, seat) for seat in (*seats, None) for entry in table.log],
        "wake": table.wake_at(now, 1000),
        "undo": [table.undo_for(seat) for seat in seats],
        "asked": table.undo_request(),
        "missed": table.missed,
    }


def play_any(table: Table, seat: int, rng: random.Random, at: int = 0) -> None:
    """Some move of this seat, by whoever plays it."""
    assert table.match is not None
    text = table.spec.move_text(table.match.state, seat, rng.choice(table.match.choices(seat)))
    table.play(seat, text, None, at, by_bot=table.seats[seat].bot is not None)


def play_bots(table: Table, rng: random.Random, at: int = 0) -> None:
    """Let bots move until the table waits for somebody else."""
    while due := table.bots_due():
        play_any(table, due[0], rng, at)


ANN_SITS, BOB_SITS = Seat("person", ANN, "Ann"), Seat("person", BOB, "Bob")
BOT_SITS = Seat("bot", "", "random", "random")


def begun(game: str, seats: list[Seat], clock: Clock | None = None, **aids: Any) -> Table:
    """A table whose game has begun; what the game needs of more chairs is bots."""
    table = table_of(game, seats + [BOT_SITS] * (wellies.game(game).min_seats - len(seats)), clock, Aids(**aids))
    table.begin(0)
    return table
