"""How a finished game is stored for its players and counted for their ratings: within the transaction of the entry that
ends it, so both happen once or not at all.

The statements are given one by one to whoever runs them, for SQLite and PostgreSQL are asked in different ways.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.server.finished import FinishedGame
from wellies.server.rating_model import Rating, rate_players

LOCK: Final = 0x3E11_1E6
"""The lock of PostgreSQL that is held while a game is counted, so that games are counted one after the other. It is the
last lock of a transaction, so that nobody waits in a circle."""

Statement = tuple[str, Mapping[str, Any]]
Steps = Generator[Statement, list[Sequence[Any]], None]

_GAME: Final = """
INSERT INTO finished_games (table_id, game, started, finished, decisions, seats, rated, not_counted)
VALUES (:table_id, :game, :started, :finished, :decisions, :seats, :rated, :not_counted)
ON CONFLICT DO NOTHING RETURNING table_id
"""
_SEAT: Final = """
INSERT INTO finished_seats
(table_id, seat, identity_id, bot, name, folded, score, rank, result, first, lines, game, finished, rated)
VALUES (:table_id, :seat, :identity_id, :bot, :name, :folded, :score, :rank, :result, :first, :lines, :game, :finished,
:rated)
"""
_NUMBER: Final = "SELECT coalesce(max(number), 0) + 1 FROM rating_changes"
_RATING: Final = "SELECT mu, sigma, games FROM ratings WHERE game = :game AND player = :player"
_CHANGE: Final = """
INSERT INTO rating_changes (number, seat, table_id, game, player, rank, at, mu_before, sigma_before, mu, sigma)
VALUES (:number, :seat, :table_id, :game, :player, :rank, :at, :mu_before, :sigma_before, :mu, :sigma)
"""
_NEW_RATING: Final = """
INSERT INTO ratings (game, player, mu, sigma, games, shown, provisional)
VALUES (:game, :player, :mu, :sigma, :games, :shown, :provisional)
ON CONFLICT (game, player) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games,
shown = excluded.shown, provisional = excluded.provisional
"""


def finish(game: FinishedGame) -> Steps:
    """Store a finished game and count it, unless that has been done."""
    own = {"table_id": game.table_id, "game": game.game, "finished": game.finished, "rated": game.rated}
    stored = yield (
        _GAME,
        {
            **own,
            "started": game.started,
            "decisions": game.decisions,
            "seats": len(game.seats),
            "not_counted": game.not_counted,
        },
    )
    if not stored:
        return
    for seat in game.seats:
        yield (
            _SEAT,
            {
                **own,
                "seat": seat.seat,
                "identity_id": seat.identity,
                "bot": seat.bot,
                "name": seat.name,
                "folded": seat.name.casefold(),
                "score": seat.score,
                "rank": seat.rank,
                "result": seat.result,
                "first": seat.first,
                "lines": seat.lines,
            },
        )
    if not game.not_counted:
        yield from _count(game)


def _count(game: FinishedGame) -> Steps:
    number = (yield _NUMBER, {})[0][0]
    players = [seat.player for seat in game.seats]
    before: dict[str, Rating] = {}
    games: dict[str, int] = {}
    for player in players:
        if player not in before:
            found = yield _RATING, {"game": game.game, "player": player}
            before[player] = Rating(*found[0][:2]) if found else Rating()
            games[player] = found[0][2] if found else 0
    ranks = [seat.rating_rank for seat in game.seats]
    after = rate_players(before, list(zip(players, ranks, strict=True)))
    for seat, player in zip(game.seats, players, strict=True):
        yield (
            _CHANGE,
            {
                "number": number,
                "seat": seat.seat,
                "table_id": game.table_id,
                "game": game.game,
                "player": player,
                "rank": seat.rating_rank,
                "at": game.finished,
                "mu_before": before[player].mu,
                "sigma_before": before[player].sigma,
                "mu": after[player].mu,
                "sigma": after[player].sigma,
            },
        )
    for player, rating in after.items():
        yield _NEW_RATING, rating_row(game.game, player, rating, games[player] + 1)


def rating_row(game: str, player: str, rating: Rating, games: int) -> dict[str, Any]:
    """The row of a rating."""
    return {
        "game": game,
        "player": player,
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": games,
        "shown": rating.shown,
        "provisional": rating.provisional,
    }


def run_in_sqlite(connection: sqlite3.Connection, games: list[FinishedGame]) -> None:
    """Store finished games, within a transaction that writes."""
    for game in games:
        steps = finish(game)
        rows: list[Sequence[Any]] | None = None
        while True:
            try:
                text, values = next(steps) if rows is None else steps.send(rows)
            except StopIteration:
                break
            rows = connection.execute(text, dict(values)).fetchall()


async def run(connection: AsyncConnection, games: list[FinishedGame]) -> None:
    """The same through SQLAlchemy, at the end of a transaction."""
    if games and connection.dialect.name == "postgresql":
        await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    for game in games:
        steps = finish(game)
        rows: list[Sequence[Any]] | None = None
        while True:
            try:
                text, values = next(steps) if rows is None else steps.send(rows)
            except StopIteration:
                break
            done = await connection.execute(sa.text(text), dict(values))
            rows = list(done.all()) if done.returns_rows else []
