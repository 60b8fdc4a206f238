"""Backups: taken while people play, restored into new servers of either kind, and compared row by row."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from helpers import HERE
from server.serving import LONGEST, postgres_database, running, settings_for, sqlite_file, until

from wellies.cli.app import run_command
from wellies.client import Client
from wellies.server.backup import back_up, check, restore
from wellies.server.backup_file import BackupTrouble
from wellies.server.storage import Storage, StorageTrouble
from wellies.server.storage.database import known_revisions
from wellies.server.storage.snapshot import open_empty
from wellies.table.ids import public_id

Rows = dict[str, list[tuple[Any, ...]]]
GAMES = ("guppies", "umbradeco", "puppies")
PASSWORD = "rain on the roof"
COLUMNS = """
SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
ORDER BY column_name
"""


def quiet(_what: str, _done: int, _total: int) -> None:
    """No progress."""


def address(database: str) -> str:
    """The database as the server's settings name it."""
    return settings_for(database).database


def new_database(kind: str) -> contextlib.AbstractContextManager[str]:
    return postgres_database() if kind == "postgres" else sqlite_file()


def wellies(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wellies", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST, **more)


async def read_all(database: str) -> Rows:
    """Every row of every table, read without any code of ours."""
    if "://" not in database:
        with contextlib.closing(sqlite3.connect(database)) as file:
            listed = file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            names = [name for (name,) in listed]
            found = {name: file.execute(f"SELECT {_columns(file, name)} FROM {name}").fetchall() for name in names}
    else:
        connection = await asyncpg.connect(database)
        try:
            listed = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            found = {}
            for (name,) in listed:
                columns = await connection.fetch(COLUMNS, name)
                wanted = ", ".join(f'"{column}"' for (column,) in columns)
                found[name] = [tuple(row) for row in await connection.fetch(f"SELECT {wanted} FROM {name}")]
        finally:
            await connection.close()
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


def _columns(file: sqlite3.Connection, table: str) -> str:
    return ", ".join(sorted(f'"{row[1]}"' for row in file.execute(f"PRAGMA table_info({table})")))


def same(one: Rows, other: Rows) -> bool:
    """SQLite has 0 and 1 for False and True, which are equal in Python; only their order by `repr` may differ."""

    def plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return sorted((tuple(int(v) if isinstance(v, bool) else v for v in row) for row in rows), key=repr)

    return {name: plain(rows) for name, rows in one.items()} == {name: plain(rows) for name, rows in other.items()}


# --- a server on which people play ------------------------------------------------------------------------------------


class Players:
    """Two people at several tables, who play at random and note what was acknowledged."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clients: list[Client] = []
        self.tables: list[str] = []
        self.acknowledged: dict[str, int] = {}
        """The highest version of each table that a player was told is stored."""
        self.moves = 0
        self.stopping = False
        self._rng = random.Random(5)

    async def sit_down(self) -> None:
        self.clients = [Client(self.url), Client(self.url)]
        ann, ben = self.clients
        await ann.guest("Ann")
        await ann.request("POST", "/me/password", {"password": PASSWORD})
        await ben.guest("Ben Ångström 🐟")
        self.tables.append((await ann.create_table("marram", ["me", "open"]))["id"])

    async def play_games(self, game: str) -> None:
        """Play game after game until told to stop."""
        ann, ben = self.clients
        while not self.stopping:
            table = await ann.create_table(game, ["me", "open"], private=game == "puppies")
            await ben.join(table["id"], None, table["invite"])
            await ann.act(table["id"], "start")
            self.tables.append(table["id"])
            await self.play(table["id"])

    async def play(self, table: str) -> None:
        """Play one table until told to stop, or to its end."""
        ann, ben = self.clients
        async with ann.table(table, seat=0, legal="text") as first, ben.table(table, seat=1, legal="text") as second:
            await second.say("Good luck, it's raining!")
            while not self.stopping and not first.finished:
                views = [view for view in (first, second) if view.decision and view.decision["due"] and view.legal]
                await asyncio.sleep(0.01)
                if not views:
                    continue
                version = (await views[0].play(self._rng.choice(views[0].legal)))["version"]
                self.acknowledged[table] = max(version, self.acknowledged.get(table, 0))
                self.moves += 1
                for each in (first, second):
                    await each.until(lambda now, version=version: now.version >= version)

    async def close(self) -> None:
        for client in self.clients:
            await client.close()


async def what_http_says(client: Client, tables: list[str]) -> list[Any]:
    """Each table with its log and its proof, as one person sees it."""
    told = []
    for table in tables:
        info = await client.get_table(table)
        log = await client.request("GET", f"/tables/{table}/log")
        proof = await client.request("GET", f"/tables/{table}/verify") if info["state"] == "finished" else None
        if proof is not None:
            assert proof["ok"]
        told.append((info, log, proof))
    return told


@pytest.mark.parametrize(("kind", "other"), [("sqlite", "sqlite"), ("sqlite", "postgres"), ("postgres", "sqlite")])
def test_what_is_backed_up_while_people_play_is_restored_row_by_row(kind: str, other: str, tmp_path: Path) -> None:
    with new_database(kind) as database, new_database(other) as under_load, new_database(other) as restored:
        cookies, tables, before = asyncio.run(_play_and_back_up(database, under_load, tmp_path, kind == other))
        asyncio.run(restore(address(restored), tmp_path / "idle.backup", quiet))
        rows = asyncio.run(read_all(restored))
        assert same(rows, asyncio.run(read_all(database)))
        assert sum(len(each) for each in rows.values()) > 50
        asyncio.run(asyncio.wait_for(_go_on(restored, cookies, tables, before), LONGEST))


def _back_up_elsewhere(database: str, file: Path, by_command: bool) -> None:
    """In a process of its own by the command, or in a thread, which takes less time."""
    if by_command:
        done = wellies("backup", str(file), "--database", database)
        assert (done.returncode, done.stderr) == (0, "")
    else:
        asyncio.run(back_up(address(database), file, quiet))


async def _play_and_back_up(
    database: str, under_load: str, folder: Path, by_command: bool
) -> tuple[list[str], list[str], list[Any]]:
    with running(database) as server:
        players = Players(server.url)
        await players.sit_down()
        async with asyncio.TaskGroup() as group:
            for game in GAMES:
                group.create_task(players.play_games(game))
            await until(lambda: players.moves > 10)
            acknowledged, moves = dict(players.acknowledged), players.moves
            await asyncio.to_thread(_back_up_elsewhere, database, folder / "load.backup", by_command)
            assert players.moves > moves, "nobody played during the backup"
            await until(lambda: players.moves > moves + 5)
            players.stopping = True
        await _check_snapshot(folder / "load.backup", database, under_load, acknowledged)
        before = await what_http_says(players.clients[1], players.tables)
        await back_up(address(database), folder / "idle.backup", quiet)
        cookies = [str(client.cookie) for client in players.clients]
        await players.close()
        return cookies, players.tables, before


async def _check_snapshot(file: Path, database: str, restored: str, acknowledged: dict[str, int]) -> None:
    """What was taken while people played is one moment: all that was acknowledged before, whole logs, no gap."""
    await restore(address(restored), file, quiet)
    then, now = await read_all(restored), await read_all(database)
    columns = sorted(["table_id", "number", "kind", "seat", "text", "at"])
    place = {name: columns.index(name) for name in columns}
    logs: dict[str, list[int]] = {}
    for row in then["entries"]:
        logs.setdefault(row[place["table_id"]], []).append(row[place["number"]])
    assert set(then["entries"]) <= set(now["entries"])
    assert len(then["entries"]) < len(now["entries"])
    storage = Storage(address(restored))
    try:
        versions = await storage.versions(list(logs))
    finally:
        await storage.close()
    for table, numbers in logs.items():
        assert sorted(numbers) == list(range(1, versions[table] + 1))
        assert versions[table] >= acknowledged.get(table, 0)


async def _go_on(database: str, cookies: list[str], tables: list[str], before: list[Any]) -> None:
    """A new server on the restored database: old cookies and passwords work, each table is as it was, games go on."""
    with running(database) as server:
        async with Client(server.url, cookie=cookies[0]) as ann, Client(server.url, cookie=cookies[1]) as ben:
            assert (await ben.request("GET", "/me"))["name"] == "Ben Ångström 🐟"
            assert await what_http_says(ben, tables) == before
            players = Players(server.url)
            players.clients = [ann, ben]
            running_tables = [info["id"] for info, _, _ in before if info["state"] == "playing"]
            tasks = [asyncio.create_task(players.play(table)) for table in running_tables]
            await until(lambda: players.moves > 5 or all(task.done() for task in tasks))
            players.stopping = True
            await asyncio.gather(*tasks)
        async with Client(server.url) as anew:
            assert (await anew.log_in("Ann", PASSWORD))["account"]


# --- files that are not as they should be ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def old_database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small database of tests/old_files, brought to the newest schema."""

    async def migrate(database: str) -> None:
        storage = Storage(address(database))
        await storage.migrate()
        await storage.close()

    file = sorted((HERE / "old_files").glob("*/tables.db"))[-1]
    database = str(shutil.copy(file, tmp_path_factory.mktemp("database") / "wellies.db"))
    asyncio.run(migrate(database))
    return database


@pytest.fixture(scope="module")
def backup(old_database: str) -> Path:
    file = Path(old_database).with_name("wellies.backup")
    asyncio.run(back_up(address(old_database), file, quiet))
    return file


def test_only_its_owner_may_read_a_backup_and_nothing_else_is_left(backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert [path.name for path in backup.parent.glob("*.tmp")] == []
    assert [path.name for path in backup.parent.glob(".*")] == []


def test_any_changed_byte_is_noticed(backup: Path, tmp_path: Path) -> None:
    data = backup.read_bytes()
    whole = check(backup, quiet)
    file = tmp_path / "changed.backup"
    # The first ten bytes name the format of gzip, a time and a system, which say nothing about the content.
    for place in [0, 1, 2, *range(10, len(data), 9), len(data) - 1]:
        changed = bytearray(data)
        changed[place] ^= 1 << (place % 8)
        file.write_bytes(changed)
        with contextlib.suppress(BackupTrouble):
            # A spare bit between blocks may change: then the content is what it was.
            assert check(file, quiet) == whole, place
            assert gzip.decompress(bytes(changed)) == gzip.decompress(data), place


def test_a_backup_that_is_cut_off_is_noticed_wherever_it_is(backup: Path, tmp_path: Path) -> None:
    data = backup.read_bytes()
    file = tmp_path / "cut.backup"
    for length in [0, 1, 5, *range(10, len(data), 80), len(data) - 1]:
        file.write_bytes(data[:length])
        with pytest.raises(BackupTrouble, match=r"damaged|is not a backup"):
            check(file, quiet)


def _rewrite(backup: Path, file: Path, change: Callable[[list[bytes]], object]) -> Path:
    lines = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    change(lines)
    file.write_bytes(gzip.compress(b"".join(lines)))
    return file


def _with_head(**values: Any) -> Callable[[list[bytes]], None]:
    def change(lines: list[bytes]) -> None:
        lines[0] = json.dumps({**json.loads(lines[0]), **values}).encode() + b"\n"

    return change


def _drop(number: int) -> Callable[[list[bytes]], None]:
    return lambda lines: lines.__delitem__(number)


def _repeat_first_row(lines: list[bytes]) -> None:
    place = next(number for number, line in enumerate(lines) if line.startswith(b"["))
    lines.insert(place, lines[place])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_with_head(wellies_backup=2), "was made by a newer version of Wellies"),
        (_with_head(wellies_backup="one"), "is not a backup of Wellies"),
        (_with_head(made="yesterday"), "its checksum is wrong"),
        (_drop(0), "is not a backup of Wellies"),
        (_drop(5), "is damaged"),
        (_drop(-1), "its last lines are missing"),
        (lambda lines: lines.append(b"[1]\n"), "something follows its end"),
        (_repeat_first_row, "checksum is wrong"),
    ],
)
def test_a_backup_that_was_edited_is_refused(
    backup: Path, tmp_path: Path, change: Callable[[list[bytes]], object], message: str
) -> None:
    file = _rewrite(backup, tmp_path / "edited.backup", change)
    with pytest.raises(BackupTrouble, match=message):
        check(file, quiet)


def test_what_is_no_backup_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello", encoding="ascii")
    (tmp_path / "packed").write_bytes(gzip.compress(b"hello\n"))
    os.mkfifo(tmp_path / "pipe")
    for name, message in (
        ("text", "is not a backup"),
        ("packed", "is not a backup"),
        ("pipe", "not a regular file"),
        ("missing", "there is no file"),
        (".", "cannot read"),
    ):
        with pytest.raises(BackupTrouble, match=message):
            check(tmp_path / name, quiet)


def test_the_command_says_in_one_line_what_is_wrong(
    backup: Path, old_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.backup"
    cut.write_bytes(backup.read_bytes()[:-20])
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for words, message in (
        (["backup", str(tmp_path / "link"), "--database", old_database], "a link to a file that is not there"),
        (["backup", "--check", str(cut)], "is damaged: it is cut off"),
        (["restore", str(cut), "--database", str(tmp_path / "new.db")], "is damaged: it is cut off"),
        (["restore", str(backup), "--database", old_database], "is not empty"),
        (["backup", str(backup), "--database", old_database], "exists already"),
        (["backup", str(tmp_path / "new.backup"), "--database", str(tmp_path / "none.db")], "there is no database"),
        (["backup", str(tmp_path / "no" / "new.backup"), "--database", old_database], "there is no folder"),
        (["backup", str(tmp_path), "--database", old_database], "is a folder"),
    ):
        assert run_command(words) == 2, words
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert message in told.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.backup", "link"]


def test_the_commands_back_up_check_and_restore(
    old_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, new = str(tmp_path / "new.backup"), str(tmp_path / "new.db")
    assert run_command(["backup", file, "--database", old_database]) == 0
    assert "keep it private" in capsys.readouterr().out
    assert run_command(["backup", "--check", file]) == 0
    assert "complete and undamaged" in capsys.readouterr().out
    assert run_command(["restore", file, "--database", new, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = asyncio.run(read_all(new))
    assert {name: table["rows"] for name, table in told["tables"].items()} == {
        name: len(found) for name, found in rows.items() if name != "alembic_version"
    }
    assert same(rows, asyncio.run(read_all(old_database)))


def test_a_full_disk_leaves_nothing_behind(old_database: str, tmp_path: Path) -> None:
    large, folder = tmp_path / "large.db", tmp_path / "backups"
    shutil.copy(old_database, large)
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(large)) as file:
        people = [(f"{number:032}", "Ann", os.urandom(99).hex(), 0, 0) for number in range(1_000)]
        file.executemany("INSERT INTO identities (id, name, password, epoch, created) VALUES (?, ?, ?, ?, ?)", people)
        file.commit()

    def limit() -> None:
        # Enough for the files that SQLite writes while it reads.
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = wellies("backup", str(folder / "new.backup"), "--database", str(large), preexec_fn=limit)
    assert done.returncode == 2
    assert "cannot write" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []


# --- restoring --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_restore_that_fails_keeps_nothing(kind: str, backup: Path) -> None:
    def fail(what: str, done: int, _total: int) -> None:
        if what == "comparing" and done:
            raise BackupTrouble("stop here")

    with new_database(kind) as database:
        with pytest.raises(BackupTrouble, match="stop here"):
            asyncio.run(restore(address(database), backup, fail))
        if kind == "sqlite":
            assert list(Path(database).parent.iterdir()) == []
        else:
            assert asyncio.run(read_all(database)) == {}
        asyncio.run(restore(address(database), backup, quiet))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_database_with_nothing_but_empty_tables_may_be_restored_into(
    kind: str, backup: Path, old_database: str
) -> None:
    async def scenario(database: str) -> None:
        storage = Storage(address(database))
        await storage.migrate()
        await storage.close()
        await restore(address(database), backup, quiet)
        assert same(await read_all(database), await read_all(old_database))

    with new_database(kind) as database:
        asyncio.run(scenario(database))


def test_numbers_that_postgres_gives_go_on_after_a_restore(backup: Path) -> None:
    async def scenario(database: str) -> None:
        await restore(address(database), backup, quiet)
        highest = max(row[1] for row in (await read_all(database))["chat"])
        storage = Storage(address(database))
        row = {"table_id": "a", "identity_id": "b", "seat": None, "name": "Ann", "text": "Hello", "at": 1}
        assert await storage.add_chat(row) == highest + 1
        await storage.close()

    with postgres_database() as database:
        asyncio.run(scenario(database))


def test_a_row_that_the_database_changes_is_noticed(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wellies.server.storage.snapshot import Loader

    insert = Loader.insert

    async def insert_less(self: Loader, table: str, columns: list[str], rows: Any) -> None:
        await insert(self, table, columns, rows[:-1] if table == "entries" else rows)

    monkeypatch.setattr(Loader, "insert", insert_less)
    with sqlite_file() as database, pytest.raises(BackupTrouble, match="entries in the database is not that"):
        asyncio.run(restore(address(database), backup, quiet))


# PostgreSQL takes longer; from the oldest schema it goes through all the others.
OLD = [("postgres", known_revisions()[0]), *(("sqlite", revision) for revision in known_revisions()[:-1])]


@pytest.mark.parametrize(("kind", "revision"), OLD)
def test_a_backup_of_an_older_schema_is_brought_up_to_date(kind: str, revision: str, tmp_path: Path) -> None:
    """It is taken without changing the old database, as before an update."""
    person = {"id": "a" * 32, "name": "Ann", "login": None, "password": None, "epoch": 0, "created": 7}
    person["public_id"] = public_id("a" * 32)

    async def scenario(old: str, new: str) -> None:
        async with open_empty(address(old), revision) as loader:
            known = [column for column in person if column in loader.columns["identities"]]
            await loader.insert("identities", known, [[person[column] for column in known]])
            # The revision is that of then: `finish` would bring it up to date.
        before = await read_all(old)
        manifest = await back_up(address(old), tmp_path / "old.backup", quiet)
        assert manifest.revision == revision
        assert await read_all(old) == before
        await restore(address(new), tmp_path / "old.backup", quiet)
        now = await read_all(new)
        assert now["alembic_version"] == [(known_revisions()[-1],)]
        # What an older schema did not know is filled in.
        assert now["identities"] == [tuple(person[column] for column in sorted(person))]
        assert set(now) > set(before)

    with sqlite_file() as old, new_database(kind) as new:
        asyncio.run(scenario(old, new))


def test_a_backup_of_a_newer_schema_is_refused(backup: Path, old_database: str, tmp_path: Path) -> None:
    newer = tmp_path / "newer.db"
    shutil.copy(old_database, newer)
    with contextlib.closing(sqlite3.connect(newer)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StorageTrouble, match="newer version of Wellies"):
        asyncio.run(back_up(address(str(newer)), tmp_path / "new.backup", quiet))
    with pytest.raises(StorageTrouble, match="newer version of Wellies"):
        asyncio.run(restore(address(str(newer)), backup, quiet))

    def change(lines: list[bytes]) -> None:
        import hashlib

        _with_head(revision="9999")(lines)
        end = json.loads(lines[-1])
        end["checksum"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
        lines[-1] = json.dumps(end).encode() + b"\n"

    file = _rewrite(backup, tmp_path / "newer.backup", change)
    with pytest.raises(BackupTrouble, match=r"newer version of Wellies .*schema 9999"):
        asyncio.run(restore(address(str(tmp_path / "none.db")), file, quiet))


@pytest.fixture(autouse=True)
def _no_file_is_left_open() -> Iterator[None]:
    folder = Path("/proc/self/fd")
    yield
    if folder.is_dir():
        names = [os.readlink(link) for link in folder.iterdir() if link.exists()]
        assert [name for name in names if name.endswith(".backup")] == []
