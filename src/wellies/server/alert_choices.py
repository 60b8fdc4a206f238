"""What a person wants to be alerted about, where, and when not. Pure functions of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from wellies.server.storage import Row
from wellies.table import Refused

AlertKind = Literal["turn", "invitation", "found", "clock"]
ShownKind = Literal["turn", "invitation", "found", "clock", "test"]
Channel = Literal["push", "email", "webhook"]

CHANNELS: Final[tuple[Channel, ...]] = ("push", "email", "webhook")
MinuteOfDay = Annotated[int, Meta(ge=0, lt=1440)]
Kinds = Annotated[list[AlertKind], Meta(max_length=8)]


class Choices(msgspec.Struct, forbid_unknown_fields=True):
    """Which alerts go where. During quiet hours (minutes after midnight in the time zone, both null: none) nothing is
    sent; what still matters is sent when they are over."""

    push: Kinds = []
    email: Kinds = []
    webhook: Kinds = []
    quiet_from: MinuteOfDay | None = None
    quiet_to: MinuteOfDay | None = None
    zone: Annotated[str, Meta(max_length=60)] = "UTC"


def check_choices(choices: Choices) -> Choices:
    """The choices, each kind once. Refused if there is no such time zone, or only one end of the quiet hours."""
    if (choices.quiet_from is None) != (choices.quiet_to is None):
        raise Refused("bad_hours", "Quiet hours need a begin and an end.", 400)
    try:
        _zone(choices.zone)
    except (KeyError, ValueError, OSError) as error:
        raise Refused(
            "bad_zone", f"There is no time zone {choices.zone!r}; give one such as Europe/Berlin.", 400
        ) from error
    return msgspec.structs.replace(choices, **{channel: sorted(set(getattr(choices, channel))) for channel in CHANNELS})


@lru_cache(256)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def choices_of(row: Row | None) -> Choices:
    """What a stored row says."""
    return Choices() if row is None else msgspec.json.decode(row["choices"], type=Choices)


def quiet_until(choices: Choices, now: int) -> int | None:
    """When the quiet hours end in which this moment is; None if it is in none. Times are milliseconds since 1970."""
    begin, end = choices.quiet_from, choices.quiet_to
    if begin is None or end is None or begin == end:
        return None
    local = datetime.fromtimestamp(now / 1000, _zone(choices.zone))
    minute = local.hour * 60 + local.minute
    is_quiet = begin <= minute < end if begin < end else (minute >= begin or minute < end)
    if not is_quiet:
        return None
    over = local.replace(hour=end // 60, minute=end % 60, second=0, microsecond=0)
    if end <= minute:
        over = (over.replace(tzinfo=None) + timedelta(days=1)).replace(tzinfo=local.tzinfo)
    return max(now + 1, int(over.timestamp() * 1000))


def wanted_channels(row: Row, choices: Choices, kind: AlertKind) -> list[Channel]:
    """Where alerts of a kind go: what was chosen and is set up. Browsers are looked up when sending."""
    there = {"push": True, "email": row["email"] != "" and bool(row["confirmed"]), "webhook": row["webhook"] != ""}
    return [channel for channel in CHANNELS if there[channel] and kind in getattr(choices, channel)]


def is_active(row: Row) -> bool:
    """Whether anything at all is to be sent to this person."""
    choices = choices_of(row)
    kinds: tuple[AlertKind, ...] = ("turn", "invitation", "found", "clock")
    return any(wanted_channels(row, choices, kind) for kind in kinds)


def warning_at(limit: int, deadline: int, share: float) -> int:
    """When a clock of days warns: when this share of its limit is left, but an hour before its end at least."""
    return deadline - max(int(limit * share), 3_600_000)
