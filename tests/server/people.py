"""People for tests: accounts, and games played to their end."""

from __future__ import annotations

from typing import Any

from server.serving import LONGEST

from wellies.client import Client

PASSWORD = "rain on the roof"


async def account(client: Client, name: str) -> dict[str, Any]:
    """Make this client a new account."""
    await client.guest(name)
    me: dict[str, Any] = await client.request("POST", "/me/password", {"password": PASSWORD})
    return me


async def play_to_end(client: Client, table: str, moves: int | None = None) -> None:
    """Play the own seat, always a legal move of another place in the list, so many times or until the game is over."""
    info = await client.get_table(table)
    seat = next((each["seat"] for each in info["seats"] if each["mine"]), None)
    async with client.table(table, seat=seat, legal="text") as view:
        made = 0
        while made != moves:
            await view.until(lambda now: now.finished or (now.decision and now.decision["due"]), LONGEST)
            if view.finished:
                break
            version = (await view.play(view.legal[7 * made % len(view.legal)]))["version"]
            await view.until(lambda now, version=version: now.version >= version, LONGEST)
            made += 1
        if moves is None:
            await view.until(lambda now: now.table["state"] == "finished", LONGEST)
