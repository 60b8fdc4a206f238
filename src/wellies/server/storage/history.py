"""The queries about people: the games they have finished, and statistics of them. `finishing` writes what is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from wellies.server.finished import GONE, FinishedGame, Result
from wellies.server.rating_model import Rating
from wellies.server.storage import finishing
from wellies.server.storage.database import Database, Row
from wellies.server.storage.schema import (
    finished_games,
    finished_seats,
    held,
    identities,
    rating_changes,
    tables,
)
from wellies.table.ids import public_id

MOST_TREND: Final = 200
"""Games in a chart, at most: the newest."""
MOST_OPPONENTS: Final = 100

_ME: Final = finished_seats.alias("me")
_OTHER: Final = finished_seats.alias("other")


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat of a finished game. `bot` is the level of a bot. `person` names a person for everybody (see `SeatInfo`);
    null for bots and for people who have deleted their account."""

    seat: int
    name: str
    bot: str | None
    person: str | None
    mine: bool
    score: int
    rank: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that somebody has finished. `decisions` are the moves of all seats that stood at the end. `lost` is how
    many points one's own `judged` decisions lost, if it was analysed. `rating` is by how much one's rating changed."""

    table: str
    game: str
    started: int
    finished: int
    decisions: int
    rated: bool
    not_counted: str
    result: Result
    score: int
    rank: int
    seats: list[PlayedSeat]
    lost: float | None
    judged: int | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are wanted. `opponent` is part of a name, or a level. `since` and `until` are times in milliseconds;
    the first is in, the second is not. `after` is the place of the last game that is known: its time and table."""

    game: str | None = None
    opponent: str | None = None
    result: Result | None = None
    rated: bool | None = None
    since: int | None = None
    until: int | None = None
    after: tuple[int, str] | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True)
class GameCount:
    """How many games of a game somebody has finished."""

    game: str
    games: int


@dataclass(frozen=True, slots=True)
class Against:
    """The games against one bot or person: how often one ranked ahead of them, level with them, and behind."""

    name: str
    bot: str | None
    person: str | None
    games: int
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class RuleShare:
    """Where points came from: how many a rule gave in all games together."""

    rule: str
    points: int


@dataclass(frozen=True, slots=True)
class TrendGame:
    """A game in a chart."""

    table: str
    finished: int
    score: int
    result: Result
    lost: float | None
    judged: int | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What somebody's finished games of one game amount to. Games in which they played several seats are counted in
    `games` and `several`, and left out of all else. `recent` are the newest games, `analysed` the newest of those that
    were analysed; both the oldest first."""

    game: str
    games: int
    won: int
    shared: int
    lost: int
    several: int
    average: float | None
    best: int | None
    best_table: str | None
    against: list[Against]
    rules: list[RuleShare]
    recent: list[TrendGame]
    analysed: list[TrendGame]


class History:
    """Reads and writes what is kept of finished games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- writing ---------------------------------------------------------------------------------------------------

    async def unrecorded(self, after: str, limit: int) -> list[str]:
        """Tables whose games are over and of which nothing is kept for their players yet, by their ids."""
        is_kept = sa.select(finished_games.c.table_id).where(finished_games.c.table_id == tables.c.id).exists()
        is_held = sa.select(held.c.table_id).where(held.c.table_id == tables.c.id).exists()
        query = (
            sa.select(tables.c.id)
            .where(
                tables.c.state == "finished", tables.c.imported == sa.false(), tables.c.id > after, ~is_kept, is_held
            )
            .order_by(tables.c.id)
            .limit(limit)
        )
        return [row["id"] for row in await self._database.rows(query)]

    async def record(self, game: FinishedGame) -> None:
        """Keep a game that was finished before, unless it is kept already."""
        async with self._database.writing() as connection:
            await finishing.run(connection, [game])

    async def note_losses(self, table_id: str, losses: Mapping[int, tuple[float, int]]) -> None:
        """Note what an analysis has found: by seat, the points lost and the number of decisions."""
        if not losses:
            return
        statement = finished_seats.update().where(
            finished_seats.c.table_id == table_id, finished_seats.c.seat == sa.bindparam("which")
        )
        rows = [{"which": seat, "lost": lost, "judged": judged} for seat, (lost, judged) in losses.items()]
        async with self._database.writing() as connection:
            await connection.execute(statement, rows)

    # --- reading ---------------------------------------------------------------------------------------------------

    async def games(self, identity_id: str, wanted: GameFilter) -> list[PlayedGame]:
        """The finished games of a person, the newest first."""
        me = _ME.c
        query = sa.select(_ME).where(me.identity_id == identity_id, me.first == sa.true())
        if wanted.game is not None:
            query = query.where(me.game == _without_null(wanted.game))
        if wanted.result is not None:
            query = query.where(me.result == wanted.result)
        if wanted.rated is not None:
            query = query.where(me.rated == sa.literal(wanted.rated))
        if wanted.since is not None:
            query = query.where(me.finished >= wanted.since)
        if wanted.until is not None:
            query = query.where(me.finished < wanted.until)
        if wanted.opponent is not None:
            text = _without_null(wanted.opponent).casefold()
            other = _OTHER.c
            query = query.where(
                sa.select(other.seat)
                .where(
                    other.table_id == me.table_id,
                    other.identity_id != identity_id,
                    other.folded.contains(text, autoescape=True),
                )
                .exists()
            )
        if wanted.after is not None:
            query = query.where(sa.tuple_(me.finished, me.table_id) < wanted.after)
        query = query.order_by(me.finished.desc(), me.table_id.desc()).limit(wanted.limit)
        mine = await self._database.rows(query)
        return await self._with_seats(identity_id, mine)

    async def _with_seats(self, identity_id: str, mine: list[Row]) -> list[PlayedGame]:
        """These games with all their seats."""
        ids = [row["table_id"] for row in mine]
        if not ids:
            return []
        games = {row["table_id"]: row for row in await self._of_tables(finished_games, ids)}
        seats: dict[str, list[Row]] = {}
        for row in await self._of_tables(finished_seats, ids):
            seats.setdefault(row["table_id"], []).append(row)
        changes = {
            (row["table_id"], row["seat"]): row
            for row in await self._of_tables(rating_changes, ids)
            if row["player"] == identity_id
        }
        return [
            _played(identity_id, row, games[row["table_id"]], seats[row["table_id"]], changes)
            for row in mine
            if row["table_id"] in games
        ]

    async def _of_tables(self, table: sa.Table, ids: list[str]) -> list[Row]:
        query = sa.select(table).where(table.c.table_id.in_(ids))
        return await self._database.rows(query.order_by(table.c.seat) if table is finished_seats else query)

    async def counts(self, identity_id: str) -> list[GameCount]:
        """How many games of each game a person has finished, the most first."""
        me = _ME.c
        count = sa.func.count().label("games")
        query = (
            sa.select(me.game, count)
            .where(me.identity_id == identity_id, me.first == sa.true())
            .group_by(me.game)
            .order_by(count.desc(), me.game)
        )
        return [GameCount(row["game"], row["games"]) for row in await self._database.rows(query)]

    async def statistics(self, identity_id: str, game: str) -> Statistics:
        """What a person's finished games of a game amount to."""
        game = _without_null(game)
        me = _ME.c
        mine = (me.identity_id == identity_id, me.game == game, me.first == sa.true())
        alone = (*mine, me.result != "several")
        results = await self._database.rows(
            sa.select(
                me.result,
                sa.func.count().label("games"),
                sa.func.sum(me.score).label("points"),
                sa.func.max(me.score).label("best"),
            )
            .where(*mine)
            .group_by(me.result)
        )
        counted = {row["result"]: row for row in results}
        several = counted.pop("several", {"games": 0})["games"]
        games = sum(row["games"] for row in counted.values())
        points = sum(int(row["points"]) for row in counted.values())
        best = await self._database.rows(
            sa.select(me.table_id, me.score).where(*alone).order_by(me.score.desc(), me.finished.desc()).limit(1)
        )
        of_result = {result: row["games"] for result, row in counted.items()}
        return Statistics(
            game,
            games + several,
            of_result.get("won", 0),
            of_result.get("shared", 0),
            of_result.get("lost", 0),
            several,
            points / games if games else None,
            best[0]["score"] if best else None,
            best[0]["table_id"] if best else None,
            await self._against(identity_id, game),
            await self._rules(identity_id, game),
            await self._trend(*alone),
            await self._trend(*alone, me.lost.is_not(None)),
        )

    async def _against(self, identity_id: str, game: str) -> list[Against]:
        me, other = _ME.c, _OTHER.c
        games = sa.func.count(sa.distinct(me.table_id)).label("games")
        query = (
            sa.select(
                other.bot,
                other.identity_id,
                sa.func.max(other.name).label("name"),
                games,
                sa.func.sum(sa.case((me.rank < other.rank, 1), else_=0)).label("ahead"),
                sa.func.sum(sa.case((me.rank == other.rank, 1), else_=0)).label("level"),
                sa.func.sum(sa.case((me.rank > other.rank, 1), else_=0)).label("behind"),
            )
            .select_from(_ME.join(_OTHER, other.table_id == me.table_id))
            .where(
                me.identity_id == identity_id,
                me.game == game,
                me.first == sa.true(),
                me.result != "several",
                other.identity_id != identity_id,
            )
            .group_by(other.bot, other.identity_id)
            .order_by(games.desc(), other.bot, other.identity_id)
            .limit(MOST_OPPONENTS)
        )
        return [
            Against(
                row["name"],
                row["bot"] or None,
                _person(row["identity_id"]),
                row["games"],
                int(row["ahead"]),
                int(row["level"]),
                int(row["behind"]),
            )
            for row in await self._database.rows(query)
        ]

    async def _rules(self, identity_id: str, game: str) -> list[RuleShare]:
        me = _ME.c
        if self._database.is_sqlite:
            each = sa.func.json_each(me.lines).table_valued("key", "value", name="each")
            value: sa.ColumnElement[int] = sa.type_coerce(each.c.value, sa.Integer)
        else:
            each = sa.func.json_each_text(sa.cast(me.lines, sa.JSON)).table_valued("key", "value", name="each")
            value = sa.cast(each.c.value, sa.Integer)
        points = sa.func.sum(value).label("points")
        query = (
            sa.select(each.c.key.label("rule"), points)
            .select_from(_ME.join(each, sa.true()))
            .where(me.identity_id == identity_id, me.game == game, me.first == sa.true(), me.result != "several")
            .group_by(each.c.key)
            .order_by(points.desc(), each.c.key)
        )
        return [RuleShare(row["rule"], int(row["points"])) for row in await self._database.rows(query)]

    async def _trend(self, *wanted: sa.ColumnElement[bool]) -> list[TrendGame]:
        me = _ME.c
        query = (
            sa.select(me.table_id, me.finished, me.score, me.result, me.lost, me.judged)
            .where(*wanted)
            .order_by(me.finished.desc(), me.table_id.desc())
            .limit(MOST_TREND)
        )
        return [
            TrendGame(row["table_id"], row["finished"], row["score"], row["result"], row["lost"], row["judged"])
            for row in reversed(await self._database.rows(query))
        ]

    # --- other people ----------------------------------------------------------------------------------------------

    async def person(self, public: str) -> Row | None:
        """The account that everybody may know by this; None for guests too."""
        query = sa.select(identities).where(
            identities.c.public_id == _without_null(public), identities.c.password.is_not(None)
        )
        rows = await self._database.rows(query)
        return rows[0] if rows else None

    async def accounts(self, identity_ids: list[str]) -> set[str]:
        """Which of these people have an account."""
        query = sa.select(identities.c.id).where(identities.c.id.in_(identity_ids), identities.c.password.is_not(None))
        return {row["id"] for row in await self._database.rows(query)}


def _played(
    identity_id: str, mine: Row, game: Row, seats: list[Row], changes: dict[tuple[str, int], Row]
) -> PlayedGame:
    change = changes.get((mine["table_id"], mine["seat"]))
    return PlayedGame(
        mine["table_id"],
        mine["game"],
        game["started"],
        mine["finished"],
        game["decisions"],
        bool(mine["rated"]),
        game["not_counted"],
        mine["result"],
        mine["score"],
        mine["rank"],
        [
            PlayedSeat(
                row["seat"],
                row["name"],
                row["bot"] or None,
                _person(row["identity_id"]),
                row["identity_id"] == identity_id,
                row["score"],
                row["rank"],
            )
            for row in seats
        ],
        mine["lost"],
        mine["judged"],
        None if change is None else shown_change(change),
    )


def shown_change(change: Row) -> int:
    """By how much a shown rating changed."""
    return Rating(change["mu"]).shown - Rating(change["mu_before"]).shown


def _person(identity_id: str) -> str | None:
    return None if identity_id.startswith(GONE) else public_id(identity_id)


def _without_null(text: str) -> str:
    """PostgreSQL refuses the null character."""
    return text.replace("\x00", "")
