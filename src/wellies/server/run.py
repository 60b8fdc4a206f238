"""Starts the server: one process, or several on one listening socket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import tempfile
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import structlog
import uvicorn

from wellies.core.errors import WelliesError
from wellies.server import hand_over
from wellies.server.app import create_app
from wellies.server.channels import ChannelTrouble, open_channels
from wellies.server.guard import Guard
from wellies.server.settings import BadSetting, Settings
from wellies.server.socket_wire import LimitedSocket
from wellies.server.storage import Storage, StorageTrouble
from wellies.server.wire import LimitedConfig
from wellies.server.worker import WorkerConfig, Workers, set_up_process

log = structlog.get_logger("wellies.run")

FOLDER_PREFIX: Final = "wellies-workers-"
NEW_FOLDER_SECONDS: Final = 60.0


def listen(settings: Settings) -> socket.socket:
    """The listening socket. BadSetting says why it cannot be opened."""
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(2048)
    except OSError as error:
        place = f"{settings.host}:{settings.port}"
        why = {
            98: f"port {settings.port} is in use; choose another with --port, or stop what uses it",
            48: f"port {settings.port} is in use; choose another with --port, or stop what uses it",
            13: f"port {settings.port} needs more rights; choose one above 1023",
        }.get(error.errno or 0, error.strerror or str(error))
        raise BadSetting(f"cannot listen on {place}: {why}.") from error
    listening.set_inheritable(True)
    return listening


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


async def check_connections(settings: Settings) -> list[tuple[str, str]]:
    """Try the database and Redis, and describe what works. StorageTrouble or ChannelTrouble if one does not."""
    storage = Storage(settings.database)
    found = []
    try:
        await storage.migrate()
        await storage.ping()
        found.append(("database", f"{storage.where} answers and is up to date"))
    finally:
        await storage.close()
    if settings.redis:
        channels = open_channels(settings.redis)
        try:
            await channels.ping()
            found.append(("redis", "answers"))
        finally:
            await channels.stop()
    return found


def config_for(app: Guard, settings: Settings) -> uvicorn.Config:
    """The configuration of uvicorn for one process."""
    return LimitedConfig(app, settings, **uvicorn_options(settings))


def uvicorn_options(settings: Settings) -> dict[str, Any]:
    """What one process and each of several have in common."""
    return {
        "lifespan": "on",
        "access_log": False,
        "log_config": None,
        "server_header": False,
        # With nothing given, uvicorn would believe any process of this machine.
        "forwarded_allow_ips": settings.trusted_proxies or os.environ.get("FORWARDED_ALLOW_IPS", ""),
        "ws": LimitedSocket,
        # Larger than what we accept, so that a message that is a little too big still gets an answer.
        "ws_max_size": 16 * settings.message_bytes,
        "ws_per_message_deflate": settings.compress_sockets,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "timeout_graceful_shutdown": 5,
    }


def serve(settings: Settings, *, say: object = None, open_page: bool = False) -> None:
    """Serve until stopped. WelliesError if it cannot start."""
    set_up_process(settings)
    try:
        asyncio.run(check_connections(settings))
    except (StorageTrouble, ChannelTrouble) as error:
        raise BadSetting(str(error)) from error
    listening = listen(settings)
    where = address_of(listening)
    if callable(say):
        say(f"Wellies is at {where}  (Ctrl+C stops it)")
    if open_page:
        threading.Thread(target=_open_when_ready, args=(where,), daemon=True).start()
    if settings.workers == 1:
        server = uvicorn.Server(config_for(create_app(settings), settings))
        server.run(sockets=[listening])
        if not server.started:
            raise WelliesError("the server could not start; the log above says why.")
        return
    with meeting_folder() as folder:
        config = WorkerConfig(settings, folder, **uvicorn_options(settings))
        Workers(config, sockets=[listening]).run()


@contextlib.contextmanager
def meeting_folder() -> Iterator[Path | None]:
    """A folder of this user alone, where workers hand sockets over. None if that is impossible here."""
    with contextlib.ExitStack() as stack:
        folder = None
        if hand_over.is_possible():
            try:
                _remove_left_folders()
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX)))
                stack.enter_context(locked(folder))
            except OSError as error:
                log.warning("sockets are not handed over between workers: no temporary folder", reason=str(error))
        yield folder


def _remove_left_folders() -> None:
    """Remove the folders of servers of this user that were killed: nobody holds their lock any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.stat()
            is_new = time.time() - found.st_mtime < NEW_FOLDER_SECONDS  # its server may be about to lock it
            if found.st_uid != os.getuid() or is_new:
                continue
            with locked(folder):
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with this process. OSError if another process holds it."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _open_when_ready(where: str) -> None:
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"{where}/health", timeout=1):
                webbrowser.open(where)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
