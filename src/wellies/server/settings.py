"""The settings of the server and where each comes from: flags, then environment, then file, then defaults."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec
import platformdirs

from wellies.bots import list_bots
from wellies.core.errors import WelliesError, nearest
from wellies.core.extras import require
from wellies.core.files import read_regular
from wellies.table.settings import ANALYSIS_SECONDS, HINT_LEVEL, STAND_IN_LEVEL, STAND_IN_SECONDS

MAX_FILE_BYTES: Final = 100_000

PREFIX: Final = "WELLIES_"


class BadSetting(WelliesError):
    """A setting that cannot be used; the message says which, where it came from, and what is allowed."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings with their defaults. `HELP` has the texts that `wellies serve --check` prints."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    database: str = ""
    redis: str = ""
    data: str = ""
    secret: str = ""
    origins: str = ""
    trusted_proxies: str = ""
    page: str = ""
    log: str = "info"
    log_format: str = "auto"
    bots: str = "here"
    bot_processes: int = 0
    bot_seconds: float = 20.0
    bot_tables_each: int = 5
    rescue_seconds: float = 30.0
    hint_level: str = HINT_LEVEL
    stand_in_level: str = STAND_IN_LEVEL
    stand_in_seconds: float = STAND_IN_SECONDS
    analysis_seconds: float = ANALYSIS_SECONDS
    analyses_per_hour: float = 20.0
    requests_per_second: float = 20.0
    requests_burst: int = 100
    records_per_second: float = 2.0
    records_burst: int = 40
    guests_per_minute: float = 20.0
    logins_per_minute: float = 10.0
    people_per_minute: float = 20.0
    mails_per_hour: float = 6.0
    messages_per_second: float = 20.0
    messages_burst: int = 60
    sockets_each: int = 60
    header_bytes: int = 16_384
    header_seconds: float = 10.0
    body_bytes: int = 524_288
    body_seconds: float = 30.0
    message_bytes: int = 4_096
    compress_sockets: bool = False
    tables_in_memory: int = 300
    public_url: str = ""
    alert_seconds: float = 10.0
    clock_warning: float = 0.25
    smtp_host: str = ""
    smtp_port: int = 587
    smtp_security: str = "starttls"
    smtp_user: str = ""
    smtp_password: str = ""
    mail_from: str = ""
    private_addresses: bool = False
    vacation_days: int = 30


HELP: Final[dict[str, str]] = {
    "host": "address to listen on; 0.0.0.0 for all",
    "port": "port to listen on; 0 for any free one",
    "workers": "processes that serve; more than one needs redis",
    "database": "postgresql+asyncpg://user@host/name, or a file; empty: wellies.db in the data folder",
    "redis": "redis://host:6379/0 for several workers; empty: updates stay within one worker",
    "data": "folder for the database; empty: the user's data folder",
    "secret": "key that signs cookies; empty: created once and kept in the database",
    "origins": "further origins the page may be served from, separated by commas",
    "trusted_proxies": "addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, "
    "separated by commas; empty: those in FORWARDED_ALLOW_IPS, else none",
    "page": "folder of the built page; empty: the one in the package",
    "log": "debug, info, warning or error",
    "log_format": "json, plain, or auto: plain on a terminal, else json",
    "bots": "here: bots run beside each worker; queue: they run on any machine with `wellies think`, through redis",
    "bot_processes": "bots that think at the same time, per worker; 0: one per processor core",
    "bot_seconds": "longest time a bot may think about one move; longer while the machine is busy",
    "bot_tables_each": "running tables with only bots that one person may have; 0: no limit",
    "rescue_seconds": "when a bot's move has not come after this time, another worker takes over",
    "hint_level": "the bot that gives hints",
    "stand_in_level": "the bot that plays for people whose clock ran out or who resigned",
    "stand_in_seconds": "shortest time for a move of a bot that stands in for a person",
    "analysis_seconds": "longest time for the analysis of a finished game, all its moves together",
    "analyses_per_hour": "analyses of finished games per person, on average; 0: no limit",
    "requests_per_second": "HTTP requests and openings of sockets per person, on average; 0: no limit",
    "requests_burst": "HTTP requests per person at once",
    "records_per_second": "records checked or imported, or 50 moments replayed, per person, on average; 0: no limit",
    "records_burst": "the same, at once",
    "guests_per_minute": "new guests per address; 0: no limit",
    "logins_per_minute": "attempts to log in per address, and about as many per account; 0: no limit",
    "people_per_minute": "searches for a game, requests to friends and invitations per person; 0: no limit",
    "mails_per_hour": "messages to confirm an e-mail address, and test alerts, per person and per address; 0: no limit",
    "messages_per_second": "socket messages per connection, on average; 0: no limit",
    "messages_burst": "socket messages per connection at once",
    "sockets_each": "open sockets per person or address; 0: no limit",
    "header_bytes": "largest first line and headers of a request, together",
    "header_seconds": "time in which they must arrive",
    "body_bytes": "largest HTTP body",
    "body_seconds": "time in which it must arrive",
    "message_bytes": "largest socket message from a client",
    "compress_sockets": "compress socket messages: less traffic, more work",
    "tables_in_memory": "tables kept in memory, per worker; each takes about a quarter of a megabyte",
    "public_url": "where people open the page, such as https://wellies.example; for links in e-mails and webhooks",
    "alert_seconds": "a turn that is not answered after this time may be alerted about; 0: no alerts at all",
    "clock_warning": "a clock of days warns when this share of it is left, but an hour before its end at least",
    "smtp_host": "the server that takes e-mails; empty: no e-mails",
    "smtp_port": "its port",
    "smtp_security": "starttls, tls, or none",
    "smtp_user": "name to log in there; empty: none",
    "smtp_password": "password to log in there",
    "mail_from": "sender of the e-mails, such as Wellies <wellies@example.org>",
    "private_addresses": "let push messages and webhooks go to addresses inside the own network, also without TLS",
    "vacation_days": "days a year for which one person can stop the clocks of games with days for each move; 0: none",
}
SECRET: Final = ("secret", "smtp_password")
_KINDS: Final = get_type_hints(Settings)


class Effective:
    """The effective settings, each with its origin."""

    def __init__(self, settings: Settings, origins: dict[str, str]) -> None:
        self.settings = settings
        self.origins = origins

    def explain(self) -> list[tuple[str, str, str, str]]:
        """Name, value (secrets masked), origin and help of each setting."""
        rows = []
        for name in Settings.__struct_fields__:
            value = getattr(self.settings, name)
            shown = mask(str(value)) if "://" in str(value) else str(value)
            if name in SECRET and value:
                shown = "***"
            rows.append((name, shown or "(empty)", self.origins[name], HELP[name]))
        return rows


OTHER_VARIABLES = ("config", "debug", "compile", "engine", "optimise", "publish")
"""Variables that other parts of Wellies read."""
OTHER_PREFIXES = ("need_", "test_")
"""Variables of the tests begin with these."""


def load(
    flags: Mapping[str, Any], config: Path | None = None, environment: Mapping[str, str] | None = None
) -> Effective:
    """The effective settings. BadSetting names the setting, its origin and what is allowed."""
    environment = os.environ if environment is None else environment
    names = list(Settings.__struct_fields__)
    values: dict[str, Any] = {}
    origins = dict.fromkeys(names, "default")
    if config is None and environment.get(PREFIX + "CONFIG"):
        config = Path(environment[PREFIX + "CONFIG"])
    if config is not None:
        for name, value in _read_file(config).items():
            if name not in names:
                raise BadSetting(f"{config}: there is no setting {name!r}.{nearest(str(name), names)}")
            values[name], origins[name] = value, f"file {config}"
    for name in names:
        key = PREFIX + name.upper()
        if key in environment:
            values[name], origins[name] = environment[key], f"environment {key}"
    for name, value in flags.items():
        if value is not None:
            values[name], origins[name] = value, f"flag --{name.replace('_', '-')}"
    return Effective(_checked(values, origins), origins)


def misspelt_variables(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each variable that looks like a setting and is none."""
    names = list(Settings.__struct_fields__)
    found = []
    for key in sorted(environment):
        name = key.removeprefix(PREFIX).lower()
        if not key.startswith(PREFIX) or name in (*names, *OTHER_VARIABLES) or name.startswith(OTHER_PREFIXES):
            continue
        hint = nearest(name, names)
        if hint:
            found.append(f"{key} is not a setting and has no effect.{hint}")
    return found


def _read_file(path: Path) -> dict[str, Any]:
    try:
        data = read_regular(str(path), MAX_FILE_BYTES)
        if len(data) > MAX_FILE_BYTES:
            raise BadSetting(f"{path} is bigger than {MAX_FILE_BYTES // 1000} kB; a settings file is smaller.")
        return tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError as error:
        raise BadSetting(f"there is no file {path}; check the name of the settings file.") from error
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BadSetting(f"cannot read the settings in {path} ({why}); give a file that you may read.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not TOML: {error}.") from error
    except ValueError as error:
        raise BadSetting(f"cannot read the settings in {path} ({error}); give a regular file.") from error


def _checked(values: dict[str, Any], origins: dict[str, str]) -> Settings:
    for name, value in values.items():
        try:
            values[name] = msgspec.convert(value, _KINDS[name], strict=False)
        except msgspec.ValidationError as error:
            raise BadSetting(f"setting {name} ({origins[name]}): {value!r} is not allowed; {HELP[name]}.") from error
    settings = Settings(**values)

    def refuse(name: str, why: str) -> BadSetting:
        return BadSetting(f"setting {name} ({origins[name]}): {why}")

    if not 0 <= settings.port <= 65_535:
        raise refuse("port", f"{settings.port} is not a port; choose one from 0 to 65535.")
    if not 1 <= settings.workers <= 256:
        raise refuse("workers", f"{settings.workers} workers are not possible; choose from 1 to 256.")
    if settings.log not in ("debug", "info", "warning", "error"):
        raise refuse("log", f"{settings.log!r} is not one of debug, info, warning, error.")
    if settings.log_format not in ("auto", "json", "plain"):
        raise refuse("log_format", f"{settings.log_format!r} is not one of auto, json, plain.")
    if settings.workers > 1 and not settings.redis:
        raise refuse(
            "workers",
            f"{settings.workers} workers need Redis to exchange messages; give --redis redis://... or use one worker.",
        )
    for proxy in settings.trusted_proxies.split(",") if settings.trusted_proxies else ():
        try:
            ipaddress.ip_network(proxy.strip())
        except ValueError as error:
            raise refuse(
                "trusted_proxies",
                f"{proxy.strip()!r} is not an address or a network such as 10.0.0.5 or 10.0.0.0/24.",
            ) from error
    for name in ("hint_level", "stand_in_level"):
        level = getattr(settings, name)
        if level not in list_bots():
            raise refuse(
                name, f"there is no bot {level!r}; there are: {', '.join(list_bots())}.{nearest(level, list_bots())}"
            )
    if not 0 <= settings.stand_in_seconds <= 60:
        raise refuse("stand_in_seconds", f"{settings.stand_in_seconds:g} seconds are not allowed; choose from 0 to 60.")
    for name, least in (("header_bytes", 1_024), ("header_seconds", 0.1), ("body_bytes", 1_024), ("body_seconds", 0.1)):
        if getattr(settings, name) < least:
            raise refuse(name, f"{getattr(settings, name):g} is not allowed; choose {least:g} or more.")
    if settings.analysis_seconds <= 0:
        raise refuse("analysis_seconds", f"{settings.analysis_seconds:g} seconds are not allowed; choose more than 0.")
    _check_alerts(settings, refuse)
    if settings.bots not in ("here", "queue"):
        raise refuse("bots", f"{settings.bots!r} is not one of here, queue.")
    if settings.bots == "queue" and not settings.redis:
        raise refuse("bots", "the bot queue needs Redis; give --redis redis://... or use --bots here.")
    if settings.redis and not settings.redis.startswith(("redis://", "rediss://", "unix://")):
        raise refuse("redis", f"{mask(settings.redis)!r} is not a Redis address such as redis://127.0.0.1:6379/0.")
    if settings.redis:
        require("scale", "redis", needs="Redis")
    if settings.bots == "queue":
        require("scale", "saq", needs="the bot queue")
    return msgspec.structs.replace(settings, database=_database(settings, refuse))


def _check_alerts(settings: Settings, refuse: Any) -> None:
    """What alerts need."""
    if settings.public_url and not re.fullmatch(r"https?://[^\s/?#]+", settings.public_url):
        raise refuse("public_url", f"{settings.public_url!r} is not an address such as https://wellies.example.")
    if not 0 <= settings.clock_warning < 1:
        raise refuse("clock_warning", f"{settings.clock_warning:g} is not a share; choose from 0 to below 1.")
    if settings.alert_seconds < 0:
        raise refuse("alert_seconds", f"{settings.alert_seconds:g} is not allowed; choose 0 or more.")
    if not 0 <= settings.vacation_days <= 366:
        raise refuse("vacation_days", f"{settings.vacation_days} days a year are not possible; choose from 0 to 366.")
    if settings.smtp_security not in ("starttls", "tls", "none"):
        raise refuse("smtp_security", f"{settings.smtp_security!r} is not one of starttls, tls, none.")
    if not settings.smtp_host:
        return
    if not 1 <= settings.smtp_port <= 65_535:
        raise refuse("smtp_port", f"{settings.smtp_port} is not a port; choose one from 1 to 65535.")
    if "@" not in settings.mail_from or not settings.mail_from.isprintable():
        raise refuse("mail_from", "e-mails need a sender, such as Wellies <wellies@example.org>.")
    if not settings.public_url:
        raise refuse("public_url", "e-mails need it for their links; set it to where people open the page.")
    require("alerts", "aiosmtplib", needs="e-mail")


def _database(settings: Settings, refuse: Any) -> str:
    """The address of the database, with the asynchronous driver of SQLAlchemy."""
    given = settings.database
    if not given:
        folder = Path(settings.data) if settings.data else Path(platformdirs.user_data_dir("wellies"))
        given = f"sqlite:///{(folder / 'wellies.db').absolute()}"
    elif "://" not in given:
        given = f"sqlite:///{Path(given).absolute()}"
    scheme, _, place = given.partition("://")
    backend = scheme.partition("+")[0]
    if not backend:
        raise refuse("database", f"{mask(given)!r} is not a database address; {HELP['database']}.")
    if backend == "sqlite":
        if place.partition("?")[0] in ("", "/", "/:memory:"):
            raise refuse("database", "SQLite needs a file, such as sqlite:///wellies.db.")
        return f"sqlite+aiosqlite://{place}"
    if backend in ("postgresql", "postgres"):
        require("scale", "asyncpg", needs="PostgreSQL")
        return f"postgresql+asyncpg://{place}"
    raise refuse("database", f"{backend!r} is not supported; use postgresql+asyncpg:// or sqlite:///.")


def mask(url: str) -> str:
    """An address without its password."""
    before, mark, rest = url.partition("://")
    if not mark:
        return url
    account, at, place = rest.rpartition("@")
    if not at:
        return url
    user, colon, _ = account.partition(":")
    return f"{before}://{user}{':***' if colon else ''}@{place}"
