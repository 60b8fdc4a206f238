"""What an arena plays: who meets whom, in which seats, and with which dice.

A *meeting* is a set of participants; a *table* is who sits at one, as many times as there are seats. In every *round*
each table plays one game, so that whatever is played when time runs out is spread evenly. The dice of a game depend on
the seed, on the labels at its table and on its round, and on nothing else: it can be played anywhere, any time, again.
"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

from wellies.bots.arena import external_bot
from wellies.bots.arena.external_bot_host import code_hash
from wellies.bots.arena.participants import Participant
from wellies.core.dice import Stream, shuffle
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.games import game

MOST_TABLES = 5_000
MOST_GAMES = 10_000_000


class Plan:
    """Game number `k` is played at table `k % tables` in round `k // tables`. `tables` holds participants' indices."""

    def __init__(
        self,
        name: str,
        seats: int,
        options: Json,
        participants: list[Participant],
        tables: list[list[int]],
        rounds: int,
        seed: int,
        code: dict[str, str],
    ) -> None:
        self.game = name
        self.seats = seats
        self.options = options
        self.participants = participants
        self.tables = tables
        self.rounds = rounds
        self.seed = seed
        self.code = code
        """What each participant's Wellies is made of, by label; the last entry, without a label, is this one's."""

    @property
    def games(self) -> int:
        return self.rounds * len(self.tables)

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.participants]

    def key(self, number: int) -> str:
        """What all randomness of this game is made from."""
        labels = "|".join(self.participants[index].label for index in self.tables[number % len(self.tables)])
        return f"arena {self.seed} {self.game} {labels} {number // len(self.tables)}"

    def seated(self, number: int) -> list[int]:
        """Who sits in each seat of this game. As many games in a row as there are seats turn one order round, so that
        everybody sits everywhere equally often; with three seats and more, the next ones turn another order."""
        table = self.tables[number % len(self.tables)]
        turn = number // len(self.tables)
        order = list(range(self.seats))
        if self.seats > 2:
            shuffle(order, Stream(self.key(number % len(self.tables))).fork(f"order {turn // self.seats}"))
        return [table[order[(seat - turn) % self.seats]] for seat in range(self.seats)]

    def to_json(self) -> Json:
        """All that decides what is played, but for how many rounds of it."""
        return {
            "game": self.game,
            "rules_version": game(self.game).rules_version,
            "seats": self.seats,
            "options": self.options,
            "participants": [one.to_json() for one in self.participants],
            "tables": self.tables,
            "seed": self.seed,
            "code": self.code,
        }

    @classmethod
    def from_json(cls, value: Json, rounds: int) -> Plan:
        participants = [Participant.from_json(one) for one in value["participants"]]
        tables = [list(table) for table in value["tables"]]
        code = dict(value["code"])
        return cls(value["game"], value["seats"], value["options"], participants, tables, rounds, value["seed"], code)


def make_plan(
    name: str,
    participants: list[Participant],
    meetings: list[list[int]] | None = None,
    seats: int | None = None,
    options: Json | None = None,
    rounds: int = 100,
    seed: int = 0,
) -> Plan:
    """A plan with everything checked, visitors among it: each is started once, and must play by the same rules."""
    spec = game(name)
    seats = spec.min_seats if seats is None else seats
    spec.check_seats(seats)
    if rounds < 1:
        raise BadOption(f"--games {rounds}: give 1 or more games for each table.")
    checked = spec.start(seats, options).options
    count = len(participants)
    if not meetings:
        wanted = math.comb(count, min(seats, count))
        if wanted > MOST_TABLES:
            raise BadOption(f"{count} participants at {seats} seats make {wanted} tables; restrict them with --pairs.")
        meetings = [list(chosen) for chosen in combinations(range(count), min(seats, count))]
    tables: list[list[int]] = []
    for meeting in meetings:
        if len(meeting) > seats:
            named = ":".join(participants[index].label for index in meeting)
            raise BadOption(f"--pairs {named} are {len(meeting)} for {seats} seats; ask for more --seats.")
        tables += [table for table in _filled(meeting, seats) if table not in tables]
    if rounds * len(tables) > MOST_GAMES:
        raise BadOption(f"{rounds * len(tables)} games are more than {MOST_GAMES}; ask for fewer --games.")
    return Plan(spec.name, seats, checked, participants, tables, rounds, seed, check_code(spec.name, participants))


def check_code(name: str, participants: list[Participant]) -> dict[str, str]:
    """What each Wellies that takes part is made of. Visitors that cannot come, or know other rules, are refused."""
    spec = game(name)
    found: dict[str, str] = {}
    for one in participants:
        if not one.home:
            continue
        guest = external_bot.ExternalBot(one, name)
        guest.close()
        rules = guest.about.get("rules_version", spec.rules_version)
        if rules != spec.rules_version:
            raise BadOption(
                f"{one.label} plays {spec.title} by rules version {rules}, and this Wellies by {spec.rules_version}; "
                "only versions with the same rules can meet."
            )
        found[one.label] = f"{guest.about.get('version', '?')} {guest.about.get('code', '?')}"
    found[""] = own_code()
    return found


def own_code() -> str:
    """What this Wellies is made of."""
    return code_hash(Path(external_bot.__file__).parents[2])


def _filled(meeting: list[int], seats: int) -> list[list[int]]:
    """Every way to give all seats to the members of a meeting as evenly as can be: two at three seats are AAB, ABB."""
    each, over = divmod(seats, len(meeting))
    return [sorted(meeting * each + list(more)) for more in combinations(meeting, over)]
