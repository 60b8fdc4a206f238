"""People and their cookies. A guest is a name and a signed cookie; with a password it is an account for all devices."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection

from wellies.core.sources import monotonic, now_millis, random_hex
from wellies.server.limits import counted_address
from wellies.server.lookalikes import looks_like
from wellies.server.passwords import Passwords, check_password
from wellies.server.storage import NameTaken, NoIdentity, Row, Store
from wellies.table import Refused
from wellies.table.ids import public_id as public_id
from wellies.table.names import NAMELESS, clean_name

COOKIE: Final = "wellies"
AGE: Final = 400 * 86_400
"""The lifetime of a cookie in seconds. `GET /api/v1/me` renews it."""
CACHE_SECONDS: Final = 10.0
"""How long an identity is cached."""
MAX_CACHED: Final = 20_000


class Identity(msgspec.Struct, frozen=True):
    """A person. The id is secret: only its owner gets it."""

    id: str
    name: str
    account: bool
    epoch: int
    session: str = ""
    """Which of this person's devices it is; from the cookie."""


class People:
    """Creates identities, and recognises them by their cookies."""

    def __init__(self, storage: Store, secret: str) -> None:
        self._storage = storage
        self._key = hashlib.sha256(b"wellies cookies " + secret.encode()).digest()
        self._known: dict[str, tuple[float, Identity | None, Collection[str]]] = {}
        self._passwords = Passwords()

    # --- cookies ---------------------------------------------------------------------------------------------------

    def cookie(self, identity: Identity, now: float | None = None) -> str:
        """A signed cookie: id, number of log-outs everywhere, time, and device."""
        issued = now_millis() // 1000 if now is None else int(now)
        body = f"{identity.id}.{identity.epoch}.{issued}.{identity.session or random_hex(8)}"
        return f"{body}.{self._sign(body)}"

    def _sign(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()

    def read_cookie(self, cookie: str | None) -> tuple[str, int, str] | None:
        """The id, the log-out count and the session of a cookie; None if the signature is wrong or it is too old."""
        if not cookie or len(cookie) > 200 or not cookie.isascii():
            return None
        body, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self._sign(body), signature):
            return None
        # Cookies of older versions have no session.
        identity_id, epoch, issued, session = (*body.split("."), "")[:4]
        # One from the future is genuine too: the clock of the machine was set back since.
        if abs(now_millis() / 1000 - int(issued)) > AGE:
            return None
        return identity_id, int(epoch), session

    async def recognise(self, cookie: str | None) -> Identity | None:
        """The identity of a cookie; None if it is not valid, too old, or older than a log-out."""
        read = self.read_cookie(cookie)
        if read is None:
            return None
        identity_id, epoch, session = read
        found, ended = await self._look_up(identity_id)
        if found is None or found.epoch != epoch or session in ended:
            return None
        return msgspec.structs.replace(found, session=session)

    async def _look_up(self, identity_id: str) -> tuple[Identity | None, Collection[str]]:
        """Who that is, and which of their sessions have ended; looked up from time to time."""
        now = monotonic()
        remembered = self._known.get(identity_id)
        if remembered is not None and remembered[0] > now:
            return remembered[1:]
        row = await self._storage.identity(identity_id)
        if row is None:
            return self._remember(identity_id, None, ())
        return self._remember(identity_id, _identity(row), await self._storage.ended([identity_id]))

    def _remember(
        self, identity_id: str, identity: Identity | None, ended: Collection[str]
    ) -> tuple[Identity | None, Collection[str]]:
        if len(self._known) >= MAX_CACHED:
            self._known.clear()
        self._known[identity_id] = (monotonic() + CACHE_SECONDS, identity, ended)
        return identity, ended

    # --- guests and accounts ---------------------------------------------------------------------------------------

    async def may_be_called(self, name: str, identity: Identity | None = None) -> str:
        """The name as it is shown; Refused if it is the name of another account, or looks like one in Latin letters."""
        name = clean_name(name)
        for wanted in {login_name(name), *looks_like(name)}:
            account = await self._storage.account(wanted)
            if account is not None and (identity is None or account["id"] != identity.id):
                raise Refused("name_taken", "There is an account of that name already; log in, or choose another name.")
        return name

    async def guest(self, name: str = "") -> Identity:
        """A new guest with this name, or a default one."""
        row: Row = {
            "id": random_hex(12),
            "name": await self.may_be_called(name) if name else NAMELESS,
            "login": None,
            "password": None,
            "epoch": 0,
            "created": now_millis(),
        }
        await self._storage.add_identity(row)
        return _identity(row)

    async def rename(self, identity: Identity, name: str) -> Identity:
        name = await self.may_be_called(name, identity)
        values: dict[str, Any] = {"name": name}
        if identity.account:
            values["login"] = login_name(name)
        return await self._change(identity, values)

    async def set_password(self, identity: Identity, password: str, old: str | None) -> Identity:
        """Turn the guest into an account, or change its password; other devices are logged out."""
        check_password(password, identity.name)
        row = await self._storage.identity(identity.id)
        if row is not None and row["password"] and not await self._passwords.fits(row["password"], old or ""):
            raise Refused("wrong_password", "The old password is wrong.", 403)
        values = {
            "password": await self._passwords.hash(password),
            "login": login_name(identity.name),
            "epoch": identity.epoch + 1,
        }
        return await self._change(identity, values)

    async def log_in(self, name: str, password: str) -> Identity:
        """The account of this name, with a session of its own. A hash of older parameters is made anew."""
        account = await self._storage.account(login_name(name))
        known = None if account is None else account["password"]
        if not await self._passwords.fits(known, password) or account is None:
            raise Refused("wrong_password", "That name and password do not belong together.", 403)
        if self._passwords.is_old(account["password"]):
            await self._storage.change_identity(account["id"], {"password": await self._passwords.hash(password)})
        return _identity(account)

    async def log_out(self, identity: Identity) -> None:
        """End the session of this device. A cookie without a session ends all sessions."""
        if not identity.session:
            await self.log_out_everywhere(identity)
            return
        now = now_millis() // 1000
        await self._storage.end_session(identity.session, identity.id, now, now - AGE)
        self._known.pop(identity.id, None)

    async def log_out_everywhere(self, identity: Identity) -> None:
        await self._change(identity, {"epoch": identity.epoch + 1})

    async def check_own_password(self, identity: Identity, password: str | None) -> None:
        """Refused (403) unless this is the password of the account. Guests have none."""
        row = await self._storage.identity(identity.id)
        if row is not None and row["password"] and not await self._passwords.fits(row["password"], password or ""):
            raise Refused("wrong_password", "The password is wrong; nothing was deleted.", 403)

    async def begin_deletion(self, identity: Identity, now: int) -> None:
        """End all sessions of a person for good, and begin to delete what belongs to them."""
        await self._storage.accounts.begin_deletion(identity.id, now)
        self._known.pop(identity.id, None)

    async def _change(self, identity: Identity, values: dict[str, Any]) -> Identity:
        try:
            row = await self._storage.change_identity(identity.id, values)
        except NoIdentity as error:
            raise Refused("who", "This account has been deleted.", 401) from error
        except NameTaken as error:
            raise Refused("name_taken", "There is an account of that name already; choose another name.") from error
        self._known.pop(identity.id, None)
        return msgspec.structs.replace(_identity(row), session=identity.session)


def login_name(name: str) -> str:
    """A name as accounts are found by it."""
    return clean_name(name).casefold()


def _identity(row: Row) -> Identity:
    return Identity(row["id"], row["name"], row["password"] is not None, row["epoch"])


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address of the client, as limits count it. Behind a proxy, uvicorn has set it from the proxy's headers."""
    client = connection.client
    return counted_address(client.host) if client is not None else "local"
