"""Connections to Redis that notice when the other side is gone, even if nothing says so.

A machine that loses its power or its network closes no connection. Where nothing is sent, such as while one listens,
only the probes of the operating system find that out.
"""

from __future__ import annotations

import socket
from typing import Any, Final

import redis.asyncio

IDLE_SECONDS: Final = 10
"""Seconds without traffic before the first probe."""
PROBE_SECONDS: Final = 5
PROBES: Final = 3
"""So many unanswered probes, so many seconds apart, and the connection counts as broken."""

KEEPALIVE: Final[dict[int, int]] = {
    getattr(socket, name): value
    for name, value in (("TCP_KEEPIDLE", IDLE_SECONDS), ("TCP_KEEPINTVL", PROBE_SECONDS), ("TCP_KEEPCNT", PROBES))
    if hasattr(socket, name)
}


def open_redis(url: str, **more: Any) -> redis.asyncio.Redis:
    """A client of this Redis. It connects when it is first used."""
    probes = {} if url.startswith("unix:") else {"socket_keepalive": True, "socket_keepalive_options": KEEPALIVE}
    opened: redis.asyncio.Redis = redis.asyncio.from_url(url, **probes, **more)
    return opened
