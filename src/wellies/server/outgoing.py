"""Requests to addresses that people give: push services and webhooks.

Such an address must not lead into the network of the server. So it is looked up once, every address that the name has
must be a public one, and the connection goes to that very address; nothing is followed, and little is read.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from typing import Final
from urllib.parse import SplitResult, urlsplit

from wellies.core.errors import WelliesError

SECONDS: Final = 10.0
MOST_READ: Final = 4_096
LONGEST_URL: Final = 500


class BadAddress(WelliesError):
    """An address that nothing is sent to; the message says why."""


class NoAnswer(WelliesError):
    """The other side did not answer."""


def check_url(url: str, *, inside: bool) -> SplitResult:
    """The parts of an address that may be used: https, with a name or number. With `inside` also http."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r} is not an address.") from error
    if parts.scheme not in (("https", "http") if inside else ("https",)):
        raise BadAddress("Give an address that begins with https://.")
    if not parts.hostname or not url.isascii() or any(letter.isspace() for letter in url) or len(url) > LONGEST_URL:
        raise BadAddress(f"Give a whole address without spaces, of {LONGEST_URL} characters at most.")
    if parts.username is not None or parts.password is not None:
        raise BadAddress("Give an address without a name and a password in it.")
    if port == 0:
        raise BadAddress("Port 0 is no port.")
    return parts


def find_address(host: str, port: int, *, inside: bool) -> str:
    """The number of a host. BadAddress if any of its numbers is not a public one. This may take a while."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAnswer(f"There is no host {host}.") from error
    numbers = [str(each[4][0]) for each in found]
    if not inside and not all(is_public(number) for number in numbers):
        raise BadAddress("This address is inside the network of the server; give a public one.")
    return numbers[0]


def is_public(number: str) -> bool:
    """Whether a number is on the public internet, also when it is an IPv4 number in the clothes of an IPv6 one."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            address = inner
        elif address in _NAT64:
            address = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        elif address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast


_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


def post(url: str, body: bytes, headers: dict[str, str], *, inside: bool = False) -> int:
    """Send a request; returns the status. For a thread: it waits. BadAddress or NoAnswer if nothing was answered."""
    parts = check_url(url, inside=inside)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    number = find_address(host, port, inside=inside)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        plain = socket.create_connection((number, port), SECONDS)
        connection.sock = plain
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
        connection.request("POST", path, body, {"Host": parts.netloc, **headers})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer(f"{host} did not answer: {error or type(error).__name__}") from error
    finally:
        connection.close()
