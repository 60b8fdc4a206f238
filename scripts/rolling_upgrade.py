"""Replaces two servers of an older version by this version, one after the other, while people play.

    .venv/bin/python scripts/rolling_upgrade.py --from REF

REF is a commit, branch or tag of this repository. The old version gets a folder and an environment of its own under
build/upgrade. PostgreSQL and Redis are started for the purpose, as in the tests.

The two people of each table sit at different servers, so every move goes from one server to the other by a message; at
some tables a bot plays too. At the end, all moves that were acknowledged must be in the log, once and in order, every
player must see what the log says, and messages between servers of both versions, and between new ones, must have
arrived at once and not only by the regular look into the database. The exit code is 1 if not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from services import run_postgres, run_redis  # noqa: E402

from wellies.client import Client, Disconnected, ServerRefused, TableView  # noqa: E402

LONGEST = 300.0
GAMES = ("guppies", "umbradeco", "aquarium", "puppies", "marram")
SETTINGS = {
    "LOG": "warning",
    "LOG_FORMAT": "json",
    "REQUESTS_PER_SECOND": "0",
    "GUESTS_PER_MINUTE": "0",
    "MESSAGES_PER_SECOND": "0",
    "SOCKETS_EACH": "0",
    "BOT_PROCESSES": "1",
    "STAND_IN_SECONDS": "0",
}
PACE = 0.05
"""Seconds between the moves of a table."""
TOO_LATE = 0.9
"""Seconds. A server looks into the database once a second: a message that takes about as long was not understood."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Upgrade two servers one after the other while people play.")
    parser.add_argument("--from", dest="ref", required=True, help="the older version, a commit of this repository")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each of the three phases takes")
    parser.add_argument("--tables", type=int, default=10)
    given = parser.parse_args()
    old = old_version(given.ref)
    with run_postgres() as postgres, run_redis() as redis:
        told = asyncio.run(upgrade(old, postgres, redis, given.seconds, given.tables))
    print("\n".join(told.lines))
    if told.problems:
        sys.exit("rolling_upgrade: " + "; ".join(told.problems))
    print("No acknowledged move was lost, and everyone sees what the log says.")


# --- the older version ------------------------------------------------------------------------------------------------


def old_version(ref: str) -> Path:
    """The Python of an environment in which this version of Wellies is installed. It is made once for each commit."""
    found = subprocess.run(
        ["git", "rev-parse", "--short=12", f"{ref}^{{commit}}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(f"rolling_upgrade: there is no commit {ref!r} in this repository.")
    folder = ROOT / "build" / "upgrade" / found.stdout.strip()
    python = folder / "venv" / "bin" / "python"
    if (folder / "ready").exists():
        return python
    print(f"installing {ref} in {folder}")
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.Popen(["git", "archive", found.stdout.strip()], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "--extract", "--directory", source], stdin=archive.stdout, check=True)
    uv = [str(Path(sys.executable).with_name("uv"))]
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder / "venv"], check=True)
    # Extras that a version does not have are only warned of: then the package itself has these dependencies.
    wanted = [f"{source}[scale,client]", "setuptools", "--constraint", str(source / "requirements.lock")]
    environment = {**os.environ, "VIRTUAL_ENV": str(folder / "venv"), "WELLIES_COMPILE": "0"}
    subprocess.run([*uv, "pip", "install", "--quiet", *wanted], env=environment, check=True)
    (folder / "ready").touch()
    return python


# --- servers ----------------------------------------------------------------------------------------------------------


class Server:
    """One server process at a port, of whichever version."""

    def __init__(self, python: Path | str, port: int, environment: dict[str, str], log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [python, "-m", "wellies", "serve", "--port", str(port)],
                env={**os.environ, **environment, "PYTHONPATH": ""},
                cwd=log.parent,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    async def ready(self) -> Server:
        end = time.monotonic() + LONGEST
        async with httpx.AsyncClient(trust_env=False, timeout=5) as http:
            while time.monotonic() < end and self._process.poll() is None:
                with contextlib.suppress(httpx.HTTPError):
                    if (await http.get(f"{self.url}/ready")).status_code == 200:
                        return self
                await asyncio.sleep(0.05)
        raise RuntimeError(f"the server does not start: {self.log.read_text(encoding='utf-8')[-2000:]}")

    async def stop(self) -> float:
        """Stop as systemd does; returns how many seconds it took."""
        began = time.monotonic()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(self._process.wait, LONGEST)
        return time.monotonic() - began

    def kill(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


# --- players ----------------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """What was seen."""

    lines: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    delays: dict[str, list[float]] = field(default_factory=dict)
    """By phase: seconds from the acknowledgement of a move until the other player's server has shown it."""
    moves: dict[str, int] = field(default_factory=dict)
    phase: str = "old"
    disconnections: int = 0
    """How often a move could not be sent, or its answer was lost with the connection."""
    views: int = 0
    stopping: bool = False
    restarting: set[str] = field(default_factory=set)
    """Servers that are being replaced."""


@dataclass
class Table:
    """A table with two people at two servers, and perhaps a bot."""

    id: str
    views: list[TableView]
    acknowledged: list[tuple[int, int, str]] = field(default_factory=list)
    """Version, seat and move, as the server told when it was stored."""


async def play_games(clients: list[Client], number: int, told: Told, tables: list[Table]) -> None:
    """Play game after game at one place until told to stop."""
    host = 0
    while not told.stopping:
        async with contextlib.AsyncExitStack() as stack:
            try:
                table = await _sit_down(stack, clients, GAMES[number % len(GAMES)], number, host)
            except (ServerRefused, Disconnected, httpx.HTTPError):
                # A server is being replaced, or cannot open a table of the other.
                host = 1 - host
                await asyncio.sleep(0.2)
                continue
            tables.append(table)
            await play(table, told, random.Random(number))
            await _check_views(clients, table, told)


async def play(table: Table, told: Told, rng: random.Random) -> None:
    """Play until the end, or until told to stop. A move whose answer is lost is made again if it is still due."""
    while not told.stopping and not any(view.finished for view in table.views):
        await asyncio.sleep(PACE)
        due = [seat for seat, view in enumerate(table.views) if view.decision and view.decision["due"] and view.legal]
        if not due:
            continue
        seat = rng.choice(due)
        view = table.views[seat]
        move = rng.choice(view.legal)
        try:
            version = (await view.play(move))["version"]
        except Disconnected:
            told.disconnections += 1
            continue
        except ServerRefused as error:
            told.refused[error.code] = told.refused.get(error.code, 0) + 1
            continue
        table.acknowledged.append((version, seat, move))
        told.moves[told.phase] = told.moves.get(told.phase, 0) + 1
        await _measure(table.views[1 - seat], version, told)


async def _measure(other: TableView, version: int, told: Told) -> None:
    """How long the other player waits for the move, if both servers are there all the time."""
    phase, quiet, began = told.phase, not told.restarting, time.monotonic()
    with contextlib.suppress(Disconnected, TimeoutError):
        await other.until(lambda now: now.version >= version or told.stopping, timeout=30)
        if quiet and not told.restarting and phase == told.phase and other.version >= version:
            told.delays.setdefault(phase, []).append(time.monotonic() - began)


async def upgrade(old: Path, postgres: str, redis: str, seconds: float, count: int) -> Told:
    name = f"wellies_{uuid.uuid4().hex[:12]}"
    administrator = await asyncpg.connect(f"{postgres}/postgres")
    await administrator.execute(f"CREATE DATABASE {name}")
    await administrator.close()
    database = f"{postgres}/{name}"
    environment = {f"WELLIES_{key}": value for key, value in SETTINGS.items()}
    environment |= {"WELLIES_DATABASE": database, "WELLIES_REDIS": redis}
    folder = ROOT / "build" / "upgrade"
    ports = [free_port(), free_port()]
    logs = [folder / f"server-{number}.log" for number in (1, 2)]
    for log in logs:
        log.unlink(missing_ok=True)
    told = Told()
    servers = [Server(old, port, environment, log) for port, log in zip(ports, logs, strict=True)]
    try:
        for server in servers:
            await server.ready()
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(server.url, timeout=LONGEST)) for server in servers]
            for number, client in enumerate(clients):
                await client.guest(f"Player {number + 1}")
            tables: list[Table] = []
            playing = [asyncio.create_task(play_games(clients, number, told, tables)) for number in range(count)]
            await asyncio.sleep(seconds)
            for number, phase in enumerate(("mixed", "new")):
                await _replace(servers, number, ports[number], environment, logs[number], told)
                told.phase = phase
                if phase == "mixed":
                    await _check_new_table(clients, told)
                await asyncio.sleep(seconds)
            told.stopping = True
            await asyncio.gather(*playing)
            await _check_logs(database, tables, told)
    finally:
        for server in servers:
            server.kill()
    _report(told, logs)
    return told


async def _sit_down(
    stack: contextlib.AsyncExitStack, clients: list[Client], game: str, number: int, host: int
) -> Table:
    seats = ["open", "open", *(["shower"] if number % 3 == 0 else [])]
    seats[host] = "me"
    options = {"tiles": 64} if game == "guppies" else {}
    made = await clients[host].create_table(game, seats, options=options)
    await clients[1 - host].join(made["id"], 1 - host, made["invite"])
    await clients[host].act(made["id"], "start")
    views = [
        await stack.enter_async_context(client.table(made["id"], seat=seat, legal="text", patience=LONGEST))
        for seat, client in enumerate(clients)
    ]
    return Table(made["id"], views)


async def _replace(
    servers: list[Server], number: int, port: int, environment: dict[str, str], log: Path, told: Told
) -> None:
    """Stop one server, and start this version at its port."""
    told.restarting.add(servers[number].url)
    stopped = await servers[number].stop()
    began = time.monotonic()
    servers[number] = await Server(sys.executable, port, environment, log).ready()
    started = time.monotonic() - began
    told.lines.append(f"server {number + 1}: stopped in {stopped:.1f} s, and ready again {started:.1f} s later")
    # Players come back by themselves, with a pause of up to a second.
    await asyncio.sleep(2.5)
    told.restarting.clear()


async def _check_new_table(clients: list[Client], told: Told) -> None:
    """Whether a table that is made at the new server can be opened at the old one."""
    made = await clients[0].create_table("guppies", ["me", "open"])
    try:
        await clients[1].join(made["id"], 1, made["invite"])
        told.lines.append("a table made at the new server can be opened at the old one")
    except ServerRefused as error:
        told.lines.append(f"a table made at the new server cannot be opened at the old one: {error}")


# --- afterwards -------------------------------------------------------------------------------------------------------


async def _check_logs(database: str, tables: list[Table], told: Told) -> None:
    """Every acknowledged move is in the log once, where the server said; numbers have no gap."""
    connection = await asyncpg.connect(database)
    lost = 0
    for table in tables:
        rows = await connection.fetch(
            "SELECT number, kind, seat, text FROM entries WHERE table_id = $1 ORDER BY number", table.id
        )
        if [row["number"] for row in rows] != list(range(1, len(rows) + 1)):
            told.problems.append(f"the log of {table.id} has gaps")
        moves = [(row["number"], row["seat"], row["text"]) for row in rows if row["kind"] == "move"]
        before = 0
        for version, seat, move in table.acknowledged:
            # Chance may have moved in the same change, so the number is not always the version itself.
            matching = [
                number for number, at, text in moves if before < number <= version and (at, text) == (seat, move)
            ]
            if not matching:
                lost += 1
                told.problems.append(f"move {move!r} of seat {seat} at {table.id}, version {version}, is lost")
            else:
                before = matching[0]
    await connection.close()
    made = sum(len(table.acknowledged) for table in tables)
    told.lines.append(f"{made} acknowledged moves at {len(tables)} tables, {lost} lost")


async def _check_views(clients: list[Client], table: Table, told: Told) -> None:
    """What each player has seen last is what a new connection shows."""
    while True:
        try:
            for seat, client in enumerate(clients):
                async with client.table(table.id, seat=seat, legal="text") as fresh:
                    seen = table.views[seat]
                    # A bot may move meanwhile.
                    await seen.until(lambda now, fresh=fresh: now.version == fresh.version, timeout=60)
                    told.views += 1
                    if (seen.view, seen.legal) != (fresh.view, fresh.legal):
                        told.problems.append(f"seat {seat} of {table.id} does not see what the log says")
        except (Disconnected, ServerRefused, httpx.HTTPError):
            await asyncio.sleep(0.2)  # a server is being replaced
        except TimeoutError:
            told.problems.append(f"a player of {table.id} does not get what is new")
            return
        else:
            return


def _report(told: Told, logs: list[Path]) -> None:
    for phase in ("old", "mixed", "new"):
        delays = sorted(told.delays.get(phase, []))
        if not delays:
            told.problems.append(f"nobody played while the servers were {phase}")
            continue
        middle = statistics.median(delays)
        told.lines.append(
            f"{phase}: {told.moves.get(phase, 0)} moves; the other server showed half of them within "
            f"{middle * 1000:.0f} ms, 95 % within {delays[int(len(delays) * 0.95)] * 1000:.0f} ms"
        )
        if middle > TOO_LATE and phase != "old":
            told.problems.append(f"messages between {phase} servers do not arrive")
    told.lines.append(f"{told.views} views compared with those of new connections")
    told.lines.append(
        f"{told.disconnections} times a move could not be sent or was not answered, since the server was gone"
    )
    told.lines.append(f"refused moves, by code: {told.refused or 'none'}")
    for number, log in enumerate(logs, 1):
        lines = log.read_text(encoding="utf-8").splitlines()
        errors = [line for line in lines if '"level": "error"' in line or "Traceback" in line]
        told.lines.append(f"server {number}: {len(lines)} lines in its log, {len(errors)} errors")
        told.problems += [f"server {number}: {line[:200]}" for line in errors[:3]]


if __name__ == "__main__":
    main()
