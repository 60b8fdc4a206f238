"""A simulated person: gets a name, takes a place at a table, and does by requests what their plan says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from http.cookies import SimpleCookie
from random import Random
from typing import TYPE_CHECKING, Any

from simulation.history import OPTIONS, ClientPlan, TablePlan
from simulation.network import Answered, ConnectionLost, Request
from simulation.screens import Screen
from wellies.server.storage import Row
from wellies.table import Summary
from wellies.table.codec import decode

if TYPE_CHECKING:
    from simulation.worker import Worker
    from simulation.world import World


class Person:
    """One client, with one screen for each seat that is theirs, or one to watch."""

    def __init__(self, world: World, plan: ClientPlan) -> None:
        self.world = world
        self.plan = plan
        self.random: Random = world.random(f"client {plan.number}")
        self.name = f"P{plan.number}"
        self.address = f"10.0.0.{plan.number + 1}"
        self.cookie = ""
        self.id = ""
        self.identities: list[str] = []
        """All ids that this person has had: one who logs out is somebody else afterwards."""
        self.leaving: dict[str, float] = {}
        """Cookies that this person has asked the server to end: it may or may not have done so."""
        self.ended: dict[str, float] = {}
        """Cookies that the server has confirmed as ended, and when."""
        self.plays_left = plan.plays
        self.done: list[tuple[str, str, dict[str, Any]]] = []
        """Requests that were confirmed: what, the id of who asked, and how the table stood then."""
        self.seats = [number for number, chair in enumerate(self.table_plan.chairs) if chair == plan.number]
        self.screens = [Screen(self, seat) for seat in self.seats] or [Screen(self, None)]
        if plan.watches_too:
            self.screens.append(Screen(self, None))

    @property
    def table_plan(self) -> TablePlan:
        return self.world.history.tables[self.plan.table]

    @property
    def table_id(self) -> str:
        return self.world.table_ids[self.plan.table]

    @property
    def invite(self) -> str:
        return self.world.invites.get(self.plan.table, "") if self.plan.invited else ""

    def may_look(self, row: Row, seat: int | None) -> bool:
        """Whether this person must be able to look at a table, of which this is the row, from a seat. They may have
        left it, or be somebody else since they have logged out."""
        if seat is not None and self.id == self.identities[0]:
            seats = Summary.from_json(decode(row["summary"])).seats
            return seat < len(seats) and seats[seat].identity == self.id
        return not row["private"] or bool(self.invite)

    async def live(self) -> None:
        await self._until_done(self._get_name)
        if self.table_plan.host == self.plan.number:
            await self._host()
        else:
            while not self.table_id:
                await asyncio.sleep(0.05)
            if self.seats:
                await self._until_done(self._join)
        for action in self.plan.actions:
            self.world.call_at(max(action.at, self.world.loop.now), self._act, action.kind)
        self.world.in_place.add(self.plan.number)
        for screen in self.screens:
            self.world.spawn(screen.live(), f"screen of {self.name}")

    # --- requests --------------------------------------------------------------------------------------------------

    def worker(self) -> Worker:
        """A worker, as a load balancer chooses it: one that takes requests. ConnectionLost if there is none."""
        serving = [machine.worker for machine in self.world.machines if machine.worker is not None and machine.serving]
        if not serving:
            raise ConnectionLost
        return self.random.choice(serving)

    async def ask(
        self, method: str, path: str, body: Any = None, query: str = "", cookie: str | None = None
    ) -> Answered:
        worker = self.worker()
        data = b"" if body is None else json.dumps(body).encode()
        request = Request(self.world, worker, self.address)
        sent = self.cookie if cookie is None else cookie
        asker = self.id
        answer = await request.send(method, f"/api/v1{path}", query, sent, data, self.random)
        if answer.status >= 500 and answer.status != 503:
            self.world.fail("server error", f"{method} {path}: {answer.status} {answer.body.decode()}")
        if answer.status == 503 and not self.world.faults.storage_failed:
            self.world.fail("server error", f"{method} {path}: 503 though no store has failed")
        self._keep_cookie(answer)
        return replace(answer, asker=asker)

    def _keep_cookie(self, answer: Answered) -> None:
        for header in answer.cookies:
            for morsel in SimpleCookie(header).values():
                self.cookie = f"{morsel.key}={morsel.value}" if morsel.value else ""

    async def _until_done(self, work: Any) -> None:
        """Try until it is done, as a patient person does."""
        while not self.world.over:
            try:
                if await work():
                    return
            except ConnectionLost:
                pass
            await asyncio.sleep(self.random.uniform(0.1, 0.6))

    async def _get_name(self) -> bool:
        answer = await self.ask("POST", "/me", {"name": self.name})
        if answer.status != 201:
            return False
        self.id = answer.json()["id"]
        self.identities.append(self.id)
        return True

    async def _host(self) -> None:
        await self._until_done(self._make_table)
        if any(isinstance(chair, int) and chair != self.plan.number for chair in self.table_plan.chairs):
            self.world.spawn(self._until_done(self._start), "start")

    async def _make_table(self) -> bool:
        plan = self.table_plan
        wishes = [
            {"kind": "bot", "level": "random"}
            if chair == "bot"
            else {"kind": "me" if chair == self.plan.number else "open"}
            for chair in plan.chairs
        ]
        kind, seconds, increment, days = plan.clock
        body = {
            "game": plan.game,
            "options": OPTIONS[plan.game],
            "seats": wishes,
            "private": plan.private,
            "clock": {"kind": kind, "seconds": seconds, "increment": increment, "days": days},
            "takebacks": plan.takebacks,
            "hints": plan.hints,
            "start": all(wish["kind"] != "open" for wish in wishes),
        }
        answer = await self.ask("POST", "/tables", body)
        if answer.status != 201:
            return False
        table = answer.json()
        self.done.append(("create", answer.asker, table))
        self.world.table_ids[self.plan.table] = table["id"]
        self.world.invites[self.plan.table] = table["invite"]
        return True

    async def _join(self) -> bool:
        """Take all one's chairs. True also when that is no longer possible."""
        for seat in self.seats:
            answer = await self.ask("POST", f"/tables/{self.table_id}/join", {"seat": seat, "invite": self.invite})
            if answer.status == 200:
                self.done.append(("join", answer.asker, answer.json()))
            elif answer.status != 409 or answer.json()["code"] == "busy":
                return False
        return True

    async def _start(self) -> bool:
        if self.table_plan.goes_private and self.random.random() < 0.4:
            await self._go_private()
        answer = await self.ask("POST", f"/tables/{self.table_id}/start")
        if answer.status == 200:
            self.done.append(("start", answer.asker, answer.json()))
        return answer.status == 200 or (answer.status == 409 and answer.json()["code"] == "begun")

    # --- what the plan says ----------------------------------------------------------------------------------------

    def _act(self, kind: str) -> None:
        if self.world.healed:
            return
        self.world.faults.count(f"client: {kind}")
        if kind in ON_TABLE or kind in OTHERS:
            self.world.spawn(self._ask_once(kind), kind)
        else:
            self.random.choice(self.screens).act(kind)

    async def _ask_once(self, kind: str) -> None:
        try:
            if kind in ON_TABLE:
                answer = await self.ask("POST", f"/tables/{self.table_id}/{kind}", ON_TABLE[kind])
                if answer.status == 200:
                    self.done.append((kind, answer.asker, answer.json()))
            else:
                await OTHERS[kind](self)
        except ConnectionLost:
            pass

    async def _log(self) -> None:
        seat = self.random.choice([None, 0, 1])
        query = f"invite={self.invite}" if seat is None else f"seat={seat}&invite={self.invite}"
        answer = await self.ask("GET", f"/tables/{self.table_id}/log", query=query)
        if answer.status == 200:
            self.world.logs_read.append((self, self.table_id, answer.asker, seat, answer.json()))

    async def _replay(self) -> None:
        await self.ask("GET", f"/tables/{self.table_id}/replay", query=f"invite={self.invite}&from=1&to=3")

    async def _list(self) -> None:
        answer = await self.ask("GET", "/tables")
        if answer.status == 200:
            self.world.lists_read.append((answer.asker, answer.json()["tables"]))

    async def _go_private(self) -> None:
        answer = await self.ask("PATCH", f"/tables/{self.table_id}", {"private": True})
        if answer.status == 200:
            self.done.append(("change", answer.asker, answer.json()))

    async def _rename(self) -> None:
        await self.ask("PATCH", "/me", {"name": f"{self.name}x"})

    async def _log_out(self, everywhere: bool = False) -> None:
        cookie = self.cookie
        self.leaving[cookie] = self.world.loop.now

        async def end() -> bool:
            # It may be done though the answer says otherwise: then nobody is logged out a second time.
            answer = await self.ask("POST", "/logout", {"everywhere": everywhere}, cookie=cookie)
            return answer.status == 200

        await self._until_done(end)
        self.ended[cookie] = self.world.loop.now
        self.cookie = self.id = ""
        await self._until_done(self._get_name)

    async def _log_out_everywhere(self) -> None:
        await self._log_out(True)

    async def _forge(self) -> None:
        """A cookie of another person with a wrong signature."""
        others = [each for each in self.world.people if each.id and each is not self]
        if others:
            answer = await self.ask("GET", "/me", cookie=f"wellies={others[0].id}.0.1800000000.aa.{'0' * 64}")
            if answer.status != 401:
                self.world.fail("forged cookie", f"a forged cookie is answered with {answer.status}")


ON_TABLE: dict[str, Any] = {
    "resign": {},
    "handover": {"level": "random"},
    "takeback": {},
    "leave": {},
    "rematch": None,
}
"""Requests that change a table, and their bodies."""
OTHERS: dict[str, Any] = {
    "log": Person._log,
    "replay": Person._replay,
    "list": Person._list,
    "go private": Person._go_private,
    "rename": Person._rename,
    "logout": Person._log_out,
    "logout everywhere": Person._log_out_everywhere,
    "forge cookie": Person._forge,
}
