"""A disk that fills while people play: moves are refused with a sentence that says why, nothing is half stored, reading
goes on, and when there is room again all goes on without a restart."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import services
from server.load import Load
from server.parts import Part, Postgres, Server
from server.serving import SOAK, settings_for, until

from wellies.client import Client, ServerRefused
from wellies.server.run import check_connections
from wellies.server.storage import StorageTrouble

FULL = "The disk is full"


class SmallDisk:
    """A file system of its own, of so many megabytes, that can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError), self._ballast.open("ab", buffering=0) as file:
                while file.write(bytes(size)) == size:
                    pass

    def make_room(self) -> None:
        self._ballast.unlink()


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    if os.geteuid() != 0 or sys.platform != "linux":
        services.skip_without("mounting a disk")
    with tempfile.TemporaryDirectory(prefix="wellies-test-disk-") as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "tmpfs", folder]
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            services.skip_without("mounting a disk")
        try:
            yield SmallDisk(Path(folder))
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def test_the_disk_of_a_sqlite_file_fills(record_property: Callable[[str, object], None]) -> None:
    """Its log is on the same disk."""
    with small_disk(16) as disk, (disk.folder / "log").open("wb") as output:
        database = str(disk.folder / "wellies.db")
        server = Server(database, output=output, log="info", log_format="json")
        play_on_a_full_disk(disk, [server], server.url, database, record_property)
        assert b'"level"' in (disk.folder / "log").read_bytes(), "the log goes on"


@pytest.mark.skipif(not SOAK, reason="It is for `make soak`.")
def test_the_disk_of_postgres_fills(record_property: Callable[[str, object], None]) -> None:
    """Its log of transactions has room: where that one is full too, PostgreSQL stops, and must be started again."""
    with small_disk(80) as disk:
        postgres = Postgres(folder=str(disk.folder))
        server = Server(postgres.url)
        play_on_a_full_disk(disk, [postgres, server], server.url, postgres.url, record_property)


def play_on_a_full_disk(
    disk: SmallDisk, parts: list[Part], url: str, database: str, record_property: Callable[[str, object], None]
) -> None:
    with contextlib.ExitStack() as stack:
        for part in parts:
            stack.callback(part.stop)
            part.start()

        async def scenario() -> None:
            async with Load([url], tables=2) as load:
                await load.moves(10)
                disk.fill()
                await until(lambda: sum(FULL in refusal for refusal in load.refusals) >= 5)
                stored = len(load.acked)
                async with Client(url, cookie=load.cookie) as client:
                    await read_all(client, load.tables)
                    with pytest.raises(ServerRefused, match=FULL) as refused:
                        await make_many_tables(client)
                    assert refused.value.status == 503
                disk.make_room()
                await load.moves(10)
                await load.finish()
                await load.check(database)
                wrong = {refusal for refusal in load.refusals if FULL not in refusal}
                assert not wrong, wrong
                record_property(
                    "says",
                    f"full disk ({'PostgreSQL' if '://' in database else 'SQLite'}): {len(load.refusals)} moves "
                    f"refused, {stored} acknowledged before, {len(load.acked)} in all, 0 lost, 0 doubled",
                )

        asyncio.run(scenario())


async def make_many_tables(client: Client) -> None:
    """A page of the database that has room still takes some."""
    for _ in range(200):
        await client.create_table("umbradeco", ["me", "me"], start=True)


async def read_all(client: Client, tables: list[str]) -> None:
    """All that only reads still works, also through a new connection."""
    assert (await client.http.get("/health")).status_code == 200
    assert await client.request("GET", "/tables", mine=True)
    for table in tables:
        found = await client.get_table(table)
        async with client.table(table, seat=0) as view:
            assert view.version >= found["version"]


def test_a_server_that_starts_on_a_full_disk_says_so_in_one_line() -> None:
    """With a new database, and with one that was made while there was room."""
    with small_disk(4) as disk:
        made, new = (str(disk.folder / name) for name in ("made.db", "new.db"))
        asyncio.run(check_connections(settings_for(made)))
        disk.fill()
        with pytest.raises(StorageTrouble, match=r"new\.db: the disk is full; make room and start again"):
            asyncio.run(check_connections(settings_for(new)))
        command = [sys.executable, "-m", "wellies", "serve", "--port", "0", "--database", made]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=services.LONGEST)
        told = [line for line in ended.stderr.splitlines() if line.strip()]
        assert (ended.returncode, len(told)) == (2, 1), ended
        assert "made.db: the disk is full; make room and start again" in told[0], told
