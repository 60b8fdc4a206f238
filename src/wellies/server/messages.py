"""All that goes over a socket, and the shapes that HTTP answers share with it. `docs/protocol.md` explains them.

The page's types are generated from these, so a field is always present: what is missing is null, "" or [].
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Raw, Struct

PROTOCOL: Final = 1
"""Raised when a client of the old kind would no longer understand; the address then says /v2."""

MOST_CHAT: Final = 500
MOST_MOVE: Final = 200
MOST_ID: Final = 64

MessageId = Annotated[str, Meta(max_length=MOST_ID, description="Chosen by the client; the answer carries it back.")]
MoveText = Annotated[str, Meta(max_length=MOST_MOVE, description="A move in the game's notation.")]
Millis = Annotated[int, Meta(description="Milliseconds since 1970 (UTC), or a span of milliseconds.")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Json = dict[str, Any]

State = Literal["open", "playing", "finished"]
Why = Literal["", "handover", "timeout", "resigned"]
Hints = Literal["off", "all", "beginners"]
Takebacks = Literal["off", "ask", "free"]
UndoKind = Literal["", "free", "takeback", "ask"]


class Clock(Struct, forbid_unknown_fields=True):
    """How time is kept. `none`; `move`: so many seconds for each decision; `game`: so many seconds for the whole game,
    plus an increment for each move; `days`: so many days for each decision."""

    kind: Literal["none", "move", "game", "days"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0
    days: Annotated[int, Meta(ge=0, le=60)] = 0


class SeatInfo(Struct):
    """One chair. `bot` names the level that plays it now: a bot's own chair, or a person's whose bot stands in (`why`
    says for what reason; `once`: for one move only, then the seat is the person's again)."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    mine: bool
    bot: str | None
    why: Why
    once: bool


class TableInfo(Struct):
    """A table as one viewer may know it. `invite` is there for those seated and the host only; `seed` after the end.
    `hints`, `badges` (points shown before a move) and `takebacks` are what is allowed at this table."""

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
    outcome: Json | None
    rematch: str | None
    imported: bool
    created: Millis
    started: Millis | None
    finished: Millis | None
    hints: Hints
    badges: bool
    takebacks: Takebacks


class Decision(Struct):
    """The choice before this connection's seat. `due`: the game waits for it (else the seat may act, and need not)."""

    id: str
    due: bool


class EntryInfo(Struct):
    """One line of the table's log. For a move, `events` tell what happened as this viewer may know it; `move` is its
    notation, null where the viewer may not know it. For all else `text` says it; `{0}` is the name of seat 0. `back` is
    there for an undo: the number of the first move that it takes back; all moves from there on are gone."""

    number: int
    at: Millis
    kind: str
    seat: int | None
    move: str | None
    text: str
    events: list[Json]
    back: int | None = None


class UndoOffer(Struct):
    """What undo would do now for this connection's seat. `free`: back to one's last decision; `takeback`: the same,
    though something new was shown since, and the same draws come again; `ask`: the other people must agree; `""`: not
    now. `why` says it in words. `number` is the entry of the move that would be taken back."""

    kind: UndoKind
    why: str
    number: int | None


class UndoRequest(Struct):
    """Somebody asks the other people at the table to let a move be taken back: `number` names the question, `seat` is
    whose move it is, `agreed` and `waiting` are the seats that have agreed and that must still answer. `shown`: the
    seat has seen something since that it could not know before."""

    number: int
    seat: int
    agreed: list[int]
    waiting: list[int]
    shown: bool


class HintOffer(Struct):
    """Whether this connection's seat may ask for hints; if not, `why` says so in words."""

    allowed: bool
    why: str


class ClockFace(Struct):
    """One seat's time: `left` when the message was made, and whether it is running down."""

    left: Millis | None
    running: bool


class ChatLine(Struct):
    id: int
    at: Millis
    seat: int | None
    name: str
    text: str


class Presence(Struct):
    """Who is looking at the table: the seats whose owners are, and how many spectators."""

    seats: list[int]
    watching: int


# --- from the client ----------------------------------------------------------------------------------------------


class ClientMessage(Struct, tag_field="type", forbid_unknown_fields=True):
    pass


class Play(ClientMessage, tag="play"):
    """Make a move. With `decision` the move is refused as stale if that decision is no longer open."""

    id: MessageId
    move: MoveText
    decision: Annotated[str, Meta(max_length=MOST_ID)] | None = None


class Preview(ClientMessage, tag="preview"):
    """What would this move do and score, without doing it?"""

    id: MessageId
    move: MoveText


class AskWhy(ClientMessage, tag="why"):
    """Which rule forbids this move?"""

    id: MessageId
    move: MoveText


class Undo(ClientMessage, tag="undo"):
    """Go back to one's last decision, where nobody need be asked."""

    id: MessageId


class AskUndo(ClientMessage, tag="ask_undo"):
    """Ask the other people at the table to let one's last decision be taken back."""

    id: MessageId


class AnswerUndo(ClientMessage, tag="answer_undo"):
    """Answer such a question, named by the number of its entry. Who asked takes it back with `accept` false."""

    id: MessageId
    request: Annotated[int, Meta(ge=0, le=1_000_000)]
    accept: bool


class AskHint(ClientMessage, tag="hint"):
    id: MessageId


class Say(ClientMessage, tag="chat"):
    id: MessageId
    text: Annotated[str, Meta(min_length=1, max_length=MOST_CHAT)]


class Ping(ClientMessage, tag="ping"):
    id: MessageId = ""


FromClient = Play | Preview | AskWhy | Undo | AskUndo | AnswerUndo | AskHint | Say | Ping

# --- from the server -----------------------------------------------------------------------------------------------


class ServerMessage(Struct, tag_field="type"):
    pass


class Hello(ServerMessage, tag="hello"):
    """The first message. `entries` are those after `since`, or all."""

    protocol: int
    table: TableInfo
    seat: int | None
    version: int
    view: Raw | None
    decision: Decision | None
    legal: Raw
    entries: list[EntryInfo]
    chat: list[ChatLine]
    presence: Presence
    now: Millis
    clocks: list[ClockFace]
    undo: UndoOffer
    asked: UndoRequest | None
    hint: HintOffer


class Update(ServerMessage, tag="update"):
    """The table has moved on: all that is new, and how it stands. `ack` names the play or undo of this connection that
    is among it: it is stored for good. `undo` says what undo would do now, `asked` whether somebody waits for an answer
    to a takeback."""

    version: int
    entries: list[EntryInfo]
    view: Raw | None
    decision: Decision | None
    legal: Raw
    now: Millis
    clocks: list[ClockFace]
    undo: UndoOffer
    asked: UndoRequest | None
    hint: HintOffer
    ack: str | None = None


class TableChanged(ServerMessage, tag="table"):
    """Seats, settings or the state of the table changed (joined, started, finished, rematch...)."""

    table: TableInfo


class Ack(ServerMessage, tag="ack"):
    """Done, where there is nothing more to tell."""

    id: str
    version: int


class Failed(ServerMessage, tag="error"):
    """What was asked (`id`, "" if unknown) was not done, and why. The codes are listed in `docs/protocol.md`."""

    id: str
    code: str
    message: str


class Previewed(ServerMessage, tag="preview"):
    """What the move would do. `certain` is false where chance or a secret comes in: then only what is sure is told.

    `offers` are the moves that the seat could make next to score at once, such as to claim what the move completes,
    each with the score lines it would add; `gains` and `lines` are those of the move alone.
    """

    id: str
    move: str
    certain: bool
    events: list[Json]
    gains: list[int]
    lines: list[Json]
    offers: list[Json]


class WhyNot(ServerMessage, tag="why"):
    """`refusal` is null if the move is legal."""

    id: str
    move: str
    refusal: str | None


class Hint(ServerMessage, tag="hint"):
    id: str
    move: str
    words: str


class Chat(ServerMessage, tag="chat"):
    line: ChatLine


class PresenceChanged(ServerMessage, tag="presence"):
    presence: Presence


class Notice(ServerMessage, tag="notice"):
    """Something the people at the table should know: bot trouble, a store that is out of reach, all well again."""

    code: str
    message: str


class Pong(ServerMessage, tag="pong"):
    id: str
    version: int
    now: Millis


FromServer = (
    Hello | Update | TableChanged | Ack | Failed | Previewed | WhyNot | Hint | Chat | PresenceChanged | Notice | Pong
)

decode_client = msgspec.json.Decoder(FromClient).decode
encode = msgspec.json.Encoder().encode
NOTHING: Final = Raw(b"[]")
