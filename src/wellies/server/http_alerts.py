"""The routes for alerts and vacations."""

from __future__ import annotations

from typing import Annotated, Any, cast

import anyio.to_thread
import msgspec
from litestar import Router, delete, get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from wellies.server import mail, push
from wellies.server.alert_choices import CHANNELS, Channel, Choices, check_choices, choices_of
from wellies.server.alerts import Alert, Alerts
from wellies.server.http import PROVIDE_ASKER, AnyRequest, Asker, check_rate, errors, known
from wellies.server.identity import Identity, address
from wellies.server.outgoing import LONGEST_URL, BadAddress, NoAnswer, check_url, find_address
from wellies.server.storage import Row
from wellies.server.vacations import Vacation
from wellies.table import Refused

Token = Annotated[str, Meta(min_length=1, max_length=200)]


class AlertSettings(msgspec.Struct):
    """What I want to be alerted about, and where it goes. `available`: the ways in which this server can send alerts.
    `push_key` is its public key, for `PushManager.subscribe`; `browsers` is how many of mine get push messages."""

    available: list[Channel]
    push_key: str
    browsers: int
    email: str
    confirmed: bool
    webhook: str
    choices: Choices


class EmailBody(msgspec.Struct, forbid_unknown_fields=True):
    """An address, or "" for none."""

    email: Annotated[str, Meta(max_length=mail.LONGEST)]


class WebhookBody(msgspec.Struct, forbid_unknown_fields=True):
    """An https address, or "" for none."""

    url: Annotated[str, Meta(max_length=LONGEST_URL)]


class SubscriptionBody(msgspec.Struct, forbid_unknown_fields=True):
    """A browser that takes push messages, from its `PushSubscription`."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=LONGEST_URL)]
    p256dh: Annotated[str, Meta(max_length=120)]
    auth: Annotated[str, Meta(max_length=40)]


class EndpointBody(msgspec.Struct, forbid_unknown_fields=True):
    endpoint: Annotated[str, Meta(max_length=LONGEST_URL)]


class TokenBody(msgspec.Struct, forbid_unknown_fields=True):
    token: Token


class Confirmed(msgspec.Struct):
    email: str


class Stopped(msgspec.Struct):
    channel: Channel


class Sent(msgspec.Struct):
    """How many messages were taken."""

    messages: int


class VacationBody(msgspec.Struct, forbid_unknown_fields=True):
    days: Annotated[int, Meta(ge=1, le=366)]


def _alerts(request: AnyRequest) -> Alerts:
    alerts: Alerts = request.app.state.alerts
    return alerts


async def _shown(request: AnyRequest, row: Row) -> AlertSettings:
    alerts = _alerts(request)
    key = push.public_key(alerts.push_key) if alerts.push_key else ""
    browsers = len(await request.app.state.hub.storage.push_subscriptions(row["identity_id"]))
    working = request.app.state.hub.settings.alert_seconds > 0
    available = [channel for channel in CHANNELS if working and alerts.can_send(channel)]
    return AlertSettings(
        available, key, browsers, row["email"], bool(row["confirmed"]), row["webhook"], choices_of(row)
    )


async def _check_mails(request: AnyRequest, identity: Identity) -> None:
    """Whoever makes guests to send e-mails to others is counted by the address too."""
    await check_rate(request, "mails", identity.id)
    await check_rate(request, "mails", address(request))


@get("/alerts", operation_id="getAlerts", tags=["alerts"], responses=errors(401))
async def get_alerts(request: AnyRequest, asker: Asker) -> AlertSettings:
    """What I am alerted about."""
    return await _shown(request, await _alerts(request).settings_of(known(asker).id))


@put("/alerts", operation_id="setAlerts", tags=["alerts"], responses=errors(401))
async def set_alerts(request: AnyRequest, data: JSONBody[Choices], asker: Asker) -> AlertSettings:
    """Choose which alerts go where, quiet hours and time zone."""
    alerts = _alerts(request)
    row = await alerts.settings_of(known(asker).id)
    text = msgspec.json.encode(check_choices(data)).decode()
    return await _shown(request, await alerts.store_settings({**row, "choices": text}))


@put("/alerts/email", operation_id="setAlertEmail", tags=["alerts"], responses=errors(401, 409))
async def set_email(request: AnyRequest, data: JSONBody[EmailBody], asker: Asker) -> AlertSettings:
    """Where e-mails go. Nothing but a link to confirm the address is sent there before it is confirmed."""
    identity, alerts = known(asker), _alerts(request)
    row = await alerts.settings_of(identity.id)
    email = data.email.strip()
    if email and not alerts.can_send("email"):
        raise Refused("no_mail", "This server sends no e-mails.")
    if email and not mail.is_address(email):
        raise Refused("bad_email", f"{email!r} is not an e-mail address.", 400)
    if email:
        await _check_mails(request, identity)
    if email != row["email"] or not row["confirmed"]:
        row = await alerts.store_settings({**row, "email": email, "confirmed": False})
        if email:
            await alerts.ask_to_confirm(row)
    return await _shown(request, row)


@post("/alerts/confirm", status_code=200, operation_id="confirmAlertEmail", tags=["alerts"], responses=errors(404))
async def confirm_email(request: AnyRequest, data: JSONBody[TokenBody]) -> Confirmed:
    """Confirm the address that a link was sent to. Whoever has the link need not be logged in."""
    return Confirmed(await _alerts(request).confirm(data.token))


@post("/alerts/stop/{token:str}", status_code=200, operation_id="stopAlerts", tags=["alerts"], responses=errors(404))
async def stop_alerts(request: AnyRequest, token: FromPath[str]) -> Stopped:
    """Stop the alerts of the channel that a link came through. Mail programs ask this by themselves (RFC 8058)."""
    return Stopped(await _alerts(request).stop(token))


@put("/alerts/webhook", operation_id="setAlertWebhook", tags=["alerts"], responses=errors(401))
async def set_webhook(request: AnyRequest, data: JSONBody[WebhookBody], asker: Asker) -> AlertSettings:
    """The webhook of a chat program that gets my alerts."""
    identity, alerts = known(asker), _alerts(request)
    await check_rate(request, "people", identity.id)
    url = data.url.strip()
    if url:
        await _check_address(request, url)
    row = await alerts.settings_of(identity.id)
    return await _shown(request, await alerts.store_settings({**row, "webhook": url}))


async def _check_address(request: AnyRequest, url: str) -> None:
    """Refused unless something may be sent to this address. It is checked again each time."""
    inside = request.app.state.hub.settings.private_addresses
    try:
        parts = check_url(url, inside=inside)
        port = parts.port or 443
        await anyio.to_thread.run_sync(lambda: find_address(cast("str", parts.hostname), port, inside=inside))
    except (BadAddress, NoAnswer) as error:
        raise Refused("bad_address", str(error), 400) from error


@post("/alerts/push", status_code=200, operation_id="subscribePush", tags=["alerts"], responses=errors(401, 409))
async def subscribe(request: AnyRequest, data: JSONBody[SubscriptionBody], asker: Asker) -> AlertSettings:
    """Send push messages to this browser too."""
    identity, alerts = known(asker), _alerts(request)
    await check_rate(request, "people", identity.id)
    if not alerts.can_send("push"):
        raise Refused("no_push", "This server sends no push messages.")
    await _check_address(request, data.endpoint)
    try:
        push.check_keys(data.p256dh, data.auth)
    except push.BadSubscription as error:
        raise Refused("bad_subscription", str(error), 400) from error
    hub = request.app.state.hub
    row: dict[str, Any] = {
        "id": push.subscription_id(data.endpoint),
        "identity_id": identity.id,
        "endpoint": data.endpoint,
        "p256dh": data.p256dh,
        "auth": data.auth,
        "at": hub.clock.now(),
    }
    await hub.storage.add_push_subscription(row)
    return await _shown(request, await alerts.settings_of(identity.id))


@post("/alerts/push/remove", status_code=200, operation_id="unsubscribePush", tags=["alerts"], responses=errors(401))
async def unsubscribe(request: AnyRequest, data: JSONBody[EndpointBody], asker: Asker) -> AlertSettings:
    """Send no more push messages to a browser of mine."""
    identity, hub = known(asker), request.app.state.hub
    wanted = push.subscription_id(data.endpoint)
    for row in await hub.storage.push_subscriptions(identity.id):
        if row["id"] == wanted:
            await hub.storage.drop_push_subscription(wanted)
    return await _shown(request, await _alerts(request).settings_of(identity.id))


@post("/alerts/test", status_code=200, operation_id="testAlerts", tags=["alerts"], responses=errors(401))
async def try_alerts(request: AnyRequest, asker: Asker) -> Sent:
    """Send me a test alert wherever alerts of mine go."""
    identity, alerts = known(asker), _alerts(request)
    await _check_mails(request, identity)
    row = await alerts.settings_of(identity.id)
    choices = choices_of(row)
    there = {"push": True, "email": bool(row["confirmed"]), "webhook": row["webhook"] != ""}
    channels = [each for each in CHANNELS if getattr(choices, each) and there[each] and alerts.can_send(each)]
    alert = Alert("test", "Alerts of Wellies work", "This is what they look like.", "/", "test")
    return Sent(await alerts.send(row, channels, alert))


# --- vacations -----------------------------------------------------------------------------------------------------


@get("/vacation", operation_id="getVacation", tags=["alerts"], responses=errors(401))
async def get_vacation(request: AnyRequest, asker: Asker) -> Vacation:
    """Whether I am on vacation, and how many days of it I have."""
    return await _alerts(request).vacations.of(known(asker))


@post("/vacation", status_code=200, operation_id="beginVacation", tags=["alerts"], responses=errors(401, 409))
async def begin_vacation(request: AnyRequest, data: JSONBody[VacationBody], asker: Asker) -> Vacation:
    """Let my clocks of days stand still for so many days."""
    identity, vacations = known(asker), _alerts(request).vacations
    await vacations.begin(identity, data.days)
    return await vacations.of(identity)


@delete("/vacation", status_code=200, operation_id="endVacation", tags=["alerts"], responses=errors(401))
async def end_vacation(request: AnyRequest, asker: Asker) -> Vacation:
    """Come back before it is over."""
    identity, vacations = known(asker), _alerts(request).vacations
    await vacations.end(identity)
    return await vacations.of(identity)


def alert_routes() -> Router:
    return Router(
        "/api/v1",
        route_handlers=[
            get_alerts,
            set_alerts,
            set_email,
            confirm_email,
            stop_alerts,
            set_webhook,
            subscribe,
            unsubscribe,
            try_alerts,
            get_vacation,
            begin_vacation,
            end_vacation,
        ],
        dependencies=PROVIDE_ASKER,
    )
