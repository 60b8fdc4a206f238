"""The simulated store: a disk in memory that all workers share and that outlives them, behind a slow, faulty link.

An operation is handed to the disk, is done there at some moment, and is answered at a later one. So it may be done
though its worker died or gave up meanwhile, or though its answer never arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from simulation.disk import Disk
from simulation.history import STORAGE_FAULTS
from simulation.sources import EPOCH
from wellies.server.finished import FinishedGame
from wellies.server.storage import Row, StorageTrouble, TableChange
from wellies.server.storage.accounts import Accounts
from wellies.server.storage.finding import Choose
from wellies.server.storage.history import History
from wellies.server.storage.ratings import Ratings
from wellies.table import LogEntry, Table, TableInfo
from wellies.table.settings import State

if TYPE_CHECKING:
    from simulation.worker import Worker

Answer = TypeVar("Answer")

TIMEOUT: Final = 10.0
"""Seconds after which an operation that hangs fails, as PostgreSQL's driver has it."""
PING_TIMEOUT: Final = 5.0


class SimulatedStorage:
    """One worker's link to the disk: a `Store`."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._world = worker.world
        self._disk: Disk = worker.world.disk
        self._random: Random = worker.world.random(f"storage {worker.number} {worker.life}")
        self.under_way: dict[asyncio.TimerHandle, None] = {}
        """What was handed to the disk and is not done yet."""

    def lose_some(self) -> None:
        """The worker has died: some of what it handed over never arrives."""
        for handle in self.under_way:
            if self._random.random() < 0.5:
                handle.cancel()

    async def _do(
        self, name: str, work: Callable[[Disk], Answer], *, writes: bool = False, timeout: float = TIMEOUT
    ) -> Answer:
        """Have something done by the disk, with whatever goes wrong now."""
        world, random = self._world, self._random
        done_after = random.uniform(0.0001, 0.003)
        answered_after = done_after + random.uniform(0.0001, 0.002)
        fault = world.faults.strikes(STORAGE_FAULTS, self._worker.number, random)
        fails = False
        if fault is not None and (fault != "full" or writes) and (fault != "unanswered" or writes):
            world.faults.count(f"storage {fault}")
            if fault == "slow":
                done_after += random.uniform(0.05, 3.0)
                answered_after = done_after + random.uniform(0.001, 0.5)
            elif fault == "hanging":
                # It may be done before this is noticed, afterwards, or never.
                done_after = random.uniform(0.0, timeout + 3.0)
                answered_after, fails = timeout, True
            else:
                fails = True
            done = {"failing": 0.0, "full": 0.0, "hanging": 0.7}.get(fault, 1.0)
            if random.random() >= done:
                done_after = -1.0
        if fails:
            world.faults.storage_failed = True
        answer: asyncio.Future[Answer] = world.loop.create_future()
        if done_after >= 0:
            self._hand_over(name, done_after, answered_after, work, None if fails else answer)
        if fails:
            world.call_later(answered_after, _fail, answer, fault)
        return await answer

    def _hand_over(
        self,
        name: str,
        done_after: float,
        answered_after: float,
        work: Callable[[Disk], Answer],
        answer: asyncio.Future[Answer] | None,
    ) -> None:
        def do() -> None:
            del self.under_way[handle]
            try:
                result = work(self._disk)
            except Exception as error:
                self._world.trace("store", self._worker.number, name, repr(error))
                if answer is not None:
                    self._world.call_later(answered_after - done_after, _settle, answer, None, error)
                return
            self._world.trace("store", self._worker.number, name, result)
            if answer is not None:
                self._world.call_later(answered_after - done_after, _settle, answer, result, None)

        handle = self._world.call_later(done_after, do)
        self.under_way[handle] = None

    # --- the interface ---------------------------------------------------------------------------------------------

    async def migrate(self) -> None:
        await self._do("migrate", lambda _: None)

    async def close(self) -> None: ...

    async def ping(self) -> int | None:
        """The time of the store: one for all workers, as PostgreSQL has it. With one worker alone there is none, as
        with SQLite."""
        world = self._world

        def read_clock(_disk: Disk) -> int | None:
            return EPOCH + int(1000 * world.loop.now) if world.history.shared else None

        asked = world.loop.now
        read = await self._do("ping", read_clock, timeout=PING_TIMEOUT)
        return None if read is None else read + int((world.loop.now - asked) * 500)

    async def secret(self) -> str:
        return await self._do("secret", lambda disk: disk.secret)

    async def store(self, batch: list[TableChange]) -> set[str]:
        world = self._world
        return await self._do("batch", lambda disk: disk.store(batch, world.loop.now), writes=True)

    async def table(self, table_id: str) -> Table | None:
        return await self._do("table", lambda disk: disk.table(table_id))

    async def entries(self, table_id: str, after: int) -> list[LogEntry]:
        return await self._do("entries", lambda disk: disk.entries(table_id, after))

    async def versions(self, table_ids: list[str]) -> dict[str, int]:
        return await self._do("versions", lambda disk: disk.versions(table_ids))

    async def list_tables(
        self,
        owner: str,
        *,
        mine: bool = False,
        state: State | None = None,
        game: str | None = None,
        player: str | None = None,
        before: int | None = None,
        limit: int = 20,
    ) -> list[TableInfo]:
        wanted: dict[str, Any] = {"mine": mine, "state": state, "game": game, "player": player, "before": before}
        return await self._do("list", lambda disk: disk.list_tables(owner, limit=limit, **wanted))

    async def due_tables(self, now: int, limit: int) -> list[tuple[str, int]]:
        return await self._do("due", lambda disk: disk.due_tables(now, limit))

    async def claim(self, table_id: str, wake_at: int, until: int) -> bool:
        return await self._do("claim", lambda disk: disk.claim(table_id, wake_at, until), writes=True)

    async def bot_tables(self, host: str) -> int:
        return await self._do("bot tables", lambda disk: disk.bot_tables(host))

    async def games_finished(self, identity_id: str, game: str) -> int:
        return await self._do("games", lambda disk: disk.games_finished(identity_id, game))

    async def identity(self, identity_id: str) -> Row | None:
        return await self._do("identity", lambda disk: disk.identity(identity_id))

    async def account(self, login: str) -> Row | None:
        return await self._do("account", lambda disk: disk.account(login))

    async def add_identity(self, row: Row) -> None:
        await self._do("add identity", lambda disk: disk.add_identity(row), writes=True)

    async def change_identity(self, identity_id: str, values: Row) -> Row:
        return await self._do("change", lambda disk: disk.change_identity(identity_id, values), writes=True)

    async def epochs(self, identity_ids: list[str]) -> dict[str, int]:
        return await self._do("epochs", lambda disk: disk.epochs(identity_ids))

    async def ended(self, identity_ids: list[str]) -> set[str]:
        return await self._do("ended", lambda disk: disk.ended(identity_ids))

    async def end_session(self, session: str, identity_id: str, now: int, forget: int) -> None:
        await self._do("end", lambda disk: disk.end_session(session, identity_id, now, forget), writes=True)

    async def preferences(self, identity_id: str) -> list[Row]:
        return await self._do("preferences", lambda disk: disk.preferences(identity_id))

    async def set_preferences(self, identity_id: str, rows: list[Row]) -> None:
        await self._do("set preferences", lambda disk: disk.set_preferences(identity_id, rows), writes=True)

    async def avoided(self, identity_id: str) -> list[Row]:
        return await self._do("avoided", lambda disk: disk.avoided(identity_id))

    async def avoid(self, row: Row) -> None:
        await self._do("avoid", lambda disk: disk.avoid(row), writes=True)

    async def stop_avoiding(self, identity_id: str, other_id: str) -> None:
        await self._do("stop avoiding", lambda disk: disk.stop_avoiding(identity_id, other_id), writes=True)

    async def has_blocked(self, identity_id: str, other_id: str) -> bool:
        return await self._do("blocked", lambda disk: disk.has_blocked(identity_id, other_id))

    async def kept_apart(self, identity_id: str) -> set[str]:
        return await self._do("kept apart", lambda disk: disk.kept_apart(identity_id))

    async def add_chat(self, row: Row) -> int:
        return await self._do("chat", lambda disk: disk.add_chat(row), writes=True)

    async def chat_lines(self, table_id: str, limit: int) -> list[Row]:
        return await self._do("chat lines", lambda disk: disk.chat_lines(table_id, limit))

    async def analysis(self, table_id: str) -> Row | None:
        return await self._do("analysis", lambda disk: disk.analysis(table_id))

    async def claim_analysis(self, table_id: str, worker: str, now: int, stale: int) -> bool:
        return await self._do(
            "claim analysis", lambda disk: disk.claim_analysis(table_id, worker, now, stale), writes=True
        )

    async def update_analysis(self, table_id: str, worker: str, values: Row) -> None:
        await self._do("analysis", lambda disk: disk.update_analysis(table_id, worker, values), writes=True)

    # --- finished games --------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        return cast("History", SimulatedHistory(self._do))

    @property
    def ratings(self) -> Ratings:
        raise AssertionError("nobody looks at ratings in a simulation")

    @property
    def accounts(self) -> Accounts:
        return cast("Accounts", SimulatedAccounts(self._do))

    async def drop_analysis(self, table_id: str, worker: str) -> None:
        await self._do("drop analysis", lambda disk: disk.drop_analysis(table_id, worker), writes=True)

    async def ask_for_game(self, row: Row, now: int, found: Row, choose: Choose) -> Row:
        return await self._do("ask for game", lambda disk: disk.ask_for_game(row, now, found, choose), writes=True)

    async def game_request(self, identity_id: str) -> Row | None:
        return await self._do("game request", lambda disk: disk.game_request(identity_id))

    async def waiting_requests(self, now: int) -> list[Row]:
        return await self._do("waiting requests", lambda disk: disk.waiting_requests(now))

    async def end_request(self, identity_id: str, request_id: str, forget: int) -> None:
        await self._do("end request", lambda disk: disk.end_request(identity_id, request_id, forget), writes=True)

    async def friends(self, identity_id: str) -> list[Row]:
        return await self._do("friends", lambda disk: disk.friends(identity_id))

    async def set_friendship(self, rows: list[Row]) -> None:
        await self._do("set friendship", lambda disk: disk.set_friendship(rows), writes=True)

    async def end_friendship(self, one: str, other: str) -> None:
        await self._do("end friendship", lambda disk: disk.end_friendship(one, other), writes=True)

    async def friend_code(self, identity_id: str) -> str | None:
        return await self._do("friend code", lambda disk: disk.friend_code(identity_id))

    async def set_friend_code(self, identity_id: str, code: str) -> None:
        await self._do("set friend code", lambda disk: disk.set_friend_code(identity_id, code), writes=True)

    async def person_of_code(self, code: str) -> Row | None:
        return await self._do("person of code", lambda disk: disk.person_of_code(code))

    async def invite(self, rows: list[Row]) -> None:
        await self._do("invite", lambda disk: disk.invite(rows), writes=True)

    async def invitations(self, identity_id: str) -> list[Row]:
        return await self._do("invitations", lambda disk: disk.invitations(identity_id))

    async def drop_invitation(self, identity_id: str, table_id: str) -> None:
        await self._do("drop invitation", lambda disk: disk.drop_invitation(identity_id, table_id), writes=True)

    async def note_seen(self, identity_id: str, at: int) -> None:
        await self._do("note seen", lambda disk: disk.note_seen(identity_id, at), writes=True)

    async def kept_secret(self, name: str, new: str) -> str:
        return await self._do("kept secret", lambda disk: disk.kept_secret(name, new), writes=True)

    async def alert_settings(self, identity_id: str) -> Row | None:
        return await self._do("alert settings", lambda disk: disk.alert_settings(identity_id))

    async def alert_settings_by_code(self, code: str) -> Row | None:
        return await self._do("alert settings by code", lambda disk: disk.alert_settings_by_code(code))

    async def set_alert_settings(self, row: Row) -> None:
        await self._do("set alert settings", lambda disk: disk.set_alert_settings(row), writes=True)

    async def push_subscriptions(self, identity_id: str) -> list[Row]:
        return await self._do("push subscriptions", lambda disk: disk.push_subscriptions(identity_id))

    async def add_push_subscription(self, row: Row) -> None:
        await self._do("add push subscription", lambda disk: disk.add_push_subscription(row), writes=True)

    async def drop_push_subscription(self, subscription_id: str) -> None:
        await self._do("drop push subscription", lambda disk: disk.drop_push_subscription(subscription_id), writes=True)

    async def waiting_tables(self) -> list[Row]:
        return await self._do("waiting tables", lambda disk: disk.waiting_tables())

    async def calls(self, since: int, now: int) -> list[Row]:
        return await self._do("calls", lambda disk: disk.calls(since, now))

    async def claim_alert(self, identity_id: str, table_id: str, about: str, at: int) -> bool:
        return await self._do(
            "claim alert", lambda disk: disk.claim_alert(identity_id, table_id, about, at), writes=True
        )

    async def forget_alerts(self, before: int) -> None:
        await self._do("forget alerts", lambda disk: disk.forget_alerts(before), writes=True)

    async def begin_vacation(self, row: Row, since: int, most: int) -> bool:
        return await self._do("begin vacation", lambda disk: disk.begin_vacation(row, since, most), writes=True)

    async def vacations(self, identity_id: str, since: int) -> list[Row]:
        return await self._do("vacations", lambda disk: disk.vacations(identity_id, since))

    async def end_vacation(self, identity_id: str, now: int) -> None:
        await self._do("end vacation", lambda disk: disk.end_vacation(identity_id, now), writes=True)

    async def unsettled_vacations(self) -> list[Row]:
        return await self._do("unsettled vacations", lambda disk: disk.unsettled_vacations())

    async def settle_vacation(self, vacation_id: str, ends: int) -> None:
        await self._do("settle vacation", lambda disk: disk.settle_vacation(vacation_id, ends), writes=True)

    async def tables_of(self, identity_id: str) -> list[Row]:
        return await self._do("tables of", lambda disk: disk.tables_of(identity_id))


class SimulatedHistory:
    """What a server does with `History` besides answering requests."""

    def __init__(self, do: Callable[..., Coroutine[Any, Any, Any]]) -> None:
        self._do = do

    async def unrecorded(self, after: str, limit: int) -> list[str]:
        found: list[str] = await self._do("unrecorded", lambda disk: disk.unrecorded(after, limit))
        return found

    async def record(self, game: FinishedGame) -> None:
        await self._do("record", lambda disk: disk.record(game), writes=True)

    async def note_losses(self, table_id: str, losses: Mapping[int, tuple[float, int]]) -> None:
        await self._do("losses", lambda disk: disk.note_losses(table_id, losses), writes=True)

    async def accounts(self, identity_ids: list[str]) -> set[str]:
        """Everybody has an account here, so that guests can play rated games."""
        return set(identity_ids)


class SimulatedAccounts:
    """Nobody deletes an account in a simulation."""

    def __init__(self, do: Callable[..., Coroutine[Any, Any, Any]]) -> None:
        self._do = do

    async def deletions(self) -> list[str]:
        await self._do("deletions", lambda _: None)
        return []


def _fail(answer: asyncio.Future[Any], fault: str) -> None:
    if not answer.done():
        answer.set_exception(StorageTrouble(f"The simulated store is {fault}."))


def _settle(answer: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)
