"""The rows of the simulated store for finding a game, alerts and vacations: part of its `Disk`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wellies.server.storage import Row
from wellies.server.storage.alerting import MOST_SUBSCRIPTIONS, vacation_used
from wellies.server.storage.finding import MOST_WAITING, Choose, people_text


class PeopleRows:
    """Every method is one transaction."""

    tables: dict[str, Row]
    held: dict[str, list[str]]
    identities: dict[str, Row]

    def __init__(self) -> None:
        self.requests: dict[str, Row] = {}
        self.friendships: dict[tuple[str, str], Row] = {}
        self.friend_codes: dict[str, str] = {}
        self.invited: dict[tuple[str, str], Row] = {}
        self.seen: dict[str, int] = {}
        self.secrets: dict[str, str] = {}
        self.alerts: dict[str, Row] = {}
        self.push: dict[str, Row] = {}
        self.sent: dict[tuple[str, str, str], int] = {}
        self.away: dict[str, Row] = {}

    # --- finding a game --------------------------------------------------------------------------------------------

    def ask_for_game(self, row: Row, now: int, found: Row, choose: Choose) -> Row:
        there = self.requests.get(row["identity_id"])
        if there is not None and there["id"] == row["id"]:
            if there["table_id"] is not None:
                return dict(there)
            row = {**row, "created": there["created"]}
        self.requests[row["identity_id"]] = dict(row)
        waiting = [
            dict(each)
            for each in self.requests.values()
            if (each["game"], each["pace"], each["table_id"]) == (row["game"], row["pace"], None)
            and each["expires"] > now
            and each["identity_id"] != row["identity_id"]
        ]
        waiting.sort(key=lambda each: (each["created"], each["identity_id"]))
        group = choose(row, waiting[:MOST_WAITING])
        if not group:
            return row
        values = {**found, "people": people_text(group)}
        for each in group:
            self.requests[each["identity_id"]].update(values)
        return {**row, **values}

    def game_request(self, identity_id: str) -> Row | None:
        row = self.requests.get(identity_id)
        return None if row is None else dict(row)

    def waiting_requests(self, now: int) -> list[Row]:
        open_ones = [row for row in self.requests.values() if row["table_id"] is None and row["expires"] > now]
        counted = Counter((row["game"], row["pace"], row["seats"]) for row in open_ones)
        return [
            {"game": game, "pace": pace, "seats": seats, "people": people}
            for (game, pace, seats), people in sorted(counted.items())
        ]

    def end_request(self, identity_id: str, request_id: str, forget: int) -> None:
        mine = self.requests.get(identity_id)
        if mine is not None and mine["id"] == request_id:
            del self.requests[identity_id]
        self.requests = {key: row for key, row in self.requests.items() if row["expires"] >= forget}

    def friends(self, identity_id: str) -> list[Row]:
        found = [
            {**row, "name": self.identities[friend]["name"], "seen": self.seen.get(friend, 0)}
            for (owner, friend), row in self.friendships.items()
            if owner == identity_id and friend in self.identities
        ]
        return sorted(found, key=lambda row: (row["name"], row["friend_id"]))

    def set_friendship(self, rows: list[Row]) -> None:
        for row in rows:
            there = self.friendships.get((row["identity_id"], row["friend_id"]))
            kept = row if there is None else {**row, "handle": there["handle"]}
            self.friendships[row["identity_id"], row["friend_id"]] = dict(kept)

    def end_friendship(self, one: str, other: str) -> None:
        self.friendships.pop((one, other), None)
        self.friendships.pop((other, one), None)

    def friend_code(self, identity_id: str) -> str | None:
        return self.friend_codes.get(identity_id)

    def set_friend_code(self, identity_id: str, code: str) -> None:
        self.friend_codes[identity_id] = code

    def person_of_code(self, code: str) -> Row | None:
        found = next((owner for owner, each in self.friend_codes.items() if each == code.replace("\x00", "")), None)
        return None if found is None or found not in self.identities else dict(self.identities[found])

    def invite(self, rows: list[Row]) -> None:
        for row in rows:
            self.invited[row["identity_id"], row["table_id"]] = dict(row)

    def invitations(self, identity_id: str) -> list[Row]:
        found = [
            {**row, "game": self.tables[table]["game"], "invite": self.tables[table]["invite"]}
            for (owner, table), row in self.invited.items()
            if owner == identity_id and table in self.tables and self.tables[table]["state"] == "open"
        ]
        return sorted(found, key=lambda row: (-row["at"], row["table_id"]))

    def drop_invitation(self, identity_id: str, table_id: str) -> None:
        self.invited.pop((identity_id, table_id), None)

    def note_seen(self, identity_id: str, at: int) -> None:
        self.seen[identity_id] = at

    # --- alerts ----------------------------------------------------------------------------------------------------

    def kept_secret(self, name: str, new: str) -> str:
        return self.secrets.setdefault(name, new)

    def alert_settings(self, identity_id: str) -> Row | None:
        row = self.alerts.get(identity_id)
        return None if row is None else dict(row)

    def alert_settings_by_code(self, code: str) -> Row | None:
        return next((dict(row) for row in self.alerts.values() if row["code"] == code.replace("\x00", "")), None)

    def set_alert_settings(self, row: Row) -> None:
        self.alerts[row["identity_id"]] = {**self.alerts.get(row["identity_id"], {}), **row}

    def push_subscriptions(self, identity_id: str) -> list[Row]:
        mine = [dict(row) for row in self.push.values() if row["identity_id"] == identity_id]
        return sorted(mine, key=lambda row: (row["at"], row["id"]))

    def add_push_subscription(self, row: Row) -> None:
        self.push[row["id"]] = dict(row)
        for old in self.push_subscriptions(row["identity_id"])[:-MOST_SUBSCRIPTIONS]:
            del self.push[old["id"]]

    def drop_push_subscription(self, subscription_id: str) -> None:
        self.push.pop(subscription_id, None)

    def _wants(self, identity_id: str) -> bool:
        return bool(self.alerts.get(identity_id, {}).get("active"))

    def waiting_tables(self) -> list[Row]:
        found = [
            {"identity_id": person, **{name: row[name] for name in ("id", "version", "waiting", "summary")}}
            for row in self.tables.values()
            for person in self.held.get(row["id"], [])
            if row["state"] == "playing" and row["waiting"] and self._wants(person)
        ]
        return sorted(found, key=lambda row: (row["id"], row["identity_id"]))

    def calls(self, since: int, now: int) -> list[Row]:
        found: list[Row] = []
        for (person, table), row in self.invited.items():
            there = self.tables.get(table)
            if there is not None and there["state"] == "open" and row["at"] > since and self._wants(person):
                found.append(_call(person, table, "invitation", row["from_name"], there["game"]))
        for person, row in self.requests.items():
            if row["table_id"] is not None and row["expires"] > now and self._wants(person):
                found.append(_call(person, row["table_id"], "found", "", row["game"]))
        return sorted(found, key=lambda row: (row["table_id"], row["identity_id"]))

    def claim_alert(self, identity_id: str, table_id: str, about: str, at: int) -> bool:
        if (identity_id, table_id, about) in self.sent:
            return False
        self.sent[identity_id, table_id, about] = at
        return True

    def forget_alerts(self, before: int) -> None:
        self.sent = {key: at for key, at in self.sent.items() if at >= before}

    # --- vacations -------------------------------------------------------------------------------------------------

    def begin_vacation(self, row: Row, since: int, most: int) -> bool:
        there = self.vacations(row["identity_id"], since)
        if any(each["ends"] > row["begins"] for each in there):
            return False
        if vacation_used(there, since) + row["ends"] - row["begins"] > most:
            return False
        self.away[row["id"]] = dict(row)
        return True

    def vacations(self, identity_id: str, since: int) -> list[Row]:
        mine = [dict(row) for row in self.away.values() if row["identity_id"] == identity_id and row["ends"] > since]
        return sorted(mine, key=lambda row: row["begins"])

    def end_vacation(self, identity_id: str, now: int) -> None:
        for row in self.away.values():
            if row["identity_id"] == identity_id and row["ends"] > now:
                row.update(ends=now, settled=False)

    def unsettled_vacations(self) -> list[Row]:
        return sorted((dict(row) for row in self.away.values() if not row["settled"]), key=lambda row: str(row["id"]))

    def settle_vacation(self, vacation_id: str, ends: int) -> None:
        row = self.away.get(vacation_id)
        if row is not None and row["ends"] == ends:
            row["settled"] = True

    def tables_of(self, identity_id: str) -> list[Row]:
        mine = [
            {name: row[name] for name in ("id", "game", "summary", "waiting", "wake_at")}
            for row in self.tables.values()
            if row["state"] == "playing" and identity_id in self.held.get(row["id"], [])
        ]
        return sorted(mine, key=lambda row: str(row["id"]))


def _call(person: str, table: str, kind: str, name: str, game: Any) -> Row:
    return {"identity_id": person, "table_id": table, "kind": kind, "name": name, "game": game}
