"""Alerts: tells people who are away that it is their turn, that they are invited, that a game was found, or that a
clock runs out.

Each worker looks again and again at the tables of those who want alerts. What is to be told follows from what is
stored, so nothing is forgotten when a worker dies. Before an alert is sent, a row with person, table and decision is
stored; only the worker that could store it sends. So nobody is alerted twice about one thing, and a worker that dies
in between costs an alert.

An alert says which game, who plays and how much time is left. It says nothing of what happens in the game.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import random_below, random_urlsafe
from wellies.core.texts import listed
from wellies.games import game_title
from wellies.server import mail, push
from wellies.server.alert_choices import (
    AlertKind,
    Channel,
    Choices,
    ShownKind,
    choices_of,
    is_active,
    quiet_until,
    wanted_channels,
    warning_at,
)
from wellies.server.live_table import LiveTable
from wellies.server.outgoing import BadAddress, NoAnswer, post
from wellies.server.storage import Row, StorageTrouble
from wellies.server.vacations import Vacations
from wellies.table import Refused, Summary, Table
from wellies.table.codec import decode

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.alerts")

LOOK_AGAIN: Final = 600_000
"""Milliseconds after which a table is looked at again though nothing has happened: the wishes may have changed."""
INVITATION_MILLIS: Final = 86_400_000
"""An older invitation is not alerted about."""
KEEP_MILLIS: Final = 120 * 86_400_000
"""How long it is kept what was sent: longer than any clock of days."""
FORGET_ROUNDS: Final = 1_000
RETRY_SECONDS: Final = (5.0, 60.0)
"""Pauses after which a message is tried again that was not taken."""
AT_ONCE: Final = 8
"""Messages under way and tables looked at, at the same time."""
MOST_LOOKED: Final = 50_000


class Alert(msgspec.Struct):
    """What a person is told. `path` leads to the table; a newer message with the same `tag` takes the place of an older
    one on the screen."""

    kind: ShownKind
    title: str
    text: str
    path: str
    tag: str


class Alerts:
    """Sends the alerts of one worker."""

    def __init__(self, hub: Hub, secret: str, push_key: str) -> None:
        self._hub = hub
        self._settings = hub.settings
        self._storage = hub.storage
        self._key = hashlib.sha256(b"wellies alerts " + secret.encode()).digest()
        self.push_key = push_key
        """The private key that push messages are signed with; empty without the packages for them."""
        self.vacations = Vacations(hub)
        self._looked: dict[tuple[str, str], tuple[int, int]] = {}
        """What was looked at, by table and person: at which version, and when it is to be looked at again."""
        self._poked = asyncio.Event()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._task: asyncio.Task[None] | None = None

    # --- the loop --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        if self._settings.alert_seconds:
            self._task = self._hub.spawn(self._run(), "alerts")

    def poke(self) -> None:
        """Something has happened that somebody may be waiting for: look at once."""
        self._poked.set()

    async def _run(self) -> None:
        rounds = 0
        while not self._hub.stopping.is_set():
            pause = self._settings.alert_seconds * (0.75 + random_below(500) / 1000)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), pause)
            self._poked.clear()
            try:
                await self.look()
                rounds += 1
                if rounds % FORGET_ROUNDS == 0:
                    await self._storage.forget_alerts(self._hub.clock.now() - KEEP_MILLIS)
            except StorageTrouble:
                pass  # the next round finds out
            except Exception:
                # A bug: it must not end the alerts.
                log.exception("alerts could not be looked after")

    async def look(self) -> None:
        """Look at everything that somebody may have to be told."""
        await self.vacations.settle()
        rows = await self._storage.waiting_tables()
        await asyncio.gather(*(self._look_at(row) for row in rows))
        now = self._hub.clock.now()
        calls = await self._storage.calls(now - INVITATION_MILLIS, now)
        await asyncio.gather(*(self._look_at_call(row) for row in calls))

    async def _look_at(self, row: Row) -> None:
        key, now = (row["id"], row["identity_id"]), self._hub.clock.now()
        version, again = self._looked.get(key, (-1, 0))
        if version == row["version"] and now < again:
            return
        if len(self._looked) >= MOST_LOOKED:
            self._looked.clear()
        seats = Summary.from_json(decode(row["summary"])).seats
        waiting = [seats[int(seat)] for seat in row["waiting"].split(",") if seat]
        again = now + LOOK_AGAIN
        if any(seat.identity == row["identity_id"] and seat.bot is None for seat in waiting):
            async with self._places:
                try:
                    again = min(again, await self._look_at_turn(row["id"], row["identity_id"]))
                except StorageTrouble:
                    raise
                except WelliesError as error:
                    log.error("a table could not be looked at for alerts", table=row["id"], reason=str(error))
        self._looked[key] = (row["version"], again)

    async def _look_at_turn(self, table_id: str, person: str) -> int:
        """Alert a person whose turn it is; returns when to look again."""
        settings = await self._storage.alert_settings(person)
        live = await self._hub.get(table_id, catch_up=True)
        table, now = live.table, self._hub.clock.now()
        again = now + LOOK_AGAIN
        if settings is None or table.state != "playing" or table.match is None:
            return again
        choices = choices_of(settings)
        for seat in table.seats_of(person):
            decision = table.decision_for(seat)
            if decision is None or not decision.due or table.clocks.is_away(seat, now):
                continue
            due: list[tuple[AlertKind, int]] = [("turn", table.log[-1].at + int(1000 * self._settings.alert_seconds))]
            if table.clock.kind == "days":
                deadline = table.clocks.deadline_of(seat, now)
                limit = table.clock.days * 86_400_000
                due.append(("clock", warning_at(limit, deadline, self._settings.clock_warning)))
            for kind, at in due:
                if at > now:
                    again = min(again, at)
                    continue
                alert = _turn_alert(table, seat, now) if kind == "turn" else _clock_alert(table, seat, now)
                about = f"{kind} {decision.id}"
                again = min(again, await self._tell(settings, choices, live, kind, about, alert, decision.id) or again)
        return again

    async def _look_at_call(self, row: Row) -> None:
        person = row["identity_id"]
        key, now = (row["table_id"], f"{person} {row['kind']}"), self._hub.clock.now()
        if now < self._looked.get(key, (-1, 0))[1]:
            return
        settings = await self._storage.alert_settings(person)
        if settings is None:
            return
        async with self._places:
            try:
                live = await self._hub.get(row["table_id"], catch_up=True)
            except Refused:
                return  # it is being made just now
            kind: AlertKind = row["kind"]
            again = await self._tell(settings, choices_of(settings), live, kind, kind, _call_alert(live.table, row))
        self._looked[key] = (0, again or now + LOOK_AGAIN)

    # --- telling one person ----------------------------------------------------------------------------------------

    async def _tell(
        self,
        settings: Row,
        choices: Choices,
        live: LiveTable,
        kind: AlertKind,
        about: str,
        alert: Alert,
        decision: str | None = None,
    ) -> int | None:
        """Alert a person, unless they were, do not want it, or look at the table, or have made this decision; returns
        when to look again, if it is too early now."""
        now, person = self._hub.clock.now(), settings["identity_id"]
        channels = [channel for channel in wanted_channels(settings, choices, kind) if self.can_send(channel)]
        if not channels:
            return None
        quiet = quiet_until(choices, now)
        if quiet is not None:
            return quiet
        if self._hub.channels.shared and not self._hub.channels.healthy:
            return now + 10_000  # who looks at the table through other workers is not known
        seats = live.table.seats_of(person)
        # Whoever looks at the table now needs no alert about this any more, so the row is stored in any case.
        if not await self._storage.claim_alert(person, live.table.id, about, now):
            return None
        looking = await self._hub.presence.connected_seats(live, seats, if_unknown=False) if seats else []
        if set(seats) & set(looking):
            return None
        if decision is None or await self._is_due(live.table.id, seats, decision):
            self._hub.spawn(self.send(settings, channels, alert), "send an alert")
        return None

    async def _is_due(self, table_id: str, seats: list[int], decision: str) -> bool:
        """Whether one of these seats still has this decision before it: it may have moved just now, and left."""
        table = (await self._hub.get(table_id, catch_up=True)).table
        found = [table.decision_for(seat) for seat in seats]
        return any(each is not None and each.due and each.id == decision for each in found)

    def can_send(self, channel: Channel) -> bool:
        """Whether this server can send alerts this way at all."""
        if channel == "push":
            return bool(self.push_key)
        return channel == "webhook" or bool(self._settings.smtp_host)

    async def send(self, settings: Row, channels: list[Channel], alert: Alert) -> int:
        """Send an alert through all channels; returns how many messages were taken."""
        work: list[Any] = []
        if "push" in channels:
            subscriptions = await self._storage.push_subscriptions(settings["identity_id"])
            work += [self._try("push", lambda row=row: self._push(row, alert)) for row in subscriptions]
        if "email" in channels:
            work.append(self._try("email", lambda: self._mail(settings, alert)))
        if "webhook" in channels:
            work.append(self._try("webhook", lambda: self._call_webhook(settings, alert)))
        return sum(await asyncio.gather(*work))

    async def _try(self, channel: Channel, send: Any) -> bool:
        """Send one message, again if the other side has trouble; whether it was taken."""
        for pause in (*RETRY_SECONDS, None):
            try:
                if await send():
                    self._hub.metrics.alerts_sent[channel] += 1
                    return True
                break
            except (NoAnswer, mail.MailTrouble) as error:
                log.info("an alert was not taken", channel=channel, reason=str(error))
                if pause is None or getattr(error, "for_good", False):
                    break
                await asyncio.sleep(pause)
            except BadAddress as error:
                log.info("an alert was not sent", channel=channel, reason=str(error))
                break
            except StorageTrouble:
                break
            except Exception:
                # A bug: the other messages are sent all the same.
                log.exception("an alert could not be sent", channel=channel)
                break
        self._hub.metrics.alerts_failed[channel] += 1
        return False

    # --- the channels ----------------------------------------------------------------------------------------------

    async def _push(self, row: Row, alert: Alert) -> bool:
        message = msgspec.json.encode(alert)
        contact = self._contact()
        inside = self._settings.private_addresses
        status = await asyncio.to_thread(push.send, row, message, self.push_key, contact, inside=inside)
        if status in push.GONE:
            await self._storage.drop_push_subscription(row["id"])
            return False
        return _taken(status, "the push service")

    def _contact(self) -> str:
        """Whom a push service may ask about our messages."""
        if self._settings.mail_from:
            return f"mailto:{parseaddr(self._settings.mail_from)[1]}"
        return self._settings.public_url or "mailto:nobody@example.org"

    async def _mail(self, settings: Row, alert: Alert) -> bool:
        stop = self.stop_token(settings, "email")
        lines = [
            alert.text,
            "",
            self._link(alert.path),
            "",
            "--",
            f"To get no more of these e-mails: {self._link(f'/alerts/stop/{stop}')}",
        ]
        address = f"{self._settings.public_url}/api/v1/alerts/stop/{stop}"
        message = mail.make_mail(self._settings, settings["email"], alert.title, "\n".join(lines), address)
        await mail.send(self._settings, message)
        return True

    async def _call_webhook(self, settings: Row, alert: Alert) -> bool:
        """A chat program shows `text` (Slack, Mattermost, Rocket.Chat, Teams) or `content` (Discord)."""
        text = f"{alert.title}. {alert.text}"
        for letter, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            text = text.replace(letter, written)
        if self._settings.public_url:
            stop = self._link(f"/alerts/stop/{self.stop_token(settings, 'webhook')}")
            text = f"{text}\n{self._link(alert.path)}\nTo get no more of these: {stop}"
        body = msgspec.json.encode(
            {"text": text, "content": text, "allowed_mentions": {"parse": []}, "kind": alert.kind, "path": alert.path}
        )
        headers = {"content-type": "application/json"}
        inside = self._settings.private_addresses
        return _taken(await asyncio.to_thread(post, settings["webhook"], body, headers, inside=inside), "the webhook")

    def _link(self, path: str) -> str:
        return f"{self._settings.public_url}{path}"

    # --- settings and links ----------------------------------------------------------------------------------------

    async def settings_of(self, person: str) -> Row:
        """The stored settings of a person, or those of somebody who wants nothing."""
        found = await self._storage.alert_settings(person)
        return found or {
            "identity_id": person,
            "code": random_urlsafe(16),
            "choices": msgspec.json.encode(Choices()).decode(),
            "email": "",
            "confirmed": False,
            "webhook": "",
            "active": False,
        }

    async def store_settings(self, row: Row) -> Row:
        """Store the settings of a person; returns them."""
        row = {**row, "active": is_active(row)}
        await self._storage.set_alert_settings(row)
        self._looked = {key: value for key, value in self._looked.items() if not key[1].startswith(row["identity_id"])}
        self.poke()
        return row

    def stop_token(self, row: Row, channel: Channel) -> str:
        """The end of the link that stops the alerts of a person in one channel. It names nobody and never expires."""
        return self._signed(f"{channel}.{row['code']}")

    def confirm_token(self, row: Row, email: str) -> str:
        """The end of the link that confirms an address, until another one is given."""
        seal = hashlib.sha256(f"{row['code']} {email}".encode()).hexdigest()[:24]
        return self._signed(f"confirm-{seal}.{row['code']}")

    def _signed(self, body: str) -> str:
        return f"{body}.{hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()[:32]}"

    def _read(self, token: str) -> tuple[str, str]:
        """Purpose and code of a token. Refused if it is not one of ours."""
        body, _, signature = token.rpartition(".")
        good = token.isascii() and hmac.compare_digest(self._signed(body).rpartition(".")[2], signature)
        purpose, _, code = body.partition(".")
        if not good or not code:
            raise Refused("bad_link", "This link is not complete; copy all of it.", 404)
        return purpose, code

    async def stop(self, token: str) -> Channel:
        """Stop the alerts that a link is for; returns the channel."""
        purpose, code = self._read(token)
        row = await self._storage.alert_settings_by_code(code)
        for channel in ("push", "email", "webhook"):
            if row is not None and channel == purpose:
                choices = msgspec.structs.replace(choices_of(row), **{channel: []})
                await self.store_settings({**row, "choices": msgspec.json.encode(choices).decode()})
                return channel
        raise Refused("bad_link", "This link is no longer valid.", 404)

    async def confirm(self, token: str) -> str:
        """Confirm the address that a link was sent to; returns the address."""
        _, code = self._read(token)
        row = await self._storage.alert_settings_by_code(code)
        if row is None or not row["email"] or not hmac.compare_digest(self.confirm_token(row, row["email"]), token):
            raise Refused("bad_link", "This link is no longer valid; ask for a new one.", 404)
        if not row["confirmed"]:
            await self.store_settings({**row, "confirmed": True})
        return str(row["email"])

    async def ask_to_confirm(self, row: Row) -> None:
        """Send the link that confirms the address of a person. Refused if it is not taken."""
        link = self._link(f"/alerts/confirm/{self.confirm_token(row, row['email'])}")
        text = (
            "Somebody wants alerts of Wellies at this address. If it was you, open this link:\n\n"
            f"{link}\n\nIf not, do nothing."
        )
        try:
            await mail.send(self._settings, mail.make_mail(self._settings, row["email"], "Is this your address?", text))
        except mail.MailTrouble as error:
            log.warning("a confirmation was not sent", reason=str(error))
            raise Refused("no_mail", "The e-mail could not be sent; check the address, or try again later.") from error


def _taken(status: int, who: str) -> bool:
    """Whether a message was taken, by the status of the answer. NoAnswer if it is worth trying again."""
    if status in (408, 425, 429) or status >= 500:
        raise NoAnswer(f"{who} answered with status {status}")
    if not 200 <= status < 300:
        log.info("an alert was refused", by=who, status=status)
    return 200 <= status < 300


# --- what alerts say -----------------------------------------------------------------------------------------------


def _others(table: Table, seat: int) -> str:
    names = [other.name for number, other in enumerate(table.seats) if number != seat and other.name]
    return f"With {listed(names)}." if names else ""


def _turn_alert(table: Table, seat: int, now: int) -> Alert:
    text = _others(table, seat)
    if table.clock.kind == "days":
        text = f"{text} You have {_span(table.clocks.deadline_of(seat, now) - now)} left.".strip()
    return Alert("turn", f"Your turn in {table.spec.title}", text, f"/t/{table.id}", table.id)


def _clock_alert(table: Table, seat: int, now: int) -> Alert:
    left = _span(table.clocks.deadline_of(seat, now) - now)
    title = f"{left[:1].upper()}{left[1:]} left in {table.spec.title}"
    return Alert("clock", title, f"It is your turn. {_others(table, seat)}".strip(), f"/t/{table.id}", table.id)


def _call_alert(table: Table, row: Row) -> Alert:
    title = game_title(row["game"])
    if row["kind"] == "invitation":
        path = f"/t/{table.id}?invite={table.invite}"
        return Alert("invitation", f"{row['name']} invites you", f"To a game of {title}.", path, table.id)
    seats = table.seats_of(row["identity_id"])
    return Alert(
        "found", f"A game of {title} was found", _others(table, seats[0] if seats else -1), f"/t/{table.id}", table.id
    )


def _span(millis: int) -> str:
    """A span of time in words: hours from one on, days from two on."""
    minutes = max(1, millis // 60_000)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= (2 * size if word == "day" else size):
            count = minutes // size
            return f"{count} {word}{'' if count == 1 else 's'}"
    return "no time"
