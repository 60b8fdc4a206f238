"""Makes a history that fails smaller, as long as it fails in the same way, and prints it as a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from simulation.history import ClientPlan, History
from simulation.world import run

MOST_RUNS: Final = 400
"""How many smaller histories are tried at most."""


def kind_of_failure(history: History) -> str | None:
    """In which way a history fails; None if it does not."""
    failures = run(history, noted=False).failures
    return failures[0].kind if failures else None


def shrink(history: History, fails: Callable[[History], str | None] = kind_of_failure) -> History:
    """A smaller history that fails in the same way."""
    wanted = fails(history)
    runs = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(history):
            runs += 1
            if runs > MOST_RUNS:
                return history
            if fails(smaller) == wanted:
                history, progress = smaller, True
                break
    return history


def _smaller(history: History) -> Iterator[History]:
    """Histories with something left out, the largest parts first."""
    for number in range(len(history.tables)):
        if len(history.tables) > 1:
            yield _without_table(history, number)
    for size in (len(history.faults), len(history.faults) // 2, 1):
        for start in range(0, len(history.faults), size) if size else ():
            yield replace(history, faults=history.faults[:start] + history.faults[start + size :])
    for place, client in enumerate(history.clients):
        if not any(client.number in table.chairs for table in history.tables):
            yield replace(history, clients=history.clients[:place] + history.clients[place + 1 :])
    if any(client.actions for client in history.clients):
        yield replace(history, clients=tuple(replace(client, actions=()) for client in history.clients))
    for client in history.clients:
        for at in range(len(client.actions)):
            yield _with(history, replace(client, actions=client.actions[:at] + client.actions[at + 1 :]))
        for simpler in (replace(client, watches_too=False), replace(client, legal="text")):
            if simpler != client:
                yield _with(history, simpler)
    if any(history.skews):
        yield replace(history, skews=(0,) * history.workers)
    if history.tight:
        yield replace(history, tight=False)
    if history.workers > 1 and all(fault.worker < history.workers - 1 for fault in history.faults):
        yield replace(history, workers=history.workers - 1, skews=history.skews[:-1])
    if history.seconds > 4:
        last = max([fault.at for fault in history.faults] + [a.at for c in history.clients for a in c.actions] + [2.0])
        if last + 1 < history.seconds:
            yield replace(history, seconds=round(last + 1, 1))


def _without_table(history: History, number: int) -> History:
    """Clients of later tables keep their numbers, and get their table's new place."""
    clients = [client for client in history.clients if client.table != number]
    moved = tuple(replace(client, table=client.table - (client.table > number)) for client in clients)
    return replace(history, tables=history.tables[:number] + history.tables[number + 1 :], clients=moved)


def _with(history: History, changed: ClientPlan) -> History:
    clients = tuple(changed if client.number == changed.number else client for client in history.clients)
    return replace(history, clients=clients)


# --- printing -----------------------------------------------------------------------------------------------------


def as_test(history: History, failure: str) -> str:
    """A test that lets the history happen, to be pasted into tests/simulation/test_found.py."""
    return (
        f"def test_seed_{history.seed}() -> None:\n"
        f'    """{failure.splitlines()[0][:100]}"""\n'
        f"    check(\n        {_source(history, 8)}\n    )\n"
    )


def _source(value: Any, indent: int) -> str:
    """Python source of a value; fields that have their default are left out."""
    if is_dataclass(value):
        given = [
            f"{each.name}={_source(getattr(value, each.name), indent + 4)}"
            for each in fields(value)
            if getattr(value, each.name) != each.default
        ]
        line = f"{type(value).__name__}({', '.join(given)})"
        if len(line) + indent < 110 and "\n" not in line:
            return line
        space = " " * (indent + 4)
        return f"{type(value).__name__}(\n" + "".join(f"{space}{part},\n" for part in given) + " " * indent + ")"
    if isinstance(value, tuple) and any(is_dataclass(each) for each in value):
        space = " " * (indent + 4)
        return "(\n" + "".join(f"{space}{_source(each, indent + 4)},\n" for each in value) + " " * indent + ")"
    return repr(value)
