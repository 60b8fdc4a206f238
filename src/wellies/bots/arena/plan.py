"""The games of an arena: who plays whom, in which seats, and with which random numbers.

A *matchup* is a set of participants. A *table* is a list of participants, one for each seat; there are several tables
for a matchup if it has fewer participants than seats. In every *round* each table plays one game, so that the games are
spread evenly when the time is up. The random numbers of a game depend only on the seed, the labels at its table and its
round, so any machine can play it, and play it again.
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

MAX_TABLES = 5_000
MAX_GAMES = 10_000_000


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
        """Version and hash of each external participant's code, by label; the entry "" is the hash of our own code."""

    @property
    def games(self) -> int:
        return self.rounds * len(self.tables)

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.participants]

    def key(self, number: int) -> str:
        """The text that seeds all random streams of this game."""
        labels = "|".join(self.participants[index].label for index in self.tables[number % len(self.tables)])
        return f"arena {self.seed} {self.game} {labels} {number // len(self.tables)}"

    def seated(self, number: int) -> list[int]:
        """The participants by seat. An order of participants is rotated for as many rounds as there are seats, so that
        all have each seat equally often; with three seats or more, the next rounds rotate another order."""
        table = self.tables[number % len(self.tables)]
        turn = number // len(self.tables)
        order = list(range(self.seats))
        if self.seats > 2:
            shuffle(order, Stream(self.key(number % len(self.tables))).fork(f"order {turn // self.seats}"))
        return [table[order[(seat - turn) % self.seats]] for seat in range(self.seats)]

    def to_json(self) -> Json:
        """All that determines the games, except for the number of rounds."""
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
    matchups: list[list[int]] | None = None,
    seats: int | None = None,
    options: Json | None = None,
    rounds: int = 100,
    seed: int = 0,
) -> Plan:
    """A plan whose parts have been checked. Each external bot is started once, and must play by the same rules."""
    spec = game(name)
    seats = spec.min_seats if seats is None else seats
    spec.check_seats(seats)
    if rounds < 1:
        raise BadOption(f"--games {rounds}: give 1 or more games for each table.")
    checked = spec.start(seats, options).options
    count = len(participants)
    if not matchups:
        wanted = math.comb(count, min(seats, count))
        if wanted > MAX_TABLES:
            raise BadOption(f"{count} participants at {seats} seats make {wanted} tables; restrict them with --pairs.")
        matchups = [list(chosen) for chosen in combinations(range(count), min(seats, count))]
    tables: list[list[int]] = []
    for matchup in matchups:
        if len(matchup) > seats:
            named = ":".join(participants[index].label for index in matchup)
            raise BadOption(f"--pairs {named} are {len(matchup)} for {seats} seats; ask for more --seats.")
        tables += [table for table in _tables(matchup, seats) if table not in tables]
    if rounds * len(tables) > MAX_GAMES:
        raise BadOption(f"{rounds * len(tables)} games are more than {MAX_GAMES}; ask for fewer --games.")
    return Plan(spec.name, seats, checked, participants, tables, rounds, seed, check_code(spec.name, participants))


def check_code(name: str, participants: list[Participant]) -> dict[str, str]:
    """The code of all participants, as in `Plan.code`. External bots must start, and have the same rules version."""
    spec = game(name)
    found: dict[str, str] = {}
    for one in participants:
        if not one.home:
            continue
        external = external_bot.ExternalBot(one, name)
        external.close()
        rules = external.about.get("rules_version", spec.rules_version)
        if rules != spec.rules_version:
            raise BadOption(
                f"{one.label} plays {spec.title} by rules version {rules}, and this Wellies by {spec.rules_version}; "
                "only versions with the same rules can play each other."
            )
        found[one.label] = f"{external.about.get('version', '?')} {external.about.get('code', '?')}"
    found[""] = own_code()
    return found


def own_code() -> str:
    """The hash of this Wellies' code."""
    return code_hash(Path(external_bot.__file__).parents[2])


def _tables(matchup: list[int], seats: int) -> list[list[int]]:
    """Every way to share the seats between the participants as evenly as possible: AAB and ABB for two at 3 seats."""
    each, over = divmod(seats, len(matchup))
    return [sorted(matchup * each + list(more)) for more in combinations(matchup, over)]
