"""Settings: where they come from, and one clear line when they will not do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server.serving import LONGEST

from wellies.server.settings import HELP, BadSetting, Settings, load, mask
from wellies.server.storage.schema import META


def test_flags_come_before_environment_before_file_before_defaults(tmp_path: Path) -> None:
    config = tmp_path / "wellies.toml"
    config.write_text('port = 1\nhost = "a"\nlog = "error"\n')
    effective = load({"port": 3, "host": None}, config, {"WELLIES_PORT": "2", "WELLIES_HOST": "b"})
    assert (effective.settings.port, effective.settings.host, effective.settings.log) == (3, "b", "error")
    assert effective.origins["port"] == "flag --port"
    assert effective.origins["host"] == "environment WELLIES_HOST"
    assert effective.origins["log"] == f"file {config}"
    assert effective.origins["workers"] == "default"


def test_secrets_are_masked() -> None:
    given = {"WELLIES_SECRET": "very secret", "WELLIES_DATABASE": "postgresql://me:hidden@db/wellies"}
    shown = "\n".join(" ".join(row) for row in load({}, None, given).explain())
    assert "very secret" not in shown
    assert "hidden" not in shown
    assert "me:***@db" in shown
    assert mask("redis://:pass@host:1/0") == "redis://:***@host:1/0"


def test_every_setting_is_explained() -> None:
    assert list(HELP) == list(Settings.__struct_fields__)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ({"port": "many"}, "port"),
        ({"port": 70_000}, "0 to 65535"),
        ({"workers": 2}, "redis"),
        ({"workers": 0}, "1 to 256"),
        ({"redis": "localhost"}, "redis://"),
        ({"database": "mysql://x/y"}, "not supported"),
        ({"database": "://"}, "database"),
        ({"database": "sqlite://"}, "needs a file"),
        ({"log": "loud"}, "debug, info"),
        ({"hint_level": "stormy"}, "storm"),
        ({"stand_in_level": "sun"}, "there are: drizzle"),
        ({"analysis_seconds": 0}, "more than 0"),
    ],
)
def test_a_setting_that_will_not_do_is_named(flags: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSetting, match=says):
        load(flags, None, {})


def test_a_mistyped_setting_in_a_file_is_found(tmp_path: Path) -> None:
    config = tmp_path / "wellies.toml"
    config.write_text("prot = 1\n")
    with pytest.raises(BadSetting, match='Did you mean "port"'):
        load({}, config, {})
    config.write_text("port = = 1\n")
    with pytest.raises(BadSetting, match="not TOML"):
        load({}, config, {})


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("WELLIES_")}
    return subprocess.run(
        [sys.executable, "-m", "wellies", "serve", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def test_check_explains_and_tries(tmp_path: Path) -> None:
    done = serve("--check", "--port", "0", "--database", str(tmp_path / "x.db"))
    assert done.returncode == 0, done.stderr
    assert "port = 0  (flag --port" in done.stdout
    assert "answers and is up to date" in done.stdout


def test_a_server_that_cannot_start_says_why_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        wrong = [
            (["--port", port, "--database", str(tmp_path / "x.db")], "in use"),
            (["--database", "postgresql://nobody@127.0.0.1:1/none"], "cannot use the database"),
            (["--database", "/proc/none/x.db"], "cannot make the folder"),
        ]
        for arguments, says in wrong:
            done = serve(*arguments)
            assert done.returncode == 2, done.stderr
            assert says in done.stderr
            assert done.stderr.count("\n") == 1, done.stderr
            assert "Traceback" not in done.stderr


def test_the_command_line_does_not_import_the_server_unless_it_serves() -> None:
    code = "import sys, wellies.cli.app; assert not {'litestar', 'sqlalchemy', 'redis'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_migrations_make_what_the_program_expects(tmp_path: Path) -> None:
    """The tables that migrations make are those of the program, column by column."""
    import asyncio

    import sqlalchemy as sa

    from wellies.server.storage import Storage

    async def columns() -> dict[str, set[str]]:
        storage = Storage(load({"database": str(tmp_path / "x.db")}, None, {}).settings.database)
        await storage.migrate()

        def look(connection: sa.Connection) -> dict[str, set[str]]:
            inspector = sa.inspect(connection)
            names = [name for name in inspector.get_table_names() if name != "alembic_version"]
            return {name: {column["name"] for column in inspector.get_columns(name)} for name in names}

        async with storage.engine.connect() as connection:
            found = await connection.run_sync(look)
        await storage.close()
        return found

    expected = {table.name: set(table.columns.keys()) for table in META.sorted_tables}
    assert asyncio.run(columns()) == expected
