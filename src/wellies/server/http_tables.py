"""The routes for tables: making, finding and changing them, and what is left when a game is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar import MediaType, Response, Router, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta

from wellies.core.events import Json
from wellies.core.texts import listed
from wellies.match import Record
from wellies.server.avoided import check_may_join
from wellies.server.friends import invite_again
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, NameText, errors, give_cookie, known, new_guest
from wellies.server.hub import Hub
from wellies.server.identity import Identity, People, address
from wellies.server.live_table import LiveTable
from wellies.server.messages import SeatNumber
from wellies.server.replays import Replay, Replays
from wellies.server.storage import RowRefused
from wellies.table import Aids, Clock, EntryInfo, Refused, Setup, Table, TableInfo, new_table
from wellies.table.create import (
    SeatWishKind,
    check_seats,
    new_setup,
    rematch_table,
    setup_from_record,
    table_from_text,
    wished_seat,
)
from wellies.table.replay import Verdict, check_may_look_from, record_at, verdict_of
from wellies.table.settings import ClockKind, Hints, State, Takebacks, check_clock, check_level, check_rated

Level = Annotated[str, Meta(max_length=40)]
Invite = Annotated[str, Meta(max_length=100)]
RecordText = Annotated[str, Meta(max_length=400_000)]
TableId = Annotated[str, Meta(max_length=40)]


class ClockBody(msgspec.Struct, forbid_unknown_fields=True):
    """How time is to be kept; see `Clock`."""

    kind: ClockKind = "none"
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0
    days: Annotated[int, Meta(ge=0, le=60)] = 0

    def clock(self) -> Clock:
        return Clock(self.kind, self.seconds, self.increment, self.days)


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """`me`: whoever asks (several times: pass and play, each with a `name` if they like); `open`: anyone who joins;
    `bot`: a bot of this level."""

    kind: SeatWishKind
    level: Level = "shower"
    name: NameText | None = None


class Moment(msgspec.Struct, forbid_unknown_fields=True):
    """A moment of a finished game."""

    table: TableId
    number: Annotated[int, Meta(ge=0, le=100_000)]


class NewTable(msgspec.Struct, forbid_unknown_fields=True, rename={"origin": "from"}):
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=12)]
    game: Annotated[str, Meta(max_length=40)] = ""
    options: Json = {}
    private: bool = False
    clock: ClockBody = msgspec.field(default_factory=ClockBody)
    start: bool = False
    name: NameText | None = None
    origin: Moment | None = None
    record: RecordText | None = None
    hints: Hints | None = None
    badges: bool | None = None
    takebacks: Takebacks | None = None
    rated: bool = False


class JoinBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber | None = None
    invite: Invite | None = None


class SeatBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber | None = None


class HandOverBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber | None = None
    level: Level = "shower"


class SetSeatBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber
    kind: Literal["bot", "open"]
    level: Level = "shower"


class ChairBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber


class NameSeatBody(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber
    name: NameText


class ChangeBody(msgspec.Struct, forbid_unknown_fields=True):
    options: Json | None = None
    clock: ClockBody | None = None
    private: bool | None = None
    hints: Hints | None = None
    badges: bool | None = None
    takebacks: Takebacks | None = None
    rated: bool | None = None


class RecordBody(msgspec.Struct, forbid_unknown_fields=True):
    record: RecordText


class TableList(msgspec.Struct):
    tables: list[TableInfo]


class TableLog(msgspec.Struct):
    version: int
    entries: list[EntryInfo]


def hub_of(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _replays(request: AnyRequest) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


def _who(request: AnyRequest, identity: Identity | None) -> str:
    """Whose share of the server's time is used."""
    return identity.id if identity is not None else address(request)


def _id(identity: Identity | None) -> str:
    return identity.id if identity is not None else ""


async def find_table(
    request: AnyRequest, table_id: str, identity: Identity | None, invite: str | None = None
) -> LiveTable:
    """The table, if this person may know of it."""
    live = await hub_of(request).get(table_id, catch_up=True)
    if not live.table.visible_to(_id(identity), invite):
        raise Refused("no_table", "There is no such table.", 404)
    return live


async def _change(
    request: AnyRequest, table_id: str, asker: Identity | None, act: Callable[[Table, Identity, int], Any]
) -> TableInfo:
    """Change a table for a person; returns how it stands then."""
    identity = known(asker)
    live = await find_table(request, table_id, identity)
    hub = hub_of(request)
    await hub.change(live, lambda trial: act(trial, identity, hub.clock.now()))
    return live.table.info_for(identity.id)


def _check_account(identity: Identity) -> None:
    """Refused (403) unless this person has an account, as rated games need it."""
    if not identity.account:
        raise Refused(
            "needs_account", "Rated games are for accounts: set a password, and your name is an account.", 403
        )


async def _check_accounts(request: AnyRequest, table: Table) -> None:
    """Refused unless all people at a table have an account."""
    known_accounts = await hub_of(request).storage.history.accounts(table.holders())
    guests = [seat.name for seat in table.seats if seat.identity and seat.identity not in known_accounts]
    if guests:
        raise Refused(
            "needs_account",
            f"Rated games are for accounts, and {listed(guests)} {'is a guest' if len(guests) == 1 else 'are guests'}.",
        )


# --- making and finding -------------------------------------------------------------------------------------------


@post("/tables", operation_id="createTable", tags=["tables"], responses=errors(404, 409))
async def create_table(request: AnyRequest, data: JSONBody[NewTable], asker: Asker) -> Response[TableInfo]:
    """A new table. A client without a cookie becomes a guest on the way."""
    begun = await _first_setup(request, data, asker)
    clock = check_clock(data.clock.clock())
    people: People = request.app.state.people
    names = [await people.may_be_called(wish.name, asker) if wish.name is not None else None for wish in data.seats]
    for wish in data.seats:
        check_level(wish.level)
    cookies = []
    if asker is None:
        asker = await new_guest(request, data.name or "")
        cookies = [give_cookie(request, asker)]
    setup = replace(
        begun,
        seats=[
            wished_seat(wish.kind, wish.level, name or asker.name, asker.id)
            for wish, name in zip(data.seats, names, strict=True)
        ],
        private=data.private,
        clock=clock,
        host=asker.id,
        host_name=asker.name,
        aids=Aids(data.hints, data.badges, data.takebacks),
        rated=data.rated,
    )
    if setup.rated:
        setup = replace(setup, aids=check_rated(setup, setup.aids))
        _check_account(asker)
    hub = hub_of(request)
    table = new_table(setup, created=hub.clock.now())
    if data.start:
        table.start(asker.id, table.created)
        async with hub.room_for_bots(table, asker.id):
            live = await hub.create(table)
    else:
        live = await hub.create(table)
    return Response(live.table.info_for(asker.id), status_code=201, cookies=cookies)


async def _first_setup(request: AnyRequest, data: NewTable, asker: Identity | None) -> Setup:
    """The game, options and first moves of a new table: as asked, or from another game."""
    if data.origin is None and data.record is None:
        return new_setup(data.game, data.options, len(data.seats))
    if data.origin is not None:
        live = await find_table(request, data.origin.table, asker)
        table, number = live.table, data.origin.number
        record = await _replays(request).in_thread(_who(request, asker), lambda: record_at(table, number))
    else:
        assert data.record is not None
        record = Record.parse(data.record)
        await _replays(request).in_thread(_who(request, asker), record.replay)
    check_seats(record, len(data.seats))
    return setup_from_record(record)


@get("/tables", operation_id="listTables", tags=["tables"], responses=errors(401))
async def list_tables(
    request: AnyRequest,
    asker: Asker,
    mine: FromQuery[bool] = False,
    stage: Annotated[State | None, QueryParameter(name="state")] = None,
    game: FromQuery[str | None] = None,
    player: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> TableList:
    """Tables, newest first: open ones to join, running ones to watch, finished ones to replay."""
    owner = _id(known(asker) if mine else asker)
    found = await hub_of(request).storage.list_tables(
        owner, mine=mine, state=stage, game=game, player=player, before=before, limit=limit
    )
    return TableList(found)


@get("/tables/{table_id:str}", operation_id="getTable", tags=["tables"], responses=errors(404))
async def get_table(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> TableInfo:
    """One table as this client may know it."""
    return (await find_table(request, table_id, asker, invite)).table.info_for(_id(asker))


# --- changing -----------------------------------------------------------------------------------------------------


@patch("/tables/{table_id:str}", operation_id="changeTable", tags=["tables"], responses=errors(401, 404, 409))
async def change_table(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ChangeBody], asker: Asker
) -> TableInfo:
    """The host changes options, clock, privacy, hints, badges, takebacks, or whether the game is rated, before it."""
    if data.rated:
        await _check_accounts(request, (await find_table(request, table_id, asker)).table)
    aids = Aids(data.hints, data.badges, data.takebacks)
    clock = None if data.clock is None else data.clock.clock()
    return await _change(
        request,
        table_id,
        asker,
        lambda table, who, at: table.change(who.id, data.options, clock, data.private, at, aids, data.rated),
    )


def _on_table(what: str, operation: str) -> Callable[[Any], HTTPRouteHandler]:
    """A route that does something to a table and answers with how the table stands."""
    return post(
        f"/tables/{{table_id:str}}/{what}",
        status_code=200,
        operation_id=operation,
        tags=["tables"],
        responses=errors(401, 404, 409),
    )


@_on_table("join", "joinTable")
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinBody], asker: Asker) -> TableInfo:
    """Sit down on an open chair."""
    identity = known(asker)
    live = await find_table(request, table_id, identity, data.invite)
    hub = hub_of(request)
    if live.table.rated:
        _check_account(identity)
    await check_may_join(hub.storage, live.table, identity.id)
    await hub.change(live, lambda table: table.join(identity.id, identity.name, data.seat, hub.clock.now()))
    await hub.storage.drop_invitation(identity.id, table_id)
    return live.table.info_for(identity.id)


@_on_table("leave", "leaveTable")
async def leave(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatBody], asker: Asker) -> TableInfo:
    """Get up: before the game the chair is free again, during it a bot plays on."""
    level = hub_of(request).settings.stand_in_level
    return await _change(request, table_id, asker, lambda table, who, at: table.leave(who.id, data.seat, level, at))


@_on_table("seats", "setSeat")
async def set_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SetSeatBody], asker: Asker
) -> TableInfo:
    """The host puts a bot on a chair or clears it."""
    return await _change(
        request, table_id, asker, lambda table, who, at: table.set_seat(who.id, data.seat, data.kind, data.level, at)
    )


@_on_table("chairs/add", "addChair")
async def add_chair(request: AnyRequest, table_id: FromPath[str], asker: Asker) -> TableInfo:
    """The host puts one more open chair at the table before the game."""
    return await _change(request, table_id, asker, lambda table, who, at: table.add_chair(who.id, at))


@_on_table("chairs/remove", "removeChair")
async def remove_chair(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ChairBody], asker: Asker
) -> TableInfo:
    """The host takes a chair away on which no person sits; those behind it move up."""
    return await _change(request, table_id, asker, lambda table, who, at: table.remove_chair(who.id, data.seat, at))


@_on_table("chairs/name", "nameSeat")
async def name_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[NameSeatBody], asker: Asker
) -> TableInfo:
    """Another name for a chair of one's own before the game."""
    people: People = request.app.state.people
    name = await people.may_be_called(data.name, asker)
    return await _change(request, table_id, asker, lambda table, who, at: table.name_seat(who.id, data.seat, name, at))


@_on_table("start", "startTable")
async def start(request: AnyRequest, table_id: FromPath[str], asker: Asker) -> TableInfo:
    """The host begins the game."""
    identity = known(asker)
    live = await find_table(request, table_id, identity)
    if live.table.rated:
        await _check_accounts(request, live.table)
    async with hub_of(request).room_for_bots(live.table, identity.id):
        return await _change(request, table_id, asker, lambda table, who, at: table.start(who.id, at))


@_on_table("handover", "handOver")
async def hand_over(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[HandOverBody], asker: Asker
) -> TableInfo:
    """Let a bot play on until one takes the seat back."""
    return await _change(
        request, table_id, asker, lambda table, who, at: table.hand_over(who.id, data.seat, data.level, at)
    )


@_on_table("takeback", "takeBack")
async def reclaim_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatBody], asker: Asker
) -> TableInfo:
    """Take the seat back from the bot."""
    return await _change(request, table_id, asker, lambda table, who, at: table.reclaim_seat(who.id, data.seat, at))


@_on_table("resign", "resign")
async def resign(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatBody], asker: Asker) -> TableInfo:
    """Give up: a bot plays the seat to the end, so that the others can finish; the outcome says so."""
    level = hub_of(request).settings.stand_in_level
    return await _change(request, table_id, asker, lambda table, who, at: table.resign(who.id, data.seat, level, at))


@_on_table("rematch", "rematch")
async def rematch(request: AnyRequest, table_id: FromPath[str], asker: Asker) -> TableInfo:
    """Another game with the same people: a new table, the same one for everybody who asks."""
    identity = known(asker)
    hub = hub_of(request)
    old = await find_table(request, table_id, identity)
    # One at a time in this worker; other workers make the same table, for its id follows from the old one.
    async with old.rematch_lock:
        if old.table.rematch is None:
            await _make_rematch(hub, old, identity)
    assert old.table.rematch is not None
    live = await hub.get(old.table.rematch, catch_up=True)
    return live.table.info_for(identity.id)


async def _make_rematch(hub: Hub, old: LiveTable, identity: Identity) -> None:
    table = rematch_table(old.table, identity.id, identity.name, hub.clock.now())
    old.table.fork().name_rematch(identity.id, table.id, hub.clock.now())
    try:
        await hub.create(table)
    except RowRefused:
        # Another worker has made it meanwhile; if not, this raises.
        await hub.get(table.id)
    await hub.change(old, lambda trial: trial.name_rematch(identity.id, table.id, hub.clock.now()))
    await invite_again(hub, table, identity)


# --- afterwards ---------------------------------------------------------------------------------------------------


@get(
    "/tables/{table_id:str}/record",
    operation_id="getRecord",
    tags=["records"],
    media_type=MediaType.TEXT,
    responses=errors(404, 409),
)
async def get_record(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> Response[str]:
    """The record of a finished game, as a file."""
    table = (await find_table(request, table_id, asker, invite)).table
    name = f"{table.setup.game}-{table.id}.wellies"
    return Response(
        str(table.record()),
        media_type=MediaType.TEXT,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@get("/tables/{table_id:str}/verify", operation_id="verifyTable", tags=["records"], responses=errors(404, 409))
async def verify_table(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> Verdict:
    """Check that every draw of a finished game came from the seed whose hash was published before."""
    return await _verdict(request, (await find_table(request, table_id, asker, invite)).table.record(), asker)


@post("/verify", status_code=200, operation_id="verifyRecord", tags=["records"], responses=errors())
async def verify_record(request: AnyRequest, data: JSONBody[RecordBody], asker: Asker) -> Verdict:
    """The same for any record."""
    return await _verdict(request, Record.parse(data.record), asker)


async def _verdict(request: AnyRequest, record: Record, asker: Identity | None) -> Verdict:
    return await _replays(request).in_thread(_who(request, asker), lambda: verdict_of(record))


@post("/import", operation_id="importRecord", tags=["records"], responses=errors(401))
async def import_record(request: AnyRequest, data: JSONBody[RecordBody], asker: Asker) -> TableInfo:
    """A finished game from elsewhere becomes a table, to be listed and replayed."""
    identity = known(asker)
    text, owner, name = data.record, identity.id, identity.name
    table = await _replays(request).in_thread(_who(request, identity), lambda: table_from_text(text, owner, name))
    live = await hub_of(request).create(table)
    return live.table.info_for(identity.id)


@get("/tables/{table_id:str}/replay", operation_id="replayTable", tags=["records"], responses=errors(404))
async def replay(
    request: AnyRequest,
    table_id: FromPath[str],
    asker: Asker,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    start: Annotated[int, QueryParameter(name="from", ge=0, le=100_000)] = 0,
    stop: Annotated[int | None, QueryParameter(name="to", ge=0, le=100_000)] = None,
    invite: FromQuery[str | None] = None,
) -> Response[Replay]:
    """The table after each entry of its log: as one's own seat saw it, as spectators did, or, when the game is over, as
    any seat did."""
    table = (await find_table(request, table_id, asker, invite)).table
    check_may_look_from(table, seat, _id(asker))
    made = await _replays(request).moments(table, seat, start, stop, _who(request, asker))
    return Response(cast("Replay", made), media_type=MediaType.JSON)


@get("/tables/{table_id:str}/log", operation_id="tableLog", tags=["records"], responses=errors(404))
async def log(
    request: AnyRequest,
    table_id: FromPath[str],
    asker: Asker,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    invite: FromQuery[str | None] = None,
) -> TableLog:
    """The whole log, as `replay` has it, without the views."""
    table = (await find_table(request, table_id, asker, invite)).table
    check_may_look_from(table, seat, _id(asker))
    return TableLog(table.version, [table.entry_for(entry, seat) for entry in table.log])


def table_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            create_table,
            list_tables,
            get_table,
            change_table,
            join,
            leave,
            set_seat,
            add_chair,
            remove_chair,
            name_seat,
            start,
            hand_over,
            reclaim_seat,
            resign,
            rematch,
            get_record,
            verify_table,
            verify_record,
            import_record,
            replay,
            log,
        ],
        dependencies=PROVIDE_ASKER,
    )
