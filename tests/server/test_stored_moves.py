"""Moves are stored in PostgreSQL with one statement; what is not only moves, or fails, goes the general way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from server.serving import LONGEST, postgres_database, settings_for

from wellies.server.storage import Listing, NewTable, RowRefused, Storage, StorageTrouble, TableChange
from wellies.table import LogEntry

TABLES = ["a" * 26, "b" * 26, "c" * 26]


@asynccontextmanager
async def a_store(address: str) -> AsyncIterator[Storage]:
    """A store with three tables that have no moves."""
    storage = Storage(settings_for(address).database)
    await storage.migrate()
    new = NewTable("guppies", "", "", "", "", False, 0)
    listing = Listing("playing", False, "", "", [])
    await storage.store([TableChange(table, [], 0, "", None, listing=listing, new=new) for table in TABLES])
    try:
        yield storage
    finally:
        await storage.close()


def move(table: str, number: int, text: str = "a1") -> TableChange:
    return TableChange(
        table, [LogEntry(number, "move", 0, text, 1), LogEntry(number + 1, "move", 1, text, 2)], number + 1, "0", None
    )


async def lengths(storage: Storage) -> list[int]:
    found = [await storage.entries(table, 0) for table in TABLES]
    versions = await storage.versions(TABLES)
    assert [len(each) for each in found] == [versions[table] for table in TABLES]
    return [len(each) for each in found]


def test_of_two_workers_that_move_at_once_one_is_told_to_decide_again() -> None:
    """The moves at other tables of the same batch are stored; of the one that came second, nothing is."""

    async def scenario() -> None:
        first = [move(table, 1) for table in TABLES]
        async with a_store(address) as one:
            assert await one.store(first[:2]) == set()
            assert await one.store(first[1:]) == {TABLES[1]}
            assert await lengths(one) == [2, 2, 2]
            assert await one.store([move(TABLES[0], 2)]) == {TABLES[0]}, "the first of its two entries is there"
            assert await lengths(one) == [2, 2, 2]
            two = Storage(settings_for(address).database)
            many = [(one, two)[number % 2].store([move(table, 3) for table in TABLES]) for number in range(10)]
            lost = await asyncio.gather(*many)
            assert sum(len(TABLES) - len(each) for each in lost) == len(TABLES), "each move is stored once"
            assert await lengths(two) == [4, 4, 4]
            await two.close()

    with postgres_database() as address:
        asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_a_lost_connection_is_made_again_and_a_bad_move_fails_alone() -> None:
    async def scenario() -> None:
        async with a_store(address) as storage:
            assert await storage.store([move(TABLES[0], 1)]) == set()
            connection = await asyncpg.connect(address)
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            await connection.close()
            for _ in range(5):
                try:
                    assert await storage.store([move(TABLES[1], 1)]) == set()
                    break
                except StorageTrouble:
                    continue
            assert await lengths(storage) == [2, 2, 0]
            with pytest.raises(RowRefused):
                await storage.store([move(TABLES[2], 1, "\0")])
            assert await storage.store([move(TABLES[2], 1)]) == set()
            assert await lengths(storage) == [2, 2, 2]

    with postgres_database() as address:
        asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_a_connection_that_is_just_being_lost_is_trouble_in_words_and_made_again() -> None:
    """The driver raises an error of its own if it is asked for something between the last words of PostgreSQL and the
    end of the connection."""

    async def scenario() -> None:
        async with a_store(address) as storage:
            assert await storage.store([move(TABLES[0], 1)]) == set()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(asyncpg.Connection, "execute", broken)
                with pytest.raises(StorageTrouble, match="may not have been stored"):
                    await storage.store([move(TABLES[1], 1)])
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(asyncpg.Connection, "prepare", broken_once(asyncpg.Connection.prepare))
                assert await storage.versions(TABLES) == {TABLES[0]: 2, TABLES[1]: 0, TABLES[2]: 0}, "it asks again"
            assert await storage.store([move(TABLES[1], 1)]) == set()
            assert await lengths(storage) == [2, 2, 0]

    async def broken(*_arguments: object, **_options: object) -> None:
        raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")

    def broken_once(real: Any) -> Any:
        calls = [broken]
        return lambda *arguments, **options: (calls.pop() if calls else real)(*arguments, **options)

    with postgres_database() as address:
        asyncio.run(asyncio.wait_for(scenario(), LONGEST))
