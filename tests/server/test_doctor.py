"""`wellies doctor`: it finds what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import json
import os
import shutil
import socket
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from helpers import HERE
from server.serving import postgres_database, settings_for
from server.test_backup import read_all
from services import redis_url

from wellies.cli.app import run_command
from wellies.server.doctor import Finding, check_database, check_page, check_port, check_redis, check_settings, examine
from wellies.server.storage import Storage, StorageTrouble
from wellies.server.storage.database import SQLITE_PRAGMAS, known_revisions
from wellies.server.storage.snapshot import open_empty


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The small database of tests/old_files in the newest schema: a finished table, one that is played, one in the
    lobby."""
    file = sorted((HERE / "old_files").glob("*/tables.db"))[-1]
    copy = str(shutil.copy(file, tmp_path / "wellies.db"))

    async def migrate() -> None:
        storage = Storage(settings_for(copy).database)
        await storage.migrate()
        await storage.close()

    asyncio.run(migrate())
    return copy


@pytest.fixture
def page(tmp_path: Path) -> str:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<!doctype html>", encoding="ascii")
    return str(tmp_path / "page")


def examined(database: str, *, deep: bool = False) -> dict[str, Finding]:
    """The findings of the database alone."""

    async def run() -> dict[str, Finding]:
        storage = Storage(settings_for(database).database)
        try:
            return {finding.check: finding async for finding in check_database(storage, deep=deep)}
        finally:
            await storage.close()

    return asyncio.run(run())


def test_a_database_that_cannot_even_be_looked_for_is_a_problem_and_not_the_end(tmp_path: Path) -> None:
    """A folder that this user may not enter is answered in the same way as a name that is too long; root may enter
    all."""
    found = examined(str(tmp_path / ("n" * 300)))
    assert found["database"].level == "problem"
    assert "cannot be looked at (file name too long)" in found["database"].text


def change(database: str, *commands: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as file:
        for command in commands:
            file.execute(command)
        file.commit()


def test_a_server_in_order_has_no_problems_and_is_not_changed(database: str, page: str) -> None:
    async def run() -> list[Finding]:
        settings = settings_for(database, page=page, redis=redis_url(), stand_in_level="greedy")
        return [finding async for finding in examine(settings)]

    before = asyncio.run(read_all(database))
    found = {finding.check: finding for finding in asyncio.run(run())}
    assert [each for each in found.values() if each.level == "problem"] == []
    for check in ("settings", "secret", "page", "port", "disk", "database", "schema", "tables", "redis", "bots"):
        assert found[check].level == "ok", found[check]
    assert "3 of 3 replayed" in found["tables"].text
    assert asyncio.run(read_all(database)) == before


def test_postgres_is_examined_with_its_clock() -> None:
    with postgres_database() as database:
        assert examined(database)["schema"].text.startswith("there are no tables yet")
        storage = Storage(settings_for(database).database)

        async def migrate() -> None:
            await storage.migrate()
            await storage.close()

        asyncio.run(migrate())
        found = examined(database)
        assert {check: each.level for check, each in found.items()} == dict.fromkeys(
            ("database", "schema", "clock", "commit", "tables"), "ok"
        )


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    found = examined(str(tmp_path / "no" / "wellies.db"))
    assert found["database"].level == "warning"
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_does_not_answer_is_a_problem() -> None:
    found = examined("postgresql://postgres@127.0.0.1:1/none")
    assert [(each.check, each.level) for each in found.values()] == [("database", "problem")]
    assert "cannot use the database" in found["database"].text


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("DELETE FROM entries WHERE number = 5", "entries of its log are missing"),
        ("UPDATE entries SET text = 'nonsense' WHERE kind = 'move' AND seat = 0 AND number > 9", "nonsense"),
        ("DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)", "entries of its log are missing"),
    ],
)
def test_a_table_that_cannot_be_replayed_is_a_problem(database: str, command: str, reason: str) -> None:
    change(database, command)
    found = examined(database)["tables"]
    assert found.level == "problem"
    assert reason in found.text


def test_a_draw_that_the_dice_did_not_make_is_a_problem(database: str) -> None:
    """The game can be replayed, but its draws do not come from its seed."""
    with contextlib.closing(sqlite3.connect(database)) as file:
        (table,) = file.execute("SELECT id FROM tables WHERE state = 'finished'").fetchone()
    change(database, f"UPDATE tables SET seed = '{'ab' * 32}' WHERE id = '{table}'")
    found = examined(database)["tables"]
    assert found.level == "problem"
    assert table in found.text


def test_only_a_deep_look_replays_every_table(database: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(tables)")]
        others = ", ".join(column for column in columns if column not in ("id", "created"))
        for number in range(20):
            file.execute(
                f"INSERT INTO tables (id, created, {others}) SELECT printf('%012x', ?), created + 1 + ?, {others} "
                "FROM tables WHERE state = 'open' LIMIT 1",
                (number, number),
            )
            file.execute("UPDATE tables SET version = 0 WHERE id = printf('%012x', ?)", (number,))
        file.commit()
    change(database, "DELETE FROM entries WHERE number = 5")
    assert examined(database)["tables"].level == "ok"
    assert "20 of 23" in examined(database)["tables"].text
    assert examined(database, deep=True)["tables"].level == "problem"


def test_another_schema_is_noticed(database: str, tmp_path: Path) -> None:
    async def make_old(address: str) -> None:
        async with open_empty(address, "0001"):
            pass

    old = str(tmp_path / "old.db")
    asyncio.run(make_old(settings_for(old).database))
    assert examined(old)["schema"].level == "warning"
    assert "make a backup first" in examined(old)["schema"].text
    change(database, "UPDATE alembic_version SET version_num = '9999'")
    assert examined(database)["schema"].level == "problem"
    assert "tables" not in examined(database)


def test_redis_that_is_gone_is_a_problem() -> None:
    assert asyncio.run(check_redis("redis://127.0.0.1:1/0")).level == "problem"


def test_settings_that_deserve_a_warning(database: str) -> None:
    def warned(**more: Any) -> list[str]:
        return [each.check for each in check_settings(settings_for(database, **more)) if each.level == "warning"]

    assert warned() == []
    assert warned(secret="short") == ["secret"]
    assert warned(secret="x" * 40) == []
    assert warned(redis="redis://127.0.0.1/0") == ["workers"]
    assert check_page(settings_for(database, page="/nowhere")).level == "problem"


def test_a_variable_that_is_nearly_a_setting_is_named(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WELLIES_PROT", "80")
    monkeypatch.setenv("WELLIES_ZZZZ", "of another program")
    monkeypatch.setenv("WELLIES_NEED_REDIS", "1")
    monkeypatch.setenv("WELLIES_PORT", "8000")
    said = [each.text for each in check_settings(settings_for(database)) if each.level == "warning"]
    assert said == ['WELLIES_PROT is not a setting and has no effect. Did you mean "port"?']


class Alive(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"alive":true}')

    def log_message(self, *_args: Any) -> None: ...


@pytest.fixture
def wellies_port() -> Iterator[int]:
    server = http.server.HTTPServer(("127.0.0.1", 0), Alive)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_port_may_be_free_or_used_by_wellies_but_not_by_others(database: str, wellies_port: int) -> None:
    assert check_port(settings_for(database)).level == "ok"
    found = check_port(settings_for(database, port=wellies_port))
    assert (found.level, "a server runs" in found.text) == ("ok", True)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other_port = other.getsockname()[1]
        threading.Thread(target=lambda: other.accept()[0].close(), daemon=True).start()
        assert check_port(settings_for(database, port=other_port)).level == "problem"


def test_the_command_prints_each_check_and_ends_with_1_if_there_is_a_problem(
    database: str, page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WELLIES_PAGE", page)
    monkeypatch.setenv("WELLIES_STAND_IN_LEVEL", "greedy")
    assert run_command(["doctor", "--database", database, "--port", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.split()[0] in ("ok", "warning") for line in lines)
    change(database, "DELETE FROM entries WHERE number = 5")
    assert run_command(["doctor", "--database", database, "--port", "0", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [each["check"] for each in told if each["level"] == "problem"] == ["tables"]


def test_settings_that_cannot_be_used_are_told_as_json_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WELLIES_PORT", "abc")
    assert run_command(["doctor", "--json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["check"], told["level"]) == ("settings", "problem")
    assert "WELLIES_PORT" in told["text"]


def test_a_server_does_not_start_on_a_database_that_it_cannot_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "wellies.db")
    asyncio.run(migrated(file))
    # SQLite itself then refuses to write, as it does with a file that this user may only read. Root may write any file.
    monkeypatch.setattr("wellies.server.storage.database.SQLITE_PRAGMAS", (*SQLITE_PRAGMAS, "PRAGMA query_only = 1"))
    with pytest.raises(StorageTrouble, match="it is read-only; its owner must make it writable"):
        asyncio.run(migrated(file))


async def migrated(database: str) -> None:
    storage = Storage(settings_for(database).database)
    try:
        await storage.migrate()
    finally:
        await storage.close()


async def emptied(database: str) -> None:
    async with open_empty(settings_for(database).database, known_revisions()[-1]):
        pass


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE entries (x, note)")
        other.commit()
    assert "tables of another program (entries)" in examined(str(file))["database"].text
    with pytest.raises(StorageTrouble, match="another program"):
        asyncio.run(migrated(str(file)))
    with pytest.raises(StorageTrouble, match="another program"):
        asyncio.run(emptied(str(file)))
    with contextlib.closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("entries",)]


def test_files_of_a_database_are_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "wellies.db"
    before = os.umask(0o022)
    try:
        asyncio.run(migrated(str(file)))
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "rights" not in examined(str(file))
    file.chmod(0o644)
    assert "chmod 600" in examined(str(file))["rights"].text


def test_a_user_who_may_not_make_tables_is_told() -> None:
    async def make_role() -> None:
        connection = await asyncpg.connect(database)
        await connection.execute("DROP ROLE IF EXISTS wellies_reader")
        await connection.execute("CREATE ROLE wellies_reader LOGIN")
        await connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        await connection.close()

    with postgres_database() as database:
        asyncio.run(make_role())
        found = examined(database.replace("postgres@", "wellies_reader@"))
        assert found["schema"].level == "problem"
        assert "grant it CREATE" in found["schema"].text
