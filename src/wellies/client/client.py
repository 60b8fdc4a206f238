"""The HTTP part: who one is, and tables."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import httpx

from wellies.client.seat import TableView
from wellies.core.errors import WelliesError

Json = dict[str, Any]


class ServerRefused(WelliesError):
    """The server said no. `code` is its word for it, `status` the HTTP status (0 over a socket)."""

    def __init__(self, code: str, message: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class Client:
    """One person at one server. The cookie is kept; `cookie` takes one from elsewhere."""

    def __init__(self, url: str, *, cookie: str | None = None, timeout: float = 20.0) -> None:
        self.url = url.rstrip("/")
        self.http = httpx.AsyncClient(base_url=self.url, timeout=timeout, trust_env=False)
        if cookie is not None:
            # With the domain that the server's own cookies get, so that a renewed one replaces it.
            host = self.http.base_url.host
            self.http.cookies.set("wellies", cookie, domain=host if "." in host else f"{host}.local")

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self.http.aclose()

    @property
    def cookie(self) -> str | None:
        """The cookie that says who we are, to go on with later."""
        return self.http.cookies.get("wellies")

    async def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Any request under /api/v1; ServerRefused if the server says no."""
        wanted = {key: value for key, value in query.items() if value is not None}
        answer = await self.http.request(method, f"/api/v1{path}", json=body, params=wanted)
        if answer.status_code >= 400:
            raise _refusal(answer)
        if answer.headers.get("content-type", "").startswith("application/json"):
            return answer.json()
        return answer.text

    # --- who one is ---------------------------------------------------------------------------------------------------

    async def guest(self, name: str) -> Json:
        """Become a new guest."""
        me: Json = await self.request("POST", "/me", {"name": name})
        return me

    async def log_in(self, name: str, password: str) -> Json:
        me: Json = await self.request("POST", "/login", {"name": name, "password": password})
        return me

    # --- tables -------------------------------------------------------------------------------------------------------

    async def create_table(self, game: str, seats: list[str], **more: Any) -> Json:
        """A new table. Seats are "me", "open" or the name of a bot; `more` is as in docs/protocol.md."""
        wishes = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "level": seat} for seat in seats]
        table: Json = await self.request("POST", "/tables", {"game": game, "seats": wishes, **more})
        return table

    async def get_table(self, table: str, invite: str | None = None) -> Json:
        found: Json = await self.request("GET", f"/tables/{table}", invite=invite)
        return found

    async def join(self, table: str, seat: int | None = None, invite: str | None = None) -> Json:
        joined: Json = await self.request("POST", f"/tables/{table}/join", {"seat": seat, "invite": invite})
        return joined

    async def act(self, table: str, what: str, **body: Any) -> Json:
        """start, leave, seats, handover, takeback, resign or rematch."""
        done: Json = await self.request("POST", f"/tables/{table}/{what}", body or {})
        return done

    def table(
        self,
        table: str,
        *,
        seat: int | None = None,
        since: int = 0,
        invite: str | None = None,
        legal: str = "full",
        patience: float = 0.0,
    ) -> TableView:
        """One view of a table: `async with client.table(id, seat=0) as seat`. With `patience` a broken connection is
        made again for so many seconds."""
        return TableView(
            self.url, table, cookie=self.cookie, seat=seat, since=since, invite=invite, legal=legal, patience=patience
        )


def _refusal(answer: httpx.Response) -> ServerRefused:
    try:
        body = answer.json()
        return ServerRefused(body["code"], body["message"], answer.status_code)
    except (ValueError, KeyError, TypeError):
        return ServerRefused("http", answer.text[:200], answer.status_code)
