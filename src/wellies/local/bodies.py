"""The bodies and queries of requests, read and checked. `Refused` (400) names a field and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast, get_args

from wellies.core.events import Json
from wellies.core.fields import Fields
from wellies.local.strict_json import read_strictly
from wellies.table import Aids, Clock, Refused
from wellies.table.create import SeatWishKind
from wellies.table.settings import STAND_IN_LEVEL, ClockKind, Hints, State, Takebacks

BODY_BYTES: Final = 524_288
"""The largest body."""
MOST_SEAT: Final = 15
MOST_SEATS: Final = 12
MOST_LEVEL: Final = 40
MOST_NAME: Final = 100
MOST_RECORD: Final = 400_000
MOST_ENTRY: Final = 100_000
MOST_LISTED: Final = 50
_CLOCK_FIELDS: Final = {"seconds": 86_400, "increment": 3_600, "days": 60}
"""The numbers of a clock, each with the most it may be."""

Value = TypeVar("Value")


class BadBody(Refused):
    """A body or a query that cannot be used."""

    def __init__(self, why: str) -> None:
        super().__init__("bad_request", why, 400)


@dataclass(frozen=True, slots=True)
class SeatWish:
    kind: SeatWishKind
    level: str
    name: str | None


@dataclass(frozen=True, slots=True)
class TableWish:
    """A table that somebody wants: of a game, from a moment of another table (`table` and `number`), or from a
    record."""

    seats: list[SeatWish]
    game: str
    options: Json
    private: bool
    clock: Clock
    start: bool
    name: str | None
    origin: tuple[str, int] | None
    record: str | None
    aids: Aids
    rated: bool


def read_json(text: str | None) -> Any:
    """The JSON of a body."""
    if not text:
        raise BadBody("This request needs a body: a JSON object.")
    if len(text.encode("utf-8", "replace")) > BODY_BYTES:
        raise Refused("too_big", "The body is too big.", 413)
    try:
        return read_strictly(text)
    except ValueError as error:
        raise BadBody(f"The body is not JSON as it should be: {error}.") from error


def body_fields(value: Any, *known: str) -> Fields:
    """A body with these fields."""
    return Fields(value, "", known, BadBody, "the body")


def table_wish(value: Any) -> TableWish:
    fields = body_fields(
        value,
        *("seats", "game", "options", "private", "clock", "start", "name", "from", "record"),
        *("hints", "badges", "takebacks", "rated"),
    )
    seats = [_seat_wish(seat, f"seats[{number}]") for number, seat in enumerate(fields.items("seats"))]
    if not 1 <= len(seats) <= MOST_SEATS:
        raise fields.wrong("seats", f"give from 1 to {MOST_SEATS} seats")
    for name in ("options", "clock"):
        if fields.has(name) and fields.get(name) is None:
            raise fields.wrong(name, "must be an object with named fields; or leave it out")
    return TableWish(
        seats,
        fields.text("game", "", MOST_LEVEL),
        _object(fields, "options") or {},
        fields.boolean("private", False),
        clock_of(fields) or Clock(),
        fields.boolean("start", False),
        optional(fields, "name", name_of),
        optional(fields, "from", _moment),
        optional(fields, "record", record_of),
        aids_of(fields),
        bool(rated_of(fields)),
    )


def _seat_wish(value: Any, path: str) -> SeatWish:
    fields = Fields(value, path, ("kind", "level", "name"), BadBody)
    kind = cast("SeatWishKind", fields.word("kind", None, list(get_args(SeatWishKind))))
    return SeatWish(kind, level_of(fields), optional(fields, "name", name_of))


def _moment(fields: Fields, name: str) -> tuple[str, int]:
    moment = fields.object(name, ("table", "number"))
    return moment.text("table", None, MOST_LEVEL), moment.integer("number", None, 0, MOST_ENTRY)


def _object(fields: Fields, name: str) -> Json | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, dict):
        raise fields.wrong(name, "must be an object with named fields")
    return value


def optional(fields: Fields, name: str, read: Callable[[Fields, str], Value]) -> Value | None:
    """A field that may be left out or null."""
    return None if fields.get(name) is None else read(fields, name)


def name_of(fields: Fields, name: str) -> str:
    """What somebody wants to be called."""
    text = fields.text(name, None, MOST_NAME)
    if not text:
        raise fields.wrong(name, "must not be empty")
    return text


def record_of(fields: Fields, name: str) -> str:
    return fields.text(name, None, MOST_RECORD)


def level_of(fields: Fields) -> str:
    """The bot that is wanted."""
    return fields.text("level", STAND_IN_LEVEL, MOST_LEVEL)


def seat_of(fields: Fields, name: str = "seat") -> int:
    return fields.integer(name, None, 0, MOST_SEAT)


def options_of(fields: Fields) -> Json | None:
    return _object(fields, "options")


def clock_of(fields: Fields) -> Clock | None:
    """How time is to be kept; None if it is left out."""
    if fields.get("clock") is None:
        return None
    clock = fields.object("clock", ("kind", *_CLOCK_FIELDS))
    kind = cast("ClockKind", clock.word("kind", "none", list(get_args(ClockKind))))
    return Clock(kind, **{name: clock.integer(name, 0, 0, most) for name, most in _CLOCK_FIELDS.items()})


def private_of(fields: Fields) -> bool | None:
    return optional(fields, "private", lambda fields, name: fields.boolean(name, None))


def rated_of(fields: Fields) -> bool | None:
    return optional(fields, "rated", lambda fields, name: fields.boolean(name, None))


def aids_of(fields: Fields) -> Aids:
    """What is to be allowed besides the rules."""

    def word(kinds: Any) -> Callable[[Fields, str], Any]:
        return lambda fields, name: fields.word(name, None, list(get_args(kinds)))

    return Aids(
        optional(fields, "hints", word(Hints)),
        optional(fields, "badges", lambda fields, name: fields.boolean(name, None)),
        optional(fields, "takebacks", word(Takebacks)),
    )


# --- queries -------------------------------------------------------------------------------------------------------


def number_in(query: Mapping[str, str], name: str, low: int, high: int) -> int | None:
    """A number of the query; None if it is left out."""
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 18) or not low <= int(text) <= high:
        raise BadBody(f"The query parameter `{name}` must be a whole number from {low} to {high}.")
    return int(text)


def state_in(query: Mapping[str, str]) -> State | None:
    """The state that listed tables must have; None for any."""
    text = query.get("state")
    if text is not None and text not in get_args(State):
        raise BadBody(f"The query parameter `state` must be one of {', '.join(get_args(State))}.")
    return cast("State | None", text)


def flag_in(query: Mapping[str, str], name: str) -> bool:
    """Whether something is asked for in the query."""
    return query.get(name, "").lower() in ("1", "true")
