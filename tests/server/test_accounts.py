"""Passwords and names: bad ones are refused, hashes are kept up to date, and nobody learns who has an account."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import argon2
import pytest
from server.serving import Running, play, running, sqlite_file

from wellies.client import Client, ServerRefused
from wellies.server.identity import People
from wellies.server.lookalikes import looks_like
from wellies.server.passwords import Passwords, check_password
from wellies.table import Refused
from wellies.table.names import clean_name


@pytest.mark.parametrize(
    "bad",
    [
        "short",
        "password",
        "Password1!",
        "passw0rd123",
        "12345678",
        "987654321",
        "aaaaaaaaaa",
        "abababababab",
        "abcdefgh",
        "qwertyuiop",
        "qwertyuiop123",
        "iloveyou!!",
        "Annabel Lee",
        "annabellee1",
        "correct horse battery staple",
        "x" * 201,
    ],
)
def test_the_first_passwords_that_anybody_would_try_are_refused(bad: str) -> None:
    with pytest.raises(Refused) as refused:
        check_password(bad, "Annabel Lee")
    assert refused.value.code == "bad_password"


@pytest.mark.parametrize(
    "good", ["correct horse", "galoshes and puddles", "Tr0ub4dor&3", "x7!kQ2#p", "пароль на дождь"]
)
def test_other_passwords_are_taken(good: str) -> None:
    check_password(good, "Annabel Lee")


def test_a_bad_password_is_refused_by_the_server_and_a_long_one_before_it_is_hashed(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Ann")
            for password, part in (("password", "first that anybody"), ("x" * 201, "200 characters")):
                answer = await client.http.post("/api/v1/me/password", json={"password": password})
                assert answer.status_code == 400
                assert part in answer.json()["message"]

    play(scenario())


def test_a_hash_of_older_parameters_is_made_anew_at_the_next_log_in(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            me = await client.guest("Olga")
            await client.request("POST", "/me/password", {"password": "correct horse"})
            weak = argon2.PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash("correct horse")
            storage = server.hub.storage

            async def on_loop(work: Any) -> Any:
                return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))

            await on_loop(storage.change_identity(me["id"], {"password": weak}))
            before = client.cookie
            await client.log_in("Olga", "correct horse")
            assert client.cookie != before, "a log-in begins a session of its own"
            row = await on_loop(storage.identity(me["id"]))
            assert row["password"] != weak
            assert not Passwords().is_old(row["password"])
            again = await client.log_in("Olga", "correct horse")
            assert again["id"] == me["id"]

    play(scenario())


def test_an_unknown_name_takes_as_long_as_a_wrong_password(server: Running) -> None:
    async def scenario() -> None:
        people: People = server.guard.app.state.people
        async with Client(server.url) as client:
            await client.guest("Tess")
            await client.request("POST", "/me/password", {"password": "correct horse"})

        hashed: list[str | None] = []
        passwords = people._passwords
        verify = passwords._hasher.verify

        class Watched(argon2.PasswordHasher):
            def verify(self, hash: str | bytes, password: str | bytes) -> Any:
                hashed.append(str(hash).rpartition("$")[0].rpartition("$")[0])
                return verify(hash, password)

        passwords._hasher = Watched()
        try:
            for name in ("Tess", "Nobody at all"):
                with pytest.raises(ServerRefused):
                    async with Client(server.url) as client:
                        await client.log_in(name, "wrong horse")
        finally:
            passwords._hasher = argon2.PasswordHasher()
        # The same work with the same parameters, whether there is such an account or not.
        assert len(hashed) == 2
        assert hashed[0] == hashed[1]
        times: dict[str, list[float]] = {"Tess": [], "Nobody at all": []}
        for _ in range(4):
            for name, found in times.items():
                async with Client(server.url) as client:
                    began = time.perf_counter()
                    await client.http.post("/api/v1/login", json={"name": name, "password": "wrong horse"})
                    found.append(time.perf_counter() - began)
        fast, slow = sorted(min(found) for found in times.values())
        assert slow < 10 * fast, times

    play(scenario())


def test_guessing_one_account_from_many_addresses_is_limited_and_its_owner_gets_in() -> None:
    with sqlite_file() as database, running(database, logins_per_minute=3, trusted_proxies="127.0.0.1") as server:

        async def scenario() -> None:
            async with Client(server.url) as owner:
                await owner.guest("Ann")
                await owner.request("POST", "/me/password", {"password": "correct horse"})

                async def attempt(address: str, password: str = "guess") -> int:
                    answer = await owner.http.post(
                        "/api/v1/login",
                        json={"name": "Ann", "password": password},
                        headers={"X-Forwarded-For": address, "Cookie": ""},
                    )
                    return answer.status_code

                first = [await attempt(f"198.51.100.{number}") for number in range(12)]
                assert set(first) == {403}
                # The account's own rate is used up: each address has three attempts, and then none for a while.
                again = [await attempt("198.51.100.1") for _ in range(4)]
                assert 429 in again
                assert await attempt("203.0.113.7", "correct horse") == 200, "the owner is not locked out"

        play(scenario())


def test_a_name_that_looks_like_an_account_is_taken(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve:
            await ann.guest("Zoe and Ann")
            await ann.request("POST", "/me/password", {"password": "correct horse"})
            unseen = ("Ann\ufe0f", "A\u034fnn", "\u3164Ann", "Ann\u2800", "Ann\u115f")
            for like in ("Аnn", "ANN", "Ａｎｎ", "αnn", "ɑnn", "ΑΝΝ", "aɴɴ", *unseen):
                with pytest.raises(ServerRefused) as refused:
                    await eve.guest(f"Zoe and {like}")
                assert refused.value.code == "name_taken", like
            await eve.guest("Zoë and Ann")

    play(scenario())


def test_letters_that_look_alike() -> None:
    assert looks_like("Раул") == {"payл"}
    assert looks_like("Ѕсоре") == {"scope"}
    assert looks_like("Ηanna Μay") >= {"hanna may"}
    assert looks_like("ΝΙΚΗ") == {"nikh", "vikη"}, "as capitals, and as small letters"
    assert looks_like("Łukasz") == {"łukasz"}, "another letter, which one can see"


def test_names_can_be_read() -> None:
    for blank in ("\u2800", "\u3164\u115f", " \u200b"):
        with pytest.raises(Refused):
            clean_name(blank)
    assert clean_name("a" + "\u0305" * 20) == "a" + "\u0305" * 4
