"""The search for inputs that the server does not stand, and the shortest form of one that was found."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator

from server.fuzz.answers import Problem
from server.fuzz.http_grammar import http_input
from server.fuzz.inputs import Input, World
from server.fuzz.socket_grammar import socket_input
from server.fuzz.target import Target

AT_ONCE = 64
BATCH = 500
"""Inputs between two looks at the process, its log and the game of others."""
REPORT = 10_000
"""Inputs between two lines that say how far it is."""
MOST_TRIES = 400
"""Shorter inputs that are tried."""


def make_input(seed: str, number: int, world: World) -> Input:
    """The input with this number. Two of three are HTTP."""
    rng = random.Random(f"{seed} {number}")
    return (socket_input if number % 3 == 0 else http_input)(rng, world)


async def search(target: Target, count: int, seed: str) -> None:
    """Send so many inputs. AssertionError prints the first one that fails, made as short as possible."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def send(given: Input) -> tuple[Input, str] | None:
        async with gate:
            try:
                await target.send(given)
            except Problem as problem:
                return given, str(problem)
        return None

    for start in range(0, count, BATCH):
        await target.refresh()
        inputs = [make_input(seed, number, target.world) for number in range(start, min(start + BATCH, count))]
        found = [each for each in await asyncio.gather(*map(send, inputs)) if each is not None]
        if found:
            raise AssertionError(await explain(target, *found[0]))
        try:
            await target.canary.move()
            target.check_process()
            if start % REPORT == REPORT - BATCH:
                print(f"{start + BATCH} inputs, {target.megabytes()} MB, {dict(target.seen.most_common())}", flush=True)
        except Problem as problem:
            raise AssertionError(await find_guilty(target, inputs, str(problem))) from problem


async def find_guilty(target: Target, inputs: list[Input], problem: str) -> str:
    """The one of these inputs that does it, sent by itself."""
    for given in [target.world.hide(each) for each in inputs]:
        again = await target.fails(given)
        if again is not None:
            return await explain(target, given, again)
    return f"{problem}\n\nNone of the {len(inputs)} inputs does it alone."


async def explain(target: Target, given: Input, problem: str) -> str:
    """What was found, as a test to be kept."""
    hidden = target.world.hide(given)
    if await target.fails(hidden) is None:
        return f"{problem}\n\nIt does not happen again with this input alone:\n{hidden!r}"

    async def fails(shorter: Input) -> bool:
        again = await target.fails(shorter)
        return again is not None and _kind(again) == _kind(problem)

    short = await shrink(hidden, fails)
    return f"{problem}\n\nKeep it in tests/server/fuzz/found.py:\n\n    {short!r},"


def _kind(problem: str) -> str:
    """What goes wrong, without the details."""
    return problem.partition(":")[0]


async def shrink(given: Input, fails: Callable[[Input], Awaitable[bool]]) -> Input:
    """A shorter input that fails as well."""
    tries = 0
    again = True
    while again and tries < MOST_TRIES:
        again = False
        for shorter in shorter_inputs(given):
            tries += 1
            if tries >= MOST_TRIES:
                break
            if await fails(shorter):
                given, again = shorter, True
                break
    return given


def shorter_inputs(given: Input) -> Iterator[Input]:
    """The same without some of its pieces, then with some bytes of a piece left out: large parts first."""
    pieces = given.pieces
    for part in _parts(len(pieces)):
        if len(part) == len(pieces):
            continue
        yield Input(given.kind, pieces[: part.start] + pieces[part.stop :], given.ends)
    for place, piece in enumerate(pieces):
        for part in _parts(len(piece)):
            less = piece[: part.start] + piece[part.stop :]
            yield Input(given.kind, (*pieces[:place], less, *pieces[place + 1 :]), given.ends)


def _parts(length: int) -> Iterator[range]:
    size = (length + 1) // 2
    while size and length:
        for start in range(0, length, size):
            yield range(start, min(start + size, length))
        if size == 1:
            return
        size = (size + 1) // 2
