"""`wellies doctor`: looks at everything that a server needs, and says what to do about what is wrong. It changes
nothing."""

from __future__ import annotations

import asyncio
import http.client
import os
from collections.abc import AsyncIterator, Awaitable
from typing import Final, Literal, cast

import msgspec

from wellies.core.engine import compiled, engine_words
from wellies.core.errors import WelliesError
from wellies.core.sources import monotonic, random_hex
from wellies.games import game
from wellies.match import Match
from wellies.server import mail, push
from wellies.server.botpool import BotPool
from wellies.server.channels import ChannelTrouble, open_channels
from wellies.server.metrics import Metrics
from wellies.server.page import Page
from wellies.server.run import listen
from wellies.server.settings import BadSetting, Settings, misspelt_variables
from wellies.server.storage import Storage, StorageTrouble
from wellies.server.storage.inspect import DatabaseFacts, commit_seconds, inspect, newest_tables

Level = Literal["ok", "warning", "problem"]

SAMPLE: Final = 20
"""How many tables are replayed, unless all are."""
SLOW_COMMIT: Final = 0.1
SLOW_REDIS: Final = 0.05
"""Seconds above which there is a warning."""
LITTLE_SPACE: Final = 1_000_000_000
NO_SPACE: Final = 100_000_000
"""Free bytes below which there is a warning, and a problem."""
FEW_FILES: Final = 4_096
CLOCK_WARNING: Final = 1.0
CLOCK_PROBLEM: Final = 10.0
"""Seconds that two clocks may differ."""
SHORT_SECRET: Final = 24
BOT_SECONDS: Final = 60.0


class Finding(msgspec.Struct):
    """The result of one check."""

    check: str
    level: Level
    text: str


def ok(check: str, text: str) -> Finding:
    return Finding(check, "ok", text)


def warning(check: str, text: str) -> Finding:
    return Finding(check, "warning", text)


def problem(check: str, text: str) -> Finding:
    return Finding(check, "problem", text)


async def examine(settings: Settings, *, deep: bool = False) -> AsyncIterator[Finding]:
    """All findings, each when it is known. With `deep` every table is replayed, not only the newest."""
    for finding in (
        *check_settings(settings),
        check_engine(),
        check_page(settings),
        check_files(),
        check_port(settings),
    ):
        yield finding
    storage = Storage(settings.database)
    try:
        async for finding in check_database(storage, deep=deep):
            yield finding
    finally:
        await storage.close()
    if settings.redis:
        yield await check_redis(settings.redis)
    async for finding in check_alerts(settings):
        yield finding
    yield await check_bot(settings)


# --- this process and machine --------------------------------------------------------------------------------------


def check_settings(settings: Settings) -> list[Finding]:
    found = [ok("settings", "all can be used")]
    is_sqlite = settings.database.startswith("sqlite")
    if settings.secret and len(settings.secret) < SHORT_SECRET:
        found.append(
            warning(
                "secret",
                f"only {len(settings.secret)} characters: whoever guesses it can be anyone; "
                "set one from `openssl rand -hex 32`",
            )
        )
    elif settings.secret:
        found.append(ok("secret", "set"))
    else:
        found.append(ok("secret", "in the database, so all workers share it"))
    if settings.redis and is_sqlite:
        found.append(
            warning("workers", "an SQLite file can be shared on one machine only; use PostgreSQL for several machines")
        )
    if not is_sqlite and not settings.redis:
        found.append(warning("workers", "without redis only one worker may use this database; set redis for more"))
    return found + [warning("settings", text) for text in misspelt_variables(os.environ)]


def check_engine() -> Finding:
    if compiled():
        return ok("engine", engine_words())
    return warning("engine", f"{engine_words()}: bots think more slowly; install a compiled wheel (docs/compiled.md)")


def check_page(settings: Settings) -> Finding:
    if Page(settings.page).is_built:
        return ok("page", "is there")
    return problem("page", "is missing; run `make page`, or set page to the folder of a built one")


def check_files() -> Finding:
    try:
        import resource
    except ImportError:  # not on Windows
        return ok("open files", "no limit is known")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit != resource.RLIM_INFINITY and limit < FEW_FILES:
        return warning(
            "open files",
            f"{limit:,} at most, and each connection is one; allow twice as many as players (ulimit -n 8192)",
        )
    return ok("open files", "no limit" if limit == resource.RLIM_INFINITY else f"{limit:,} at most")


def check_port(settings: Settings) -> Finding:
    place = f"{settings.host}:{settings.port}"
    try:
        listen(settings).close()
    except BadSetting as error:
        if _serves_wellies(settings):
            return ok("port", f"a server runs at {place}")
        return problem("port", str(error))
    return ok("port", f"{place} is free")


def _serves_wellies(settings: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    server = http.client.HTTPConnection(host, settings.port, timeout=5)
    try:
        server.request("GET", "/health")
        return b"alive" in server.getresponse().read(100)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        server.close()


# --- database ------------------------------------------------------------------------------------------------------


async def check_database(storage: Storage, *, deep: bool) -> AsyncIterator[Finding]:
    try:
        facts = await inspect(storage)
    except StorageTrouble as error:
        yield problem("database", str(error))
        return
    if facts.free is not None:
        yield _check_space(facts.free)
    if facts.foreign:
        yield problem(
            "database",
            f"{storage.where} holds tables of another program ({', '.join(facts.foreign)}); "
            "give Wellies a database of its own",
        )
        return
    if not facts.exists and not facts.may_create:
        yield problem("database", f"{storage.where} cannot be made: its folder is not writable; change its rights")
        return
    if not facts.exists:
        yield warning("database", f"{storage.where} is not there yet; the server makes it when it starts")
        return
    yield ok(
        "database", f"{storage.where} answers in {facts.read_seconds * 1000:.1f} ms and has {facts.size / 1e6:,.1f} MB"
    )
    if facts.readable_by_others:
        yield warning(
            "rights",
            f"others on this machine can read {storage.where}, which holds secrets; run: chmod 600 {storage.where}*",
        )
    yield _check_schema(facts)
    if facts.clock_difference is not None:
        yield _check_clock(facts.clock_difference)
    if facts.revision is None or not facts.is_known:
        return
    yield await _check_commit(storage)
    if facts.revision == facts.newest:
        yield await _check_tables(storage, facts.tables, deep=deep)


def _check_space(free: int) -> Finding:
    text = f"{free / 1e9:,.1f} GB are free where the database is"
    if free < NO_SPACE:
        return problem("disk", f"{text}; make room now, or nothing more can be stored")
    return warning("disk", f"{text}; make room") if free < LITTLE_SPACE else ok("disk", text)


def _check_schema(facts: DatabaseFacts) -> Finding:
    if not facts.is_known:
        return problem(
            "schema",
            f"{facts.revision} is of a newer version of Wellies; start that version, or restore an older backup",
        )
    if facts.revision is None and not facts.may_create:
        return problem(
            "schema",
            "there are no tables, and this user of the database may not make any; grant it CREATE on the schema",
        )
    if facts.revision is None:
        return warning("schema", "there are no tables yet; the server makes them when it starts")
    if facts.revision != facts.newest:
        return warning(
            "schema", f"{facts.revision}; the next start changes it to {facts.newest}, so make a backup first"
        )
    return ok("schema", f"{facts.revision}, the newest")


def _check_clock(difference: float) -> Finding:
    text = f"the clock of the database is {abs(difference):.3f} s {'ahead' if difference > 0 else 'behind'}"
    if abs(difference) > CLOCK_PROBLEM:
        return problem("clock", f"{text}; players' clocks would run out wrongly, so synchronise both with NTP")
    return (
        warning("clock", f"{text}; synchronise both with NTP") if abs(difference) > CLOCK_WARNING else ok("clock", text)
    )


async def _check_commit(storage: Storage) -> Finding:
    try:
        seconds = sorted([await commit_seconds(storage) for _ in range(5)])[2]
    except StorageTrouble as error:
        return problem("commit", str(error))
    text = f"takes {seconds * 1000:.1f} ms"
    if seconds > SLOW_COMMIT:
        return warning("commit", f"{text}, and every move waits for one; use a faster disk or a nearer database")
    return ok("commit", text)


async def _check_tables(storage: Storage, count: int, *, deep: bool) -> Finding:
    """Replay tables from their logs, and check the draws of finished games."""
    wrong: list[str] = []
    checked = draws = 0
    for table_id, version in await newest_tables(storage, None if deep else SAMPLE):
        try:
            draws += await _replay(storage, table_id, version)
        except WelliesError as error:
            wrong.append(f"{table_id} ({error})")
        checked += 1
    text = f"{checked:,} of {count:,} replayed from their logs, {draws:,} draws of finished games checked"
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        return problem("tables", f"{text}; wrong: {'; '.join(wrong[:3])}{more}; restore a backup, or report a bug")
    return ok("tables", text)


async def _replay(storage: Storage, table_id: str, version: int) -> int:
    """The number of draws that were checked. WelliesError if anything is wrong with the table."""
    table = await storage.table(table_id)
    if table is None:
        raise WelliesError("it is gone")
    entries = await storage.entries(table_id, 0)
    # It may have gone on since `version` was read.
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)) or len(entries) < version:
        raise WelliesError(f"entries of its log are missing: {len(entries)} of {version}")
    for entry in entries:
        table.apply(entry)
    if table.state != "finished":
        return 0
    record = table.record()
    return record.verify() if record.seed else 0


# --- Redis and bots ------------------------------------------------------------------------------------------------


async def check_redis(address: str) -> Finding:
    channels = open_channels(address)
    try:
        await channels.ping()
        began = monotonic()
        await channels.ping()
        pinged = monotonic() - began
        echoed = await _echo(address)
    except ChannelTrouble as error:
        return problem("redis", str(error))
    finally:
        await channels.stop()
    text = f"answers in {pinged * 1000:.1f} ms, and a message comes back after {echoed * 1000:.1f} ms"
    if max(pinged, echoed) > SLOW_REDIS:
        return warning("redis", f"{text}; players see each other's moves late, so use a nearer or less busy Redis")
    return ok("redis", text)


async def _echo(address: str) -> float:
    """How long a message through Redis takes to come back."""
    import redis.asyncio
    from redis.exceptions import RedisError

    connection = redis.asyncio.from_url(address)
    channel = f"wellies:doctor:{random_hex(8)}"
    try:
        async with asyncio.timeout(5.0), connection.pubsub() as pubsub:
            await pubsub.subscribe(channel)
            await pubsub.get_message(timeout=5.0)
            began = monotonic()
            await cast("Awaitable[int]", connection.publish(channel, b"echo"))
            if await pubsub.get_message(timeout=5.0) is None:
                raise TimeoutError
            return monotonic() - began
    except (RedisError, OSError, TimeoutError) as error:
        raise ChannelTrouble(f"Redis answers, but a message does not come back: {error or 'it hangs'}") from error
    finally:
        await connection.aclose()


async def check_alerts(settings: Settings) -> AsyncIterator[Finding]:
    """What alerts need: packages, keys, an SMTP server that answers, and the address for links."""
    if not settings.alert_seconds:
        yield ok("alerts", "turned off (alert_seconds is 0)")
        return
    if push.is_installed():
        yield ok(
            "push messages", "signed with a key in the database; make backups of it, or browsers must subscribe anew"
        )
    else:
        yield warning("push messages", 'cannot be sent: packages are missing; pip install "wellies[alerts]"')
    if not settings.public_url:
        yield ok("links", "public_url is not set: messages to webhooks have no links, and there are no e-mails")
    if settings.private_addresses:
        yield warning(
            "private addresses",
            "people can let this server send requests into its own network; set private_addresses to false",
        )
    if not settings.smtp_host:
        yield ok("e-mail", "none is sent (smtp_host is not set)")
        return
    try:
        await mail.check_server(settings)
    except mail.MailTrouble as error:
        yield problem("e-mail", f"{settings.smtp_host}:{settings.smtp_port} cannot be used: {error}")
    else:
        yield ok("e-mail", f"{settings.smtp_host}:{settings.smtp_port} answers")
    if settings.smtp_security == "none" and settings.smtp_password:
        yield warning(
            "e-mail", "the password goes to the mail server without encryption; set smtp_security to starttls"
        )


async def check_bot(settings: Settings) -> Finding:
    """Let a bot choose the first move of a game, in a process of its own as the server does."""
    match = Match(game("guppies"), 2, seed=1)
    view = msgspec.json.encode(match.state.view(0))
    pool = BotPool(1, settings.bot_seconds, Metrics())
    began = monotonic()
    try:
        async with asyncio.timeout(BOT_SECONDS):
            await pool.choose(settings.stand_in_level, view, match.state.due()[0])
    except (WelliesError, TimeoutError) as error:
        return problem("bots", f"{settings.stand_in_level} does not answer: {error or 'it takes too long'}")
    finally:
        await pool.stop()
    return ok(
        "bots", f"{settings.stand_in_level} answered after {monotonic() - began:.1f} s, with the start of its process"
    )


__all__ = ["Finding", "Level", "examine"]
