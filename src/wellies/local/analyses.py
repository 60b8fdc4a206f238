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
from wellies.table.settings import ANALYSIS_SECONDS

COLUMN: Final = "analysis"
_log = logging.getLogger("wellies.local")


class LocalAnalyses:
    """The analyses that this tab makes, and those that are stored."""

    def __init__(self, hub: LocalHub, seconds: float = ANALYSIS_SECONDS) -> None:
        self._hub = hub
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._runs: dict[str, AnalysisRun] = {}
        self._failed: dict[str, Analysis] = {}

    def look(self, live: LocalTable) -> Any:
        """The progress or result. Refused (409) while the game goes on."""
        check_finished(live.table)
        run = self._runs.get(live.table.id)
        if run is not None:
            return run.progress()
        return live.row.get(COLUMN) or self._failed.get(live.table.id) or Analysis("none")

    def begin(self, live: LocalTable) -> Any:
        """Analyse a game, unless it is done or under way."""
        check_finished(live.table)
        table_id = live.table.id
        if table_id not in self._runs and not live.row.get(COLUMN):
            self._failed.pop(table_id, None)
            run = self._runs[table_id] = AnalysisRun(live.table)
            self._hub.spawn(self._run(live, run), "analysis")
        return self.look(live)

    async def _run(self, live: LocalTable, run: AnalysisRun) -> None:
        table_id = live.table.id
        try:
            async with self._turn:
                asked = await self._questions(run)
                found = await run.run(asked, self._seconds, self._hub.thinking.judge)
            await self._keep(live, json.loads(encode(found)))
        except BotTrouble as error:
            self._failed[table_id] = Analysis("failed", run.done, run.total, message=str(error))
        except (StorageTrouble, Refused) as error:
            _log.warning("an analysis could not be stored: %s", error)
        except Exception:
            # A bug: whoever waits is told, and may ask again.
            self._failed[table_id] = Analysis("failed", run.done, run.total, message="Something went wrong.")
            raise
        finally:
            del self._runs[table_id]

    async def _keep(self, live: LocalTable, found: Json) -> None:
        """Store the result. If that fails, it is known until the page is closed."""
        live.row[COLUMN] = found
        if not live.gone:
            await self._hub.note(live, **{COLUMN: found})

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
