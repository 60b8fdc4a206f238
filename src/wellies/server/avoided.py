"""Whom a person mutes (sees no chat of) or blocks (also does not play with). The other person is never told."""

from __future__ import annotations

from typing import Final, Literal

from wellies.server.storage import Store
from wellies.table import Refused, Table
from wellies.table.ids import public_id

Kind = Literal["mute", "block"]
MOST_AVOIDED: Final = 500
"""How many people one person may mute or block."""
CHAT_SEARCHED: Final = 1_000
"""The lines of chat, from the newest on, in which somebody is looked for."""


async def check_may_join(storage: Store, table: Table, identity: str) -> None:
    """Refused if the host of a table blocks this person. The words name no reason, and are the same for every one."""
    host = table.setup.host
    if host not in ("", identity) and await storage.has_blocked(host, identity):
        raise Refused("cannot_join", "You cannot join this table. There are others on the list of open tables.", 403)


async def avoid(storage: Store, table: Table, asker: str, person: str, kind: Kind, now: int) -> None:
    """Mute or block somebody who sits at this table, or has said something there, by their public id."""
    identity, name = await _find(storage, table, person)
    if identity == asker:
        raise Refused("yourself", "That is you; you can mute and block others only.", 400)
    known = await storage.avoided(asker)
    if len(known) >= MOST_AVOIDED and all(row["other_id"] != identity for row in known):
        raise Refused("too_many", f"You avoid {MOST_AVOIDED} people already; take somebody off the list first.", 409)
    await storage.avoid({"identity_id": asker, "other_id": identity, "kind": kind, "name": name, "at": now})
    if kind == "block":
        await storage.end_friendship(asker, identity)


async def stop_avoiding(storage: Store, asker: str, person: str) -> None:
    """Undo it."""
    for row in await storage.avoided(asker):
        if public_id(row["other_id"]) == person:
            await storage.stop_avoiding(asker, row["other_id"])
            return
    raise Refused("no_person", "You do not mute or block anybody of that id.", 404)


async def _find(storage: Store, table: Table, person: str) -> tuple[str, str]:
    """The secret id and the name of somebody at this table."""
    for seat in table.seats:
        if seat.kind == "person" and seat.identity and public_id(seat.identity) == person:
            return seat.identity, seat.name
    for row in await storage.chat_lines(table.id, CHAT_SEARCHED):
        if public_id(row["identity_id"]) == person:
            return row["identity_id"], row["name"]
    raise Refused("no_person", "There is nobody of that id at this table.", 404)
