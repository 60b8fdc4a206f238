"""Analyses of finished games, on request.

One game at a time in each worker; the others queue. A worker that analyses a game notes its progress in the store every
few seconds: so no two workers do the same, any of them can report it, and the analysis of a worker that has died is
begun again by the next that is asked. Results are kept for good.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from typing import Final

import anyio
import msgspec
import structlog

from wellies.core.events import Json
from wellies.server.hub import Hub
from wellies.server.limits import Limits
from wellies.server.messages import encode
from wellies.server.recorder import losses_of
from wellies.server.storage import Row, StorageTrouble
from wellies.table import Refused, Table
from wellies.table.analysis import Analysis, AnalysisRun, Question, check_finished, questions
from wellies.table.errors import BotTrouble

log = structlog.get_logger("wellies.analyses")

MOST_WAITING: Final = 20
"""Games that may wait in the queue of a worker."""
MOST_KEPT: Final = 200
"""Results kept in memory; all are in the store."""
PROGRESS_SECONDS: Final = 2.0
"""Seconds between two notes of the progress in the store."""
STALE_MILLIS: Final = 20_000
"""After so many milliseconds without a note, the worker counts as dead."""

_decode = msgspec.json.Decoder(Analysis).decode


class Job(AnalysisRun):
    """One game that is analysed here."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.scope = anyio.CancelScope()
        """Around the analysis, and not around the store: a query that is cut off leaves its connection in doubt."""
        self.ended = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Analyses:
    """The analyses of this worker, and what it knows of the others."""

    def __init__(self, hub: Hub, limits: Limits) -> None:
        self._hub = hub
        self._storage = hub.storage
        self._limits = limits
        self._seconds = hub.settings.analysis_seconds
        self._turn = asyncio.Lock()
        self._jobs: dict[str, Job] = {}
        self._kept: OrderedDict[str, Analysis] = OrderedDict()

    async def stop(self) -> None:
        """Cancel what is under way, so that another worker can begin it again."""
        jobs = list(self._jobs.values())
        for job in jobs:
            job.scope.cancel()
        await asyncio.gather(*(job.task for job in jobs if job.task is not None), return_exceptions=True)

    # --- asking ----------------------------------------------------------------------------------------------------

    async def look(self, table: Table) -> Analysis:
        """The progress or result. Refused (409) while the game goes on."""
        check_finished(table)
        job = self._jobs.get(table.id)
        if job is not None:
            return job.progress()
        kept = self._kept.get(table.id)
        if kept is not None:
            self._kept.move_to_end(table.id)
            return kept
        row = await self._storage.analysis(table.id)
        if row is None or self._is_stale(row):
            return Analysis("none")
        if row["state"] not in ("done", "failed"):
            return Analysis(row["state"], row["done"], row["total"])
        return self._keep(table.id, _decode(row["found"]))

    async def begin(self, table: Table, identity_id: str) -> Analysis:
        """Analyse a game, unless it is done or under way. Refused says why not."""
        known = await self.look(table)
        if known.state not in ("none", "failed"):
            return known
        if len(self._jobs) > MOST_WAITING:
            raise Refused("busy", "Too many games are waiting to be analysed; ask again later.", 503)
        if not await self._limits.allows("analyses", identity_id):
            raise Refused("too_fast", "You have asked for many analyses; wait some minutes before the next one.", 429)
        job = self._jobs[table.id] = Job(table)
        try:
            now = self._hub.clock.now()
            mine = await self._storage.claim_analysis(table.id, self._hub.worker, now, now - STALE_MILLIS)
        except BaseException:
            del self._jobs[table.id]
            raise
        if not mine:
            del self._jobs[table.id]
            return await self.look(table)
        job.task = asyncio.create_task(self._run(job), name="analysis")
        return job.progress()

    # --- doing it --------------------------------------------------------------------------------------------------

    async def _run(self, job: Job) -> None:
        noting = asyncio.create_task(self._note_progress(job), name="analysis progress")
        found: Analysis | None = None
        try:
            with job.scope:
                async with self._turn:
                    found = await self._analyse(job)
        except BotTrouble as error:
            found = Analysis("failed", job.done, job.total, message=str(error))
        except Exception:
            # A bug: whoever waits is told, and may ask again.
            log.exception("an analysis failed", table=job.table.id)
            found = Analysis("failed", job.done, job.total, message="Something went wrong on the server.")
        finally:
            job.ended.set()
            await noting
            try:
                await self._note_end(job, found)
            except StorageTrouble as error:
                log.warning("an analysis could not be stored", table=job.table.id, reason=str(error))
            if found is not None:
                self._keep(job.table.id, found)
            del self._jobs[job.table.id]

    async def _analyse(self, job: Job) -> Analysis:
        asked = await asyncio.to_thread(questions, job.table)
        found = await job.run(asked, self._seconds, self._judge)
        self._hub.metrics.analyses += 1
        return found

    async def _judge(self, question: Question, nodes: int) -> Json:
        found = await self._hub.pool.judge(encode(question.view), question.seat, question.move, question.number, nodes)
        self._hub.metrics.analysed_moves += 1
        return found

    async def _note_progress(self, job: Job) -> None:
        """Note the progress in the store until the job ends."""
        while True:
            try:
                await asyncio.wait_for(job.ended.wait(), PROGRESS_SECONDS)
                return
            except TimeoutError:
                pass
            with contextlib.suppress(StorageTrouble):
                values = {"state": job.state, "done": job.done, "total": job.total, "at": self._hub.clock.now()}
                await self._storage.update_analysis(job.table.id, self._hub.worker, values)

    async def _note_end(self, job: Job, found: Analysis | None) -> None:
        """Store the result; without one, as if nobody had asked."""
        if found is None:
            await self._storage.drop_analysis(job.table.id, self._hub.worker)
            return
        values = {
            "state": found.state,
            "done": found.done,
            "total": found.total,
            "at": self._hub.clock.now(),
            "found": encode(found).decode(),
        }
        # Before it counts as done: if this worker dies in between, it is done again.
        await self._storage.history.note_losses(job.table.id, losses_of(found))
        await self._storage.update_analysis(job.table.id, self._hub.worker, values)

    def _is_stale(self, row: Row) -> bool:
        """Whether the worker that analysed it counts as dead."""
        return row["state"] not in ("done", "failed") and bool(row["at"] < self._hub.clock.now() - STALE_MILLIS)

    def _keep(self, table_id: str, found: Analysis) -> Analysis:
        if found.state == "done":
            self._kept[table_id] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found
