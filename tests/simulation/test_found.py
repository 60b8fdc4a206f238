"""What the simulation, and the reading that it led to, has found: each as a history that failed, or as a scene."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from simulation.history import Action, ClientPlan, Fault, History, TablePlan
from simulation.network import Socket
from simulation.scenes import play_scene, table_for
from simulation.sources import EPOCH
from simulation.worker import Worker
from simulation.world import run
from wellies.server.messages import ChatLine, WorkerMessage, encode
from wellies.server.storage import StorageTrouble
from wellies.table import Clock


def check(history: History) -> None:
    for failure in run(history).failures:
        raise failure


# --- histories ----------------------------------------------------------------------------------------------------


def test_a_table_that_becomes_private_is_shown_no_more_to_spectators() -> None:
    """leak: a spectator without an invitation went on to see a table that the host had made private"""
    check(
        History(
            seed=3,
            workers=1,
            shared=False,
            tight=False,
            skews=(0,),
            tables=(TablePlan(game="puppies", chairs=(0, 1), goes_private=True),),
            clients=(
                ClientPlan(number=0, table=0, think=0.5, plays=5),
                ClientPlan(number=1, table=0, think=0.5, plays=5),
                ClientPlan(number=2, table=0, think=0.5, invited=False),
            ),
            faults=(),
            seconds=5.0,
        )
    )


def test_a_bot_that_is_stopped_while_it_thinks_leaves_nothing_behind() -> None:
    """left behind: a task waited for ever for a change of the table"""
    check(
        History(
            seed=36,
            workers=1,
            shared=True,
            tight=False,
            skews=(0,),
            tables=(TablePlan(game="umbradeco", chairs=(0, "bot", "bot")),),
            clients=(ClientPlan(number=0, table=0, think=0.1, plays=30),),
            faults=tuple(Fault(at, "stop", 0, 0.2) for at in (2.0, 3.1, 4.2, 5.3)),
            seconds=7.0,
        )
    )


@pytest.mark.parametrize("jump", [-3.0, 3.0])
def test_a_clock_that_is_set_charges_nobody(jump: float) -> None:
    """time: entries were made before those before them, and whoever was to move gained time"""
    check(
        History(
            seed=5,
            workers=2,
            shared=True,
            tight=False,
            skews=(0, 25),
            tables=(TablePlan(game="umbradeco", chairs=(0, 1), clock=("game", 10, 1, 0)),),
            clients=(ClientPlan(number=0, table=0, think=0.2), ClientPlan(number=1, table=0, think=0.2)),
            faults=(Fault(2.0, "clock jump", 0, jump),),
            seconds=5.0,
        )
    )


def test_a_worker_that_starts_beside_a_slow_store_has_its_time() -> None:
    """time (seed 30513): the first answer of a slow store was taken for exact, and half of its way counted twice"""
    check(
        History(
            seed=30513,
            workers=2,
            shared=True,
            tight=False,
            skews=(0, 0),
            tables=(
                TablePlan(game="puppies", chairs=(0, 1, 2), clock=("days", 0, 0, 1), takebacks="free", hints="all"),
                TablePlan(game="aquarium", chairs=(4, 5, 5), clock=("move", 8, 0, 0), private=True, goes_private=True),
            ),
            clients=(
                ClientPlan(number=0, table=0, think=0.02, plays=7),
                ClientPlan(number=1, table=0, think=0.03, plays=9),
                ClientPlan(number=2, table=0, think=0.33, plays=15),
                ClientPlan(number=3, table=0, think=1.32, plays=10, capacity=1000),
                ClientPlan(number=4, table=1, think=0.35, plays=14, capacity=8000),
                ClientPlan(number=5, table=1, think=0.01, plays=8, capacity=1000),
            ),
            faults=(
                Fault(at=0.32, kind="stop", worker=1, seconds=2.56),
                Fault(at=2.91, kind="slow", worker=1, seconds=0.74, share=0.6),
            ),
            seconds=7.8,
        )
    )


def test_a_server_that_restarts_beside_a_slow_store_has_its_time() -> None:
    """time (seed 32491)"""
    check(
        History(
            seed=32491,
            workers=1,
            shared=True,
            tight=False,
            skews=(0,),
            tables=(
                TablePlan(game="puppies", chairs=(0, "bot"), clock=("game", 10, 1, 0), takebacks="off", hints="off"),
            ),
            clients=(ClientPlan(number=0, table=0, think=0.36, plays=5, capacity=8000),),
            faults=(
                Fault(at=0.6, kind="slow", worker=-1, seconds=3.63, share=0.3),
                Fault(at=0.83, kind="stop", worker=0, seconds=2.0),
                Fault(at=1.03, kind="unanswered", worker=0, seconds=3.69, share=0.3),
            ),
            seconds=7.6,
        )
    )


def test_a_commit_that_happens_after_it_was_given_up_is_shown_to_all() -> None:
    """stale client (seed 42706): the table had been read again before the store did what it had been asked"""
    check(
        History(
            seed=42706,
            workers=1,
            shared=False,
            tight=False,
            skews=(0,),
            tables=(
                TablePlan(game="umbradeco", chairs=(0, 1, 2), clock=("days", 0, 0, 1), takebacks="ask", hints="all"),
            ),
            clients=(
                ClientPlan(number=0, table=0, think=1.14, plays=10, capacity=8000),
                ClientPlan(
                    number=1,
                    table=0,
                    think=4.57,
                    plays=3,
                    capacity=1000,
                    actions=(Action(at=1.03, kind="play twice"),),
                ),
                ClientPlan(number=2, table=0, think=1.27, plays=4, capacity=8000),
            ),
            faults=(Fault(at=2.02, kind="hanging", worker=-1, seconds=1.59, share=0.3),),
            seconds=5.1,
        )
    )


def test_a_commit_that_happens_after_its_server_was_killed_is_shown_by_the_next() -> None:
    """stale client (seed 109614): the table had been read by the next server before the store did what it was asked"""
    check(
        History(
            seed=109614,
            workers=1,
            shared=False,
            tight=False,
            skews=(0,),
            tables=(
                TablePlan(game="umbradeco", chairs=(0, 1, 2), clock=("days", 0, 0, 1), private=True, takebacks="off"),
            ),
            clients=(
                ClientPlan(number=0, table=0, think=0.29, plays=11),
                ClientPlan(
                    number=1,
                    table=0,
                    think=4.67,
                    plays=10,
                    capacity=1000,
                    actions=(
                        Action(at=1.72, kind="foreign seat"),
                        Action(at=4.31, kind="ask undo"),
                        Action(at=5.76, kind="play twice"),
                    ),
                ),
                ClientPlan(
                    number=2, table=0, think=0.19, plays=5, capacity=8000, actions=(Action(at=1.19, kind="chat"),)
                ),
            ),
            faults=(
                Fault(at=3.15, kind="slow", worker=-1, seconds=3.24, share=0.6),
                Fault(at=6.02, kind="crash", worker=0, seconds=0.12),
            ),
            seconds=7.0,
        )
    )


# --- scenes -------------------------------------------------------------------------------------------------------


def test_a_table_is_loaded_once_though_the_first_load_fails() -> None:
    async def scene(worker: Worker) -> None:
        hub: Any = worker.hub
        table = table_for("ann", "bob")
        await hub.create(table)
        hub.tables.clear()
        read = hub.storage.table
        failing = [True]

        async def fails_once(table_id: str) -> Any:
            await asyncio.sleep(0.01)
            if failing:
                failing.clear()
                raise StorageTrouble("The store is away.")
            return await read(table_id)

        hub.storage.table = fails_once
        first, second = (asyncio.create_task(hub.get(table.id)) for _ in range(2))
        await asyncio.wait((first,))
        assert first.exception() is not None
        found = await asyncio.gather(second, hub.get(table.id), hub.get(table.id), return_exceptions=True)
        tables = [each for each in found if not isinstance(each, BaseException)]
        assert len(tables) >= 2
        assert len(set(map(id, tables))) == 1, "the same table for all"
        assert hub.tables[table.id] is tables[0]
        assert not hub._loading

    play_scene(scene)


def test_a_table_that_is_dropped_from_memory_during_a_change_is_not_there_twice() -> None:
    async def scene(worker: Worker) -> None:
        hub = worker.hub
        one, two = table_for("ann", "bob"), table_for("cid", "dee")
        live = await hub.create(one)
        await hub.create(two)
        assert one.id not in hub.tables, "there is room for one table only"
        changing = asyncio.create_task(hub.change(live, lambda trial: trial.resign("ann", None, "random", 0)))
        again = await hub.get(one.id)
        await changing
        assert again is live
        assert again.table.seats[0].why == "resigned"

    play_scene(scene, tight=True)


def test_a_table_that_is_opened_before_its_maker_knows_that_it_is_stored_is_not_there_twice() -> None:
    async def scene(worker: Worker) -> None:
        hub: Any = worker.hub
        table = table_for("ann", "bob")
        opened = []
        store = hub.committer.store

        async def slow(change: Any) -> None:
            await store(change)
            opened.append(await hub.get(table.id))

        hub.committer.store = slow
        assert await hub.create(table) is opened[0]

    play_scene(scene)


def test_chat_that_a_worker_did_not_hear_of_is_there_for_those_who_come() -> None:
    async def scene(worker: Worker) -> None:
        hub = worker.hub
        live = await hub.create(table_for("ann", "bob"))
        row = {"table_id": live.table.id, "identity_id": "ann", "seat": 0, "name": "ann", "text": "one", "at": 1}
        first = await hub.storage.add_chat(row)
        assert [line.text for line in await hub.chat_lines(live)] == ["one"]
        # Another worker stores two lines; this one hears of the second only.
        await hub.storage.add_chat({**row, "text": "two"})
        third = await hub.storage.add_chat({**row, "text": "three"})
        heard = WorkerMessage("another", chat=ChatLine(third, 1, 0, "ann", "three"))
        await hub._on_worker_message(live.table.id, encode(heard))
        assert [line.text for line in await hub.chat_lines(live)] == ["one", "two", "three"]
        assert first < third

    play_scene(scene)


def test_a_table_that_cannot_be_read_does_not_keep_others_from_being_looked_after() -> None:
    async def scene(worker: Worker) -> None:
        hub, disk = worker.hub, worker.world.disk
        clock = Clock("move", 5)
        bad, good = table_for("ann", "bob", clock=clock), table_for("cid", "dee", clock=clock)
        await hub.create(bad)
        await hub.create(good)
        hub.tables.clear()
        number, _, seat, text, at = disk.logs[bad.id][1]
        disk.logs[bad.id][1] = (number, "nonsense", seat, text, at)
        await asyncio.sleep(20.0)
        assert any(row[1] in ("late", "timeout") for row in disk.logs[good.id].values())

    with pytest.raises(AssertionError, match="logged error: a table could not be looked after"):
        play_scene(scene)


def test_a_slow_store_does_not_make_the_clock_of_a_worker_slow() -> None:
    """Found by seed 20575: the clock went by what the store had said seconds before."""

    async def scene(worker: Worker) -> None:
        hub: Any = worker.hub
        started = worker.world.loop.now

        async def slow() -> int:
            read = EPOCH + int(1000 * worker.world.loop.now)
            await asyncio.sleep(3.0)
            return read

        hub.storage.ping = slow
        await asyncio.sleep(60.0)
        right = EPOCH + 1000 * worker.world.loop.now
        assert worker.world.loop.now > started + 59
        assert abs(hub.clock.now() - right) < 20

    play_scene(scene)


def test_a_socket_that_is_cancelled_leaves_no_task_behind() -> None:
    async def scene(worker: Worker) -> None:
        world = worker.world
        live = await worker.hub.create(table_for("ann", "bob"))
        path = f"/ws/v1/tables/{live.table.id}"
        socket = Socket(world, worker, "10.0.0.1", path, "", "", 65_536, world.random("socket"))
        socket.open()
        await asyncio.sleep(1.0)
        assert live.viewers
        for task in worker.sockets.values():
            task.cancel()
        await asyncio.sleep(1.0)
        assert not live.viewers
        left = {task.get_name() for task, _ in world.loop.open_tasks()}
        assert not left & {"socket reader", "socket writer"}, left

    play_scene(scene)
