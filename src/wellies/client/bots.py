"""A bot of one's own at a table over the network."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from wellies.client.client import Client, ServerRefused
from wellies.client.seat import Disconnected, TableView

Json = dict[str, Any]
Choose = Callable[[Json, list[str], int], str | Awaitable[str]]
"""From the seat's view, its legal moves as notation, and its number: one of those moves."""


async def run_bot(
    url: str,
    table: str,
    choose: Choose,
    *,
    name: str = "My bot",
    seat: int | None = None,
    invite: str | None = None,
    cookie: str | None = None,
    patience: float = 60.0,
) -> Json:
    """Sit down at a table and play it to the end; returns the outcome.

    With `cookie` it plays a seat that this identity holds already; else it becomes a guest and joins. A connection that
    breaks is made again, and a move that may be lost is sent again: it cannot be made twice.
    """
    async with Client(url, cookie=cookie) as client:
        if cookie is None:
            await client.guest(name)
            joined = await client.join(table, seat, invite)
            seat = max(chair["seat"] for chair in joined["seats"] if chair["mine"]) if seat is None else seat
        elif seat is None:
            found = await client.get_table(table, invite)
            seat = min(chair["seat"] for chair in found["seats"] if chair["mine"])
        async with client.table(table, seat=seat, invite=invite, legal="text", patience=patience) as view:
            while not view.finished:
                await view.until(lambda now: now.finished or _is_asked(now), timeout=365 * 86_400)
                if not view.finished:
                    await _move(view, choose, seat)
            outcome: Json = view.view["outcome"] if view.view is not None else {}
            return outcome


def _is_asked(view: TableView) -> bool:
    return view.decision is not None and bool(view.decision["due"]) and bool(view.legal)


async def _move(view: TableView, choose: Choose, seat: int) -> None:
    assert view.view is not None
    assert view.decision is not None
    decision = view.decision["id"]
    chosen = choose(view.view, view.legal, seat)
    move = await chosen if inspect.isawaitable(chosen) else chosen
    try:
        await view.play(move, decision)
    except Disconnected:
        # The view connects again by itself; whether the move was stored shows in the decision.
        version = view.version
        await view.until(lambda now: now.version > version or now.gone is None, timeout=120)
    except ServerRefused as error:
        if error.code not in ("stale", "not_your_turn", "storage", "too_fast"):
            raise
