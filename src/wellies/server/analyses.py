"""Finished games that somebody wants thought about.

One game at a time in each worker; the others queue. Whoever thinks about a game says so in the store, from time to time
and with how far it is: so no two workers do the same, any of them can tell, and what a worker that has died has begun
is begun again by the next who is asked. What was found is kept for good.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from typing import Final

import anyio
import msgspec
import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError

from wellies.bots.search.root import heuristics_of
from wellies.games import game
from wellies.server.analysis_model import Analysis, Effort, JudgedMove, Progress, Question, judged, questions, sums
from wellies.server.botpool import BotTrouble
from wellies.server.limits import Limit
from wellies.server.live import Hub, now_millis
from wellies.server.messages import encode
from wellies.server.storage import Row, StorageTrouble, analyses
from wellies.server.tables import Refused, Table

log = structlog.get_logger("wellies.analyses")

MOST_WAITING: Final = 20
"""Games that may wait for their turn, per worker."""
MOST_KEPT: Final = 200
"""Results kept in memory; all are in the store."""
BEAT: Final = 2.0
"""Seconds between two words to the store."""
STALE: Final = 20_000
"""After so many milliseconds without a word, whoever was at it is taken to be gone."""
TROUBLES: Final = 3
"""Moves in a row that could not be judged before the game is given up."""

_decode = msgspec.json.Decoder(Analysis).decode


class Job:
    """One game that is being thought about here."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state: Progress = "waiting"
        self.total = 0
        self.done = 0
        self.moves: list[JudgedMove] = []
        self.scope = anyio.CancelScope()
        """Around the thinking, and not around the store: a query that is cut off leaves its connection in doubt."""
        self.ended = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def told(self) -> Analysis:
        return Analysis(self.state, self.done, self.total)


class Analyses:
    """All that this worker thinks about, and what it knows of the rest."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._storage = hub.storage
        self._seconds = hub.settings.analysis_seconds
        each = hub.settings.analyses_per_hour
        self._limit = Limit(each / 3600, max(3.0, each / 4))
        self._turn = asyncio.Lock()
        self._jobs: dict[str, Job] = {}
        self._kept: OrderedDict[str, Analysis] = OrderedDict()

    async def stop(self) -> None:
        """Give up what is under way, so that it can be begun again."""
        jobs = list(self._jobs.values())
        for job in jobs:
            job.scope.cancel()
        await asyncio.gather(*(job.task for job in jobs if job.task is not None), return_exceptions=True)

    # --- asking ----------------------------------------------------------------------------------------------------

    async def look(self, table: Table) -> Analysis:
        """How far it is. Refused (409) while the game goes on."""
        _finished(table)
        job = self._jobs.get(table.id)
        if job is not None:
            return job.told()
        kept = self._kept.get(table.id)
        if kept is not None:
            self._kept.move_to_end(table.id)
            return kept
        rows = await self._storage.rows(sa.select(analyses).where(analyses.c.table_id == table.id))
        if not rows or _is_stale(rows[0]):
            return Analysis("none")
        row = rows[0]
        if row["state"] not in ("done", "failed"):
            return Analysis(row["state"], row["done"], row["total"])
        return self._keep(table.id, _decode(row["found"]))

    async def begin(self, table: Table, identity_id: str) -> Analysis:
        """Think about a game, unless it is done or under way. Refused says why not."""
        known = await self.look(table)
        if known.state not in ("none", "failed"):
            return known
        if len(self._jobs) > MOST_WAITING:
            raise Refused("busy", "Too many games are waiting to be thought about; ask again later.", 503)
        if not self._limit.allows(identity_id):
            raise Refused("too_fast", "You have asked about many games; wait some minutes before the next one.", 429)
        job = self._jobs[table.id] = Job(table)
        try:
            mine = await self._claim(table.id)
        except BaseException:
            del self._jobs[table.id]
            raise
        if not mine:
            del self._jobs[table.id]
            return await self.look(table)
        job.task = asyncio.create_task(self._run(job), name="analysis")
        return job.told()

    async def _claim(self, table_id: str) -> bool:
        """Say in the store that this worker does it; False if another was first."""
        row = {
            "worker": self._hub.worker,
            "state": "waiting",
            "done": 0,
            "total": 0,
            "at": now_millis(),
            "found": "",
        }
        free = sa.or_(
            analyses.c.state == "failed", sa.and_(analyses.c.state != "done", analyses.c.at < now_millis() - STALE)
        )
        try:
            async with self._storage.writing() as connection:
                done = await connection.execute(
                    analyses.update().where(analyses.c.table_id == table_id, free).values(**row)
                )
                if done.rowcount != 1:
                    await connection.execute(analyses.insert(), [{"table_id": table_id, **row}])
        except IntegrityError:
            return False
        return True

    # --- doing it --------------------------------------------------------------------------------------------------

    async def _run(self, job: Job) -> None:
        beating = asyncio.create_task(self._beat(job), name="analysis beat")
        found: Analysis | None = None
        try:
            with job.scope:
                async with self._turn:
                    found = await self._think(job)
        except BotTrouble as error:
            found = Analysis("failed", job.done, job.total, message=str(error))
        except Exception:
            # Ours to mend: whoever waits hears so, and may ask again.
            log.exception("an analysis failed", table=job.table.id)
            found = Analysis("failed", job.done, job.total, message="Something went wrong on the server.")
        finally:
            job.ended.set()
            await beating
            try:
                await self._note_end(job, found)
            except StorageTrouble as error:
                log.warning("an analysis could not be stored", table=job.table.id, reason=str(error))
            if found is not None:
                self._keep(job.table.id, found)
            del self._jobs[job.table.id]

    async def _think(self, job: Job) -> Analysis:
        asked = await asyncio.to_thread(questions, job.table)
        effort = Effort(heuristics_of(game(job.table.setup.game)).nodes, len(asked), self._seconds)
        job.total = len(asked)
        job.state = "thinking"
        troubles = 0
        # Every other move first: if time runs out, no part of the game is left out as a whole.
        for question in asked[::2] + asked[1::2]:
            if effort.over:
                break
            try:
                job.moves.append(await self._judge(question, effort))
                troubles = 0
            except BotTrouble:
                troubles += 1
                if troubles == TROUBLES:
                    raise
            job.done += 1
        self._hub.metrics.analyses += 1
        job.moves.sort(key=_number)
        missed = len(asked) - len(job.moves)
        return Analysis("done", job.total, job.total, missed, job.moves, sums(job.moves))

    async def _judge(self, question: Question, effort: Effort) -> JudgedMove:
        started = time.monotonic()
        nodes = effort.nodes()
        found = await self._hub.pool.judge(question.view, question.seat, question.move, question.number, nodes)
        effort.spent(time.monotonic() - started, found["nodes"])
        self._hub.metrics.analysed_moves += 1
        return judged(question, found)

    async def _beat(self, job: Job) -> None:
        """Tell the store how far it is, until it ends."""
        while True:
            try:
                await asyncio.wait_for(job.ended.wait(), BEAT)
                return
            except TimeoutError:
                pass
            with contextlib.suppress(StorageTrouble):
                async with self._storage.writing() as connection:
                    values = {"state": job.state, "done": job.done, "total": job.total, "at": now_millis()}
                    await connection.execute(self._mine(job).values(**values))

    def _mine(self, job: Job) -> sa.Update:
        mine = analyses.c.table_id == job.table.id
        return analyses.update().where(mine, analyses.c.worker == self._hub.worker)

    async def _note_end(self, job: Job, found: Analysis | None) -> None:
        """Store what was found; without it, as if nobody had begun."""
        async with self._storage.writing() as connection:
            if found is None:
                mine = analyses.c.table_id == job.table.id
                await connection.execute(analyses.delete().where(mine, analyses.c.worker == self._hub.worker))
            else:
                values = {"state": found.state, "done": found.done, "total": found.total, "at": now_millis()}
                await connection.execute(self._mine(job).values(**values, found=encode(found).decode()))

    def _keep(self, table_id: str, found: Analysis) -> Analysis:
        if found.state == "done":
            self._kept[table_id] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found


def _number(move: JudgedMove) -> int:
    return move.number


def _finished(table: Table) -> None:
    if table.state != "finished":
        raise Refused("not_finished", "Only a finished game is thought about; nobody gets help while it goes on.")


def _is_stale(row: Row) -> bool:
    """Whether whoever was at it has said nothing for long."""
    return row["state"] not in ("done", "failed") and bool(row["at"] < now_millis() - STALE)
