"""What the second worker of a browser runs: bots and the analysis, one task at a time.

A task and its answer are JSON texts; the `view` in a task is one, too. An answer with `failure` says in words what went
wrong.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

from wellies.core.events import Json
from wellies.match import bot_tasks

_log = logging.getLogger("wellies.bots")


def choose(task_json: str) -> str:
    """`{"level", "view", "seat", "seed"}` -> `{"move", "words"}`: the move that a bot chooses. With `"hint": true` the
    reasons for it too: what `bot_tasks.hint` finds."""
    return _answer(_choose, task_json)


def judge(task_json: str) -> str:
    """`{"view", "seat", "move", "number", "nodes"}` -> what `bot_tasks.judge` finds about a move."""
    return _answer(_judge, task_json)


def _choose(task: Json) -> Json:
    if task.get("hint"):
        return bot_tasks.hint(task["level"], task["view"], task["seat"], task["seed"])
    move, words = bot_tasks.choose(task["level"], task["view"], task["seat"], task["seed"])
    return {"move": move, "words": words}


def _judge(task: Json) -> Json:
    return bot_tasks.judge(task["view"], task["seat"], task["move"], task["number"], task["nodes"])


def _answer(work: Callable[[Json], Json], task_json: str) -> str:
    try:
        return json.dumps(work(json.loads(task_json)))
    except Exception as error:
        # A bug of a bot: the table goes on, with a move of another bot.
        _log.exception("an error in a bot")
        return json.dumps({"failure": str(error) or type(error).__name__})
