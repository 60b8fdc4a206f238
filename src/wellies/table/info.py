"""A table as lists and people see it, without the game itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wellies.core.dice import seed_hash
from wellies.core.events import Json
from wellies.games import game_title
from wellies.table.codec import known_fields
from wellies.table.fold import TableFold
from wellies.table.ids import is_local, public_id
from wellies.table.seats import Seat, SeatKind, Why
from wellies.table.settings import BEGINNER_GAMES, Aids, Clock, Hints, State, Takebacks


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One chair. `bot` names the level that plays it now: a bot's own chair, or a person's whose bot stands in (`why`
    says for what reason; `once`: for one move only, then the seat is the person's again). `person` is what everybody
    may know its person by, the same at all tables; null for bots, open chairs and on a device. `away`: until when the
    person is on vacation, in milliseconds since 1970; 0 if they are not."""

    seat: int
    kind: SeatKind
    name: str
    mine: bool
    bot: str | None
    why: Why
    once: bool
    person: str | None
    away: int = 0


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as one viewer may know it. `invite` is there for those seated and the host only; `seed` after the end.
    `hints`, `badges` (points shown before a move) and `takebacks` are what is allowed at this table. `updated` is the
    time of the last entry of its log. If the game `goes_on` from another one, its chairs and options are fixed. A
    `rated` game counts for the ratings of its players."""

    id: str
    game: str
    title: str
    options: Json
    seats: list[SeatInfo]
    state: State
    private: bool
    clock: Clock
    host: str
    hosting: bool
    invite: str | None
    seed_hash: str
    seed: str | None
    version: int
    waiting: list[int]
    scores: list[int]
    outcome: Mapping[str, Any] | None
    rematch: str | None
    imported: bool
    goes_on: bool
    created: int
    updated: int
    started: int | None
    finished: int | None
    hints: Hints
    badges: bool
    takebacks: Takebacks
    rated: bool


@dataclass(frozen=True, slots=True)
class HintOffer:
    """Whether this connection's seat may ask for hints; if not, `why` says so in words."""

    allowed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists show of a table without replaying it; stored beside its log."""

    options: Json
    seats: list[Seat]
    clock: Clock
    host_name: str
    outcome: Mapping[str, Any] | None
    scores: list[int]
    rematch: str | None
    started: int | None
    finished: int | None
    proves: bool
    aids: Aids = field(default_factory=Aids)
    goes_on: bool = False
    rated: bool = False

    @classmethod
    def from_json(cls, given: Json) -> Summary:
        values = known_fields(cls, given)
        values["seats"] = [Seat.from_json(seat) for seat in values["seats"]]
        values["clock"] = Clock.from_json(values["clock"])
        values["aids"] = Aids.from_json(values.get("aids", {}))
        return cls(**values)


def summary_of(table: TableFold) -> Summary:
    host, host_name = table.setup.host, table.setup.host_name
    return Summary(
        table.options,
        table.seats,
        table.clock,
        next((seat.name for seat in table.seats if seat.identity == host != ""), host_name),
        table.outcome(),
        table.scores(),
        table.rematch,
        table.started,
        table.finished,
        table.setup.proves,
        table.aids,
        table.setup.goes_on,
        table.rated,
    )


def make_info(
    table_id: str,
    game_name: str,
    summary: Summary,
    identity: str,
    *,
    host: str,
    state: State,
    private: bool,
    invite: str,
    seed: bytes,
    version: int,
    waiting: list[int],
    imported: bool,
    created: int,
    updated: int,
) -> TableInfo:
    """A table as one person may know it, from the table itself or from what is stored for lists."""
    seats = [
        SeatInfo(
            number,
            seat.kind,
            seat.name,
            seat.identity == identity != "",
            seat.bot,
            seat.why,
            seat.once,
            None if is_local(table_id) else public_id(seat.identity),
            seat.away,
        )
        for number, seat in enumerate(summary.seats)
    ]
    hosting = identity == host != ""
    belongs = hosting or any(seat.mine for seat in seats)
    return TableInfo(
        id=table_id,
        game=game_name,
        title=game_title(game_name),
        options=summary.options,
        seats=seats,
        state=state,
        private=private,
        clock=summary.clock,
        host=summary.host_name,
        hosting=hosting,
        invite=invite if belongs else None,
        seed_hash=seed_hash(seed) if summary.proves else "",
        seed=seed.hex() if state == "finished" and summary.proves else None,
        version=version,
        waiting=waiting,
        scores=summary.scores,
        outcome=summary.outcome,
        rematch=summary.rematch,
        imported=imported,
        goes_on=summary.goes_on,
        created=created,
        updated=updated,
        started=summary.started,
        finished=summary.finished,
        hints=summary.aids.hints_for(summary.seats),
        badges=summary.aids.shows_badges,
        takebacks=summary.aids.takes_back,
        rated=summary.rated,
    )


def info_for(table: TableFold, identity: str) -> TableInfo:
    """The table as this person may know it."""
    return make_info(
        table.id,
        table.setup.game,
        summary_of(table),
        identity,
        host=table.setup.host,
        state=table.state,
        private=table.private,
        invite=table.invite,
        seed=table.seed,
        version=table.version,
        waiting=table.waiting(),
        imported=table.imported,
        created=table.created,
        updated=table.updated,
    )


def hint_offer(table: TableFold, seat: int | None, games: int) -> HintOffer:
    """Whether a person at this seat, who has finished so many games of this game, may ask for hints."""
    if seat is None:
        return HintOffer(False, "Hints are for those who play.")
    hints = table.aids.hints_for(table.seats)
    if hints == "off":
        return HintOffer(False, "Hints are off at this table.")
    if hints == "beginners" and games >= BEGINNER_GAMES:
        return HintOffer(
            False,
            f"Hints here are for beginners, who have finished fewer than {BEGINNER_GAMES} games of {table.spec.title}.",
        )
    return HintOffer(True, "")
