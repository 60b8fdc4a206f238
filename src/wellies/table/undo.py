"""Taking moves back: what a seat may take back now, and whom it must ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wellies.core.events import Json
from wellies.match import UndoPlan
from wellies.table.codec import encode, known_fields

if TYPE_CHECKING:
    from wellies.table.fold import TableFold

UndoKind = Literal["", "free", "takeback", "ask"]


@dataclass(frozen=True, slots=True)
class BackTo:
    """How far an undo goes: so many moves stand. `shown`: the seat has seen something new since; `agreed`: the other
    people were asked."""

    to: int
    shown: bool = False
    agreed: bool = False

    @classmethod
    def from_json(cls, given: Json) -> BackTo:
        return cls(**known_fields(cls, given))

    def to_text(self) -> str:
        """As it stands in the log: flags that are not set are left out."""
        flags = {"shown": self.shown, "agreed": self.agreed}
        return encode({"to": self.to, **{name: True for name, value in flags.items() if value}})


@dataclass(frozen=True, slots=True)
class PendingUndo:
    """A takeback that waits for the answers of the other people: the number of the entry that asks, whose move it is,
    how far it goes, and which seats have agreed."""

    number: int
    seat: int
    back: BackTo
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """What undo would do now for this connection's seat. `free`: back to one's last decision; `takeback`: the same,
    though something new was shown since, and the same draws come again; `ask`: the other people must agree; `""`: not
    now. `why` says it in words. `number` is the entry of the move that would be taken back."""

    kind: UndoKind
    why: str
    number: int | None


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Somebody asks the other people at the table to let a move be taken back: `number` names the question, `seat` is
    whose move it is, `agreed` and `waiting` are the seats that have agreed and that must still answer. `shown`: the
    seat has seen something since that it could not know before."""

    number: int
    seat: int
    agreed: list[int]
    waiting: list[int]
    shown: bool


def undo_offer(table: TableFold, seat: int) -> tuple[UndoOffer, UndoPlan | None]:
    """What undo would do now for the person at this seat, and the plan for it."""

    def offer(kind: UndoKind, why: str) -> tuple[UndoOffer, UndoPlan | None]:
        return UndoOffer(kind, why, table.standing[plan.to].number if plan is not None and kind else None), plan

    plan: UndoPlan | None = None
    holder = table.seats[seat]
    if table.match is None:
        return offer("", "The game has not begun.")
    if table.state != "playing":
        return offer("", "The game is over.")
    if holder.bot is not None:
        return offer("", "A bot plays this seat.")
    plan = table.match.undo_plan(table.seats_of(holder.identity) or [seat], len(table.setup.prefix))
    if plan is None:
        return offer("", "There is nothing of yours to take back.")
    takebacks = table.aids.takes_back
    if not plan.others and not plan.shown:
        return offer("free", "Back to your last decision.")
    if takebacks == "off":
        return offer("", "Takebacks are off at this table, and something has happened since your move.")
    others = [
        other
        for other in table.seats
        if other.kind == "person" and other.identity != holder.identity and other.why != "resigned"
    ]
    if not others or (takebacks == "free" and not plan.shown):
        back = "Back to your last decision" + (", behind what others did since" if plan.others else "")
        if plan.shown:
            return offer("takeback", f"{back}. What has come up by chance comes up again.")
        return offer("free", f"{back}.")
    if table.pending_undo is not None:
        return offer("", "A takeback is being asked for already.")
    if table.declined == table.standing[plan.to].number:
        return offer("", "The others would rather let this move stand.")
    if all(other.bot is not None for other in others):
        return offer("", "The people you play with are away, so nobody can agree.")
    return offer("ask", "The other people at the table must agree: ask them.")


def unanswered(table: TableFold) -> list[int]:
    """The seats of people who play themselves and have not yet agreed to what is asked. One answer of a person counts
    for all their seats."""
    pending = table.pending_undo
    if pending is None:
        return []
    done = {table.seats[seat].identity for seat in (*pending.agreed, pending.seat)}
    return [
        number
        for number, seat in enumerate(table.seats)
        if seat.kind == "person" and seat.bot is None and seat.identity not in done
    ]


def undo_request(table: TableFold) -> UndoRequest | None:
    """The takeback that waits for answers, as everybody may know it."""
    pending = table.pending_undo
    if pending is None:
        return None
    return UndoRequest(pending.number, pending.seat, sorted(pending.agreed), unanswered(table), pending.back.shown)
