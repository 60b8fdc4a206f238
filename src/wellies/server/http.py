"""What HTTP routes share: identities and errors; and the routes for games, bots and identities."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import structlog
from litestar import MediaType, Request, Response, Router, get, patch, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, InternalServerException, NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from wellies.bots import bot, list_bots
from wellies.bots.base import describe_bot
from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.games import game, load_games
from wellies.match.record import DEEPEST, nested_deeper
from wellies.server.headers import LIMITS_RETRY, TROUBLE_RETRY
from wellies.server.identity import AGE, COOKIE, Identity, People, address, login_name
from wellies.server.limits import Limits, Rule
from wellies.server.passwords import LONGEST
from wellies.server.words import sentence
from wellies.table import Refused
from wellies.table.errors import http_error

log = structlog.get_logger("wellies.http")
AnyRequest = Request[Any, Any, Any]
NameText = Annotated[str, Meta(min_length=1, max_length=100)]
PasswordText = Annotated[str, Meta(min_length=1, max_length=LONGEST)]


class ErrorBody(msgspec.Struct):
    """Every error: a word for programs and a sentence for people."""

    code: str
    message: str


def errors(*statuses: int) -> dict[int, ResponseSpec]:
    """For the OpenAPI document: the errors a route may answer with, beside those of every route."""
    return {
        status: ResponseSpec(ErrorBody, generate_examples=False, description="Refused")
        for status in (400, 403, 413, 429, 503, *statuses)
    }


# --- errors -------------------------------------------------------------------------------------------------------


def _answer(status: int, code: str, message: str) -> Response[ErrorBody]:
    seconds = {429: LIMITS_RETRY, 503: TROUBLE_RETRY}.get(status)
    wait = {"Retry-After": str(seconds)} if seconds else {}
    return Response(ErrorBody(code, message), status_code=status, media_type=MediaType.JSON, headers=wait)


def on_wellies_error(_request: AnyRequest, error: WelliesError) -> Response[ErrorBody]:
    return _answer(*http_error(error), error.text)


_CODES = {400: "bad_request", 404: "not_found", 405: "wrong_method", 413: "too_big", 415: "wrong_type"}


_WORDS = {
    404: "There is nothing at this address.",
    405: "This address does not take that kind of request.",
    413: "The body is too big.",
}


def no_such_address() -> Response[ErrorBody]:
    return _answer(404, _CODES[404], _WORDS[404])


def on_http_error(_request: AnyRequest, error: HTTPException) -> Response[ErrorBody]:
    status = error.status_code
    if status >= 500:
        return on_any_error(_request, error)
    message = _WORDS.get(status, error.detail)
    if isinstance(error, NotFoundException) and error.detail != "Not Found":
        message = error.detail
    if isinstance(error.extra, list):
        message = " ".join(_said(each) for each in error.extra)
    response = _answer(status, _CODES.get(status, "refused"), message[:500])
    if error.headers:
        response.headers.update(error.headers)
    return response


def _said(wrong: dict[str, str]) -> str:
    """One error that Litestar found in a request, in words."""
    where = {"query": "query parameter", "path": "part of the address", "header": "header", "cookie": "cookie"}
    return sentence(
        str(wrong.get("message", "")), str(wrong.get("key", "")), where.get(wrong.get("source", ""), "field")
    )


async def check_body(request: AnyRequest) -> None:
    """Refused (400) if the route needs a body and it is not JSON. Its content is checked afterwards."""
    if request.route_handler.parsed_data_field is None:
        return
    try:
        body = await request.body()
    except InternalServerException as error:
        raise Refused("bad_request", "The request ended before its body did.", 400) from error
    if not body:
        raise Refused("bad_request", "This request needs a body: a JSON object.", 400)
    try:
        deep = nested_deeper(msgspec.json.decode(body), DEEPEST)
    except RecursionError:
        deep = True
    except UnicodeDecodeError as error:
        raise Refused("bad_request", "The body is not UTF-8.", 400) from error
    except msgspec.DecodeError as error:
        raise Refused("bad_request", sentence(str(error)), 400) from error
    if deep:
        raise Refused("bad_request", f"The body is nested deeper than {DEEPEST} levels.", 400)


def on_any_error(request: AnyRequest, error: Exception) -> Response[ErrorBody]:
    """A bug: the client gets no details, the log has them all."""
    log.error("a request failed", path=request.url.path, exc_info=error)
    return _answer(500, "internal", "Something went wrong on the server; it has been noted.")


# --- who asks -----------------------------------------------------------------------------------------------------


async def asker(request: AnyRequest) -> Identity | None:
    """The identity of the request's cookie."""
    people: People = request.app.state.people
    return await people.recognise(request.cookies.get(COOKIE))


PROVIDE_ASKER = {"asker": Provide(asker)}
Asker = NamedDependency[Identity | None]


def known(identity: Identity | None) -> Identity:
    """Refused (401) unless somebody is asking."""
    if identity is None:
        raise Refused("who", "Pick a name first.", 401)
    return identity


def give_cookie(request: AnyRequest, identity: Identity) -> Cookie:
    """The cookie of an identity. It is marked secure wherever the page itself came over TLS."""
    people: People = request.app.state.people
    return Cookie(
        COOKIE,
        value=people.cookie(identity),
        max_age=AGE,
        httponly=True,
        samesite="lax",
        secure=_over_tls(request),
        path="/",
    )


def _over_tls(request: AnyRequest) -> bool:
    """Whether the client uses TLS, to us or to a trusted proxy before us."""
    return request.scope["scheme"] == "https"


async def check_rate(request: AnyRequest, rule: Rule, key: str) -> None:
    """Refused (429) if that was asked too often."""
    limits: Limits = request.app.state.limits
    if not await limits.allows(rule, key):
        raise Refused("too_fast", "Too many at once; wait a minute.", 429)


async def new_guest(request: AnyRequest, name: str = "") -> Identity:
    await check_rate(request, "guests", address(request))
    people: People = request.app.state.people
    return await people.guest(name)


# --- games and bots -----------------------------------------------------------------------------------------------


class GameInfo(msgspec.Struct):
    """`secret`: seats hold what others may not see."""

    name: str
    title: str
    summary: str
    min_seats: int
    max_seats: int
    minutes: str
    secret: bool
    rules_version: int
    options: list[Json]


class GameDetails(GameInfo):
    """`rules` are all of them, `how_to_play` the part for players of a page, without notation and files. `box` lists
    the cards or tiles of the game with their texts; the fields of an entry are the game's own."""

    rules: str
    notation: str
    how_to_play: str
    box: list[Json]


class BotInfo(msgspec.Struct):
    """`strength` is in a few words; `seconds` is how long a move takes at most, and `thinks` says it in words. Those
    that are not `for_people` are for research."""

    name: str
    summary: str
    strength: str
    seconds: float
    thinks: str
    for_people: bool


@get("/games", operation_id="listGames", tags=["games"], responses=errors())
async def get_games() -> list[GameInfo]:
    """The games, how many can play, and their options."""
    return [msgspec.convert(spec.describe(), GameInfo) for spec in load_games()]


@get("/games/{name:str}", operation_id="getGame", tags=["games"], responses=errors(404))
async def one_game(name: FromPath[str]) -> GameDetails:
    """One game with its rules and what is in its box."""
    return msgspec.convert(game(name).describe_fully(), GameDetails)


@get("/bots", operation_id="listBots", tags=["games"], responses=errors())
async def get_bots() -> list[BotInfo]:
    """The bots that can sit at a table: the levels for people, the weakest first, then those for research."""
    return [BotInfo(**describe_bot(bot(name))) for name in list_bots()]


# --- identities ---------------------------------------------------------------------------------------------------


class Me(msgspec.Struct):
    id: str
    name: str
    account: bool


class NameBody(msgspec.Struct, forbid_unknown_fields=True):
    name: NameText


class PasswordBody(msgspec.Struct, forbid_unknown_fields=True):
    password: PasswordText
    old: PasswordText | None = None


class LoginBody(msgspec.Struct, forbid_unknown_fields=True):
    name: NameText
    password: PasswordText


class Session(msgspec.Struct):
    """Who this browser is: nobody yet, a guest or an account."""

    me: Me | None


class Done(msgspec.Struct):
    done: bool = True


class LogoutBody(msgspec.Struct, forbid_unknown_fields=True):
    everywhere: bool = False


def _me(request: AnyRequest, identity: Identity, status: int = 200) -> Response[Me]:
    return Response(
        Me(identity.id, identity.name, identity.account),
        status_code=status,
        cookies=[give_cookie(request, identity)],
        headers={"cache-control": "no-store"},
    )


@get("/session", operation_id="getSession", tags=["identity"])
async def get_session(request: AnyRequest, asker: Asker) -> Response[Session]:
    """Who am I, if anybody? Unlike `/me` this is never an error: the page asks it on a first visit."""
    return Response(
        Session(None if asker is None else Me(asker.id, asker.name, asker.account)),
        cookies=[] if asker is None else [give_cookie(request, asker)],
        headers={"cache-control": "no-store"},
    )


@get("/me", operation_id="getMe", tags=["identity"], responses=errors(401))
async def get_me(request: AnyRequest, asker: Asker) -> Response[Me]:
    """Who am I? The cookie is renewed on the way."""
    return _me(request, known(asker))


@post("/me", operation_id="makeGuest", tags=["identity"], responses=errors(409))
async def make_guest(request: AnyRequest, data: JSONBody[NameBody]) -> Response[Me]:
    """A new guest of this name."""
    return _me(request, await new_guest(request, data.name), 201)


@patch("/me", operation_id="rename", tags=["identity"], responses=errors(401, 409))
async def rename(request: AnyRequest, data: JSONBody[NameBody], asker: Asker) -> Response[Me]:
    """Another name. Tables where one sits already keep the old one."""
    people: People = request.app.state.people
    return _me(request, await people.rename(known(asker), data.name))


@post("/me/password", status_code=200, operation_id="setPassword", tags=["identity"], responses=errors(401, 409))
async def set_password(request: AnyRequest, data: JSONBody[PasswordBody], asker: Asker) -> Response[Me]:
    """A password turns the guest into an account. Other devices are logged out."""
    identity = known(asker)
    await check_rate(request, "logins", address(request))
    people: People = request.app.state.people
    changed = await people.set_password(identity, data.password, data.old)
    await request.app.state.hub.health.check_identities()
    return _me(request, changed)


async def _check_login(request: AnyRequest, name: str) -> None:
    """Refused (429) if somebody guesses: from this address, or for this name from many. Whoever tries a name from an
    address of their own has a few attempts all the same, so that nobody can lock the owner out."""
    where, login = address(request), login_name(name)
    await check_rate(request, "logins", where)
    limits: Limits = request.app.state.limits
    if not await limits.allows("account_logins", login):
        await check_rate(request, "new_device_logins", f"{login}\n{where}")


@post("/login", status_code=200, operation_id="logIn", tags=["identity"], responses=errors())
async def log_in(request: AnyRequest, data: JSONBody[LoginBody]) -> Response[Me]:
    """Become the account of this name."""
    await _check_login(request, data.name)
    people: People = request.app.state.people
    return _me(request, await people.log_in(data.name, data.password))


@post("/logout", status_code=200, operation_id="logOut", tags=["identity"], responses=errors())
async def log_out(request: AnyRequest, data: JSONBody[LogoutBody], asker: Asker) -> Response[Done]:
    """End the cookie of this device; with `everywhere`, those of all."""
    people: People = request.app.state.people
    if asker is not None:
        await (people.log_out_everywhere(asker) if data.everywhere else people.log_out(asker))
        await request.app.state.hub.health.check_identities()
    gone = Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="lax", secure=_over_tls(request), path="/")
    return Response(Done(), cookies=[gone])


def general_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            get_games,
            one_game,
            get_bots,
            get_session,
            get_me,
            make_guest,
            rename,
            set_password,
            log_in,
            log_out,
        ],
        dependencies=PROVIDE_ASKER,
    )
