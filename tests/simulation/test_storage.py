"""The simulated store does what the real ones do: the same calls get the same answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from server.serving import postgres_database, sqlite_file
from sqlalchemy.exc import IntegrityError

from simulation.disk import Disk
from wellies.server.finding import choose_group
from wellies.server.settings import load
from wellies.server.storage import Listing, NameTaken, NewTable, RowRefused, Storage, TableChange
from wellies.table import LogEntry, Seat, Table, new_table
from wellies.table.codec import encode
from wellies.table.create import new_setup

NOW = 1_800_000_000_000


@contextlib.contextmanager
def database(kind: str) -> Iterator[str]:
    with sqlite_file() if kind == "SQLite" else postgres_database() as where:
        yield load({"database": where}, environment={}).settings.database


class Player:
    """Makes the same random calls to a real store and to the simulated one, and compares the answers."""

    def __init__(self, storage: Storage, random: Random) -> None:
        self._storage = storage
        self._disk = Disk("simulated")
        self._random = random
        self._tables: list[Table] = []
        self._people = [f"person{number}" for number in range(4)]
        self._chat_ids: tuple[list[int], list[int]] = ([], [])

    async def both(self, name: str, *args: Any, **more: Any) -> Any:
        """Call both. The same errors count as the same answers."""
        real: Any
        simulated: Any
        try:
            real = await getattr(self._storage, name)(*args, **more)
        except (NameTaken, RowRefused, IntegrityError) as error:
            real = type(error)
        try:
            simulated = getattr(self._disk, name)(*args, **more)
        except (NameTaken, RowRefused) as error:
            simulated = type(error)
        if real is IntegrityError:
            real = RowRefused  # as the committer has it
        assert _comparable(real) == _comparable(simulated), f"{name}{args}{more}"
        return real

    async def step(self) -> None:
        """One random call, or a few that belong together."""
        await self._random.choice(STEPS)(self)

    # --- tables ----------------------------------------------------------------------------------------------------

    def _change(self, table: Table, entries: list[LogEntry], new: bool = False, listing: bool = True) -> TableChange:
        change = TableChange(table.id, entries, table.version, "0,1", self._random.choice((None, NOW, NOW + 5)))
        if listing:
            names = "\n".join(seat.name.casefold() for seat in table.seats if seat.name)
            change.listing = Listing(table.state, table.private, encode(table.summary()), names, table.holders())
        if new:
            setup = table.setup
            change.new = NewTable(
                setup.game, encode(setup), table.seed.hex(), table.invite, setup.host, table.imported, table.created
            )
        return change

    async def _new(self) -> None:
        setup = replace(
            new_setup("umbradeco", {}, 2),
            seats=[Seat("person", self._random.choice(self._people), "Ann"), Seat("open")],
            host=self._people[0],
            host_name="Ann",
            private=self._random.random() < 0.3,
        )
        table = new_table(setup)
        table.created += len(self._tables)
        if self._random.random() < 0.5:
            table.join(self._people[1], "Bob", 1, table.created)
        self._tables.append(table)
        await self.both("store", [self._change(table, table.take_uncommitted(), new=True)])

    def _next(self, table: Table) -> list[LogEntry]:
        """Some entries that go on from the table, as it was last stored."""
        start = table.version
        for number in range(self._random.randint(1, 3)):
            table.change(table.setup.host, None, None, self._random.random() < 0.5, table.created + start + number)
        return table.take_uncommitted()

    async def _append(self) -> None:
        if self._tables:
            table = self._random.choice(self._tables)
            if table.state == "open":
                entries = self._next(table)
                await self.both("store", [self._change(table, entries, listing=self._random.random() < 0.5)])

    async def _batch(self) -> None:
        """Several tables at once, one of them twice at the same place: its second change is lost."""
        changes = [self._change(table, self._next(table)) for table in self._tables[:3]]
        if changes:
            await self.both("store", changes)
            again = self._random.choice(changes)
            assert await self.both("store", [again]) == {again.table_id}

    async def _twice(self) -> None:
        """A table that is there already."""
        if self._tables:
            table = self._random.choice(self._tables)
            assert await self.both("store", [self._change(table, [], new=True)]) is RowRefused

    async def _read(self) -> None:
        ids = [table.id for table in self._tables] + ["none"]
        table_id = self._random.choice(ids)
        await self.both("table", table_id)
        await self.both("entries", table_id, self._random.randint(0, 5))
        await self.both("versions", self._random.sample(ids, self._random.randint(0, len(ids))))
        await self.both("games_finished", self._random.choice(self._people), "umbradeco")
        await self.both("bot_tables", self._people[0])

    async def _list(self) -> None:
        created = [table.created for table in self._tables] or [NOW]
        await self.both(
            "list_tables",
            self._random.choice(self._people),
            mine=self._random.random() < 0.5,
            state=self._random.choice((None, "open", "playing")),
            game=self._random.choice((None, "umbradeco", "guppies", "\x00")),
            player=self._random.choice((None, "an", "BOB", "%", "x")),
            before=self._random.choice((None, self._random.choice(created))),
            limit=self._random.choice((1, 20)),
        )

    async def _due(self) -> None:
        # Tables that are due at the same moment have no order.
        real = await self._storage.due_tables(NOW + 3, 50)
        assert sorted(real) == sorted(self._disk.due_tables(NOW + 3, 50))
        for table_id, wake_at in real[:2]:
            assert await self.both("claim", table_id, wake_at + self._random.choice((0, 1)), NOW + 2) in (True, False)

    # --- people, chat, analyses ------------------------------------------------------------------------------------

    async def _identity(self) -> None:
        person = self._random.choice(self._people)
        if await self.both("identity", person) is None:
            row = {"id": person, "name": person, "login": None, "password": None, "epoch": 0, "created": NOW}
            await self.both("add_identity", row)
        values = self._random.choice(({"name": "Cid"}, {"epoch": 3}, {"login": "cid", "password": "x"}))
        await self.both("change_identity", person, values)
        await self.both("account", "cid")
        await self.both("epochs", [*self._people[:2], "nobody"])

    async def _session(self) -> None:
        session, at = self._random.choice(("s1", "s2", "s3")), self._random.randint(1, 9)
        await self.both("end_session", session, self._random.choice(self._people), at, self._random.choice((0, 4)))
        await self.both("ended", self._people[:2])

    async def _chat(self) -> None:
        table_id = self._random.choice([table.id for table in self._tables] or ["none"])
        row = {"table_id": table_id, "identity_id": "a", "seat": None, "name": "A", "text": "Hello", "at": NOW}
        self._chat_ids[0].append(await self._storage.add_chat(row))
        self._chat_ids[1].append(self._disk.add_chat(row))
        lines = [await self._storage.chat_lines(table_id, 3), self._disk.chat_lines(table_id, 3)]
        places = [[ids.index(line.pop("id")) for line in each] for ids, each in zip(self._chat_ids, lines, strict=True)]
        assert places[0] == places[1]
        assert lines[0] == lines[1]

    async def _analysis(self) -> None:
        table_id, worker = self._random.choice(("t1", "t2")), self._random.choice(("w1", "w2"))
        await self.both("claim_analysis", table_id, worker, NOW, NOW + self._random.choice((-5, 5)))
        if self._random.random() < 0.5:
            await self.both("update_analysis", table_id, worker, {"state": self._random.choice(("done", "failed"))})
        if self._random.random() < 0.5:
            await self.both("drop_analysis", table_id, worker)
        await self.both("analysis", table_id)

    # --- finding a game --------------------------------------------------------------------------------------------

    async def _search(self) -> None:
        person, number = self._random.choice(self._people), self._random.randint(0, 99)
        now = NOW + self._random.choice((0, 50))
        row = {
            "identity_id": person,
            "id": f"r{self._random.randint(0, 3)}",
            "name": person,
            "game": self._random.choice(("umbradeco", "guppies")),
            "pace": "no clock",
            "seats": self._random.choice(("2", "2,3", "3")),
            "created": now,
            "expires": now + self._random.choice((10, 100)),
            "table_id": None,
            "people": "",
        }
        found = {"table_id": f"found{number}", "expires": now + 100}
        await self.both("ask_for_game", row, now, found, lambda mine, others: choose_group(mine, others, {"person3"}))
        await self.both("waiting_requests", now)
        await self.both("game_request", self._random.choice(self._people))
        if self._random.random() < 0.5:
            await self.both("end_request", person, "r1", now - 20)

    async def _friends(self) -> None:
        one, other = self._random.sample(self._people, 2)
        for person in (one, other):
            if await self.both("identity", person) is None:
                row = {"id": person, "name": person, "login": None, "password": None, "epoch": 0, "created": NOW}
                await self.both("add_identity", row)
        states = self._random.choice((("asked", "asks"), ("friend", "friend")))
        handle = f"h{self._random.randint(0, 9999)}"
        rows = [
            {"identity_id": mine, "friend_id": theirs, "handle": handle, "state": state, "at": NOW}
            for mine, theirs, state in ((one, other, states[0]), (other, one, states[1]))
        ]
        await self.both("set_friendship", rows)
        await self.both("note_seen", one, NOW + self._random.randint(0, 9))
        await self.both("set_friend_code", one, f"code {one} {self._random.randint(0, 2)}")
        await self.both("friend_code", other)
        await self.both("person_of_code", f"code {one} 1")
        if self._random.random() < 0.3:
            await self.both("end_friendship", other, one)
        await self.both("friends", one)

    async def _invite(self) -> None:
        table_id = self._random.choice([table.id for table in self._tables] or ["none"])
        person = self._random.choice(self._people)
        row = {"table_id": table_id, "from_id": "a", "from_name": "A", "again": False, "at": NOW}
        await self.both("invite", [{"identity_id": person, **row}])
        if self._random.random() < 0.4:
            await self.both("drop_invitation", self._random.choice(self._people), table_id)
        await self.both("invitations", person)
        await self.both("tables_of", person)

    # --- alerts and vacations --------------------------------------------------------------------------------------

    async def _alerts(self) -> None:
        person = self._random.choice(self._people)
        row = {
            "identity_id": person,
            "code": f"code {person}",
            "choices": "{}",
            "email": self._random.choice(("", "a@b.example")),
            "confirmed": self._random.random() < 0.5,
            "webhook": "",
            "active": self._random.random() < 0.5,
        }
        await self.both("set_alert_settings", row)
        await self.both("alert_settings", self._random.choice(self._people))
        await self.both("alert_settings_by_code", "code person1")
        await self.both("waiting_tables")
        await self.both("calls", NOW - 5, NOW + 3)
        about = self._random.choice(("turn 1", "turn 2"))
        await self.both("claim_alert", person, "t1", about, NOW + self._random.randint(0, 9))
        if self._random.random() < 0.3:
            await self.both("forget_alerts", NOW + 5)
        await self.both("kept_secret", "push", f"secret {self._random.randint(0, 9)}")

    async def _push(self) -> None:
        number = self._random.randint(0, 25)
        person = self._random.choice(self._people[:2])
        values = {"endpoint": f"https://push.example/{number}", "p256dh": "p", "auth": "a"}
        row = {"id": f"s{number}", "identity_id": person, "at": NOW + self._random.randint(0, 9), **values}
        await self.both("add_push_subscription", row)
        await self.both("push_subscriptions", person)
        await self.both("drop_push_subscription", f"s{self._random.randint(0, 25)}")

    async def _vacation(self) -> None:
        person, begins = self._random.choice(self._people), NOW + self._random.randint(0, 50)
        number = self._random.randint(0, 9_999)
        row = {"id": f"v{number}", "identity_id": person, "begins": begins, "ends": begins + 10, "settled": False}
        await self.both("begin_vacation", row, NOW - 10, 30)
        await self.both("vacations", person, NOW)
        if self._random.random() < 0.4:
            await self.both("end_vacation", person, begins + 3)
        for found in await self.both("unsettled_vacations"):
            if self._random.random() < 0.3:
                await self.both("settle_vacation", found["id"], found["ends"] - self._random.randint(0, 1))

    # --- what belongs to one person --------------------------------------------------------------------------------

    async def _prefer(self) -> None:
        random = self._random
        rows = [
            {"name": name, "value": str(random.randrange(9)), "at": NOW + random.randrange(6)}
            for name in random.sample(("sound", "speed", "theme"), random.randrange(4))
        ]
        owner = random.choice(self._people)
        await self.both("set_preferences", owner, rows)
        await self.both("preferences", owner)

    async def _avoid(self) -> None:
        random = self._random
        one, other = random.choice(self._people), random.choice(self._people)
        if random.random() < 0.3:
            await self.both("stop_avoiding", one, other)
        else:
            kind = random.choice(("mute", "block"))
            row = {"identity_id": one, "other_id": other, "kind": kind, "name": "Ann", "at": NOW + random.randrange(9)}
            await self.both("avoid", row)
        await self.both("avoided", one)
        await self.both("has_blocked", one, other)
        await self.both("kept_apart", other)


STEPS = [
    Player._prefer,
    Player._avoid,
    Player._new,
    Player._append,
    Player._append,
    Player._batch,
    Player._twice,
    Player._read,
    Player._read,
    Player._list,
    Player._due,
    Player._identity,
    Player._session,
    Player._chat,
    Player._analysis,
    Player._search,
    Player._search,
    Player._friends,
    Player._invite,
    Player._alerts,
    Player._push,
    Player._vacation,
]


def _comparable(answer: Any) -> Any:
    if isinstance(answer, Table):
        return (answer.id, answer.setup, answer.seed, answer.invite, answer.created, answer.imported)
    return answer


async def _play(address: str, seed: int) -> None:
    storage = Storage(address)
    await storage.migrate()
    try:
        player = Player(storage, Random(seed))
        for _ in range(240):
            await player.step()
    finally:
        await storage.close()


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_the_simulated_store_answers_as_the_real_one(kind: str) -> None:
    with database(kind) as address:
        asyncio.run(_play(address, 7))


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_logging_out_in_several_places_at_once_is_no_error(kind: str) -> None:
    async def log_out(address: str) -> None:
        storage = Storage(address)
        await storage.migrate()
        try:
            for number in range(10):
                session = f"session{number}"
                await asyncio.gather(*(storage.end_session(session, "ann", 1, 0) for _ in range(6)))
            assert len(await storage.ended(["ann"])) == 10
        finally:
            await storage.close()

    with database(kind) as address:
        asyncio.run(log_out(address))
