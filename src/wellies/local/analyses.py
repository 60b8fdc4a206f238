"""Analyses of finished games, on request: one game at a time; the others queue. The result is stored in the row of the
table."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Final

from wellies.core.events import Json
from wellies.local.hub import LocalHub
from wellies.local.live_table import LocalTable
from wellies.table.analysis import Analysis, AnalysisRun, Question, check_finished, question_steps
from wellies.table.codec import encode
from wellies.table.errors import BotTrouble, Refused, StorageTrouble

COLUMN: Final = "analysis"
_log = logging.getLogger("wellies.local")


class LocalAnalyses:
    """The analyses that this tab makes, and those that are stored."""

    def __init__(self, hub: LocalHub) -> None:
        self._hub = hub
        self._turn = asyncio.Lock()
        self._runs: dict[str, AnalysisRun] = {}
        self._not_stored: dict[str, Analysis] = {}
        """What has failed, and results that the store did not take. They are known until the page is closed."""

    def look(self, live: LocalTable) -> Any:
        """The progress or result. Refused (409) while the game goes on."""
        check_finished(live.table)
        run = self._runs.get(live.table.id)
        if run is not None:
            return run.progress()
        return live.row.get(COLUMN) or self._not_stored.get(live.table.id) or Analysis("none")

    def begin(self, live: LocalTable) -> Any:
        """Analyse a game, unless it is done or under way."""
        check_finished(live.table)
        table_id = live.table.id
        ended = self._not_stored.get(table_id)
        done = live.row.get(COLUMN) or (ended is not None and ended.state == "done")
        if table_id not in self._runs and not done:
            self._not_stored.pop(table_id, None)
            run = self._runs[table_id] = AnalysisRun(live.table)
            self._hub.spawn(self._run(table_id, run), "analysis")
        return self.look(live)

    async def _run(self, table_id: str, run: AnalysisRun) -> None:
        try:
            async with self._turn:
                asked = await self._questions(run)
                found = await run.run(asked, self._hub.settings.analysis_seconds, self._hub.thinking.judge)
            self._not_stored[table_id] = found
            await self._keep(table_id, json.loads(encode(found)))
        except BotTrouble as error:
            self._not_stored[table_id] = Analysis("failed", run.done, run.total, message=str(error))
        except Exception:
            # A bug: whoever waits is told, and may ask again.
            self._not_stored[table_id] = Analysis("failed", run.done, run.total, message="Something went wrong.")
            raise
        finally:
            del self._runs[table_id]

    async def _keep(self, table_id: str, found: Json) -> None:
        """Store a result."""
        try:
            await self._hub.note(await self._hub.get(table_id), **{COLUMN: found})
        except (StorageTrouble, Refused) as error:
            _log.warning("an analysis could not be stored: %s", error)
        else:
            del self._not_stored[table_id]

    async def _questions(self, run: AnalysisRun) -> list[Question]:
        """The questions, found in small steps: the tables go on meanwhile."""
        steps = question_steps(run.table)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: list[Question] = end.value
                return found
            await asyncio.sleep(0)
