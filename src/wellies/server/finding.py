"""Finding a game: people who look for the same one are given a table.

A request is a row with an expiry; the page renews it while its person waits. Who plays with whom is decided in one
transaction of the store, which also chooses the id of their table. Whoever sees that first makes the table: a second
one with the same id cannot be stored, so a crash in between costs nothing and nobody gets two.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from wellies.core.sources import random_hex
from wellies.games import game
from wellies.server.identity import Identity
from wellies.server.storage import Row, RowRefused, Store
from wellies.table import Clock, Refused, Seat, Table, new_table
from wellies.table.create import new_setup
from wellies.table.ids import new_id

if TYPE_CHECKING:
    from wellies.server.hub import Hub

Pace = Literal["5 minutes", "10 minutes", "30 minutes", "3 days", "no clock"]

PACES: Final[dict[Pace, Clock]] = {
    "5 minutes": Clock("game", 300, 5),
    "10 minutes": Clock("game", 600, 10),
    "30 minutes": Clock("game", 1800, 30),
    "3 days": Clock("days", days=3),
    "no clock": Clock(),
}
"""How fast people want to play: time for each player, or for each move."""
WAIT_MILLIS: Final = 90_000
"""A request that is not renewed for so long is over. Pages in the background may run once a minute only."""
RENEW_MILLIS: Final = 60_000
"""A request that still holds for longer need not be renewed."""
FOUND_MILLIS: Final = 600_000
"""For so long a person is told that a game was found."""


class Search(msgspec.Struct):
    """What game a person looks for. `waiting` is how many people wait for such a game, with this person; `table` is set
    when it was found."""

    id: str
    game: str
    title: str
    pace: Pace
    seats: list[int]
    since: int
    waiting: int
    table: str | None


class Waiting(msgspec.Struct):
    """A game that people wait for now, and how many do."""

    game: str
    pace: Pace
    people: int


async def keep_apart(storage: Store, identity_id: str) -> set[str]:
    """The people whom this person must not be paired with, whichever of them blocks the other. The one place where that
    is asked."""
    return await storage.kept_apart(identity_id)


def choose_group(mine: Row, waiting: list[Row], apart: set[str]) -> list[Row]:
    """The people for a game, in the order in which they sit: the smallest number of players that suits all, those who
    wait longest first. Empty if there are too few."""
    for count in seats_of(mine):
        others = [row for row in waiting if count in seats_of(row) and row["identity_id"] not in apart]
        if len(others) >= count - 1:
            return [*others[: count - 1], mine]
    return []


def seats_of(row: Row) -> list[int]:
    """The numbers of players that suit a request, the smallest first."""
    return sorted(int(count) for count in str(row["seats"]).split(","))


async def look_for_game(
    hub: Hub, identity: Identity, game_name: str, pace: Pace, seats: list[int], request_id: str
) -> Search:
    """Ask for a game, or go on asking with the id of a request; whoever fits is brought to a table."""
    spec = game(game_name)
    for count in seats:
        spec.check_seats(count)
    apart = await keep_apart(hub.storage, identity.id)
    now = hub.clock.now()
    row: Row = {
        "identity_id": identity.id,
        "id": request_id or random_hex(8),
        "name": identity.name,
        "game": spec.name,
        "pace": pace,
        "seats": ",".join(str(count) for count in sorted(set(seats))),
        "created": now,
        "expires": now + WAIT_MILLIS,
        "table_id": None,
        "people": "",
    }
    found: Row = {"table_id": new_id(), "expires": now + FOUND_MILLIS}
    stored = await hub.storage.ask_for_game(row, now, found, lambda mine, others: choose_group(mine, others, apart))
    return await _search(hub, stored)


async def go_on_looking(hub: Hub, identity: Identity) -> Search | None:
    """How a person's search stands; it is renewed on the way. None if there is none."""
    row = await hub.storage.game_request(identity.id)
    now = hub.clock.now()
    if row is None or row["expires"] <= now:
        return None
    if row["table_id"] is None and row["expires"] - now < RENEW_MILLIS:
        return await look_for_game(hub, identity, row["game"], row["pace"], seats_of(row), row["id"])
    return await _search(hub, row)


async def stop_looking(hub: Hub, identity: Identity, request_id: str) -> None:
    """The person no longer looks for a game, or has seen that one was found."""
    await hub.storage.end_request(identity.id, request_id, hub.clock.now() - FOUND_MILLIS)


async def who_waits(hub: Hub) -> list[Waiting]:
    """The games that people wait for."""
    counted: dict[tuple[str, Pace], int] = {}
    for row in await hub.storage.waiting_requests(hub.clock.now()):
        key = (row["game"], row["pace"])
        counted[key] = counted.get(key, 0) + row["people"]
    return [Waiting(*key, people) for key, people in counted.items()]


async def _search(hub: Hub, row: Row) -> Search:
    if row["table_id"] is not None:
        await make_found_table(hub, row)
    waiting = [each.people for each in await who_waits(hub) if (each.game, each.pace) == (row["game"], row["pace"])]
    return Search(
        row["id"],
        row["game"],
        game(row["game"]).title,
        row["pace"],
        seats_of(row),
        row["created"],
        sum(waiting),
        row["table_id"],
    )


async def make_found_table(hub: Hub, row: Row) -> None:
    """Make the table of people who were found for each other, unless it is there: any worker may come first."""
    # One at a time in this worker.
    async with hub.found_lock:
        with contextlib.suppress(Refused):
            await hub.get(row["table_id"])
            return
        table = found_table(row, hub.clock.now())
        try:
            await hub.create(table)
        except RowRefused:
            # Another worker has made it meanwhile; if not, this raises.
            await hub.get(table.id)
        else:
            hub.metrics.games_found += 1


def found_table(row: Row, now: int) -> Table:
    """The table of a request for which a game was found. The game has begun."""
    people = [line.split(" ", 1) for line in row["people"].split("\n")]
    pace: Pace = row["pace"]
    setup = replace(
        new_setup(row["game"], {}, len(people)),
        seats=[Seat("person", identity, name) for identity, name in people],
        private=False,
        clock=PACES[pace],
        host=people[0][0],
        host_name=people[0][1],
    )
    table = new_table(setup, table_id=row["table_id"], created=now)
    table.begin(now)
    return table
