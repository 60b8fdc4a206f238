"""Builds the application from its parts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, Router, get
from litestar.config.app import AppConfig
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from wellies.core.errors import WelliesError
from wellies.server import push
from wellies.server.alerts import Alerts
from wellies.server.analyses import Analyses
from wellies.server.botpool import BotPool
from wellies.server.channels import Channels, ChannelTrouble, open_channels
from wellies.server.commits import Committer
from wellies.server.export import Exports
from wellies.server.friends import Presences
from wellies.server.gc_tuning import tune_gc
from wellies.server.guard import Guard
from wellies.server.http import (
    check_body,
    general_routes,
    no_such_address,
    on_any_error,
    on_http_error,
    on_wellies_error,
)
from wellies.server.http_alerts import alert_routes
from wellies.server.http_analysis import analysis_routes
from wellies.server.http_finding import finding_routes
from wellies.server.http_people import people_routes
from wellies.server.http_personal import personal_routes
from wellies.server.http_puzzles import puzzle_routes
from wellies.server.http_tables import table_routes
from wellies.server.hub import Hub
from wellies.server.identity import People
from wellies.server.limits import Limits, open_limits
from wellies.server.metrics import Metrics
from wellies.server.page import Page, any_page, front_page
from wellies.server.replays import Replays
from wellies.server.settings import Settings
from wellies.server.socket import table_socket
from wellies.server.storage import Storage, StorageTrouble, Store


class Ready(msgspec.Struct):
    """Whether this server process can work: "ok" for each part, or what is wrong with it."""

    ready: bool
    database: str
    channels: str


@get("/health", operation_id="health", tags=["operation"])
async def health() -> dict[str, bool]:
    """The process runs."""
    return {"alive": True}


@get("/ready", operation_id="ready", tags=["operation"], responses={})
async def ready(request: Request[Any, Any, Any]) -> Response[Ready]:
    """Database and channels answer; 503 if not."""
    hub: Hub = request.app.state.hub
    database = channels = "ok"
    try:
        await hub.storage.ping()
    except StorageTrouble as error:
        database = str(error)
    try:
        await hub.channels.ping()
    except ChannelTrouble as error:
        channels = str(error)
    ok = database == channels == "ok"
    return Response(Ready(ok, database, channels), status_code=200 if ok else 503)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: Request[Any, Any, Any]) -> Response[str]:
    """Counters of this server process, in the text format of Prometheus."""
    found: Metrics = request.app.state.metrics
    return Response(found.text(), media_type="text/plain; version=0.0.4")


def _open_pool(settings: Settings, counters: Metrics) -> BotPool:
    if settings.bots == "queue":
        from wellies.server.botqueue import BotQueue  # it needs packages that one server alone does not

        return BotQueue(settings.redis, settings.bot_processes, settings.bot_seconds, counters)
    return BotPool(settings.bot_processes, settings.bot_seconds, counters)


async def _push_key(settings: Settings, storage: Store) -> str:
    """The key that push messages are signed with, made once; empty if none can be sent."""
    if not settings.alert_seconds or not push.is_installed():
        return ""
    return await storage.kept_secret(push.SECRET_NAME, push.new_key())


@dataclass(frozen=True)
class Parts:
    """What an application uses outside its own process: the store, the channels to other workers, the bots that think
    in processes of their own, and the limits that workers share; and what it does to the garbage collector. A
    simulation gives it others."""

    open_storage: Callable[[str], Store] = Storage
    open_channels: Callable[[str], Channels] = open_channels
    open_pool: Callable[[Settings, Metrics], BotPool] = _open_pool
    open_limits: Callable[[Settings], Limits] = open_limits
    tune_gc: Callable[[], Coroutine[Any, Any, None]] = tune_gc


def create_app(settings: Settings, parts: Parts | None = None) -> Guard:
    """The whole application, to be given to an ASGI server. All that it remembers is made when it starts, so it can be
    started again after it has stopped."""
    parts = parts or Parts()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        counters = Metrics()
        limits = parts.open_limits(settings)
        storage = parts.open_storage(settings.database)
        await storage.migrate()
        secret = settings.secret or await storage.secret()
        people = People(storage, secret)
        push_key = await _push_key(settings, storage)
        channels = parts.open_channels(settings.redis)
        pool = parts.open_pool(settings, counters)
        await pool.start()
        hub = Hub(settings, storage, Committer(storage, counters), channels, pool, counters)
        guard.open(people, counters, limits)
        app.state.people = people
        app.state.metrics = counters
        app.state.limits = limits
        app.state.replays = Replays(limits)
        app.state.hub = hub
        app.state.exports = Exports(hub)
        app.state.presences = Presences()
        app.state.alerts = Alerts(hub, secret, push_key)
        app.state.analyses = Analyses(hub, limits)
        await limits.start()
        await hub.start()
        app.state.alerts.start()
        gc_task = asyncio.create_task(parts.tune_gc(), name="garbage collection")
        try:
            yield
        finally:
            gc_task.cancel()
            await app.state.analyses.stop()
            await hub.stop()
            await limits.stop()
            await pool.stop()
            await storage.close()

    app = Litestar(
        route_handlers=[
            health,
            ready,
            metrics,
            general_routes(),
            table_routes(),
            people_routes(),
            finding_routes(),
            alert_routes(),
            analysis_routes(),
            puzzle_routes(),
            personal_routes(),
            table_socket,
            front_page,
            any_page,
        ],
        lifespan=[lifespan],
        exception_handlers={
            WelliesError: on_wellies_error,
            HTTPException: on_http_error,
            Exception: on_any_error,
        },
        before_request=check_body,
        request_max_body_size=settings.body_bytes,
        openapi_config=openapi_config(),
        on_app_init=[_disable_debug],
        logging_config=None,
    )
    app.state.page = Page(settings.page)
    guard = Guard(app, settings)
    return guard


def _disable_debug(config: AppConfig) -> AppConfig:
    """Our own handlers report and log errors, so debug pages are never shown."""
    config.debug = False
    return config


def _not_found_as_everywhere(response: Response[Any]) -> Response[Any]:
    """Litestar answers with a page of its own where there is no document."""
    return no_such_address() if response.status_code == 404 else response


def openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Wellies",
        version=version("wellies"),
        description="Five rainy-day board games: tables over HTTP. Sockets are described in docs/protocol.md.",
        openapi_router=Router(
            "/api/v1/schema", route_handlers=[], include_in_schema=False, after_request=_not_found_as_everywhere
        ),
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )
