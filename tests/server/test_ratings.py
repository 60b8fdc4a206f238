"""Ratings: the same numbers as OpenSkill's, which games count, and that each counts once and in order."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from old_files.write import play_table
from openskill.models import PlackettLuce
from server.people import account, play_to_end
from server.serving import Running, play, postgres_database, running, sqlite_file
from typer.testing import CliRunner

from wellies.cli.app import app
from wellies.client import Client, ServerRefused
from wellies.server.backup import back_up, restore
from wellies.server.finished import FinishedGame, FinishedSeat
from wellies.server.rating_model import BETA, SCALE, Rating, rate, rate_players
from wellies.server.storage import Storage
from wellies.server.storage.schema import finished_games, finished_seats, rating_changes, ratings

SMALL = {"options": {"mat": "small"}}
RATED = {**SMALL, "rated": True}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A server whose bots play fast for people who have left."""
    with sqlite_file() as database, running(database, stand_in_level="random") as server:
        yield server


def test_the_numbers_are_those_of_openskill() -> None:
    """Hundreds of random results of two to six players, with ties, each going on from the ratings before."""
    model = PlackettLuce()
    random = Random("openskill")
    for _ in range(20):
        ours = [Rating() for _ in range(8)]
        theirs = [model.rating() for _ in range(8)]
        for _ in range(25):
            table = random.sample(range(8), random.randint(2, 6))
            ranks = [random.randint(1, len(table)) for _ in table]
            after = rate([ours[each] for each in table], ranks)
            expected = model.rate([[theirs[each]] for each in table], ranks=[float(rank) for rank in ranks])
            for each, rating, [right] in zip(table, after, expected, strict=True):
                assert (rating.mu, rating.sigma) == pytest.approx((right.mu, right.sigma), rel=1e-12)
                ours[each], theirs[each] = rating, right


def test_the_shown_scale_is_that_of_the_arena() -> None:
    """A difference of 400 points means ten wins to one, as the model has it for players who are well known."""
    strong, weak = Rating(25 + 200 / SCALE, 0.0), Rating(25 - 200 / SCALE, 0.0)
    assert strong.shown - weak.shown == 400
    c = math.sqrt(2) * BETA
    assert math.exp(strong.mu / c) / math.exp(weak.mu / c) == pytest.approx(10)
    assert Rating().provisional
    assert (Rating().shown, Rating().deviation) == (1500, 246)


def test_a_bot_at_several_seats_gets_the_mean_of_them() -> None:
    before = {"ann": Rating(), "bot:storm": Rating(30, 5)}
    after = rate_players(before, [("bot:storm", 1), ("ann", 2), ("bot:storm", 3)])
    first, ann, last = rate([before["bot:storm"], before["ann"], before["bot:storm"]], [1, 2, 3])
    assert after["ann"] == ann
    assert after["bot:storm"].mu == pytest.approx((first.mu + last.mu) / 2)


# --- which games count --------------------------------------------------------------------------------------------


async def _ratings(client: Client, table: str) -> dict[str, Any]:
    found: dict[str, Any] = await client.request("GET", f"/tables/{table}/ratings")
    return found


def test_a_rated_game_changes_ratings_and_the_leaderboard(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await account(ann, "Ann")
            table = (await ann.create_table("umbradeco", ["me", "shower"], start=True, **RATED))["id"]
            info = await ann.get_table(table)
            assert (info["rated"], info["hints"], info["takebacks"]) == (True, "off", "off")
            await play_to_end(ann, table)
            found = await _ratings(ann, table)
            assert found["not_counted"] == ""
            before = [change["before"] for change in found["changes"]]
            assert before == [1500, 1500]
            mine, bots = (change["after"] for change in found["changes"])
            ranks = (await ann.get_table(table))["outcome"]["ranks"]
            assert (mine > bots) == (ranks[0] < ranks[1])
            board = (await ann.request("GET", "/leaderboards/umbradeco"))["standings"]
            assert {(each["name"], each["rating"], each["games"]) for each in board} == {
                ("Ann", mine, 1),
                ("shower", bots, 1),
            }
            assert all(each["provisional"] for each in board)
            assert [each["rating"] for each in board] == sorted((mine, bots), reverse=True)
            assert (await ann.request("GET", "/leaderboards/umbradeco", **{"from": 1, "limit": 1}))[
                "standings"
            ] == board[1:]
            trend = await ann.request("GET", "/me/ratings", game="umbradeco")
            assert [(moment["table"], moment["rating"]) for moment in trend["moments"]] == [(table, mine)]
            profile = await ann.request("GET", "/me/profile")
            public = (await Client(server.url).request("GET", f"/people/{profile['person']}"))["profile"]
            assert public == profile
            assert public["ratings"][0]["rating"] == mine

    play(scenario())


def test_what_a_rated_game_needs(server: Running) -> None:
    async def refused(client: Client, **more: Any) -> str:
        with pytest.raises(ServerRefused) as error:
            await client.create_table(**{"game": "umbradeco", "seats": ["me", "shower"], "rated": True, **more})
        return error.value.code

    async def scenario() -> None:
        async with Client(server.url) as bea, Client(server.url) as guest:
            await guest.guest("Gus")
            assert await refused(guest) == "needs_account"
            await account(bea, "Bea")
            assert await refused(bea, hints="all") == "bad_rated"
            assert await refused(bea, takebacks="free") == "bad_rated"
            assert await refused(bea, seats=["shower", "shower"], start=True) == "bad_rated"
            assert await refused(bea, seats=["me", "me"], start=True) == "bad_rated"
            assert await refused(bea, seats=["me", "random"], start=True) == "bad_rated"
            clock = {"kind": "move", "seconds": 600}
            table = (await bea.create_table("umbradeco", ["me", "open"], rated=True))["id"]
            with pytest.raises(ServerRefused, match="accounts"):
                await guest.join(table)
            with pytest.raises(ServerRefused, match="neither hints nor takebacks"):
                await bea.request("PATCH", f"/tables/{table}", {"hints": "all"})
            # The host makes it friendly, and the guest sits down: now it cannot be rated any more.
            assert (await bea.request("PATCH", f"/tables/{table}", {"rated": False}))["rated"] is False
            await guest.join(table)
            with pytest.raises(ServerRefused, match="Gus is a guest"):
                await bea.request("PATCH", f"/tables/{table}", {"rated": True})
            await guest.request("POST", "/me/password", {"password": "rain on the roof"})
            assert (await bea.request("PATCH", f"/tables/{table}", {"rated": True}))["rated"] is True
            with pytest.raises(ServerRefused, match="needs a clock"):
                await bea.act(table, "start")
            await bea.request("PATCH", f"/tables/{table}", {"clock": clock})
            await bea.act(table, "start")
            with pytest.raises(ServerRefused, match="has begun"):
                await bea.request("PATCH", f"/tables/{table}", {"rated": False})

    play(scenario())


def test_a_game_left_in_the_opening_does_not_count_and_a_later_one_does(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as cid:
            await account(cid, "Cid")
            table = (await cid.create_table("umbradeco", ["me", "shower"], start=True, **RATED))["id"]
            await cid.act(table, "resign")
            await play_to_end(cid, table)
            assert await _ratings(cid, table) == {"not_counted": "opening", "changes": []}
            table = (await cid.create_table("umbradeco", ["me", "shower"], start=True, **RATED))["id"]
            await play_to_end(cid, table, moves=6)
            await cid.act(table, "resign")
            await play_to_end(cid, table)
            found = await _ratings(cid, table)
            assert found["not_counted"] == ""
            # Whoever resigns is last, whatever the bot has made of the seat.
            assert found["changes"][0]["after"] < found["changes"][0]["before"]
            friendly = (await cid.create_table("umbradeco", ["me", "random"], start=True, **SMALL))["id"]
            await cid.act(friendly, "resign")
            await play_to_end(cid, friendly)
            assert await _ratings(cid, friendly) == {"not_counted": "friendly", "changes": []}
            # Handing over is leaving: against a bot it counts as lost.
            table = (await cid.create_table("umbradeco", ["me", "shower"], start=True, **RATED))["id"]
            await play_to_end(cid, table, moves=6)
            await cid.act(table, "handover", level="random")
            await play_to_end(cid, table)
            found = await _ratings(cid, table)
            assert found["changes"][0]["after"] < found["changes"][0]["before"]

    play(scenario())


def test_a_game_that_all_people_have_left_does_not_count(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as dora, Client(server.url) as eli:
            await account(dora, "Dora")
            await account(eli, "Eli")
            clock = {"kind": "move", "seconds": 600}
            table = (await dora.create_table("umbradeco", ["me", "open"], clock=clock, **RATED))["id"]
            await eli.join(table)
            await dora.act(table, "start")
            await play_table(dora, eli, table, 20)
            for client in (dora, eli):
                await client.act(table, "handover", level="random")
            await play_to_end(dora, table)
            assert await _ratings(dora, table) == {"not_counted": "abandoned", "changes": []}

    play(scenario())


# --- once and in order --------------------------------------------------------------------------------------------


def _game(number: int, random: Random) -> FinishedGame:
    players = random.sample(["ann", "ben", "cem", "", ""], random.randint(2, 4))
    seats = [
        FinishedSeat(
            seat=seat,
            identity=player,
            bot="" if player else random.choice(("shower", "storm")),
            name=player or "Storm",
            score=random.randint(0, 9),
            rank=random.randint(1, 3),
            result="lost",
            first=True,
            lines="{}",
            rating_rank=random.randint(1, 3),
        )
        for seat, player in enumerate(players)
    ]
    return FinishedGame(f"t{number}", random.choice(("guppies", "marram")), 1, 2 + number, 9, True, "", seats)


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_games_that_end_at_once_in_several_workers_are_each_counted_once(kind: str) -> None:
    """The same games are recorded by several workers at the same time, twice. Computed again, the ratings are the same;
    and what was changed by hand is found and corrected."""

    async def scenario(database: str) -> None:
        workers = [Storage(database) for _ in range(3)]
        await workers[0].migrate()
        random = Random("counted once")
        games = [_game(number, random) for number in range(40)]

        async def record(worker: Storage, some: list[FinishedGame]) -> None:
            for game in some:
                await worker.history.record(game)

        try:
            await asyncio.gather(*(record(worker, random.sample(games, len(games))) for worker in workers))
            storage = workers[0]
            rows = await storage.rows(sa.select(rating_changes).order_by(rating_changes.c.number))
            assert sorted({(row["number"], row["table_id"]) for row in rows}) == [
                (number, table) for number, table in enumerate(dict.fromkeys(row["table_id"] for row in rows), 1)
            ]
            assert {row["table_id"] for row in rows} == {game.table_id for game in games}
            assert len(rows) == sum(len(game.seats) for game in games)
            found = await storage.ratings.rebuild(store=False)
            assert (found.games, found.wrong_changes, found.wrong_ratings) == (40, 0, 0)

            right = await storage.rows(sa.select(ratings).order_by(ratings.c.game, ratings.c.player))
            async with storage.writing() as connection:
                await connection.execute(ratings.delete().where(ratings.c.player == "ann"))
                await connection.execute(ratings.update().where(ratings.c.player == "bot:storm").values(mu=1.0))
                await connection.execute(rating_changes.update().where(rating_changes.c.number == 7).values(mu=0.0))
            found = await storage.ratings.rebuild(store=True)
            assert found.wrong_changes == sum(1 for row in rows if row["number"] == 7)
            assert found.wrong_ratings >= 2
            again = await storage.rows(sa.select(ratings).order_by(ratings.c.game, ratings.c.player))
            assert [
                {**row, "mu": pytest.approx(row["mu"]), "sigma": pytest.approx(row["sigma"])} for row in right
            ] == again
            assert (await storage.ratings.rebuild(store=False)).wrong_ratings == 0
        finally:
            for worker in workers:
                await worker.close()

    with sqlite_file() if kind == "SQLite" else postgres_database() as place:
        with running(place):
            pass  # makes the tables
        play(scenario(_address(place)))


def _address(place: str) -> str:
    from wellies.server.settings import load

    return load({"database": place}, environment={}).settings.database


def test_a_backup_has_the_ratings_to_the_last_digit(tmp_path: Path) -> None:
    async def scenario() -> None:
        old = Storage(_address(str(tmp_path / "old.db")))
        new = Storage(_address(str(tmp_path / "new.db")))
        await old.migrate()
        random = Random("backup")
        for number in range(5):
            await old.history.record(_game(number, random))
        await old.history.note_losses("t1", {0: (1 / 3, 7)})
        await back_up(_address(str(tmp_path / "old.db")), tmp_path / "backup", lambda *_: None)
        await restore(_address(str(tmp_path / "new.db")), tmp_path / "backup", lambda *_: None)
        for table in (ratings, rating_changes, finished_games, finished_seats):
            query = sa.select(table).order_by(*table.primary_key.columns)
            assert await old.rows(query) == await new.rows(query) != []
        await old.close()
        await new.close()

    play(scenario())


def test_the_command_says_what_is_wrong_and_corrects_it(tmp_path: Path) -> None:
    place = str(tmp_path / "wellies.db")

    async def scenario(storage: Storage) -> None:
        random = Random("command")
        for number in range(5):
            await storage.history.record(_game(number, random))
        async with storage.writing() as connection:
            await connection.execute(ratings.update().values(shown=1))
        await storage.close()

    with running(place):
        pass
    play(scenario(Storage(_address(place))))

    def run(*more: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["ratings", "rebuild", "--database", place, *more])
        return done.exit_code, done.output

    code, said = run("--check")
    assert (code, "Run it without --check" in said) == (1, True)
    code, said = run()
    assert (code, "They are corrected." in said) == (0, True)
    assert run("--check") == (0, "5 rated games; 0 changes and 0 ratings were wrong.\n")
