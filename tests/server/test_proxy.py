"""The shipped configuration of nginx before two servers with PostgreSQL and Redis, as in compose.yaml."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from helpers import HERE
from server.serving import LONGEST, Worker, postgres_database
from services import redis_url, skip_without, wait_until

from wellies.client import Client

CONFIGURATION = HERE.parent / "deploy" / "nginx.conf"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def nginx(folder: Path, ports: dict[str, int]) -> Iterator[str]:
    """nginx with our configuration; only the addresses, and the folder of temporary files, are of this test."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        skip_without("nginx")
    port = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8")
    for name, at in ports.items():
        assert f"server {name}:8000 " in text
        text = text.replace(f"server {name}:8000 ", f"server 127.0.0.1:{at} ")
    text = re.sub(r"listen 8080\b", f"listen 127.0.0.1:{port}", text).replace("/tmp/", f"{folder}/")
    file = folder / "nginx.conf"
    file.write_text(text, encoding="utf-8")
    folder.chmod(0o755)
    tested = subprocess.run([program, "-t", "-c", file], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    with (folder / "nginx.log").open("wb") as log:
        server = subprocess.Popen([program, "-c", file, "-g", "daemon off;"], stdout=log, stderr=log)
    try:
        wait_until(lambda: _listens(port), "nginx does not start")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(LONGEST)


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Worker]]]:
    with postgres_database() as database:
        settings: dict[str, Any] = {"redis": redis_url(), "trusted_proxies": "127.0.0.1", "guests_per_minute": 3}
        workers = [Worker(database, **settings) for _ in range(2)]
        try:
            for worker in workers:
                worker.wait_ready()
            folder = tmp_path_factory.mktemp("nginx")
            ports = {f"wellies{number}": worker.port for number, worker in enumerate(workers, 1)}
            with nginx(folder, ports) as url:
                yield url, workers
        finally:
            for worker in workers:
                worker.stop()


def from_address(client: Client, address: str) -> Client:
    """The same client, at another address of this machine."""
    client.http = httpx.AsyncClient(
        base_url=client.url,
        timeout=LONGEST,
        trust_env=False,
        transport=httpx.AsyncHTTPTransport(local_address=address),
        cookies=client.http.cookies,
    )
    return client


def sockets(worker: Worker) -> int:
    text = httpx.get(f"{worker.url}/metrics", timeout=LONGEST, trust_env=False).text
    found = re.search(r"^wellies_sockets (\d+)", text, re.M)
    assert found is not None
    return int(found[1])


async def _play(views: list[Any], moves: int) -> None:
    for number in range(moves):
        while not (due := [view for view in views if view.decision and view.decision["due"] and view.legal]):
            await asyncio.sleep(0.01)
        view = due[0]
        version = (await view.play(view.legal[number % len(view.legal)]))["version"]
        for each in views:
            await each.until(lambda now, version=version: now.version >= version)


def test_people_play_through_the_proxy_and_go_on_when_a_server_is_killed(servers: tuple[str, list[Worker]]) -> None:
    url, workers = servers

    async def scenario() -> None:
        async with from_address(Client(url), "127.0.0.10") as ann, from_address(Client(url), "127.0.0.11") as ben:
            await ann.guest("Ann")
            await ben.guest("Ben")
            table = (await ann.create_table("guppies", ["me", "open"]))["id"]
            await ben.join(table)
            await ann.act(table, "start")
            async with (
                ann.table(table, seat=0, legal="text", patience=LONGEST) as first,
                ben.table(table, seat=1, legal="text", patience=LONGEST) as second,
            ):
                await _play([first, second], 5)
                # Both sit at one server, whichever it is.
                at = [await asyncio.to_thread(sockets, worker) for worker in workers]
                assert sorted(at) == [0, 2]
                version = first.version
                workers[at.index(2)].kill()
                await _play_on([first, second], 5)
                assert first.version > version
                assert [entry["number"] for entry in first.entries] == sorted(
                    {entry["number"] for entry in first.entries}
                )

    asyncio.run(asyncio.wait_for(_test_addresses(url, workers), LONGEST))
    asyncio.run(asyncio.wait_for(scenario(), LONGEST))


async def _play_on(views: list[Any], moves: int) -> None:
    """Play although the server of the table was killed: a move that is lost is made again."""
    from wellies.client import Disconnected, ServerRefused

    made = 0
    while made < moves:
        due = [view for view in views if view.decision and view.decision["due"] and view.legal]
        if not due:
            await asyncio.sleep(0.01)
            continue
        try:
            await due[0].play(due[0].legal[0])
            made += 1
        except (Disconnected, ServerRefused):
            await asyncio.sleep(0.05)


async def _test_addresses(url: str, workers: list[Worker]) -> None:
    """The servers count people by the address that the proxy names, and nobody can make one up."""
    async with from_address(Client(url), "127.0.0.20") as many, from_address(Client(url), "127.0.0.21") as other:
        codes = []
        for number in range(5):
            lie = {"X-Forwarded-For": f"203.0.113.{number}"}
            codes.append((await many.http.post("/api/v1/me", json={"name": "Ann"}, headers=lie)).status_code)
        assert codes[:3] == [201, 201, 201]
        assert codes[-1] == 429
        assert (await other.http.post("/api/v1/me", json={"name": "Ben"})).status_code == 201
        assert (await other.http.get("/metrics")).status_code == 403
        assert (await other.http.get("/")).status_code == 200
    async with from_address(Client(workers[0].url), "127.0.0.22") as past_the_proxy:
        codes = []
        for number in range(5):
            lie = {"X-Forwarded-For": f"203.0.113.{number}"}
            codes.append((await past_the_proxy.http.post("/api/v1/me", json={"name": "Eve"}, headers=lie)).status_code)
        assert codes[-1] == 429
