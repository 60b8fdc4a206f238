"""The routes for finding a game, for friends and invitations, and for what waits for a person."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, delete, get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from wellies.games import game_title
from wellies.server import finding, friends
from wellies.server.finding import Pace, Search, Waiting
from wellies.server.friends import Friend, Invitation, Presences
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, Done, NameText, check_rate, errors, known
from wellies.server.http_tables import find_table, hub_of
from wellies.server.identity import Identity
from wellies.table import Summary
from wellies.table.codec import decode

Code = Annotated[str, Meta(min_length=1, max_length=60)]


class SearchBody(msgspec.Struct, forbid_unknown_fields=True):
    """What game a person looks for: `seats` are the numbers of players that suit."""

    game: Annotated[str, Meta(max_length=40)]
    pace: Pace
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=12)]], Meta(min_length=1, max_length=11)]


class FriendBody(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody to become a friend: the `name` of an account, or the `code` of a friend link."""

    name: NameText | None = None
    code: Code | None = None


class InviteBody(msgspec.Struct, forbid_unknown_fields=True):
    friend: Annotated[str, Meta(max_length=40)]


class FriendLink(msgspec.Struct):
    code: str


class FriendName(msgspec.Struct):
    name: str


class FriendList(msgspec.Struct):
    friends: list[Friend]


class Turn(msgspec.Struct):
    """A running game of this person. `mine`: it is their turn. `deadline` is when the first clock of those who are
    waited for runs out, null without a clock."""

    table: str
    game: str
    title: str
    mine: bool
    deadline: int | None


class Inbox(msgspec.Struct):
    """What waits for a person: games in which it is their turn, invitations, requests of friends, a search."""

    turns: list[Turn]
    invitations: list[Invitation]
    asks: int
    search: Search | None
    now: int


class WaitingList(msgspec.Struct):
    waiting: list[Waiting]


def _presences(request: AnyRequest) -> Presences:
    presences: Presences = request.app.state.presences
    return presences


@get("/inbox", operation_id="getInbox", tags=["people"], responses=errors())
async def inbox(request: AnyRequest, asker: Asker) -> Inbox:
    """What waits for me. A page asks it again and again; a search for a game is renewed by it."""
    hub = hub_of(request)
    if asker is None:
        return Inbox([], [], 0, None, hub.clock.now())
    await _presences(request).note(hub, asker)
    asks = sum(1 for row in await hub.storage.friends(asker.id) if row["state"] == "asks")
    return Inbox(
        await _turns(request, asker),
        await friends.invitations_of(hub, asker),
        asks,
        await finding.go_on_looking(hub, asker),
        hub.clock.now(),
    )


async def _turns(request: AnyRequest, identity: Identity) -> list[Turn]:
    """The running games of a person, those where it is their turn first, then by what is left of the time."""
    found = []
    for row in await hub_of(request).storage.tables_of(identity.id):
        summary = Summary.from_json(decode(row["summary"]))
        waiting = [summary.seats[int(seat)] for seat in row["waiting"].split(",") if seat]
        mine = any(seat.identity == identity.id and seat.bot is None for seat in waiting)
        deadline = row["wake_at"] if summary.clock.kind != "none" and all(s.bot is None for s in waiting) else None
        found.append(Turn(row["id"], row["game"], game_title(row["game"]), mine, deadline))
    return sorted(found, key=lambda turn: (not turn.mine, turn.deadline is None, turn.deadline or 0))


# --- finding a game ------------------------------------------------------------------------------------------------


@get("/search", operation_id="listWaiting", tags=["people"], responses=errors())
async def waiting(request: AnyRequest) -> WaitingList:
    """The games that people wait for now."""
    return WaitingList(await finding.who_waits(hub_of(request)))


@put("/search", operation_id="findGame", tags=["people"], responses=errors(401, 404))
async def find_game(request: AnyRequest, data: JSONBody[SearchBody], asker: Asker) -> Search:
    """Look for a game with others. `GET /inbox` says how it stands, and must be asked at least once a minute."""
    identity = known(asker)
    await check_rate(request, "people", identity.id)
    return await finding.look_for_game(hub_of(request), identity, data.game, data.pace, data.seats, "")


@delete("/search/{request_id:str}", status_code=200, operation_id="stopFinding", tags=["people"], responses=errors(401))
async def stop_finding(request: AnyRequest, request_id: FromPath[str], asker: Asker) -> Done:
    """Look for it no longer, or note that it was seen that a game was found."""
    await finding.stop_looking(hub_of(request), known(asker), request_id)
    return Done()


# --- friends -------------------------------------------------------------------------------------------------------


@get("/friends", operation_id="listFriends", tags=["people"], responses=errors(401))
async def list_friends(request: AnyRequest, asker: Asker) -> FriendList:
    """My friends, and who is to become one."""
    return FriendList(await friends.friends_of(hub_of(request), known(asker)))


@post("/friends", status_code=200, operation_id="addFriend", tags=["people"], responses=errors(401, 404, 409))
async def add_friend(request: AnyRequest, data: JSONBody[FriendBody], asker: Asker) -> FriendList:
    """Ask the account of a name, or become the friend of whoever gave me their link."""
    identity, hub = known(asker), hub_of(request)
    await check_rate(request, "people", identity.id)
    if data.code is not None:
        await friends.befriend_by_link(hub, identity, data.code)
    else:
        await friends.befriend_by_name(hub, identity, data.name or "")
    return FriendList(await friends.friends_of(hub, identity))


@post(
    "/friends/{handle:str}/accept",
    status_code=200,
    operation_id="acceptFriend",
    tags=["people"],
    responses=errors(401, 404, 409),
)
async def accept_friend(request: AnyRequest, handle: FromPath[str], asker: Asker) -> FriendList:
    """Say yes to somebody who asks."""
    identity, hub = known(asker), hub_of(request)
    await friends.accept(hub, identity, handle)
    return FriendList(await friends.friends_of(hub, identity))


@delete(
    "/friends/{handle:str}", status_code=200, operation_id="removeFriend", tags=["people"], responses=errors(401, 404)
)
async def remove_friend(request: AnyRequest, handle: FromPath[str], asker: Asker) -> FriendList:
    """End a friendship, decline one, or no longer ask for one."""
    identity, hub = known(asker), hub_of(request)
    await friends.remove(hub, identity, handle)
    return FriendList(await friends.friends_of(hub, identity))


@get("/me/friend-link", operation_id="getFriendLink", tags=["people"], responses=errors(401))
async def get_friend_link(request: AnyRequest, asker: Asker) -> FriendLink:
    """The code of my friend link: whoever opens the link can become my friend."""
    return FriendLink(await friends.friend_code(hub_of(request), known(asker)))


@post("/me/friend-link", status_code=200, operation_id="renewFriendLink", tags=["people"], responses=errors(401))
async def renew_friend_link(request: AnyRequest, asker: Asker) -> FriendLink:
    """A new friend link; the old one is no longer valid."""
    identity = known(asker)
    await check_rate(request, "people", identity.id)
    return FriendLink(await friends.friend_code(hub_of(request), identity, renew=True))


@get("/friend-links/{code:str}", operation_id="readFriendLink", tags=["people"], responses=errors(404))
async def read_friend_link(request: AnyRequest, code: FromPath[str]) -> FriendName:
    """Whose friend link it is."""
    return FriendName((await friends.person_of_link(hub_of(request), code))["name"])


# --- invitations ---------------------------------------------------------------------------------------------------


@post(
    "/tables/{table_id:str}/invitations",
    status_code=200,
    operation_id="inviteFriend",
    tags=["people"],
    responses=errors(401, 404, 409),
)
async def invite_friend(request: AnyRequest, table_id: FromPath[str], data: JSONBody[InviteBody], asker: Asker) -> Done:
    """Invite a friend to a table."""
    identity = known(asker)
    await check_rate(request, "people", identity.id)
    live = await find_table(request, table_id, identity)
    await friends.invite_friend(hub_of(request), live.table, identity, data.friend)
    return Done()


@delete(
    "/invitations/{table_id:str}",
    status_code=200,
    operation_id="dropInvitation",
    tags=["people"],
    responses=errors(401),
)
async def drop_invitation(request: AnyRequest, table_id: FromPath[str], asker: Asker) -> Done:
    """The invitation to this table was answered, or is not wanted."""
    await hub_of(request).storage.drop_invitation(known(asker).id, table_id)
    return Done()


def finding_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            inbox,
            waiting,
            find_game,
            stop_finding,
            list_friends,
            add_friend,
            accept_friend,
            remove_friend,
            get_friend_link,
            renew_friend_link,
            read_friend_link,
            invite_friend,
            drop_invitation,
        ],
        dependencies=PROVIDE_ASKER,
    )
