"""Friends and invitations. People know each other by handles: the id of a person is secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from wellies.core.sources import random_hex, random_urlsafe
from wellies.games import game_title
from wellies.server.finding import keep_apart
from wellies.server.identity import Identity, login_name
from wellies.server.storage import Row
from wellies.table import Refused, Table

if TYPE_CHECKING:
    from wellies.server.hub import Hub

FriendState = Literal["friend", "asked", "asks"]

MOST_FRIENDS: Final = 200
HERE_MILLIS: Final = 150_000
"""Somebody whose page was heard of within this time is here."""
SEEN_MILLIS: Final = 60_000
"""How often it is stored that a person is here."""
MOST_REMEMBERED: Final = 50_000
_OTHER_SIDE: Final[dict[FriendState, FriendState]] = {"friend": "friend", "asked": "asks", "asks": "asked"}


class Friend(msgspec.Struct):
    """A friend, or somebody who is to become one: `asked` by this person, or who `asks` them. `here`: their page is
    open; told of friends only."""

    handle: str
    name: str
    state: FriendState
    here: bool


class Invitation(msgspec.Struct):
    """An invitation to a table; `again`: to another game with the people of a finished one."""

    table: str
    game: str
    title: str
    name: str
    invite: str
    again: bool
    at: int


class Presences:
    """Notes who is here, a few times a minute at most."""

    def __init__(self) -> None:
        self._noted: dict[str, int] = {}

    async def note(self, hub: Hub, identity: Identity) -> None:
        now = hub.clock.now()
        if now - self._noted.get(identity.id, 0) < SEEN_MILLIS:
            return
        if len(self._noted) >= MOST_REMEMBERED:
            self._noted.clear()
        self._noted[identity.id] = now
        await hub.storage.note_seen(identity.id, now)


async def friends_of(hub: Hub, identity: Identity) -> list[Friend]:
    now = hub.clock.now()
    return [
        Friend(row["handle"], row["name"], row["state"], row["state"] == "friend" and now - row["seen"] < HERE_MILLIS)
        for row in await hub.storage.friends(identity.id)
    ]


async def friend_code(hub: Hub, identity: Identity, *, renew: bool = False) -> str:
    """The code of the person's own friend link; with `renew` a new one, and the old link leads nowhere."""
    code = None if renew else await hub.storage.friend_code(identity.id)
    if code is None:
        code = random_urlsafe(16)
        await hub.storage.set_friend_code(identity.id, code)
    return code


async def person_of_link(hub: Hub, code: str) -> Row:
    """Whose friend link it is. Refused (404) if it is nobody's any more."""
    row = await hub.storage.person_of_code(code)
    if row is None:
        raise Refused("no_friend_link", "This friend link is no longer valid; ask for a new one.", 404)
    return row


async def befriend_by_link(hub: Hub, identity: Identity, code: str) -> None:
    """Whoever gives their link to somebody agrees already: both are friends at once."""
    other = await person_of_link(hub, code)
    await _befriend(hub, identity, other["id"], "friend")


async def befriend_by_name(hub: Hub, identity: Identity, name: str) -> None:
    """Ask the account of this name; if it has asked this person, both are friends."""
    other = await hub.storage.account(login_name(name))
    if other is None:
        raise Refused(
            "no_account", "There is no account of that name. Whoever has no password can be found by a link.", 404
        )
    await _befriend(hub, identity, other["id"], "asked")


async def _befriend(hub: Hub, identity: Identity, other: str, state: FriendState) -> None:
    if other == identity.id:
        raise Refused("yourself", "That is you.")
    if other in await keep_apart(hub.storage, identity.id):
        raise Refused("no_account", "There is no account of that name.", 404)
    mine = await hub.storage.friends(identity.id)
    there = next((row for row in mine if row["friend_id"] == other), None)
    if there is not None and there["state"] in ("friend", state):
        return
    if there is None and max(len(mine), len(await hub.storage.friends(other))) >= MOST_FRIENDS:
        raise Refused("too_many", f"A person can have {MOST_FRIENDS} friends at most.")
    if there is not None and there["state"] == "asks":
        state = "friend"
    await _store(hub, identity.id, other, state)


async def _store(hub: Hub, one: str, other: str, state: FriendState) -> None:
    at = hub.clock.now()
    await hub.storage.set_friendship(
        [
            {"identity_id": one, "friend_id": other, "handle": random_hex(12), "state": state, "at": at},
            {
                "identity_id": other,
                "friend_id": one,
                "handle": random_hex(12),
                "state": _OTHER_SIDE[state],
                "at": at,
            },
        ]
    )


async def friend_by_handle(hub: Hub, identity: Identity, handle: str) -> Row:
    """The friendship that this person knows by a handle; Refused (404) if there is none."""
    for row in await hub.storage.friends(identity.id):
        if row["handle"] == handle:
            return row
    raise Refused("no_friend", "That is none of your friends.", 404)


async def accept(hub: Hub, identity: Identity, handle: str) -> None:
    row = await friend_by_handle(hub, identity, handle)
    if row["state"] == "asked":
        raise Refused("not_asked", f"{row['name']} has to say yes, not you.")
    if row["state"] == "asks":
        await _store(hub, identity.id, row["friend_id"], "friend")


async def remove(hub: Hub, identity: Identity, handle: str) -> None:
    """End a friendship, decline one, or no longer ask for one."""
    row = await friend_by_handle(hub, identity, handle)
    await hub.storage.end_friendship(identity.id, row["friend_id"])


# --- invitations ---------------------------------------------------------------------------------------------------


async def invitations_of(hub: Hub, identity: Identity) -> list[Invitation]:
    return [
        Invitation(
            row["table_id"],
            row["game"],
            game_title(row["game"]),
            row["from_name"],
            row["invite"],
            row["again"],
            row["at"],
        )
        for row in await hub.storage.invitations(identity.id)
    ]


async def invite_friend(hub: Hub, table: Table, identity: Identity, handle: str) -> None:
    """Invite a friend to a table whose game has not begun. Refused unless one sits there or is its host."""
    row = await friend_by_handle(hub, identity, handle)
    if row["state"] != "friend":
        raise Refused("no_friend", f"{row['name']} is not your friend yet.")
    if table.state != "open":
        raise Refused("begun", "The game has begun already.")
    if table.setup.host != identity.id and not table.seats_of(identity.id):
        raise Refused("not_seated", "Sit down at the table before you invite others.", 403)
    if table.seats_of(row["friend_id"]):
        raise Refused("seated", f"{row['name']} sits there already.")
    await hub.storage.invite([_invitation(hub, table, identity, row["friend_id"], again=False)])


async def invite_again(hub: Hub, table: Table, identity: Identity) -> None:
    """Tell the others for whom another game was made."""
    apart = await keep_apart(hub.storage, identity.id)
    others = [person for person in table.holders() if person != identity.id and person not in apart]
    if others and table.state == "open":
        await hub.storage.invite([_invitation(hub, table, identity, other, again=True) for other in others])


def _invitation(hub: Hub, table: Table, identity: Identity, to: str, *, again: bool) -> Row:
    return {
        "identity_id": to,
        "table_id": table.id,
        "from_id": identity.id,
        "from_name": identity.name,
        "again": again,
        "at": hub.clock.now(),
    }
