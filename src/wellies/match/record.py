"""A game as text: a small header, then one move a line. It is what is saved, shared and replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from wellies.core.dice import Draw, seed_hash
from wellies.core.errors import BadOption, BadPosition, BadRecord, MoveError, UnknownGame, WelliesError, nearest
from wellies.core.events import Json
from wellies.core.options import refuse_paths
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.games import game

if TYPE_CHECKING:
    from wellies.match.match import Match

KEYS: Final = ["Game", "Rules", "Seats", "Options", "Players", "Date", "Position", "Seed hash", "Seed", "Result"]
_Kind = TypeVar("_Kind", dict[str, Any], list[Any])

LONGEST: Final = 20_000
"""No game of ours comes near so many moves; a file that does is not a record."""


DEEPEST: Final = 60
"""Levels of JSON in a record or a request, at most."""


class Record:
    """`Record.parse(text)` reads one, `str(record)` writes it; the round trip is exact but for comments and spacing."""

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        options: Json | None = None,
        moves: list[tuple[int, str]] | None = None,
        rules_version: int = 0,
        seed_hash: str = "",
        seed: str = "",
        players: list[str] | None = None,
        date: str = "",
        result: str = "",
        position: Json | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options: Json = {} if options is None else options
        self.moves: list[tuple[int, str]] = [] if moves is None else moves
        self.rules_version = rules_version
        self.seed_hash = seed_hash
        self.seed = seed
        self.players = players
        self.date = date
        self.result = result
        self.position = position
        self._lines: list[int] = []

    # --- as text ----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        head = [f"Game: {self.game}", f"Rules: {self.rules_version}", f"Seats: {self.seats}"]
        head.append("Options: " + json.dumps(self.options, ensure_ascii=False, sort_keys=True))
        if self.players:
            head.append("Players: " + json.dumps(self.players, ensure_ascii=False))
        if self.date:
            head.append(f"Date: {self.date}")
        if self.position is not None:
            head.append("Position: " + json.dumps(self.position, ensure_ascii=False, sort_keys=True))
        if self.seed_hash:
            head.append(f"Seed hash: {self.seed_hash}")
        if self.seed:
            head.append(f"Seed: {self.seed}")
        if self.result:
            head.append(f"Result: {self.result}")
        body = [f"{'*' if seat == CHANCE else seat} {text}" for seat, text in self.moves]
        return "\n".join([*head, "", *body]) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record. BadRecord names the line and what is wrong with it. Moves are checked by `replay`."""
        if not isinstance(text, str):
            raise BadRecord(f"a record is text, not {type(text).__name__}.")
        head: dict[str, str] = {}
        moves: list[tuple[int, str]] = []
        lines: list[int] = []
        in_head = True
        for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
            line = raw.split("#", 1)[0].strip()
            if in_head:
                if not line:
                    # A blank line ends the header; one before it, or a line of comment alone, does not.
                    in_head = not head or raw.strip() != ""
                    continue
                key, colon, value = raw.strip().partition(":")
                if not colon:
                    raise BadRecord(f'line {number}: {line[:60]!r} is not "Key: value"; a blank line ends the header.')
                if key not in KEYS:
                    raise BadRecord(
                        f"line {number}: unknown key {key[:40]!r}; there are: {', '.join(KEYS)}.{nearest(key, KEYS)}"
                    )
                if key in head:
                    raise BadRecord(f"line {number}: {key} is given twice; keep one.")
                head[key] = value.strip()
            elif line:
                who, _, move = line.partition(" ")
                if who != "*" and not (who.isascii() and who.isdigit() and len(who) < 3):
                    raise BadRecord(
                        f'line {number}: {line[:60]!r} is not "seat move", such as "0 a2@1,-1" or "* draw 57".'
                    )
                if not move.strip():
                    raise BadRecord(f"line {number}: seat {who} has no move.")
                if len(moves) >= LONGEST:
                    raise BadRecord(f"line {number}: more than {LONGEST} moves; this is no record of a game.")
                moves.append((CHANCE if who == "*" else int(who), move.strip()))
                lines.append(number)
        for key in ("Game", "Seats"):
            if key not in head:
                raise BadRecord(f'the header has no "{key}: ..." line; is this a .wellies record?')
        record = cls(
            head["Game"],
            _number(head, "Seats"),
            options=_json(head, "Options", dict) or {},
            moves=moves,
            rules_version=_number(head, "Rules"),
            seed_hash=_hex(head, "Seed hash"),
            seed=_hex(head, "Seed"),
            players=_json(head, "Players", list),
            date=head.get("Date", ""),
            result=head.get("Result", ""),
            position=_json(head, "Position", dict),
        )
        if record.seed and record.seed_hash and seed_hash(bytes.fromhex(record.seed)) != record.seed_hash:
            raise BadRecord("the seed does not belong to the seed hash; one of the two lines was changed.")
        if record.players is not None and not all(isinstance(name, str) for name in record.players):
            raise BadRecord('Players must be a list of names such as ["Ann", "bot:greedy"].')
        record._lines = lines
        return record

    # --- as a game --------------------------------------------------------------------------------------------------

    def spec(self) -> GameSpec:
        """The game this is a record of."""
        try:
            spec = game(self.game)
        except UnknownGame as error:
            raise BadRecord(str(error)) from error
        if self.rules_version not in (0, spec.rules_version, *spec.old_defaults):
            raise BadRecord(
                f"this record is of rules version {self.rules_version} of {spec.title}, and this program plays version "
                f"{spec.rules_version}; replay it with the version of Wellies that wrote it."
            )
        return spec

    def full_options(self) -> Json:
        """The options, where those that an old record leaves out mean what they did in its rules version."""
        options: Json = self.spec().options_of(self.options, self.rules_version)
        return options

    def start(self) -> GameState:
        """The state before the first move."""
        try:
            if self.position is not None:
                return self.spec().from_position(self.position)
            options = self.full_options()
            refuse_paths(self.spec().options, options)
            state = self.spec().start(self.seats, options)
        except (BadOption, BadPosition) as error:
            raise BadRecord(f"the header does not start a game: {error}") from error
        if self.moves:
            self.spec().fit_to_log(state, *self.moves[0])
        return state

    def states(self) -> Iterator[GameState]:
        """Each state from the start to the end, one more than there are moves. BadRecord names a move that fails."""
        spec = self.spec()
        state = self.start()
        yield state.clone()
        for number, (seat, text) in enumerate(self.moves):
            try:
                state.step(seat, spec.parse_move(state, seat, text))
            except MoveError as error:
                raise self.wrong_move(number, error) from error
            yield state.clone()

    def replay(self) -> Match:
        """A match at the end of the record, ready to go on."""
        from wellies.match.match import Match

        return Match.from_record(self)

    def verify(self) -> int:
        """Check the seed against its hash and every draw against the seed; returns the number of draws checked.

        BadRecord names the first draw that the dice did not make.
        """
        if not self.seed or not self.seed_hash:
            raise BadRecord("this record has no seed and seed hash; there is nothing to check the draws against.")
        seed = bytes.fromhex(self.seed)
        if seed_hash(seed) != self.seed_hash:
            raise BadRecord("the seed does not belong to the seed hash; one of the two lines was changed.")
        spec = self.spec()
        state = self.start()
        draws = 0
        for number, (seat, text) in enumerate(self.moves):
            try:
                move = spec.parse_move(state, seat, text)
            except MoveError as error:
                raise self.wrong_move(number, error) from error
            if seat == CHANCE:
                rolled = state.chance(Draw(seed, draws))
                if rolled != move:
                    fair = spec.move_text(state, CHANCE, rolled)
                    raise self.wrong_move(number, f"the dice gave {fair!r}; this draw was not made by the seed.")
                draws += 1
            state.step(seat, move)
        return draws

    def wrong_move(self, number: int, error: WelliesError | str) -> BadRecord:
        """The error for a move that cannot be played, naming its line where the record came from a file."""
        seat, text = self.moves[number]
        who = "chance" if seat == CHANCE else f"seat {seat}"
        place = f"line {self._lines[number]}" if number < len(self._lines) else f"move {number + 1}"
        why = str(error)
        return BadRecord(f"{place}: {who} cannot play {text[:60]!r}: {why}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"<record of {self.game}, {self.seats} seats, {len(self.moves)} moves>"


def _number(head: dict[str, str], key: str) -> int:
    text = head.get(key, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadRecord(f"{key}: {text[:40]!r} is not a whole number.")
    return int(text)


def _hex(head: dict[str, str], key: str) -> str:
    text = head.get(key, "").lower()
    if text and (len(text) != 64 or any(char not in "0123456789abcdef" for char in text)):
        raise BadRecord(f"{key}: must be 64 hexadecimal digits.")
    return text


def nested_deeper(value: Any, levels: int) -> bool:
    """Whether JSON is nested deeper than so many levels; nothing that a game needs is."""
    layer = [value]
    for _ in range(levels):
        layer = [
            inner
            for each in layer
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not layer:
            return False
    return True


def _json(head: dict[str, str], key: str, kind: type[_Kind]) -> _Kind | None:
    if key not in head:
        return None
    try:
        value = json.loads(head[key])
        json.dumps(value, ensure_ascii=False).encode()
        if nested_deeper(value, DEEPEST):
            raise BadRecord(f"{key}: it is nested deeper than {DEEPEST} levels.")
    except UnicodeEncodeError as error:
        raise BadRecord(f"{key}: half a character (a lone surrogate) stands in it; write it as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{key}: this is not JSON ({error}).") from error
    if not isinstance(value, kind):
        raise BadRecord(f"{key}: must be a JSON {'object' if kind is dict else 'list'}.")
    return value
