"""What the simulated store holds: the rows of the database, in memory. A test compares it with the real databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulation.people_rows import PeopleRows
from wellies.server.finished import FinishedGame
from wellies.server.rating_model import Rating, rate_players
from wellies.server.storage import NameTaken, Row, RowRefused, TableChange
from wellies.server.storage.batch import listing_row, new_row
from wellies.table import LogEntry, Summary, Table, TableInfo
from wellies.table.codec import decode
from wellies.table.ids import public_id
from wellies.table.rows import info_from_row, table_from_row


class Disk(PeopleRows):
    """The rows. Every method is one transaction."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret
        self.tables: dict[str, Row] = {}
        self.logs: dict[str, dict[int, tuple[int, str, int | None, str, int]]] = {}
        """The entries of each table by number."""
        self.stored_at: dict[tuple[str, int], float] = {}
        """When each entry was stored, by table and number."""
        self.held: dict[str, list[str]] = {}
        self.identities: dict[str, Row] = {}
        self.sessions: dict[str, Row] = {}
        self.chat: list[Row] = []
        self.analyses: dict[str, Row] = {}
        self.finished: dict[str, FinishedGame] = {}
        """What is kept of finished games for their players."""
        self.times_finished = 0
        """How often an entry that ends a game brought what is kept of it."""
        self.counted: list[FinishedGame] = []
        """The rated games in the order in which they were counted."""
        self.ratings: dict[tuple[str, str], tuple[Rating, int]] = {}
        """The rating of each player, by game and player, and how many games it comes from."""
        self.losses: dict[tuple[str, int], tuple[float, int]] = {}
        self.liked: dict[tuple[str, str], Row] = {}
        """The preferences of each person by name."""
        self.shunned: dict[tuple[str, str], Row] = {}
        """Whom each person mutes or blocks."""

    # --- tables ----------------------------------------------------------------------------------------------------

    def store(self, batch: list[TableChange], now: float = 0.0) -> set[str]:
        if any(change.new is not None and change.table_id in self.tables for change in batch):
            raise RowRefused("There is such a table already.")
        lost: set[str] = set()
        for change in batch:
            if change.new is not None:
                self.tables[change.table_id] = dict(new_row(change))
            log = self.logs.setdefault(change.table_id, {})
            rows = [entry.stored() for entry in change.entries]
            if any(row[0] in log for row in rows):
                lost.add(change.table_id)
                continue
            for row in rows:
                log[row[0]] = row
                self.stored_at[change.table_id, row[0]] = now
            self._describe(change)
            if change.finished is not None:
                self.times_finished += 1
                self.record(change.finished)
        return lost

    def _describe(self, change: TableChange) -> None:
        row = self.tables.get(change.table_id)
        if row is None:
            return
        if change.listing is None:
            row.update(version=change.version, waiting=change.waiting, wake_at=change.wake_at)
            return
        row.update(listing_row(change))
        self.held[change.table_id] = list(change.listing.holders)

    def record(self, game: FinishedGame) -> None:
        """Keep a finished game and count it, unless that has been done."""
        if game.table_id in self.finished:
            return
        self.finished[game.table_id] = game
        if game.not_counted:
            return
        self.counted.append(game)
        players = [seat.player for seat in game.seats]
        known = {player: self.ratings.get((game.game, player), (Rating(), 0)) for player in players}
        before = {player: rating for player, (rating, _) in known.items()}
        ranks = [seat.rating_rank for seat in game.seats]
        for player, rating in rate_players(before, list(zip(players, ranks, strict=True))).items():
            self.ratings[game.game, player] = (rating, known[player][1] + 1)

    def unrecorded(self, after: str, limit: int) -> list[str]:
        missing = [
            table_id
            for table_id, row in self.tables.items()
            if row["state"] == "finished" and not row["imported"] and self.held.get(table_id)
        ]
        return sorted(each for each in missing if each > after and each not in self.finished)[:limit]

    def note_losses(self, table_id: str, losses: Mapping[int, tuple[float, int]]) -> None:
        if table_id in self.finished:
            self.losses.update({(table_id, seat): found for seat, found in losses.items()})

    def table(self, table_id: str) -> Table | None:
        row = self.tables.get(table_id)
        return None if row is None else table_from_row(row)

    def entries(self, table_id: str, after: int) -> list[LogEntry]:
        log = self.logs.get(table_id, {})
        return [LogEntry(*log[number]) for number in sorted(log) if number > after]

    def versions(self, table_ids: list[str]) -> dict[str, int]:
        return {table_id: self.tables[table_id]["version"] for table_id in table_ids if table_id in self.tables}

    def list_tables(
        self,
        owner: str,
        *,
        mine: bool = False,
        state: str | None = None,
        game: str | None = None,
        player: str | None = None,
        before: int | None = None,
        limit: int = 20,
    ) -> list[TableInfo]:
        found = []
        for row in self.tables.values():
            belongs = owner in self.held.get(row["id"], []) or row["host"] == owner
            if not (belongs or (not mine and not row["private"])):
                continue
            fits = (
                (state is None or row["state"] == state)
                and (game is None or row["game"] == game.replace("\x00", ""))
                and (player is None or player.replace("\x00", "").casefold() in row["names"])
                and (before is None or row["created"] < before)
            )
            if fits:
                found.append(row)
        found.sort(key=lambda row: (-row["created"], row["id"]))
        return [info_from_row(row, owner, self._updated(row)) for row in found[:limit]]

    def _updated(self, row: Row) -> int | None:
        entry = self.logs.get(row["id"], {}).get(row["version"])
        return None if entry is None else LogEntry(*entry).at

    def due_tables(self, now: int, limit: int) -> list[tuple[str, int]]:
        due = [(row["wake_at"], row["id"]) for row in self.tables.values() if row["wake_at"] is not None]
        return [(table_id, wake_at) for wake_at, table_id in sorted(due) if wake_at <= now][:limit]

    def claim(self, table_id: str, wake_at: int, until: int) -> bool:
        row = self.tables.get(table_id)
        if row is None or row["wake_at"] != wake_at:
            return False
        row["wake_at"] = until
        return True

    def bot_tables(self, host: str) -> int:
        playing = [
            Summary.from_json(decode(row["summary"]))
            for row in self.tables.values()
            if row["host"] == host and row["state"] == "playing" and row["wake_at"] is not None
        ]
        return sum(1 for each in playing if all(seat.bot is not None for seat in each.seats))

    def games_finished(self, identity_id: str, game: str) -> int:
        return sum(
            1
            for row in self.tables.values()
            if identity_id in self.held.get(row["id"], []) and row["game"] == game and row["state"] == "finished"
        )

    # --- people ----------------------------------------------------------------------------------------------------

    def identity(self, identity_id: str) -> Row | None:
        row = self.identities.get(identity_id)
        return None if row is None else dict(row)

    def account(self, login: str) -> Row | None:
        return next((dict(row) for row in self.identities.values() if row["login"] == login), None)

    def add_identity(self, row: Row) -> None:
        self.identities[row["id"]] = {**row, "public_id": public_id(row["id"])}

    def change_identity(self, identity_id: str, values: Row) -> Row:
        login = values.get("login")
        if login is not None:
            other = self.account(login)
            if other is not None and other["id"] != identity_id:
                raise NameTaken
        self.identities[identity_id].update(values, public_id=public_id(identity_id))
        return dict(self.identities[identity_id])

    def epochs(self, identity_ids: list[str]) -> dict[str, int]:
        return {each: self.identities[each]["epoch"] for each in identity_ids if each in self.identities}

    def ended(self, identity_ids: list[str]) -> set[str]:
        return {session for session, row in self.sessions.items() if row["identity_id"] in identity_ids}

    def end_session(self, session: str, identity_id: str, now: int, forget: int) -> None:
        self.sessions = {each: row for each, row in self.sessions.items() if row["at"] >= forget}
        self.sessions[session] = {"session": session, "identity_id": identity_id, "at": now}

    # --- what belongs to one person --------------------------------------------------------------------------------

    def preferences(self, identity_id: str) -> list[Row]:
        return [dict(row) for (owner, _), row in sorted(self.liked.items()) if owner == identity_id]

    def set_preferences(self, identity_id: str, rows: list[Row]) -> None:
        for row in rows:
            key = identity_id, row["name"]
            if key not in self.liked or self.liked[key]["at"] <= row["at"]:
                self.liked[key] = {"identity_id": identity_id, **row}

    def avoided(self, identity_id: str) -> list[Row]:
        mine = [dict(row) for row in self.shunned.values() if row["identity_id"] == identity_id]
        return sorted(mine, key=lambda row: (row["at"], row["other_id"]))

    def avoid(self, row: Row) -> None:
        self.shunned[row["identity_id"], row["other_id"]] = dict(row)

    def stop_avoiding(self, identity_id: str, other_id: str) -> None:
        self.shunned.pop((identity_id, other_id), None)

    def has_blocked(self, identity_id: str, other_id: str) -> bool:
        row = self.shunned.get((identity_id, other_id))
        return row is not None and row["kind"] == "block"

    def kept_apart(self, identity_id: str) -> set[str]:
        pairs = [(row["identity_id"], row["other_id"]) for row in self.shunned.values() if row["kind"] == "block"]
        return {b for a, b in pairs if a == identity_id} | {a for a, b in pairs if b == identity_id}

    # --- chat and analyses -----------------------------------------------------------------------------------------

    def add_chat(self, row: Row) -> int:
        number = len(self.chat) + 1
        self.chat.append({"id": number, **row})
        return number

    def chat_lines(self, table_id: str, limit: int) -> list[Row]:
        return [dict(row) for row in self.chat if row["table_id"] == table_id][-limit:]

    def analysis(self, table_id: str) -> Row | None:
        row = self.analyses.get(table_id)
        return None if row is None else dict(row)

    def claim_analysis(self, table_id: str, worker: str, now: int, stale: int) -> bool:
        known = self.analyses.get(table_id)
        if known is not None and known["state"] != "failed" and (known["state"] == "done" or known["at"] >= stale):
            return False
        fresh: dict[str, Any] = {"worker": worker, "state": "waiting", "done": 0, "total": 0, "at": now, "found": ""}
        self.analyses[table_id] = {"table_id": table_id, **fresh}
        return True

    def update_analysis(self, table_id: str, worker: str, values: Row) -> None:
        row = self.analyses.get(table_id)
        if row is not None and row["worker"] == worker:
            row.update(values)

    def drop_analysis(self, table_id: str, worker: str) -> None:
        row = self.analyses.get(table_id)
        if row is not None and row["worker"] == worker:
            del self.analyses[table_id]
