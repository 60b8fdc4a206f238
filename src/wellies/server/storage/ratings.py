"""The queries about ratings. `finishing` writes what is read here; `rebuild` computes it all again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.server.finished import BOT, GONE
from wellies.server.rating_model import Rating, rate_players
from wellies.server.storage.database import Database, Row
from wellies.server.storage.finishing import LOCK, rating_row
from wellies.server.storage.schema import finished_games, identities, rating_changes, ratings
from wellies.table.ids import public_id

MOST_TREND: Final = 200
"""Games in the chart of a rating, at most: the newest."""
ROWS_AT_ONCE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Standing:
    """The rating of a bot or a person in one game. A `provisional` one is still uncertain, and has no place in the
    leaderboard. `bot` is a level; `person` names a person for everybody (see `SeatInfo`)."""

    game: str
    name: str
    bot: str | None
    person: str | None
    rating: int
    deviation: int
    provisional: bool
    games: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a rated game did to the rating of a seat."""

    seat: int
    before: int
    after: int
    deviation: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class RatingMoment:
    """A rating after a game."""

    table: str
    finished: int
    rating: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild has found: how many games were counted, and how many changes and ratings were stored otherwise."""

    games: int
    wrong_changes: int
    wrong_ratings: int


class Ratings:
    """Reads ratings, and computes them again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, game: str, start: int, limit: int) -> list[Standing]:
        """Who plays this game best: first those whose rating is certain, the highest first, then the others."""
        query = (
            sa.select(ratings, identities.c.name.label("name"))
            .select_from(ratings.outerjoin(identities, identities.c.id == ratings.c.player))
            .where(ratings.c.game == game.replace("\x00", ""))
            .order_by(ratings.c.provisional, ratings.c.shown.desc(), ratings.c.player)
            .offset(start)
            .limit(limit)
        )
        return [_standing(row) for row in await self._database.rows(query)]

    async def of_person(self, identity_id: str) -> list[Standing]:
        """All ratings of a person, by game."""
        query = (
            sa.select(ratings, identities.c.name.label("name"))
            .select_from(ratings.outerjoin(identities, identities.c.id == ratings.c.player))
            .where(ratings.c.player == identity_id)
            .order_by(ratings.c.game)
        )
        return [_standing(row) for row in await self._database.rows(query)]

    async def of_table(self, table_id: str) -> tuple[str | None, list[RatingChange]]:
        """Why a finished game did not count (empty: it did; None: it is not over), and what it did to the ratings."""
        reason = await self._database.rows(
            sa.select(finished_games.c.not_counted).where(finished_games.c.table_id == table_id)
        )
        query = sa.select(rating_changes).where(rating_changes.c.table_id == table_id).order_by(rating_changes.c.seat)
        changes = []
        for row in await self._database.rows(query):
            after = Rating(row["mu"], row["sigma"])
            before = Rating(row["mu_before"], row["sigma_before"])
            changes.append(RatingChange(row["seat"], before.shown, after.shown, after.deviation, after.provisional))
        return (reason[0]["not_counted"] if reason else None), changes

    async def trend(self, identity_id: str, game: str) -> list[RatingMoment]:
        """A person's rating after each of the newest games, the oldest first."""
        query = (
            sa.select(rating_changes)
            .where(rating_changes.c.player == identity_id, rating_changes.c.game == game.replace("\x00", ""))
            .order_by(rating_changes.c.number.desc())
            .limit(MOST_TREND)
        )
        return [
            RatingMoment(row["table_id"], row["at"], Rating(row["mu"], row["sigma"]).shown)
            for row in reversed(await self._database.rows(query))
        ]

    # --- computing them again --------------------------------------------------------------------------------------

    async def rebuild(self, *, store: bool) -> Rebuilt:
        """Compute all ratings again from the results of the rated games, in the order in which they were counted. With
        `store`, what is stored otherwise is corrected; all of it or nothing, while no game is counted."""
        if not store:
            return await self._database.read(lambda connection: _rebuild(connection, store=False))
        async with self._database.writing() as connection:
            if connection.dialect.name == "postgresql":
                await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            return await _rebuild(connection, store=True)


async def _rebuild(connection: AsyncConnection, *, store: bool) -> Rebuilt:
    now: dict[tuple[str, str], Rating] = {}
    played: dict[tuple[str, str], int] = {}
    games = wrong_changes = 0
    async for rows in _games(connection):
        games += 1
        game = rows[0]["game"]
        players = {row["player"]: now.get((game, row["player"]), Rating()) for row in rows}
        after = rate_players(players, [(row["player"], row["rank"]) for row in rows])
        for row in rows:
            before, then = players[row["player"]], after[row["player"]]
            found = (row["mu_before"], row["sigma_before"], row["mu"], row["sigma"])
            right = (before.mu, before.sigma, then.mu, then.sigma)
            if not _same(found, right):
                wrong_changes += 1
                if store:
                    values = dict(zip(("mu_before", "sigma_before", "mu", "sigma"), right, strict=True))
                    await connection.execute(
                        rating_changes.update()
                        .where(rating_changes.c.number == row["number"], rating_changes.c.seat == row["seat"])
                        .values(**values)
                    )
        for player, rating in after.items():
            now[game, player] = rating
            played[game, player] = played.get((game, player), 0) + 1
    wanted = {key: rating_row(*key, rating, played[key]) for key, rating in now.items() if not key[1].startswith(GONE)}
    stored = {(row.game, row.player): dict(row._mapping) for row in await connection.execute(sa.select(ratings))}
    wrong = [key for key in {*wanted, *stored} if not _same_row(wanted.get(key), stored.get(key))]
    if store:
        for game, player in wrong:
            await connection.execute(ratings.delete().where(ratings.c.game == game, ratings.c.player == player))
        rows = [wanted[key] for key in sorted(wrong) if key in wanted]
        if rows:
            await connection.execute(ratings.insert(), rows)
    return Rebuilt(games, wrong_changes, len(wrong))


async def _games(connection: AsyncConnection) -> AsyncIterator[list[Row]]:
    """The rated games in the order in which they were counted, each as the rows of its seats."""
    rows: list[Row] = []
    last = (0, -1)
    place = sa.tuple_(rating_changes.c.number, rating_changes.c.seat)
    while True:
        query = (
            sa.select(rating_changes)
            .where(place > last)
            .order_by(rating_changes.c.number, rating_changes.c.seat)
            .limit(ROWS_AT_ONCE)
        )
        found = [dict(row) for row in (await connection.execute(query)).mappings()]
        for row in found:
            if rows and rows[-1]["number"] != row["number"]:
                yield rows
                rows = []
            rows.append(row)
        if len(found) < ROWS_AT_ONCE:
            break
        last = (found[-1]["number"], found[-1]["seat"])
    if rows:
        yield rows


def _same(found: tuple[float, ...], right: tuple[float, ...]) -> bool:
    """Another machine may round the last digits otherwise."""
    return all(abs(one - other) < 1e-9 for one, other in zip(found, right, strict=True))


def _same_row(one: Row | None, other: Row | None) -> bool:
    if one is None or other is None:
        return one is other
    exact = ("games", "shown", "provisional")
    return _same((one["mu"], one["sigma"]), (other["mu"], other["sigma"])) and all(
        one[name] == other[name] for name in exact
    )


def _standing(row: Row) -> Standing:
    rating = Rating(row["mu"], row["sigma"])
    is_bot = row["player"].startswith(BOT)
    bot = row["player"].removeprefix(BOT) if is_bot else None
    return Standing(
        row["game"],
        bot or row["name"] or "",
        bot,
        None if is_bot else public_id(row["player"]),
        rating.shown,
        rating.deviation,
        rating.provisional,
        row["games"],
    )
