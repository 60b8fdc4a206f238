"""The messages of a socket, as `docs/protocol.md` explains them. The shapes of a table's parts are in `wellies.table`.

The page's types are generated from these, so a field is always present: what is missing is null, "" or [].
"""

from __future__ import annotations

from typing import Annotated, Final, get_args

import msgspec
from msgspec import Meta, Raw, Struct

from wellies.core.events import Json
from wellies.table.analysis import ExpectedStep, OtherMove
from wellies.table.clocks import ClockFace
from wellies.table.info import HintOffer, TableInfo
from wellies.table.log import EntryInfo, LogEntry, entry_from_json
from wellies.table.undo import UndoOffer, UndoRequest
from wellies.table.view import DecisionInfo

MOST_CHAT: Final = 500
MOST_MOVE: Final = 200
MOST_ID: Final = 64

MessageId = Annotated[str, Meta(max_length=MOST_ID, description="Chosen by the client; the answer carries it back.")]
MoveText = Annotated[str, Meta(max_length=MOST_MOVE, description="A move in the game's notation.")]
Millis = Annotated[int, Meta(description="Milliseconds since 1970 (UTC), or a span of milliseconds.")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]


class ChatLine(Struct):
    """Something that was said. `person` is what everybody may know its speaker by; workers of earlier versions leave it
    out."""

    id: int
    at: Millis
    seat: int | None
    name: str
    text: str
    person: str | None = None


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
    """What would this move do and score, without doing it? `ahead`: if it were this seat's turn now."""

    id: MessageId
    move: MoveText
    ahead: bool = False


class AskWhy(ClientMessage, tag="why"):
    """Which rule forbids this move? `ahead`: if it were this seat's turn now."""

    id: MessageId
    move: MoveText
    ahead: bool = False


class AskPlan(ClientMessage, tag="plan"):
    """Which moves could this seat choose from, if it were its turn now?"""

    id: MessageId


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


FromClient = Play | Preview | AskWhy | AskPlan | Undo | AskUndo | AnswerUndo | AskHint | Say | Ping

# --- from the server -----------------------------------------------------------------------------------------------


class ServerMessage(Struct, tag_field="type"):
    pass


class Hello(ServerMessage, tag="hello"):
    """The first message. `entries` are those after `since`, or all. `plan`: this seat can plan ahead (`AskPlan`)."""

    protocol: int
    table: TableInfo
    seat: int | None
    version: int
    view: Raw | None
    decision: DecisionInfo | None
    legal: Raw
    entries: list[EntryInfo]
    chat: list[ChatLine]
    presence: Presence
    now: Millis
    clocks: list[ClockFace]
    undo: UndoOffer
    asked: UndoRequest | None
    hint: HintOffer
    plan: bool


class Update(ServerMessage, tag="update"):
    """The table has moved on: all that is new, and how it stands. `ack` names the play or undo of this connection that
    is among it: it is stored for good. `undo` says what undo would do now, `asked` whether somebody waits for an answer
    to a takeback."""

    version: int
    entries: list[EntryInfo]
    view: Raw | None
    decision: DecisionInfo | None
    legal: Raw
    now: Millis
    clocks: list[ClockFace]
    undo: UndoOffer
    asked: UndoRequest | None
    hint: HintOffer
    plan: bool
    ack: str | None = None


class TableChanged(ServerMessage, tag="table"):
    """Seats, settings or the state of the table changed (joined, started, finished, rematch...)."""

    table: TableInfo


class Ack(ServerMessage, tag="ack"):
    """Done, where no update follows."""

    id: str
    version: int


class Failed(ServerMessage, tag="error"):
    """What was asked (`id`, "" if unknown) was not done, and why. The codes are listed in `docs/protocol.md`."""

    id: str
    code: str
    message: str


class Previewed(ServerMessage, tag="preview"):
    """What the move would do. `certain` is false where chance or a secret comes in: then only what is sure is in it.

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


class Planned(ServerMessage, tag="plan"):
    """What a seat that plans ahead chooses from, at this version of the table: its view and its legal moves, as if it
    were its turn. Moves that it can make at once are left out."""

    id: str
    version: int
    view: Json
    legal: list[Json]


class Hint(ServerMessage, tag="hint"):
    """The move that a bot would choose, and why: `reasons` in words and points, the `line` that is expected, what the
    best candidates (`others`, the move itself first) would give, and the winning `chance` after it. A bot that does not
    search gives reasons alone."""

    id: str
    move: str
    words: str
    reasons: list[str] = []
    line: list[ExpectedStep] = []
    others: list[OtherMove] = []
    chance: float | None = None
    proved: bool = False


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
    Hello
    | Update
    | TableChanged
    | Ack
    | Failed
    | Previewed
    | WhyNot
    | Planned
    | Hint
    | Chat
    | PresenceChanged
    | Notice
    | Pong
)
KINDS: Final[dict[str, type[ServerMessage]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(FromServer)}
"""The messages of the server by type."""


def kind_of(message: FromClient) -> str:
    """The type of a request."""
    return str(message.__struct_config__.tag)


# --- between workers -----------------------------------------------------------------------------------------------


class WorkerMessage(Struct, omit_defaults=True):
    """What one worker tells the others about a table. `seats` and `watching` are who looks at it through this worker;
    with `ask` the others answer with the same. `version` is how far this worker knows the table."""

    worker: str
    entries: list[LogEntry] = []
    chat: ChatLine | None = None
    notice: Notice | None = None
    seats: list[int] | None = None
    watching: int = 0
    ask: bool = False
    version: int = 0


def _encode_entry(value: object) -> object:
    if isinstance(value, LogEntry):
        return value.stored()
    raise NotImplementedError(f"{type(value).__name__} has no JSON form")


def _decode_entry(_kind: type, value: object) -> LogEntry:
    try:
        return entry_from_json(value)
    except (TypeError, ValueError) as error:
        raise msgspec.ValidationError("an entry is [number, kind, seat, text, at]") from error


decode_client = msgspec.json.Decoder(FromClient).decode
decode_worker = msgspec.json.Decoder(WorkerMessage, dec_hook=_decode_entry).decode
encode = msgspec.json.Encoder(enc_hook=_encode_entry).encode
NOTHING: Final = Raw(b"[]")
