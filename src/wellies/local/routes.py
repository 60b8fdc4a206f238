"""The requests of the page, answered on this device: the routes and bodies of the server's `/api/v1`.

Tables with people elsewhere need a server: what asks for them is refused with the code `no_server`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, unquote

from wellies.bots import bot, list_bots
from wellies.bots.base import describe_bot
from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.core.fields import Fields
from wellies.games import game, load_games
from wellies.local import bodies, puzzles
from wellies.local.analyses import LocalAnalyses
from wellies.local.hub import DEVICE, LocalHub
from wellies.local.live_table import LocalTable
from wellies.local.messages import BUG
from wellies.match import Record
from wellies.puzzles.puzzle import overview
from wellies.table import Refused, Setup, Table, new_table
from wellies.table.codec import encode
from wellies.table.create import (
    check_seats,
    new_setup,
    rematch_table,
    setup_from_record,
    table_from_text,
    wished_seat,
)
from wellies.table.errors import Conflict, http_error
from wellies.table.ids import new_local_id
from wellies.table.names import NAMELESS, clean_name
from wellies.table.replay import ReplayCache, check_may_look_from, record_at, verdict_of
from wellies.table.settings import STAND_IN_LEVEL, check_clock, check_level

PREFIX: Final = "/api/v1"
CACHE_BYTES: Final = 4 * 1024 * 1024
_log = logging.getLogger("wellies.local")


class Names(Protocol):
    """Keeps the name of whoever uses this device."""

    async def name(self) -> str:
        """The name; empty if there is none yet."""

    async def set_name(self, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Request:
    """A request: the part of the path that names something, the query, and the body as text."""

    named: str
    query: Mapping[str, str]
    body: str | None

    def fields(self, *known: str) -> Fields:
        return bodies.body_fields(bodies.read_json(self.body), *known)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: JSON in `body`, or a `text`."""

    status: int
    body: Any = None
    text: str | None = None


def _needs_server(what: str) -> Refused:
    return Refused("no_server", f"{what} needs a server; this table is on your device alone.")


class LocalRoutes:
    """All requests that a device answers."""

    def __init__(self, hub: LocalHub, names: Names) -> None:
        self._hub = hub
        self._names = names
        self._analyses = LocalAnalyses(hub)
        self._replays = ReplayCache(lambda moment: encode(moment).encode(), CACHE_BYTES)
        self._routes: dict[tuple[str, str], Callable[[Request], Awaitable[Answer | Any]]] = {
            ("GET", "games"): self._list_games,
            ("GET", "games/*"): self._one_game,
            ("GET", "bots"): self._list_bots,
            ("GET", "puzzles"): self._puzzle_calendar,
            ("GET", "puzzles/*"): self._puzzle,
            ("POST", "puzzles/*/preview"): self._preview_puzzle_move,
            ("POST", "puzzles/*/why"): self._why_puzzle_move,
            ("POST", "puzzles/*/try"): self._try_puzzle,
            ("GET", "session"): self._session,
            ("GET", "me"): self._me,
            ("POST", "me"): self._make_guest,
            ("PATCH", "me"): self._rename,
            ("POST", "me/password"): self._no_accounts,
            ("POST", "login"): self._no_accounts,
            ("POST", "logout"): self._no_accounts,
            ("GET", "tables"): self._list_tables,
            ("POST", "tables"): self._create,
            ("GET", "tables/*"): self._table,
            ("PATCH", "tables/*"): self._change_table,
            ("DELETE", "tables/*"): self._remove,
            ("POST", "tables/*/join"): self._join,
            ("POST", "tables/*/leave"): self._leave,
            ("POST", "tables/*/seats"): self._set_seat,
            ("POST", "tables/*/chairs/add"): self._add_chair,
            ("POST", "tables/*/chairs/remove"): self._remove_chair,
            ("POST", "tables/*/chairs/name"): self._name_seat,
            ("POST", "tables/*/start"): self._start,
            ("POST", "tables/*/handover"): self._hand_over,
            ("POST", "tables/*/takeback"): self._reclaim_seat,
            ("POST", "tables/*/resign"): self._resign,
            ("POST", "tables/*/rematch"): self._rematch,
            ("GET", "tables/*/record"): self._record,
            ("GET", "tables/*/verify"): self._verify_table,
            ("GET", "tables/*/replay"): self._replay,
            ("GET", "tables/*/log"): self._log_of,
            ("POST", "tables/*/analysis"): self._analyse,
            ("GET", "tables/*/analysis"): self._analysis,
            ("POST", "verify"): self._verify,
            ("POST", "import"): self._import,
        }

    async def request(self, method: str, path: str, body: str | None) -> Answer:
        """Answer a request. The path is that of the server, with its query; `/api/v1` may be left out."""
        try:
            place, _, query = path.partition("?")
            parts = [unquote(part) for part in place.removeprefix(PREFIX).strip("/").split("/")]
            named = parts[1] if len(parts) > 1 and parts[0] in ("games", "tables", "puzzles") else ""
            pattern = "/".join([parts[0], "*", *parts[2:]] if named else parts)
            handler = self._routes.get((method.upper(), pattern))
            if handler is None:
                raise self._no_route(pattern)
            answer = await handler(Request(named, dict(parse_qsl(query, keep_blank_values=True)), body))
            return answer if isinstance(answer, Answer) else Answer(200, answer)
        except WelliesError as error:
            status, code = http_error(error)
            return Answer(status, {"code": code, "message": error.text})
        except Exception:
            # A bug: the page gets no details, the console has them all.
            _log.exception("a request failed: %s %s", method, path.partition("?")[0])
            return Answer(500, {"code": "internal", "message": BUG})

    def _no_route(self, pattern: str) -> Refused:
        if any(pattern == known for _, known in self._routes):
            return Refused("wrong_method", "This address does not take that kind of request.", 405)
        return Refused("not_found", "There is nothing at this address.", 404)

    # --- games, bots, names ----------------------------------------------------------------------------------------

    async def _list_games(self, request: Request) -> list[Json]:
        return [spec.describe() for spec in load_games()]

    async def _one_game(self, request: Request) -> Json:
        return game(request.named).describe_fully()

    async def _list_bots(self, request: Request) -> list[Json]:
        return [describe_bot(bot(name)) for name in list_bots()]

    async def _puzzle_calendar(self, request: Request) -> Json:
        return overview()

    async def _puzzle(self, request: Request) -> Json:
        return puzzles.info(request.named, request.query.get("date"))

    async def _preview_puzzle_move(self, request: Request) -> Json:
        return puzzles.answer("preview", request.named, request.query.get("date"), request.fields("move"))

    async def _why_puzzle_move(self, request: Request) -> Json:
        return puzzles.answer("why", request.named, request.query.get("date"), request.fields("move"))

    async def _try_puzzle(self, request: Request) -> Json:
        return puzzles.answer("try", request.named, request.query.get("date"), request.fields("move"))

    async def _session(self, request: Request) -> Json:
        name = await self._names.name()
        return {"me": _person(name) if name else None}

    async def _me(self, request: Request) -> Json:
        name = await self._names.name()
        if not name:
            raise Refused("who", "Pick a name first.", 401)
        return _person(name)

    async def _make_guest(self, request: Request) -> Answer:
        return Answer(201, await self._rename(request))

    async def _rename(self, request: Request) -> Json:
        """Another name. Tables where one sits already keep the old one."""
        name = clean_name(bodies.name_of(request.fields("name"), "name"))
        await self._names.set_name(name)
        return _person(name)

    async def _no_accounts(self, request: Request) -> Json:
        raise Refused("no_server", "An account needs a server; on this device you have a name alone.")

    # --- making and finding tables ---------------------------------------------------------------------------------

    async def _create(self, request: Request) -> Answer:
        wish = bodies.table_wish(bodies.read_json(request.body))
        if any(seat.kind == "open" for seat in wish.seats):
            raise _needs_server("A chair for somebody elsewhere")
        if wish.rated:
            raise _needs_server("A rated game")
        begun = await self._first_setup(wish)
        clock = check_clock(wish.clock)
        for seat in wish.seats:
            check_level(seat.level)
        given = [None if seat.name is None else clean_name(seat.name) for seat in wish.seats]
        mine = await self._my_name(wish.name)
        setup = replace(
            begun,
            seats=[
                wished_seat(seat.kind, seat.level, name or mine, DEVICE)
                for seat, name in zip(wish.seats, given, strict=True)
            ],
            private=wish.private,
            clock=clock,
            host=DEVICE,
            host_name=mine,
            aids=wish.aids,
        )
        table = new_table(setup, table_id=new_local_id(), created=self._hub.clock.now())
        if wish.start:
            table.start(DEVICE, table.created)
        live = await self._hub.create(table)
        return Answer(201, live.table.info_for(DEVICE))

    async def _my_name(self, given: str | None = None) -> str:
        """The name of whoever uses this device; the first that is given is kept."""
        name = await self._names.name()
        if not name and given:
            name = clean_name(given)
            await self._names.set_name(name)
        return name or NAMELESS

    async def _first_setup(self, wish: bodies.TableWish) -> Setup:
        """The game, options and first moves of a new table: as asked, or from another game."""
        if wish.origin is not None:
            table_id, number = wish.origin
            record = record_at((await self._hub.get(table_id)).table, number)
        elif wish.record is not None:
            record = Record.parse(wish.record)
            record.replay()
        else:
            return new_setup(wish.game, wish.options, len(wish.seats))
        check_seats(record, len(wish.seats))
        return setup_from_record(record)

    async def _list_tables(self, request: Request) -> Json:
        """The tables of this device, newest first."""
        query = request.query
        state, wanted = bodies.state_in(query), query.get("game")
        player = query.get("player", "").casefold()
        before = bodies.number_in(query, "before", 0, 2**53)
        limit = bodies.number_in(query, "limit", 1, bodies.MOST_LISTED) or 20
        found = [
            info
            for info in await self._hub.infos()
            if (state is None or info.state == state)
            and (wanted is None or info.game == wanted)
            and (not player or any(player in seat.name.casefold() for seat in info.seats))
            and (before is None or info.created < before)
        ]
        found.sort(key=lambda info: (-info.created, info.id))
        return {"tables": found[:limit]}

    async def _table(self, request: Request) -> Any:
        return (await self._find(request)).table.info_for(DEVICE)

    async def _remove(self, request: Request) -> Json:
        """Remove a table for good."""
        await self._hub.remove(request.named)
        return {"done": True}

    async def _find(self, request: Request) -> LocalTable:
        return await self._hub.get(request.named)

    # --- changing tables -------------------------------------------------------------------------------------------

    async def _change(self, request: Request, act: Callable[[Table, int], Any]) -> Any:
        """Change a table; returns how it stands then."""
        live = await self._find(request)
        await self._hub.change(live, lambda trial: act(trial, self._hub.clock.now()))
        return live.table.info_for(DEVICE)

    async def _change_table(self, request: Request) -> Any:
        fields = request.fields("options", "clock", "private", "hints", "badges", "takebacks", "rated")
        if bodies.rated_of(fields):
            raise _needs_server("A rated game")
        options, clock, private = bodies.options_of(fields), bodies.clock_of(fields), bodies.private_of(fields)
        aids = bodies.aids_of(fields)
        return await self._change(request, lambda table, at: table.change(DEVICE, options, clock, private, at, aids))

    async def _join(self, request: Request) -> Any:
        """One more person on this device."""
        seat = bodies.optional(request.fields("seat", "invite"), "seat", bodies.seat_of)
        name = await self._my_name()
        return await self._change(request, lambda table, at: table.join(DEVICE, name, seat, at))

    async def _leave(self, request: Request) -> Any:
        seat = self._seat_or_none(request)
        return await self._change(request, lambda table, at: table.leave(DEVICE, seat, STAND_IN_LEVEL, at))

    async def _set_seat(self, request: Request) -> Any:
        fields = request.fields("seat", "kind", "level")
        seat, kind, level = (
            bodies.seat_of(fields),
            fields.word("kind", None, ["bot", "open"]),
            bodies.level_of(fields),
        )
        return await self._change(request, lambda table, at: table.set_seat(DEVICE, seat, kind, level, at))

    async def _add_chair(self, request: Request) -> Any:
        return await self._change(request, lambda table, at: table.add_chair(DEVICE, at))

    async def _remove_chair(self, request: Request) -> Any:
        seat = bodies.seat_of(request.fields("seat"))
        return await self._change(request, lambda table, at: table.remove_chair(DEVICE, seat, at))

    async def _name_seat(self, request: Request) -> Any:
        fields = request.fields("seat", "name")
        seat, name = bodies.seat_of(fields), clean_name(bodies.name_of(fields, "name"))
        return await self._change(request, lambda table, at: table.name_seat(DEVICE, seat, name, at))

    async def _start(self, request: Request) -> Any:
        return await self._change(request, lambda table, at: table.start(DEVICE, at))

    async def _hand_over(self, request: Request) -> Any:
        fields = request.fields("seat", "level")
        seat, level = bodies.optional(fields, "seat", bodies.seat_of), bodies.level_of(fields)
        return await self._change(request, lambda table, at: table.hand_over(DEVICE, seat, level, at))

    async def _reclaim_seat(self, request: Request) -> Any:
        seat = self._seat_or_none(request)
        return await self._change(request, lambda table, at: table.reclaim_seat(DEVICE, seat, at))

    async def _resign(self, request: Request) -> Any:
        seat = self._seat_or_none(request)
        return await self._change(request, lambda table, at: table.resign(DEVICE, seat, STAND_IN_LEVEL, at))

    def _seat_or_none(self, request: Request) -> int | None:
        return bodies.optional(request.fields("seat"), "seat", bodies.seat_of)

    async def _rematch(self, request: Request) -> Any:
        """Another game with the same people and bots; the same table for everybody who asks."""
        old = await self._find(request)
        async with old.rematch_lock:
            if old.table.rematch is None:
                await self._make_rematch(old)
        assert old.table.rematch is not None
        return (await self._hub.get(old.table.rematch)).table.info_for(DEVICE)

    async def _make_rematch(self, old: LocalTable) -> None:
        hub = self._hub
        table = rematch_table(old.table, DEVICE, await self._my_name(), hub.clock.now())
        old.table.fork().name_rematch(DEVICE, table.id, hub.clock.now())
        try:
            await hub.create(table)
        except Conflict:
            # Another tab has made it meanwhile; if not, this raises.
            await hub.get(table.id)
        await hub.change(old, lambda trial: trial.name_rematch(DEVICE, table.id, hub.clock.now()))

    # --- records and replays ---------------------------------------------------------------------------------------

    async def _record(self, request: Request) -> Answer:
        """The record of a game as text; with `unfinished=true` also of one that goes on, to go on with elsewhere."""
        table = (await self._find(request)).table
        return Answer(200, text=str(table.record(unfinished=bodies.flag_in(request.query, "unfinished"))))

    async def _verify_table(self, request: Request) -> Any:
        return verdict_of((await self._find(request)).table.record())

    async def _verify(self, request: Request) -> Any:
        return verdict_of(Record.parse(bodies.record_of(request.fields("record"), "record")))

    async def _import(self, request: Request) -> Answer:
        """A finished game from elsewhere becomes a table, to be listed and replayed."""
        text = bodies.record_of(request.fields("record"), "record")
        table = table_from_text(text, DEVICE, await self._my_name(), new_local_id())
        return Answer(201, (await self._hub.create(table)).table.info_for(DEVICE))

    async def _replay(self, request: Request) -> Any:
        table = (await self._find(request)).table
        seat = self._view_seat(request, table)
        start = bodies.number_in(request.query, "from", 0, bodies.MOST_ENTRY) or 0
        stop = bodies.number_in(request.query, "to", 0, bodies.MOST_ENTRY)
        return json.loads(await self._replays.moments(table, seat, start, stop))

    async def _log_of(self, request: Request) -> Json:
        table = (await self._find(request)).table
        seat = self._view_seat(request, table)
        return {"version": table.version, "entries": [table.entry_for(entry, seat) for entry in table.log]}

    def _view_seat(self, request: Request, table: Table) -> int | None:
        seat = bodies.number_in(request.query, "seat", 0, bodies.MOST_SEAT)
        check_may_look_from(table, seat, DEVICE)
        return seat

    async def _analyse(self, request: Request) -> Any:
        return self._analyses.begin(await self._find(request))

    async def _analysis(self, request: Request) -> Any:
        return self._analyses.look(await self._find(request))


def _person(name: str) -> Json:
    return {"id": DEVICE, "name": name, "account": False}
