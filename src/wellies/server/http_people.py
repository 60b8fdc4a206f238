"""The routes about people: their finished games, statistics, ratings and leaderboards; and to take everything along or
delete it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import Meta

from wellies.games import game as find_game
from wellies.server.export import Exports
from wellies.server.finished import Result
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, Done, PasswordText, check_rate, errors, known
from wellies.server.http_tables import find_table, hub_of
from wellies.server.identity import COOKIE, People, address
from wellies.server.storage import Store
from wellies.server.storage.history import GameCount, GameFilter, PlayedGame, Statistics
from wellies.server.storage.ratings import RatingChange, RatingMoment, Standing
from wellies.table import Refused
from wellies.table.ids import public_id

GameName = Annotated[str, Meta(max_length=40)]
LongestTime = 2**53


class Profile(msgspec.Struct):
    """What everybody may know of a person with an account: the name, the number of finished games of each game, and the
    ratings. `person` is what others know them by; null for guests, of whom only they themselves see this."""

    person: str | None
    name: str
    since: int
    games: list[GameCount]
    ratings: list[Standing]


class FoundProfile(msgspec.Struct):
    """The profile of a person; null for guests, and for people who have deleted their account."""

    profile: Profile | None


class PlayedGames(msgspec.Struct):
    """One page of a history. `next` is given as `after` for the next page; null at the end."""

    games: list[PlayedGame]
    next: str | None


class RatingTrend(msgspec.Struct):
    moments: list[RatingMoment]


class Leaderboard(msgspec.Struct):
    """One page of the ratings of a game; the first has place `start` + 1. `more`: there is another page."""

    game: str
    start: int
    standings: list[Standing]
    more: bool


class TableRatings(msgspec.Struct):
    """What a finished game did to the ratings. `not_counted` says why it did nothing: `friendly`, `opening` (somebody
    left in the opening) or `abandoned` (all people had left); empty if it counted, null if it is not over."""

    not_counted: str | None
    changes: list[RatingChange]


class DeleteBody(msgspec.Struct, forbid_unknown_fields=True):
    """`confirm` must be true; accounts give their `password` too."""

    confirm: bool
    password: PasswordText | None = None


def _storage(request: AnyRequest) -> Store:
    return hub_of(request).storage


async def _profile(storage: Store, identity_id: str, name: str, since: int, account: bool) -> Profile:
    return Profile(
        public_id(identity_id) if account else None,
        name,
        since,
        await storage.history.counts(identity_id),
        await storage.ratings.of_person(identity_id),
    )


# --- one's own ----------------------------------------------------------------------------------------------------


@get("/me/profile", operation_id="getMyProfile", tags=["people"], responses=errors(401))
async def my_profile(request: AnyRequest, asker: Asker) -> Profile:
    """One's own profile; guests have one too, which nobody else sees."""
    me = known(asker)
    storage = _storage(request)
    row = await storage.identity(me.id)
    return await _profile(storage, me.id, me.name, row["created"] if row else 0, me.account)


@get("/me/games", operation_id="listMyGames", tags=["people"], responses=errors(401))
async def my_games(
    request: AnyRequest,
    asker: Asker,
    game: FromQuery[str | None] = None,
    opponent: Annotated[str | None, QueryParameter(max_length=100)] = None,
    result: FromQuery[Result | None] = None,
    rated: FromQuery[bool | None] = None,
    since: Annotated[int | None, QueryParameter(ge=0, le=LongestTime)] = None,
    until: Annotated[int | None, QueryParameter(ge=0, le=LongestTime)] = None,
    after: Annotated[str | None, QueryParameter(max_length=60)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
) -> PlayedGames:
    """One's finished games, the newest first."""
    wanted = GameFilter(game, opponent, result, rated, since, until, _place(after), limit + 1)
    found = await _storage(request).history.games(known(asker).id, wanted)
    last = found[limit - 1] if len(found) > limit else None
    return PlayedGames(found[:limit], None if last is None else f"{last.finished}.{last.table}")


def _place(text: str | None) -> tuple[int, str] | None:
    """The place in a history that `next` named."""
    if text is None:
        return None
    time, _, table = text.partition(".")
    if not (time.isascii() and time.isdigit() and len(time) < 17 and table.isascii() and table.isalnum()):
        raise Refused("bad_request", "The query parameter `after` must be the `next` of the page before.", 400)
    return int(time), table


@get("/me/statistics", operation_id="getMyStatistics", tags=["people"], responses=errors(401, 404))
async def my_statistics(request: AnyRequest, asker: Asker, game: FromQuery[str]) -> Statistics:
    """What one's finished games of a game amount to."""
    return await _storage(request).history.statistics(known(asker).id, find_game(game).name)


@get("/me/ratings", operation_id="getMyRatings", tags=["people"], responses=errors(401, 404))
async def my_ratings(request: AnyRequest, asker: Asker, game: FromQuery[str]) -> RatingTrend:
    """One's rating after each of the newest rated games of a game, the oldest first."""
    return RatingTrend(await _storage(request).ratings.trend(known(asker).id, find_game(game).name))


@get("/me/export", operation_id="exportMe", tags=["people"], media_type="application/zip", responses=errors(401))
async def export_me(request: AnyRequest, asker: Asker) -> Stream:
    """Everything that belongs to a person, as a zip file: `profile.json`, and the records of all finished games."""
    me = known(asker)
    exports: Exports = request.app.state.exports
    return Stream(
        await exports.begin(me),
        media_type="application/zip",
        headers={"content-disposition": 'attachment; filename="wellies.zip"', "cache-control": "no-store"},
    )


@post("/me/delete", status_code=200, operation_id="deleteMe", tags=["people"], responses=errors(401))
async def delete_me(request: AnyRequest, data: JSONBody[DeleteBody], asker: Asker) -> Response[Done]:
    """Delete the account, or the guest, with all that belongs to it. This cannot be undone."""
    me = known(asker)
    if not data.confirm:
        raise Refused("not_confirmed", "Nothing was deleted: `confirm` is not true.", 400)
    await check_rate(request, "logins", address(request))
    people: People = request.app.state.people
    hub = hub_of(request)
    await people.check_own_password(me, data.password)
    await people.begin_deletion(me, hub.clock.now())
    await hub.health.check_identities()
    await hub.finish_deletion(me.id)
    gone = Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax", path="/")
    return Response(Done(), cookies=[gone])


# --- everybody ----------------------------------------------------------------------------------------------------


@get("/people/{person:str}", operation_id="getPerson", tags=["people"], responses=errors())
async def get_person(request: AnyRequest, person: FromPath[str]) -> FoundProfile:
    """The public part of the profile of a person with an account."""
    storage = _storage(request)
    row = await storage.history.person(person)
    if row is None:
        return FoundProfile(None)
    return FoundProfile(await _profile(storage, row["id"], row["name"], row["created"], True))


@get("/leaderboards/{game:str}", operation_id="getLeaderboard", tags=["people"], responses=errors(404))
async def leaderboard(
    request: AnyRequest,
    game: FromPath[str],
    start: Annotated[int, QueryParameter(name="from", ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> Leaderboard:
    """People and bots by their rating in a game: first those whose rating is certain, then the provisional ones."""
    name = find_game(game).name
    found = await _storage(request).ratings.leaderboard(name, start, limit + 1)
    return Leaderboard(name, start, found[:limit], len(found) > limit)


@get("/tables/{table_id:str}/ratings", operation_id="getTableRatings", tags=["people"], responses=errors(404))
async def table_ratings(
    request: AnyRequest, table_id: FromPath[str], asker: Asker, invite: FromQuery[str | None] = None
) -> TableRatings:
    """What a finished game did to the ratings of its players."""
    await find_table(request, table_id, asker, invite)
    return TableRatings(*await _storage(request).ratings.of_table(table_id))


def people_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            my_profile,
            my_games,
            my_statistics,
            my_ratings,
            export_me,
            delete_me,
            get_person,
            leaderboard,
            table_ratings,
        ],
        dependencies=PROVIDE_ASKER,
    )
