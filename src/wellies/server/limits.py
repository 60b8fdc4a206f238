"""How much one person or address may ask: rates, and places that one may hold at a time.

One worker alone counts in its memory. Several workers count together through Redis (`limits_redis.py`); while Redis is
away each counts for itself. A limit never fails a request for any other reason than that too much was asked.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from wellies.core.sources import monotonic, random_hex
from wellies.server.settings import Settings

MOST_BUCKETS: Final = 50_000
"""Buckets kept for each rule."""
LEAST_ANALYSES: Final = 3.0

Rule = Literal[
    "requests", "records", "guests", "logins", "account_logins", "new_device_logins", "analyses", "people", "mails"
]


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that. 0 a second is no limit."""

    per_second: float
    burst: float


def rates_of(settings: Settings) -> dict[Rule, Rate]:
    """The rates that these settings give."""
    logins = settings.logins_per_minute / 60
    analyses = settings.analyses_per_hour
    return {
        "requests": Rate(settings.requests_per_second, settings.requests_burst),
        "records": Rate(settings.records_per_second, settings.records_burst),
        "guests": Rate(settings.guests_per_minute / 60, settings.guests_per_minute),
        "logins": Rate(logins, settings.logins_per_minute),
        # Of one account from anywhere: whoever guesses may have many addresses.
        "account_logins": Rate(logins, 2 * settings.logins_per_minute),
        # Of one account from one address while somebody guesses from elsewhere, so that its owner still gets in.
        "new_device_logins": Rate(logins / 60, 3.0),
        # Searches, friends and invitations of one person.
        "people": Rate(settings.people_per_minute / 60, settings.people_per_minute),
        "mails": Rate(settings.mails_per_hour / 3600, settings.mails_per_hour),
        "analyses": Rate(analyses / 3600, max(LEAST_ANALYSES, analyses / 4)),
    }


class Bucket:
    """What is left of one rate for one person."""

    __slots__ = ("at", "left")

    def __init__(self, left: float, at: float) -> None:
        self.left = left
        self.at = at

    def take(self, rate: float, burst: float, now: float) -> bool:
        self.left = min(burst, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


class Buckets:
    """The buckets of one rate, by person or address."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate.per_second
        self.burst = max(1.0, rate.burst)
        self._buckets: dict[str, Bucket] = {}

    def take(self, key: str) -> bool:
        now = monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._forget(now)
            bucket = self._buckets[key] = Bucket(self.burst, now)
        return bucket.take(self.rate, self.burst, now)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if that does not help, drop all."""
        rested = self.burst / self.rate
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if now - bucket.at < rested}
        if len(self._buckets) >= MOST_BUCKETS:
            self._buckets.clear()


@dataclass(frozen=True, slots=True)
class Place:
    """One of the places that somebody holds."""

    key: str
    id: str


class Limits:
    """The interface, and its simplest form: what one worker counts by itself."""

    def __init__(self, settings: Settings) -> None:
        self._most_sockets = settings.sockets_each
        self._buckets = {rule: Buckets(rate) for rule, rate in rates_of(settings).items() if rate.per_second}
        self._places: dict[str, set[Place]] = {}

    async def start(self) -> None:
        """Begin to count."""

    async def stop(self) -> None: ...

    async def allows(self, rule: Rule, key: str) -> bool:
        """Count one more request of a person or an address; False if it is one too many."""
        buckets = self._buckets.get(rule)
        return buckets is None or buckets.take(key)

    async def take_socket(self, key: str) -> Place | None:
        """A place for one more socket of a person or an address, to be given back; None if they have too many."""
        held = self._places.get(key)
        if self._most_sockets and held is not None and len(held) >= self._most_sockets:
            return None
        place = Place(key, random_hex(8))
        self._places.setdefault(key, set()).add(place)
        return place

    def free_socket(self, place: Place) -> None:
        """The socket is closed."""
        held = self._places[place.key]
        held.remove(place)
        if not held:
            del self._places[place.key]


@lru_cache(4096)
def counted_address(host: str) -> str:
    """An address as it is counted. Whoever has one IPv6 address has the 2**64 of its network, so these count as one."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


def open_limits(settings: Settings) -> Limits:
    """Limits shared through Redis, if there is one. Redis is imported only if it is used."""
    if not settings.redis:
        return Limits(settings)
    from wellies.server.limits_redis import RedisLimits

    return RedisLimits(settings)
