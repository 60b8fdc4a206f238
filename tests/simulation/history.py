"""A history: who plays what, who does which odd thing when, and which faults there are when. A seed gives one.

A history can be printed and read again, and parts of it can be left out: what is left does much the same, for every
client and every part of the world draws its random numbers from a source of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

Clock = tuple[str, int, int, int]
"""Kind, seconds, increment and days."""

OPTIONS: Final[dict[str, dict[str, object]]] = {
    "umbradeco": {"mat": "small"},
    "puppies": {},
    "aquarium": {},
    "guppies": {"tiles": 64},
}
"""Games and their options. All but Guppies hide something."""
GAMES: Final = ("umbradeco",) * 4 + ("puppies",) * 4 + ("aquarium",) * 3 + ("guppies",)
"""How often each is played: those that cost little time more often."""

STORAGE_FAULTS: Final = ("slow", "failing", "unanswered", "hanging", "full")
CHANNEL_FAULTS: Final = ("lost", "late", "doubled", "partition")
BOT_FAULTS: Final = ("bot lost", "bot mistaken")

SCREEN_ACTIONS: Final = (
    "drop",
    "drop",
    "vanish",
    "stall",
    "stall",
    "play twice",
    "play twice",
    "play stale",
    "play for another",
    "play nonsense",
    "play without decision",
    "garbage",
    "undo",
    "undo",
    "ask undo",
    "ask undo",
    "chat",
    "chat",
    "hint",
    "preview",
    "why",
    "ping",
    "foreign seat",
)
"""What a client may do through its socket, or to it; those that matter more stand here twice."""
PERSON_ACTIONS: Final = (
    "log",
    "replay",
    "list",
    "resign",
    "handover",
    "takeback",
    "leave",
    "rematch",
    "go private",
    "rename",
    "logout",
    "logout everywhere",
    "forge cookie",
)
"""What a person may do by requests."""


@dataclass(frozen=True)
class Action:
    """What a client does beside playing: `at` is in seconds."""

    at: float
    kind: str


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong: from `at` on for so many seconds, at one worker or (-1) at all, in a `share` of the
    cases."""

    at: float
    kind: str
    worker: int
    seconds: float = 0.0
    share: float = 1.0


@dataclass(frozen=True)
class TablePlan:
    """A table: `chairs` are numbers of clients or "bot"; the first client that is named hosts it."""

    game: str
    chairs: tuple[int | str, ...]
    clock: Clock = ("none", 0, 0, 0)
    private: bool = False
    goes_private: bool = False
    """Whether the host makes it private just before the game."""
    takebacks: str | None = None
    hints: str | None = None

    @property
    def host(self) -> int:
        return next(chair for chair in self.chairs if isinstance(chair, int))


@dataclass(frozen=True)
class ClientPlan:
    """A person: at which table, how fast they think (seconds), how often they play at most, how they get legal moves,
    how many bytes may wait for them, and what they do beside playing. Who has no chair watches."""

    number: int
    table: int
    think: float
    plays: int = 100
    legal: str = "text"
    capacity: int = 65_536
    invited: bool = True
    """Whether they have the invitation to a private table."""
    watches_too: bool = False
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class History:
    """All that happens, as far as it is planned."""

    seed: int
    workers: int
    shared: bool
    tight: bool
    skews: tuple[int, ...]
    tables: tuple[TablePlan, ...]
    clients: tuple[ClientPlan, ...]
    faults: tuple[Fault, ...]
    seconds: float


def make_history(seed: int) -> History:
    """The history of a seed."""
    random = Random(f"history {seed}")
    workers = random.choice((1, 2, 2, 3))
    shared = workers > 1 or random.random() < 0.3
    seconds = round(random.uniform(5.0, 10.0), 1)
    tables: list[TablePlan] = []
    clients: list[ClientPlan] = []
    for number in range(random.choice((1, 1, 2))):
        plan, people = _table(random, len(clients))
        tables.append(plan)
        for each in range(len(clients), len(clients) + people):
            clients.append(_client(random, each, number, each in plan.chairs, seconds))
    return History(
        seed=seed,
        workers=workers,
        shared=shared,
        tight=random.random() < 0.3,
        skews=tuple(random.choice((0, 0, random.randint(-40, 40))) for _ in range(workers)),
        tables=tuple(tables),
        clients=tuple(clients),
        faults=_faults(random, workers, shared, seconds),
        seconds=seconds,
    )


def _table(random: Random, first: int) -> tuple[TablePlan, int]:
    """A table, and how many clients it has: those numbers from `first` on."""
    game = random.choice(GAMES)
    seats = random.randint(2, 3)
    chairs: list[int | str] = [first]
    people = 1
    for _ in range(seats - 1):
        kind = random.random()
        if kind < 0.55:
            chairs.append(first + people)
            people += 1
        elif kind < 0.9:
            chairs.append("bot")
        else:
            chairs.append(first)
    random.shuffle(chairs)
    order = [chair for chair in chairs if isinstance(chair, int)]
    renamed = {old: first + place for place, old in enumerate(dict.fromkeys(order))}
    named = tuple(renamed[chair] if isinstance(chair, int) else chair for chair in chairs)
    clock: Clock = random.choice(
        (
            ("none", 0, 0, 0),
            ("move", 5, 0, 0),
            ("move", 8, 0, 0),
            ("game", 10, 1, 0),
            ("game", 30, 0, 0),
            ("days", 0, 0, 1),
        )
    )
    plan = TablePlan(
        game,
        named,
        clock,
        private=random.random() < 0.3,
        goes_private=random.random() < 0.2,
        takebacks=random.choice((None, "off", "ask", "free")),
        hints=random.choice((None, "off", "all")),
    )
    return plan, people + random.choice((0, 0, 1))


def _client(random: Random, number: int, table: int, seated: bool, seconds: float) -> ClientPlan:
    count = random.choice((0, 1, 2, 3, 5))
    actions = [Action(round(random.uniform(1.0, seconds), 2), random.choice(SCREEN_ACTIONS)) for _ in range(count)]
    if random.random() < 0.35:
        actions.append(Action(round(random.uniform(0.5, seconds), 2), random.choice(PERSON_ACTIONS)))
    return ClientPlan(
        number,
        table,
        think=round(random.choice((0.02, 0.3, 0.8, 1.5, 4.0)) * random.uniform(0.5, 1.5), 2),
        plays=random.randint(3, 15),
        legal=random.choice(("text",) * 7 + ("full",)),
        capacity=random.choice((1_000, 8_000, 65_536)),
        invited=seated or random.random() < 0.4,
        watches_too=seated and random.random() < 0.15,
        actions=tuple(sorted(actions, key=lambda action: action.at)),
    )


def _faults(random: Random, workers: int, shared: bool, seconds: float) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    for _ in range(random.choice((0, 1, 2, 3, 4))):
        at = round(random.uniform(0.2, seconds - 1.0), 2)
        worker = random.choice((-1, *range(workers)))
        sort = random.random()
        if sort < 0.4:
            kind = random.choice(STORAGE_FAULTS)
            faults.append(
                Fault(at, kind, worker, round(random.uniform(0.3, 5.0), 2), random.choice((0.1, 0.3, 0.6, 1.0)))
            )
        elif sort < 0.6 and shared:
            kind = random.choice(CHANNEL_FAULTS)
            long = round(random.uniform(0.5, 6.0), 2)
            faults.append(Fault(at, kind, worker, long, random.choice((0.1, 0.4, 1.0))))
        elif sort < 0.85:
            kind = random.choice(("crash", "crash", "crash", "stop"))
            faults.append(Fault(at, kind, random.randrange(workers), round(random.uniform(0.1, 3.0), 2)))
        elif sort < 0.92:
            kind = random.choice(BOT_FAULTS)
            faults.append(Fault(at, kind, -1, round(random.uniform(0.5, 5.0), 2), random.choice((0.3, 1.0))))
        else:
            faults.append(Fault(at, "clock jump", random.randrange(workers), random.choice((-3.0, -0.5, 0.5, 3.0))))
    return tuple(sorted(faults, key=lambda fault: fault.at))
