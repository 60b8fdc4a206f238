"""PostgreSQL and Redis for the tests: private servers, which one run of pytest starts and stops.

The first test that asks for a server starts it, in a temporary folder and on a free port; all workers of the run share
it. WELLIES_TEST_POSTGRES and WELLIES_TEST_REDIS name running servers to use instead.

A test that needs a program which is not installed is skipped, and the last lines of the run say so. With
WELLIES_NEED_POSTGRES=1, WELLIES_NEED_REDIS=1 or WELLIES_NEED_BROWSER=1 such a test fails.

Each server is the child of a small process, which is this file run as a program. It stops the server when the run ends,
also when the run was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

FOLDER = "WELLIES_TEST_SERVERS"
"""The environment variable with the folder of this run: its `owner` file holds the process id of the run."""

INSTALL = {
    "PostgreSQL": "on Debian: apt install postgresql",
    "Redis": "on Debian: apt install redis-server",
    "nginx": "on Debian: apt install nginx-light",
    "a browser": "on Debian: apt install chromium-headless-shell; elsewhere: .venv/bin/playwright install chromium",
    "a browser with notifications": "on Debian: apt install chromium; elsewhere: .venv/bin/playwright install chromium",
    "libfaketime": "on Debian: apt install libfaketime",
    "network namespaces": "on Linux, as root, with /dev/net/tun; on Debian: apt install iproute2",
    "mounting a disk": "on Linux, as root",
}
INSIST = {
    "PostgreSQL": "WELLIES_NEED_POSTGRES",
    "Redis": "WELLIES_NEED_REDIS",
    "nginx": "WELLIES_NEED_NGINX",
    "a browser": "WELLIES_NEED_BROWSER",
    "a browser with notifications": "WELLIES_NEED_BROWSER",
    "libfaketime": "WELLIES_NEED_FAKETIME",
    "network namespaces": "WELLIES_NEED_NAMESPACES",
    "mounting a disk": "WELLIES_NEED_MOUNT",
}
SKIPPED = "not installed: "
"""How the reason of such a skip begins."""

LONGEST = 120.0
"""A server has started, or stopped, within so many seconds, however busy the machine."""


def skip_without(program: str, detail: str = "") -> NoReturn:
    """Skip the test that is running, for a program is missing; fail it where the program is insisted on."""
    if os.environ.get(INSIST[program]):
        pytest.fail(f"{program} is missing, and {INSIST[program]} is set ({INSTALL[program]}). {detail}")
    pytest.skip(f"{SKIPPED}{program}")


def not_tested(reasons: list[str]) -> list[str]:
    """One line for each missing program, from the reasons of all skipped tests."""
    found = [reason.split(SKIPPED, 1)[1] for reason in reasons if SKIPPED in reason]
    return [
        f"NOT TESTED: {found.count(program)} tests need {program}, which is not installed ({INSTALL[program]})."
        for program in sorted(set(found))
    ]


# --- what tests ask for -----------------------------------------------------------------------------------------------


def postgres_url() -> str:
    """A PostgreSQL on which databases can be made, such as postgresql://postgres@127.0.0.1:5432."""
    return os.environ.get("WELLIES_TEST_POSTGRES") or _shared("PostgreSQL", find_postgres)


def redis_url() -> str:
    """Database 0 of a Redis, such as redis://127.0.0.1:6379/0."""
    return os.environ.get("WELLIES_TEST_REDIS") or _shared("Redis", find_redis)


def find_postgres() -> str | None:
    """The folder with `initdb` and `postgres`. Debian keeps it out of PATH."""
    on_path = [str(Path(found).parent) for found in [shutil.which("initdb")] if found]
    known = ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin"]
    folders = on_path + [folder for pattern in known for folder in sorted(glob.glob(pattern), reverse=True)]
    return next((each for each in folders if Path(each, "initdb").exists() and Path(each, "postgres").exists()), None)


def find_redis() -> str | None:
    return shutil.which("redis-server") or shutil.which("valkey-server")


# --- one server for all workers of a run ------------------------------------------------------------------------------


def open_run() -> bool:
    """Say where this run keeps its servers; False if this process is a worker of a run that has said so."""
    if os.environ.get(FOLDER):
        return False
    folder = tempfile.mkdtemp(prefix="wellies-test-servers-")
    Path(folder, "owner").write_text(str(os.getpid()), encoding="ascii")
    os.environ[FOLDER] = folder
    return True


def close_run() -> None:
    """Stop all servers of this run, and wait for it."""
    folder = Path(os.environ.pop(FOLDER))
    (folder / "owner").unlink()
    with contextlib.suppress(TimeoutError):
        wait_until(lambda: not list(folder.glob("*.address")), "the servers of the tests did not stop")
    shutil.rmtree(folder, ignore_errors=True)


def _shared(program: str, find: Callable[[], str | None]) -> str:
    """The address of the run's server, which is started if it does not run yet."""
    if find() is None:
        skip_without(program)
    folder = Path(os.environ[FOLDER])
    address = folder / f"{program}.address"
    with (folder / f"{program}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            log = folder / f"{program}.log"
            with log.open("wb") as output:
                keeper = subprocess.Popen(
                    [sys.executable, __file__, program, str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            wait_until(
                lambda: address.exists() or keeper.poll() is not None,
                f"{program} did not start: {log.read_text(encoding='utf-8', errors='replace')}",
            )
            assert address.exists(), log.read_text(encoding="utf-8", errors="replace")
    return address.read_text(encoding="ascii")


def wait_until(happened: Callable[[], bool], trouble: str) -> None:
    """Look again and again; the ceiling is far above what a busy machine needs."""
    end = time.monotonic() + LONGEST
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(trouble)
        time.sleep(0.02)


# --- the process that keeps a server ----------------------------------------------------------------------------------


def keep(program: str, folder: Path) -> None:
    """Start a server, write down its address, and stop it when the run is over or this process is told to stop."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit())
    address = folder / f"{program}.address"
    with {"PostgreSQL": run_postgres, "Redis": run_redis}[program]() as url:
        part = address.with_suffix(".part")
        part.write_text(url, encoding="ascii")
        part.rename(address)
        while _run_goes_on(folder):
            time.sleep(0.2)
    address.unlink(missing_ok=True)
    if not (folder / "owner").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)  # the run was killed


def _run_goes_on(folder: Path) -> bool:
    try:
        os.kill(int((folder / "owner").read_text(encoding="ascii")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return True


@contextlib.contextmanager
def run_postgres() -> Iterator[str]:
    """A PostgreSQL that keeps nothing safe: its data is thrown away."""
    data = tempfile.mkdtemp(prefix="wellies-test-postgres-")
    loose = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]
    try:
        lower = make_postgres_data(data)
        with _listening(
            lambda port: postgres_command(data, port, *loose), postgres_answers, signal.SIGQUIT, lower
        ) as port:
            yield f"postgresql://postgres@127.0.0.1:{port}"
    finally:
        shutil.rmtree(data, ignore_errors=True)


def make_postgres_data(data: str, *options: str) -> dict[str, Any]:
    """Make the data folder of a PostgreSQL; returns how `subprocess` must start its programs. They refuse to run as
    root, so that another user runs them then."""
    binaries = find_postgres()
    assert binaries is not None
    lower: dict[str, Any] = {"cwd": data}
    if os.geteuid() == 0:
        user = unprivileged_user()
        os.chown(data, user.pw_uid, user.pw_gid)
        lower |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    command = [f"{binaries}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
    subprocess.run([*command, "--no-sync", *options], check=True, stdout=subprocess.DEVNULL, **lower)
    return lower


def postgres_command(data: str, port: int, *settings: str, host: str = "127.0.0.1") -> list[str]:
    """How to start a PostgreSQL on this data folder."""
    given = [*settings, "unix_socket_directories=", f"listen_addresses={host}"]
    words = [word for setting in given for word in ("-c", setting)]
    return [f"{find_postgres()}/postgres", "-D", data, "-p", str(port), *words]


def postgres_answers(port: int, host: str = "127.0.0.1") -> bool:
    import asyncpg  # here, so that a run without PostgreSQL needs no driver for it

    async def connect() -> None:
        await (await asyncpg.connect(f"postgresql://postgres@{host}:{port}/postgres", timeout=LONGEST)).close()

    with contextlib.suppress(OSError, asyncpg.PostgresError):
        asyncio.run(connect())
        return True
    return False


def unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise LookupError("PostgreSQL does not run as root, and there is no user postgres or nobody")


@contextlib.contextmanager
def run_redis() -> Iterator[str]:
    """A Redis that stores nothing."""
    with _listening(redis_command, redis_answers, signal.SIGKILL, {}) as port:
        yield f"redis://127.0.0.1:{port}/0"


def redis_command(port: int, host: str = "127.0.0.1") -> list[str]:
    """How to start a Redis that stores nothing."""
    program = find_redis()
    assert program is not None
    return [program, "--port", str(port), "--bind", host, "--save", "", "--appendonly", "no", "--protected-mode", "no"]


def redis_answers(port: int, host: str = "127.0.0.1") -> bool:
    with contextlib.suppress(OSError), socket.create_connection((host, port), LONGEST) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(7) == b"+PONG\r\n"
    return False


def _die_with_the_parent() -> None:
    """In the child: on Linux a server does not outlive its keeper, however that one ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG


@contextlib.contextmanager
def _listening(
    command: Callable[[int], list[str]], answers: Callable[[int], bool], stop: signal.Signals, more: dict[str, Any]
) -> Iterator[int]:
    """A server on a free port. Another program may take the port first: then it is tried on another one."""
    for _ in range(5):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(command(port), preexec_fn=_die_with_the_parent, **more)
        try:
            end = time.monotonic() + LONGEST
            while server.poll() is None and not answers(port):
                assert time.monotonic() < end, f"{command(port)[0]} does not answer"
                time.sleep(0.02)
            if server.poll() is None:
                yield port
                return
        finally:
            if server.poll() is None:
                server.send_signal(stop)
            server.wait()
    raise RuntimeError(f"{command(0)[0]} does not start")


if __name__ == "__main__":
    keep(sys.argv[1], Path(sys.argv[2]))
