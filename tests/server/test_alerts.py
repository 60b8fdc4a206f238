"""Alerts as they arrive: at a push service with a browser behind it, at an SMTP server, at a webhook."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from server.receivers import Mailbox, PushBrowser, Receiver, Request, check_vapid, mailbox, receiving
from server.serving import Running, play, running, sqlite_file, until
from services import redis_url

from wellies.client import Client, ServerRefused
from wellies.server import outgoing
from wellies.server.alert_choices import Choices, quiet_until, warning_at
from wellies.server.outgoing import BadAddress, check_url, find_address, is_public, post

PUBLIC = "http://wellies.test"
ALL = ["turn", "invitation", "found", "clock"]
QUICK: dict[str, Any] = {"alert_seconds": 0.05, "private_addresses": True, "public_url": PUBLIC}


@pytest.fixture(scope="module")
def post_office() -> Iterator[tuple[Running, Receiver, Mailbox]]:
    with sqlite_file() as database, receiving() as receiver, mailbox() as box:
        mails = {"smtp_host": "127.0.0.1", "smtp_port": box.port, "smtp_security": "none"}
        with running(database, **QUICK, **mails, mail_from="Wellies <rain@wellies.test>") as server:
            yield server, receiver, box


@contextlib.asynccontextmanager
async def two(url: str, other: str = "") -> AsyncIterator[tuple[Client, Client]]:
    async with Client(url) as ann, Client(other or url) as ben:
        await ann.guest("Ann")
        await ben.guest("Ben")
        yield ann, ben


async def begin(ann: Client, ben: Client, **more: Any) -> tuple[str, Client, int]:
    """A game of two; returns the table, and who is to move with which seat."""
    table = (await ann.create_table("umbradeco", ["me", "open"], **more))["id"]
    await ben.join(table)
    begun = await ann.act(table, "start")
    (seat,) = begun["waiting"]
    return table, (ann, ben)[seat], seat


async def move(client: Client, table: str, seat: int, *servers: Running) -> None:
    """Answer all decisions of a turn, and leave the table."""
    async with client.table(table, seat=seat, legal="text") as view:
        await view.until(lambda now: now.decision is not None and now.decision["due"])
        while view.decision is not None and view.decision["due"]:
            await view.play(view.legal[0], view.decision["id"])
    await until(lambda: not any(live.table.id == table for server in servers for live in server.hub.watched()))


def test_a_push_message_arrives_encrypted_and_signed_once_for_each_turn(
    post_office: tuple[Running, Receiver, Mailbox],
) -> None:
    server, receiver, _ = post_office

    async def scenario() -> None:
        async with two(server.url) as (ann, ben):
            browser = PushBrowser(receiver.url, "ben")
            settings = await ben.request("POST", "/alerts/push", browser.subscription)
            assert settings["browsers"] == 1
            await ben.request("PUT", "/alerts", {"push": ALL})
            table, first, seat = await begin(ann, ben)
            if first is ann:
                await move(ann, table, seat, server)

            def mine() -> list[Request]:
                return [each for each in receiver.got if each.path == "/push/ben"]

            await until(mine)
            message = browser.read(mine()[0])
            assert message == {
                "kind": "turn",
                "title": "Your turn in Umbradeco",
                "text": "With Ann.",
                "path": f"/t/{table}",
                "tag": table,
            }
            claims = check_vapid(mine()[0], settings["push_key"], receiver.url)
            assert claims["sub"] == "mailto:rain@wellies.test"
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_look(server), server.loop))
            assert len(mine()) == 1, "one alert a move"
            await move(ben, table, 1, server)
            await move(ann, table, 0, server)
            await until(lambda: len(mine()) == 2)
            # A browser that is gone is forgotten.
            receiver.answer = lambda _: 410
            await ben.request("POST", "/alerts/test")
            assert (await ben.request("GET", "/alerts"))["browsers"] == 0
            receiver.answer = lambda _: 201

    play(scenario())


async def _look(server: Running) -> None:
    """Two more rounds."""
    alerts = server.guard.app.state.alerts
    alerts._looked.clear()
    await asyncio.gather(alerts.look(), alerts.look())


def test_whoever_looks_at_the_table_is_not_alerted(post_office: tuple[Running, Receiver, Mailbox]) -> None:
    server, receiver, _ = post_office

    async def scenario() -> None:
        async with two(server.url) as (ann, ben):
            for client, name in ((ann, "sees"), (ben, "away")):
                await client.request("POST", "/alerts/push", PushBrowser(receiver.url, name).subscription)
            await ben.request("PUT", "/alerts", {"push": ["turn"]})
            table, first, seat = await begin(ann, ben)
            if first is ben:
                await move(ben, table, seat, server)
            async with ann.table(table, seat=0, legal="text") as view:
                await view.until(lambda now: now.decision is not None and now.presence["seats"] == [0])
                # Only now: an alert could be sent before she looks, however quickly she comes.
                await ann.request("PUT", "/alerts", {"push": ["turn"]})
                row = await server.storage.alert_settings((await ann.request("GET", "/me"))["id"])
                assert row is not None
                await until(lambda: "turn" in str(_claims(server, row["identity_id"])))
            await move(ann, table, 0, server)
            await until(lambda: any(each.path == "/push/away" for each in receiver.got))
            assert not any(each.path == "/push/sees" for each in receiver.got)

    play(scenario())


def _claims(server: Running, person: str) -> list[str]:
    import sqlite3

    with contextlib.closing(sqlite3.connect(str(server.storage.url.database))) as connection:
        return [row[0] for row in connection.execute("SELECT about FROM sent_alerts WHERE identity_id = ?", (person,))]


def test_an_address_is_confirmed_before_anything_is_sent_and_one_click_stops_it(
    post_office: tuple[Running, Receiver, Mailbox],
) -> None:
    server, _, box = post_office

    async def scenario() -> None:
        async with two(server.url) as (ann, ben), Client(server.url) as nobody:
            with pytest.raises(ServerRefused, match="not an e-mail address"):
                await ben.request("PUT", "/alerts/email", {"email": "ben@nowhere\nBcc: all@example.org"})
            with pytest.raises(ServerRefused, match="could not be sent"):
                await ben.request("PUT", "/alerts/email", {"email": "ben@refused.example"})
            await ben.request("PUT", "/alerts", {"email": ALL})
            await ben.request("PUT", "/alerts/email", {"email": "ben@home.example"})
            (to, asked), *_ = [each for each in box.got if each[0] == "ben@home.example"]
            token = re.search(rf"{PUBLIC}/alerts/confirm/(\S+)", asked.get_content())
            assert token is not None
            table, first, seat = await begin(ann, ben)
            if first is ann:
                await move(ann, table, seat, server)
            server.guard.app.state.alerts.poke()
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_look(server), server.loop))
            assert len([each for each in box.got if each[0] == to]) == 1, "nothing before it is confirmed"
            for wrong in ("x" + token[1], token[1][:-1], "email.x.y"):
                with pytest.raises(ServerRefused, match="link"):
                    await nobody.request("POST", "/alerts/confirm", {"token": wrong})
            assert (await nobody.request("POST", "/alerts/confirm", {"token": token[1]}))["email"] == to
            await until(lambda: len([each for each in box.got if each[0] == to]) == 2)
            message = box.got[-1][1]
            assert message["subject"] == "Your turn in Umbradeco"
            assert f"{PUBLIC}/t/{table}" in message.get_content()
            assert message["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
            stop = str(message["list-unsubscribe"])[1:-1].removeprefix(f"{PUBLIC}/api/v1")
            assert (await nobody.request("POST", stop))["channel"] == "email"
            assert (await ben.request("GET", "/alerts"))["choices"]["email"] == []
            # Another address must be confirmed again.
            assert not (await ben.request("PUT", "/alerts/email", {"email": "ben@other.example"}))["confirmed"]
            with pytest.raises(ServerRefused, match="no longer valid"):
                await nobody.request("POST", "/alerts/confirm", {"token": token[1]})

    play(scenario())


def test_a_webhook_tells_of_invitations_and_found_games_and_cannot_shout(
    post_office: tuple[Running, Receiver, Mailbox],
) -> None:
    server, receiver, _ = post_office

    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben:
            await ann.guest("<!here> &Ann")
            await ben.guest("Ben")
            await ben.request("PUT", "/alerts/webhook", {"url": f"{receiver.url}/hook"})
            await ben.request("PUT", "/alerts", {"webhook": ["invitation", "found"]})
            code = (await ben.request("GET", "/me/friend-link"))["code"]
            (friend,) = (await ann.request("POST", "/friends", {"code": code}))["friends"]
            table = await ann.create_table("marram", ["me", "open"])
            await ann.request("POST", f"/tables/{table['id']}/invitations", {"friend": friend["handle"]})
            await until(lambda: any(each.path == "/hook" for each in receiver.got))
            told = next(each for each in receiver.got if each.path == "/hook").json
            assert told["text"].startswith("&lt;!here&gt; &amp;Ann invites you. To a game of Marram.")
            assert told["allowed_mentions"] == {"parse": []}
            assert f"{PUBLIC}/t/{table['id']}?invite=" in told["text"]
            wish = {"game": "guppies", "pace": "no clock", "seats": [2]}
            await ben.request("PUT", "/search", wish)
            found = await ann.request("PUT", "/search", wish)
            await until(lambda: any(each.path == "/hook" and each.json["kind"] == "found" for each in receiver.got))
            assert found["table"] in receiver.got[-1].json["text"]

    play(scenario())


def test_two_workers_alert_once() -> None:
    async def scenario(one: Running, other: Running, receiver: Receiver) -> None:
        async with two(one.url, other.url) as (ann, ben):
            for client, name in ((ann, "ann"), (ben, "ben")):
                await client.request("POST", "/alerts/push", PushBrowser(receiver.url, name).subscription)
                await client.request("PUT", "/alerts", {"push": ALL})
            table, _, seat = await begin(ann, ben)
            turns = {"ann": 0, "ben": 0}
            for number in range(3):
                name = ("ann", "ben")[seat]
                turns[name] += 1
                await until(lambda: len([r for r in receiver.got if r.path == f"/push/{name}"]) == turns[name])  # noqa: B023
                for server in (one, other):
                    await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_look(server), server.loop))
                await move((ann, ben)[seat], table, seat, one, other)
                seat = 1 - seat
                assert number < 3
            sent = [server.hub.metrics.alerts_sent.get("push", 0) for server in (one, other)]
            assert sum(sent) == len(receiver.got) <= 4

    with sqlite_file() as database, receiving() as receiver:
        more = {**QUICK, "redis": redis_url()}
        with running(database, **more) as one, running(database, **more) as other:
            play(scenario(one, other, receiver))


def test_a_clock_of_days_warns_and_a_vacation_stops_it(post_office: tuple[Running, Receiver, Mailbox]) -> None:
    server, receiver, _ = post_office

    async def scenario() -> None:
        async with two(server.url) as (ann, ben):
            browser = PushBrowser(receiver.url, "slow")
            await ben.request("POST", "/alerts/push", browser.subscription)
            await ben.request("PUT", "/alerts", {"push": ["clock"]})
            table, first, seat = await begin(ann, ben, clock={"kind": "days", "days": 2})
            if first is ann:
                await move(ann, table, seat, server)
            before = (await ben.request("GET", "/inbox"))["turns"][0]["deadline"]
            vacation = await ben.request("POST", "/vacation", {"days": 10})
            assert vacation["left"] == 20
            assert (await ann.request("GET", f"/tables/{table}"))["seats"][1]["away"] == vacation["until"]
            after = (await ben.request("GET", "/inbox"))["turns"][0]["deadline"]
            assert 0 <= before + 10 * 86_400_000 - after < 60_000
            with pytest.raises(ServerRefused, match="on vacation already"):
                await ben.request("POST", "/vacation", {"days": 1})
            back = await ben.request("DELETE", "/vacation")
            assert (back["until"], back["left"]) == (None, 29)
            assert (await ann.request("GET", f"/tables/{table}"))["seats"][1]["away"] == 0
            with pytest.raises(ServerRefused, match="29 of 30"):
                await ben.request("POST", "/vacation", {"days": 30})
            # The whole clock is the share at which it warns: the warning comes at once.
            server.hub.settings = _with(server.hub.settings, clock_warning=0.999999)
            alerts = server.guard.app.state.alerts
            alerts._settings, before_settings = server.hub.settings, alerts._settings
            alerts._looked.clear()
            await until(lambda: any(each.path == "/push/slow" for each in receiver.got))
            message = browser.read(next(each for each in receiver.got if each.path == "/push/slow"))
            assert (message["kind"], message["title"]) == ("clock", "47 hours left in Umbradeco")
            alerts._settings = server.hub.settings = before_settings

    play(scenario())


def _with(settings: Any, **more: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(settings, **more)


# --- pure functions ------------------------------------------------------------------------------------------------

HOUR = 3_600_000
MIDNIGHT = 1_763_424_000_000  # 2025-11-18 00:00 UTC


def test_quiet_hours_in_the_time_zone_of_the_person() -> None:
    night = Choices(quiet_from=22 * 60, quiet_to=7 * 60, zone="Europe/Berlin")  # UTC+1
    assert quiet_until(night, MIDNIGHT + 12 * HOUR) is None
    assert quiet_until(night, MIDNIGHT + 21 * HOUR) == MIDNIGHT + 30 * HOUR
    assert quiet_until(night, MIDNIGHT + 5 * HOUR) == MIDNIGHT + 6 * HOUR
    assert quiet_until(night, MIDNIGHT + 6 * HOUR) is None
    noon = Choices(quiet_from=12 * 60, quiet_to=14 * 60, zone="UTC")
    assert quiet_until(noon, MIDNIGHT + 13 * HOUR) == MIDNIGHT + 14 * HOUR
    assert quiet_until(noon, MIDNIGHT + 14 * HOUR) is None
    assert quiet_until(Choices(), MIDNIGHT) is None
    # The night in which summer time ends has an hour more: 2025-10-26 in Berlin.
    end = 1_761_433_200_000  # 2025-10-26 01:00 in Berlin, 25 October 23:00 UTC
    assert quiet_until(night, end) == end + 7 * HOUR


def test_a_warning_comes_when_a_share_is_left_but_an_hour_before_at_least() -> None:
    assert warning_at(24 * HOUR, 100 * HOUR, 0.25) == 94 * HOUR
    assert warning_at(24 * HOUR, 100 * HOUR, 0.0) == 99 * HOUR


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.5.5",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "224.0.0.1",
    ],
)
def test_numbers_inside_are_not_public(number: str) -> None:
    assert not is_public(number)
    assert is_public("1.1.1.1")
    assert is_public("2606:4700:4700::1111")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://" + "user:pass" + "@example.org/",
        "https://exa mple.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://[::1",
        "file:///etc/passwd",
    ],
)
def test_addresses_of_other_kinds_are_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        check_url(url, inside=False)


def test_nothing_is_sent_inside_the_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver:
        port = receiver.url.rsplit(":", 1)[1]
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"):
            with pytest.raises((BadAddress, outgoing.NoAnswer)):
                post(f"https://{host}:{port}/", b"", {})
        # A name that leads to a public number and to one inside.
        found = [(2, 1, 6, "", ("1.1.1.1", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        with pytest.raises(BadAddress, match="inside the network"):
            find_address("twofaced.example", 443, inside=False)
        assert receiver.got == []


def test_a_webhook_inside_is_refused_where_it_is_set() -> None:
    async def scenario(server: Running) -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            for url in ("https://127.0.0.1/hook", "http://example.org/hook", "https://169.254.169.254/latest"):
                with pytest.raises(ServerRefused, match=r"inside the network|https"):
                    await ann.request("PUT", "/alerts/webhook", {"url": url})
            subscription = PushBrowser("https://127.0.0.1:1").subscription
            with pytest.raises(ServerRefused, match="inside the network"):
                await ann.request("POST", "/alerts/push", subscription)
            with pytest.raises(ServerRefused, match="no e-mails"):
                await ann.request("PUT", "/alerts/email", {"email": "ann@example.org"})
            with pytest.raises(ServerRefused, match="no time zone"):
                await ann.request("PUT", "/alerts", {"zone": "Atlantis/City"})

    with sqlite_file() as database, running(database) as server:
        play(scenario(server))
