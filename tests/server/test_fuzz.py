"""Inputs by the thousand, from a grammar of our own: whatever is sent, the answers are clean and others play on.

`WELLIES_FUZZ=100000` sends so many inputs, `WELLIES_FUZZ_SEED` others than usual.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from typing import Any, get_args

import pytest
from server.fuzz.answers import Problem, check_http, check_socket
from server.fuzz.found import FOUND
from server.fuzz.http_grammar import ROUTES
from server.fuzz.inputs import Input, World
from server.fuzz.search import make_input, search, shrink
from server.fuzz.socket_grammar import KINDS
from server.fuzz.target import Target
from services import redis_url

from wellies.server import schemas
from wellies.server.headers import answer_headers
from wellies.server.messages import FromClient

HEAD = b"HTTP/1.1 "
HEADERS = b"".join(
    b"%s: %s\r\n" % header for header in answer_headers([(b"content-type", b"application/json")], "http")
)
SOAK = "WELLIES_FUZZ" in os.environ
COUNT = int(os.environ.get("WELLIES_FUZZ", "600"))
SEED = os.environ.get("WELLIES_FUZZ_SEED", "rain")


def fuzz(count: int, **more: Any) -> None:
    """Send what was found earlier, then so many new inputs."""

    async def run() -> None:
        target = Target(**more)
        try:
            for given in FOUND:
                problem = await target.fails(given)
                assert problem is None, f"{problem}\n{given}"
            before = target.megabytes()
            await search(target, count, SEED)
            report(target, count, before)
        finally:
            await target.close()

    asyncio.run(run())


def report(target: Target, count: int, before: int) -> None:
    print(f"\n{count} inputs, {target.canary.moves} moves of others in {target.canary.games} games")
    print(f"memory: {before} MB before, {target.megabytes()} MB after")
    for what, times in sorted(target.seen.items()):
        print(f"{times:9d}  {what}")


def test_no_input_disturbs_the_server() -> None:
    fuzz(COUNT)


@pytest.mark.skipif(not SOAK, reason="the same again, for `make soak`")
def test_no_input_disturbs_two_workers_that_hand_sockets_over() -> None:
    fuzz(COUNT // 5, workers=2, redis=redis_url())


# --- the fuzzer itself ----------------------------------------------------------------------------------------------


def test_every_route_and_message_of_the_server_is_sent() -> None:
    def plain(path: str) -> str:
        return re.sub(r"\{[^}]*\}", "{}", path.removesuffix("{query}"))

    served = {
        (method.upper(), plain(str(path))) for path, methods in schemas.openapi()["paths"].items() for method in methods
    }
    sent = {(method, plain(path)) for _, method, path, _ in ROUTES}
    assert served <= sent, "these routes are not in the grammar"
    assert {kind.__struct_config__.tag for kind in get_args(FromClient)} == set(KINDS)


def test_an_input_can_be_made_again() -> None:
    world = World([b"c" * 119], [b"t" * 26], [b"i" * 22], [b"p" * 16], ["Game: guppies\n"])
    inputs = [make_input(SEED, number, world) for number in range(300)]
    assert inputs == [make_input(SEED, number, world) for number in range(300)]
    assert len(set(inputs)) > 290
    other = World([b"d" * 119], [b"u" * 26], [b"j" * 22], [b"q" * 16], ["Game: guppies\n"])
    marked = world.hide(inputs[1])
    assert world.fill(marked) == inputs[1]
    assert len(b"".join(other.fill(marked).pieces)) == len(b"".join(inputs[1].pieces))


def test_a_failing_input_is_made_short() -> None:
    async def fails(given: Input) -> bool:
        return b"bug" in b"".join(given.pieces) and len(given.pieces) > 1

    long = Input("http", (b"some text before", b"and the bug in it", b"and after"))
    short = asyncio.run(shrink(long, fails))
    assert len(short.pieces) == 2
    assert b"bug" in b"".join(short.pieces)
    assert len(b"".join(short.pieces)) == 3


@pytest.mark.parametrize(
    "bad",
    [
        b"HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        HEAD + b"404 Not Found\r\n" + HEADERS + b"content-length: 4\r\n\r\noops",
        HEAD + b"503 Trouble\r\n" + HEADERS + b'content-length: 29\r\n\r\n{"code":"x","message":"words"}',
        HEAD + b"200 OK\r\n" + HEADERS + b"content-length: 9\r\n\r\nTraceback",
        b"nonsense\r\n\r\n",
    ],
)
def test_a_bad_answer_is_a_problem(bad: bytes) -> None:
    with pytest.raises(Problem):
        check_http(bad, Counter())


@pytest.mark.parametrize(
    "bad",
    [
        b"\x81\x05{half",
        b'\x81\x0f{"type":"what"}',
        b'\x81\x37{"type":"error","id":"","code":"internal","message":""}',
        b"\x88\x02\x03\xf3",
        b"\x83\x00",
    ],
)
def test_a_bad_frame_is_a_problem(bad: bytes) -> None:
    with pytest.raises(Problem):
        check_socket(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + bad, Counter())
