"""Guppies against a slow and obvious oracle, written from the rules alone.

The oracle knows a dict of laid faces and tries every space, face and turn. Nothing in it comes from the engine.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE, LONGEST

import wellies
from wellies import CHANCE, BadOption, BadPosition, GameState, IllegalMove, Match, Record, Stream

SPEC = wellies.game("guppies")
COLOURS = ["green", "orange", "purple"]
NEIGHBOURS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # E, SE, SW, W, NW, NE
Place = tuple[int, int]


def _tiles() -> dict[int, tuple[str, str]]:
    path = Path(wellies.__file__).parent / "games" / "guppies" / "tiles.json"
    return {tile["tile"]: (tile["a"], tile["b"]) for tile in json.loads(path.read_text(encoding="utf-8"))}


TILES = _tiles()
SQUID = next(number for number, faces in TILES.items() if "SQUID" in faces)


# --- the oracle -------------------------------------------------------------------------------------------------------


def edges(face: str) -> str:
    return "......" if face == "SQUID" else face


def turned(face: str, turn: int) -> str:
    """Turning by t moves edge i to edge (i + t) mod 6."""
    if face == "SQUID":
        return face
    letters = [""] * 6
    for edge in range(6):
        letters[(edge + turn) % 6] = face[edge]
    return "".join(letters)


def matches(one: str, other: str) -> bool:
    """Head to tail of one colour, or water to water."""
    return one + other in {"..", "Gg", "gG", "Oo", "oO", "Pp", "pP"}


def on_one_table(place: Place) -> bool:
    q, r = place
    return -7 <= r <= 7 and -8 <= q + r // 2 <= 8


def beside(place: Place) -> list[Place]:
    return [(place[0] + dq, place[1] + dr) for dq, dr in NEIGHBOURS]


def agree(face: str, met: list[tuple[int, str]]) -> bool:
    """Whether every touching edge of a face matches the letter that it meets."""
    return all(matches(edges(face)[edge], letter) for edge, letter in met)


class Oracle:
    """A game of Guppies. The bag: how many tiles, which are surely in it, and which others may be."""

    def __init__(self, seats: int, *, table: str = "endless", tiles: int = 128) -> None:
        self.seats = seats
        self.colours = [COLOURS[seat % 3] for seat in range(seats)]
        self.table = table
        self.laid: dict[Place, str] = {}
        self.scores = [0] * seats
        self.to_move = 0
        self.tile: tuple[str, str] | None = None
        self.number = 0
        self.count = tiles
        self.sure = set(TILES) if tiles == 128 else {SQUID}
        self.maybe = set(TILES) - self.sure
        self.redraws = 0

    def copy(self) -> Oracle:
        other = Oracle.__new__(Oracle)
        other.__dict__.update(self.__dict__)
        other.laid, other.scores = dict(self.laid), list(self.scores)
        other.sure, other.maybe = set(self.sure), set(self.maybe)
        return other

    def touching(self, place: Place) -> list[tuple[int, str]]:
        """The edges of this space that touch a laid tile, each with the letter it meets there."""
        return [
            (edge, edges(self.laid[there])[(edge + 3) % 6])
            for edge, there in enumerate(beside(place))
            if there in self.laid
        ]

    def may_take(self, place: Place) -> bool:
        """Whether a space may take any tile at all."""
        if not self.laid:
            return place == (0, 0)
        if place in self.laid or (self.table == "one" and not on_one_table(place)):
            return False
        return any(there in self.laid for there in beside(place))

    def may_lie(self, place: Place, face: str) -> bool:
        """Whether a face, as it lies, may be laid on a space."""
        return self.may_take(place) and agree(face, self.touching(place))

    def open_spaces(self) -> list[Place]:
        if not self.laid:
            return [(0, 0)]
        return sorted({there for place in self.laid for there in beside(place)} - set(self.laid))

    def lays(self, tile: tuple[str, str]) -> list[str]:
        """All ways to lay a tile, as text; of turns that look the same, the smallest."""
        ways = []
        for side, face in zip("ab", tile, strict=True):
            looks = [turned(face, turn) for turn in range(6 if self.laid else 1)]
            ways += [(f"{side}{turn}", look) for turn, look in enumerate(looks) if look not in looks[:turn]]
        found = []
        for place in self.open_spaces():
            if self.may_take(place):
                met = self.touching(place)
                found += [f"{way}@{place[0]},{place[1]}" for way, look in ways if agree(look, met)]
        return found

    def fits(self, tile: tuple[str, str]) -> bool:
        return any(
            self.may_lie(place, turned(face, turn))
            for place in self.open_spaces()
            for face in tile
            for turn in range(6)
        )

    def chances(self) -> dict[int, Fraction]:
        """The chance of each tile to be the next one drawn."""
        hidden = self.count - len(self.sure)
        known = Fraction(1, self.count)
        found = dict.fromkeys(self.sure, known)
        if hidden:
            unknown = Fraction(hidden, self.count * len(self.maybe))
            found.update(dict.fromkeys(self.maybe, unknown))
        return found

    def over(self) -> bool:
        if self.tile is not None:
            return False
        return self.count == 0 or not any(self.fits(TILES[number]) for number in self.chances())

    def draw(self, number: int) -> None:
        if self.fits(TILES[number]):
            self.tile, self.number = TILES[number], number
            self.sure.discard(number)
            self.maybe.discard(number)
            self.count -= 1
        else:  # back in the bag, where all now know it to be; the same player draws again
            self.sure.add(number)
            self.maybe.discard(number)
            self.redraws += 1

    def points(self, place: Place, face: str, colour: str) -> int:
        met = self.touching(place)
        if face == "SQUID":
            return 5 * len(met)
        fish = [face[edge].lower() for edge, letter in met if face[edge] != "."]
        return sum(3 if letter == colour[0] else 1 for letter in fish) * len(met)

    def lay(self, text: str) -> None:
        assert self.tile is not None
        side, rest = text[0], text[1:]
        turn, place_text = rest.split("@")
        q, r = place_text.split(",")
        place = (int(q), int(r))
        face = turned(self.tile["ab".index(side)], int(turn))
        assert self.may_lie(place, face)
        self.scores[self.to_move] += self.points(place, face, self.colours[self.to_move])
        self.laid[place] = face
        self.tile = None
        self.to_move = (self.to_move + 1) % self.seats

    def play(self, text: str) -> None:
        if text.startswith("draw "):
            self.draw(int(text[5:]))
        else:
            self.lay(text)

    def moves(self) -> list[str]:
        if self.over():
            return []
        if self.tile is not None:
            return self.lays(self.tile)
        return [f"draw {number}" for number in sorted(self.chances())]

    def active(self) -> list[int]:
        if self.over():
            return []
        return [CHANCE] if self.tile is None else [self.to_move]

    def position(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "game": "guppies",
            "options": {"table": self.table},
            "to_move": self.to_move,
            "seats": [
                {"colour": colour, "score": score} for colour, score in zip(self.colours, self.scores, strict=True)
            ],
            "laid": [{"at": list(place), "face": face} for place, face in self.laid.items()],
            "bag": sorted(self.sure),
        }
        if self.tile is not None:
            found["tile"] = list(self.tile)
        return found

    @classmethod
    def of(cls, position: dict[str, Any]) -> Oracle:
        """From a position with all its fields and a bag that is "full" or a list."""
        seats = position.get("seats", [{"colour": "green"}, {"colour": "orange"}])
        oracle = cls(len(seats), table=position.get("options", {}).get("table", "endless"))
        oracle.colours = [seat["colour"] for seat in seats]
        oracle.scores = [seat.get("score", 0) for seat in seats]
        oracle.to_move = position.get("to_move", 0)
        oracle.laid = {(item["at"][0], item["at"][1]): item["face"] for item in position.get("laid", [])}
        if "tile" in position:
            oracle.tile = (position["tile"][0], position["tile"][1])
        if position.get("bag", "full") == "full":
            oracle.sure = set(TILES) - used(oracle.laid.values())
        else:
            oracle.sure = set(position["bag"])
        oracle.maybe = set()
        oracle.count = len(oracle.sure)
        return oracle


def used(faces: Any) -> set[int]:
    """The numbers of the set whose face lies on the table."""
    looks = {turned(face, turn) for face in faces for turn in range(6)}
    return {number for number, pair in TILES.items() if looks & set(pair)}


# --- comparing --------------------------------------------------------------------------------------------------------


def texts(state: GameState) -> list[str]:
    return sorted(SPEC.move_text(state, seat, move) for seat in state.active() for move in state.legal(seat))


def apply(state: GameState, text: str) -> None:
    seat = state.active()[0]
    state.apply(seat, SPEC.parse_move(state, seat, text))


def compare(state: GameState, oracle: Oracle) -> list[str]:
    """All that can be asked of both; returns the moves."""
    moves = oracle.moves()
    assert state.active() == oracle.active()
    assert texts(state) == sorted(moves)
    assert state.scores() == oracle.scores
    position = state.position()
    assert {tuple(item["at"]): item["face"] for item in position["laid"]} == oracle.laid
    assert position.get("tile") == (None if oracle.tile is None else list(oracle.tile))
    if oracle.active() == [CHANCE]:
        weights = {move: state.weight(move) for move in state.legal(CHANCE)}
        total = sum(weights.values())
        assert {SPEC.move_text(state, CHANCE, move): Fraction(weight, total) for move, weight in weights.items()} == {
            f"draw {number}": chance for number, chance in oracle.chances().items()
        }
    for seat in range(oracle.seats):
        assert sum(line.points for line in state.score_lines(seat)) == oracle.scores[seat]
    outcome = state.outcome()
    assert (outcome is not None) == oracle.over()
    if outcome is not None:
        best = max(oracle.scores)
        assert outcome.scores == oracle.scores
        assert outcome.winners == [seat for seat, score in enumerate(oracle.scores) if score == best]
        assert outcome.reason
    return moves


def play_out(state: GameState, oracle: Oracle, rng: Stream, *, compact: bool = False) -> None:
    """Play both to the end, comparing after every move. Compact play prefers spaces with many neighbours."""
    for _ in range(LONGEST):
        moves = compare(state, oracle)
        if not moves:
            return
        if oracle.tile is None:
            text = SPEC.move_text(state, CHANCE, state.chance(rng))
        else:
            if compact:
                most = {text: len(oracle.touching(_place(text))) for text in moves}
                moves = [text for text in moves if most[text] == max(most.values())]
            text = moves[rng.randrange(len(moves))]
        apply(state, text)
        oracle.play(text)
    raise AssertionError("the game does not end")


def _place(text: str) -> Place:
    q, r = text.split("@")[1].split(",")
    return int(q), int(r)


GAMES = [(seats, table, tiles) for seats in range(2, 7) for table in ("endless", "one") for tiles in (128, 64)]


@pytest.mark.parametrize(("seats", "table", "tiles"), GAMES)
def test_random_games_agree_with_the_oracle(seats: int, table: str, tiles: int) -> None:
    state = SPEC.start(seats, {"table": table, "tiles": tiles})
    oracle = Oracle(seats, table=table, tiles=tiles)
    play_out(state, oracle, Stream(f"oracle {seats} {table} {tiles}"), compact=seats % 2 == 0)
    assert len(oracle.laid) + oracle.count == tiles
    if oracle.count == 0:
        assert len(oracle.laid) == tiles
        assert SQUID in used(oracle.laid.values())
    if table == "one":
        assert all(on_one_table(place) for place in oracle.laid)


def _one_letter_patch(rng: Stream) -> dict[Place, str]:
    """A few connected tiles from outside the set, whose outer edges show few letters: many tiles fit nowhere."""
    places: list[Place] = [(0, 0)]
    while len(places) < 1 + rng.randrange(5):
        near = beside(places[rng.randrange(len(places))])
        there = near[rng.randrange(6)]
        if there not in places:
            places.append(there)
    outer = ["G", "P", "o", "gO", "."][rng.randrange(5)]
    laid: dict[Place, str] = {}
    for place in places:
        face = ""
        for edge, there in enumerate(beside(place)):
            if there in laid:
                meets = edges(laid[there])[(edge + 3) % 6]
                face += "." if meets == "." else meets.swapcase()
            elif there in places:
                face += "GOPgop"[rng.randrange(6)]
            else:
                face += outer[rng.randrange(len(outer))]
        laid[place] = face
    return laid


def test_small_worlds_where_many_tiles_fit_nowhere() -> None:
    rng = Stream("small worlds")
    redraws = stuck = 0
    for number in range(60):
        oracle = Oracle(2 + number % 5)
        oracle.laid = _one_letter_patch(rng)
        if used(oracle.laid.values()):
            continue
        oracle.sure = {1 + rng.randrange(128) for _ in range(1 + rng.randrange(6))}
        oracle.maybe = set()
        oracle.count = len(oracle.sure)
        oracle.to_move = rng.randrange(oracle.seats)
        play_out(SPEC.from_position(oracle.position()), oracle, rng)
        redraws += oracle.redraws
        stuck += oracle.count > 0
    assert redraws > 20
    assert stuck > 3


def test_a_position_written_by_hand_is_the_same_moment() -> None:
    oracle = Oracle(3)
    rng = Stream("by hand")
    for number in range(60):
        moves = oracle.moves()
        oracle.play(moves[rng.randrange(len(moves))])
        if number % 4 < 2:
            compare(SPEC.from_position(oracle.position()), oracle)


def test_every_space_face_and_turn_is_refused_unless_the_oracle_allows_it() -> None:
    rng = Stream("everything")
    oracle = Oracle(2, table="one")
    for number in range(30):
        moves = oracle.moves()
        oracle.play(moves[rng.randrange(len(moves))])
        if oracle.tile is None or number < 20:
            continue
        state = SPEC.from_position(oracle.position())
        spaces = {there for place in oracle.laid for near in beside(place) for there in beside(near)}
        for place in sorted(spaces | set(oracle.laid)):
            for side, face in zip("ab", oracle.tile, strict=True):
                for turn in range(6):
                    text = f"{side}{turn}@{place[0]},{place[1]}"
                    if oracle.may_lie(place, turned(face, turn)):
                        assert state.refusal(oracle.to_move, SPEC.parse_move(state, oracle.to_move, text)) is None
                    else:
                        with pytest.raises(IllegalMove):
                            SPEC.parse_move(state, oracle.to_move, text)


def test_the_first_tile_goes_to_the_middle_with_either_face() -> None:
    for number in (1, 57, SQUID):
        state = SPEC.start(4)
        apply(state, f"draw {number}")
        assert texts(state) == ["a0@0,0", "b0@0,0"]
        for text in ("a0@0,0", "b0@0,0"):
            after = state.clone()
            apply(after, text)
            assert after.scores() == [0, 0, 0, 0]
            assert after.position()["laid"] == [{"at": [0, 0], "face": TILES[number]["ab".index(text[0])]}]
            assert after.position()["to_move"] == 1


@pytest.mark.parametrize("path", sorted((HERE / "golden" / "guppies").glob("*.wellies")), ids=lambda path: path.stem)
def test_golden_games_agree_with_the_oracle(path: Path) -> None:
    record = Record.parse(path.read_text(encoding="utf-8"))
    oracle = Oracle(record.seats, table=record.options["table"], tiles=record.options["tiles"])
    oracle.colours = record.options["colours"]
    for (seat, text), state in zip(record.moves, record.states(), strict=False):
        assert oracle.active() == [seat] == state.active()
        assert text in oracle.moves()
        oracle.play(text)
    assert oracle.over()
    assert record.result.startswith(" ".join(map(str, oracle.scores)) + "; ")


def _perft_lines() -> list[Any]:
    found = []
    lines = (HERE / "perft" / "guppies.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        line = line.split("#", 1)[0].strip()
        if line:
            found.append(pytest.param(line, id=str(number)))
    return found


@pytest.mark.parametrize("line", _perft_lines())
def test_move_counts_agree_with_the_oracle(line: str) -> None:
    start, *counts = line.split(" ; ")
    asked = json.loads(start)
    if "position" in asked:
        oracle = Oracle.of(asked["position"])
    else:
        options = asked.get("options", {})
        oracle = Oracle(asked["seats"], table=options.get("table", "endless"), tiles=options.get("tiles", 128))
    for count in counts:
        depth, number = map(int, count.split())
        if number < 3000:
            assert sequences(oracle, depth) == number


def sequences(oracle: Oracle, depth: int) -> int:
    moves = oracle.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for text in moves:
        after = oracle.copy()
        after.play(text)
        total += sequences(after, depth - 1)
    return total


# --- the squid --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("around", range(1, 7))
def test_the_squid_scores_five_for_each_edge(around: int) -> None:
    middle = (0, 0)
    laid = [{"at": list(place), "face": "......"} for place in beside(middle)[:around]]
    for colour in COLOURS:
        other = COLOURS[COLOURS.index(colour) - 1]
        state = SPEC.from_position(
            {
                "seats": [{"colour": colour}, {"colour": other}],
                "laid": laid,
                "tile": list(TILES[SQUID]),
                "bag": [1],
            }
        )
        side = "ab"[TILES[SQUID].index("SQUID")]
        apply(state, f"{side}0@0,0")
        assert state.scores() == [5 * around, 0]


def test_points_are_told_by_the_colour_of_the_fish_and_by_the_squid() -> None:
    match = Match("guppies", seats=2, seed=5, options={"tiles": 64})
    bot, rng = wellies.bot("greedy"), Stream(5)
    while match.state.outcome() is None:
        seat = match.state.due()[0]
        match.play_move(seat, bot.choose(match.state, seat, rng))
    letters = {"green": "Gg", "orange": "Oo", "purple": "Pp"}
    laid: dict[Place, str] = {}
    told: dict[str, int] = {}
    for event in (event for entry in match.log for event in entry.events if event.kind == "lay"):
        place, face = (event.data["at"][0], event.data["at"][1]), event.data["face"]
        assert sum(line.points for _, line in event.lines) == event.data["points"]
        for _, line in event.lines:
            told[line.rule] = told.get(line.rule, 0) + line.points
            if line.rule == "squid":
                assert face == "SQUID"
                continue
            colour = line.rule.removesuffix(" fish")
            here = [at for edge, at in enumerate(beside(place)) if at in laid and edges(face)[edge] in letters[colour]]
            assert line.why.startswith(f"{len(here)} {colour} fish")
            # All edges that touch multiply the points, water too: all are places that count.
            assert sorted(map(tuple, line.where)) == sorted([place, *(at for at in beside(place) if at in laid)])
        laid[place] = face
    assert set(told) == {"green fish", "orange fish", "purple fish", "squid"}
    assert sum(told.values()) == sum(match.state.scores())
    assert {line.rule for seat in range(2) for line in match.state.score_lines(seat)} == set(told)


def test_water_alone_scores_nothing_for_an_ordinary_face() -> None:
    state = SPEC.from_position(
        {"laid": [{"at": [1, 0], "face": "......"}, {"at": [0, 1], "face": "......"}], "tile": ["..GgOo", "gggggg"]}
    )
    apply(state, "a0@0,0")
    assert state.scores() == [0, 0]


# --- the single table -------------------------------------------------------------------------------------------------


def test_the_single_table_has_17_by_15_spaces() -> None:
    on = [(q, r) for r in range(-12, 13) for q in range(-20, 21) if on_one_table((q, r))]
    assert len(on) == 17 * 15
    # A table full of water but for its rim: the rim is open, what lies beyond is not.
    for hole in [(q, r) for q, r in on if abs(r) == 7 or abs(q + r // 2) == 8]:
        if (hole[0] + hole[1]) % 3:
            continue
        state = SPEC.from_position(_full_table({hole}, bag=[SQUID], tile=["......", "GGGGGG"]))
        assert texts(state) == [f"a0@{hole[0]},{hole[1]}"]


def _full_table(holes: set[Place], **fields: Any) -> dict[str, Any]:
    places = [(q, r) for r in range(-7, 8) for q in range(-20, 21) if on_one_table((q, r)) and (q, r) not in holes]
    return {
        "options": {"table": "one"},
        "laid": [{"at": list(place), "face": "......"} for place in places],
        **fields,
    }


def test_on_a_full_table_only_the_squid_fits_and_then_the_game_ends() -> None:
    position = _full_table({(2, 1)}, bag=[1, 2, SQUID], to_move=1)
    oracle = Oracle.of(position)
    state = SPEC.from_position(position)
    compare(state, oracle)
    for text in ("draw 1", "draw 2", "draw 1", f"draw {SQUID}"):
        apply(state, text)
        oracle.play(text)
        compare(state, oracle)
    squid = texts(state)
    assert len(squid) == 1
    apply(state, squid[0])
    assert state.scores() == [0, 30]
    assert state.active() == []
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [1]
    assert state.position()["bag"] == [1, 2]


# --- the end ----------------------------------------------------------------------------------------------------------

PURPLE_HEADS = [{"at": [0, 0], "face": "PPPPPP"}]
NO_PURPLE_TAIL = [number for number, faces in TILES.items() if "p" not in faces[0] + faces[1]]
PURPLE_TAIL = [number for number in TILES if number not in NO_PURPLE_TAIL]


def test_a_tile_that_fits_nowhere_goes_back_and_the_same_player_draws_again() -> None:
    assert len(NO_PURPLE_TAIL) > 1
    misfit, fitting = NO_PURPLE_TAIL[0], PURPLE_TAIL[0]
    state = SPEC.from_position({"laid": PURPLE_HEADS, "bag": [misfit, fitting], "to_move": 1})
    before = state.position()
    heard: list[wellies.Event] = []
    for _ in range(3):
        move = SPEC.parse_move(state, CHANCE, f"draw {misfit}")
        state.apply(CHANCE, move, heard.append)
        assert state.active() == [CHANCE]
        assert state.position() == before
    # A redraw is public: every event about it tells the tile to spectators too.
    assert heard
    assert str(misfit) in json.dumps([event.seen_by(None) for event in heard])
    apply(state, f"draw {fitting}")
    assert state.active() == [1]


def test_when_no_tile_fits_the_game_ends_at_once() -> None:
    state = SPEC.from_position(
        {"laid": PURPLE_HEADS, "bag": NO_PURPLE_TAIL, "seats": [{"score": 4}, {"score": 9}, {"score": 9}]}
    )
    assert state.active() == []
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [1, 2]
    assert outcome.ranks == [3, 1, 1]
    full = SPEC.from_position({"laid": PURPLE_HEADS, "bag": []}).outcome()
    assert full is not None
    assert outcome.reason != full.reason, "the two ends are told apart"


def test_a_drawn_tile_that_fits_nowhere_in_a_position_goes_back_too() -> None:
    misfit, fitting = NO_PURPLE_TAIL[0], PURPLE_TAIL[0]
    state = SPEC.from_position({"laid": PURPLE_HEADS, "tile": list(TILES[misfit]), "bag": [fitting]})
    assert state.active() == [CHANCE]
    assert texts(state) == sorted(f"draw {number}" for number in (misfit, fitting))
    ended = SPEC.from_position({"laid": PURPLE_HEADS, "tile": list(TILES[misfit]), "bag": []})
    assert ended.active() == []
    assert ended.position()["bag"] == [misfit]


def test_the_last_tile_ends_the_game_and_equal_scores_share_the_win() -> None:
    state = SPEC.from_position(
        {
            "seats": [{"colour": "purple", "score": 1}, {"colour": "green", "score": 4}, {"colour": "orange"}],
            "laid": PURPLE_HEADS,
            "tile": ["......", "GGGpGG"],
            "bag": [],
        }
    )
    apply(state, "b0@1,0")
    assert state.scores() == [4, 4, 0]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [0, 1]
    assert state.active() == []


# --- the short game ---------------------------------------------------------------------------------------------------


def test_the_short_game_always_has_the_squid() -> None:
    state = SPEC.start(2, {"tiles": 64})
    weights = {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in state.legal(CHANCE)}
    total = sum(weights.values())
    assert len(weights) == 128
    assert Fraction(weights[f"draw {SQUID}"], total) == Fraction(1, 64)
    assert {Fraction(weights[f"draw {n}"], total) for n in TILES if n != SQUID} == {Fraction(63, 64 * 127)}


def test_short_games_lay_64_tiles_with_the_squid_among_them() -> None:
    for seed in range(4):
        match = Match(SPEC, 2 + seed, {"tiles": 64}, seed=seed)
        rng = Stream(seed)
        while match.state.active():
            moves = match.state.legal(match.state.active()[0])
            match.play_move(match.state.active()[0], moves[rng.randrange(len(moves))])
        faces = [item["face"] for item in match.state.position()["laid"]]
        assert len(faces) == 64
        assert SQUID in used(faces)
        assert len(used(faces)) == 64


def _hole_for(number: int) -> list[dict[str, Any]]:
    """Six tiles from outside the set around 0,0, so that only face a of this tile fits there, unturned, and all else
    around them is filled to the edge of the single table."""
    face = TILES[number][0]
    laid = []
    for edge, place in enumerate(beside((0, 0))):
        letter = face[edge] if face[edge] == "." else face[edge].swapcase()
        other = ["P"] * 6
        other[(edge + 3) % 6] = letter
        laid.append({"at": list(place), "face": "".join(other)})
    return laid


def test_draws_from_an_unknown_bag_have_their_exact_chances() -> None:
    """Six tiles may be in a bag of three; one alone fits. Every bag that could be is counted by brute force."""
    key = 1
    may_be = [key, 20, 40, 60, 80, 100]
    laid = _hole_for(key)
    free = [(q, r) for r in range(-7, 8) for q in range(-20, 21) if on_one_table((q, r))]
    taken = {(0, 0), *((item["at"][0], item["at"][1]) for item in laid)}
    free = [place for place in free if place not in taken]
    others = [TILES[number][0] for number in TILES if number not in may_be]
    faces = [*others, *["PPPPPP"] * (len(free) - len(others))]
    laid += [{"at": list(place), "face": face} for place, face in zip(free, faces, strict=True)]
    state = SPEC.from_position({"options": {"table": "one"}, "laid": laid, "bag": 3, "check": False})
    oracle = Oracle(2, table="one")
    oracle.laid = {(item["at"][0], item["at"][1]): item["face"] for item in laid}
    assert [number for number in may_be if oracle.fits(TILES[number])] == [key]
    seen: set[int] = set()
    for drawn in (20, 40, 20, 100):
        assert state.active() == [CHANCE]
        bags = [bag for bag in combinations(may_be, 3) if seen <= set(bag)]
        exact = {
            number: sum(Fraction(bag.count(number), 3) for bag in bags) / len(bags)
            for number in may_be
            if any(number in bag for bag in bags)
        }
        weights = {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in state.legal(CHANCE)}
        total = sum(weights.values())
        assert {text: Fraction(weight, total) for text, weight in weights.items()} == {
            f"draw {number}": chance for number, chance in exact.items()
        }
        again = SPEC.from_position({**state.position(), "check": False})
        assert [again.weight(move) for move in again.legal(CHANCE)] == list(weights.values())
        apply(state, f"draw {drawn}")
        seen.add(drawn)
    # Three tiles are now known to be in the bag of three, and none of them fits.
    assert state.active() == []
    assert state.outcome() is not None


# --- colours ----------------------------------------------------------------------------------------------------------


def _colours(state: GameState) -> list[str]:
    return [seat["colour"] for seat in state.position()["seats"]]


@pytest.mark.parametrize("seats", range(2, 7))
def test_colours_come_in_seat_order(seats: int) -> None:
    assert _colours(SPEC.start(seats)) == (COLOURS * 2)[:seats]


@pytest.mark.parametrize(
    "colours",
    [
        ["purple", "green"],
        ["orange", "purple", "green"],
        ["green", "green", "purple", "purple"],
        ["orange", "green", "green", "purple"],
        ["green", "green", "purple", "orange", "purple"],
        ["purple", "purple", "green", "green", "orange", "orange"],
    ],
)
def test_colours_may_be_chosen(colours: list[str]) -> None:
    assert _colours(SPEC.start(len(colours), {"colours": colours})) == colours


@pytest.mark.parametrize(
    ("seats", "colours"),
    [
        (2, ["green", "green"]),
        (3, ["green", "orange", "green"]),
        (4, ["green", "green", "green", "purple"]),
        (5, ["green", "orange", "green", "purple", "green"]),
        (6, ["green", "green", "orange", "orange", "orange", "purple"]),
        (2, ["green"]),
        (2, ["green", "orange", "purple"]),
        (2, ["green", "red"]),
        (2, [1, 2]),
        (2, 3),
        (2, []),
    ],
)
def test_colours_that_the_rules_forbid(seats: int, colours: Any) -> None:
    with pytest.raises(BadOption, match="colours"):
        SPEC.start(seats, {"colours": colours})


def test_two_seats_of_one_colour_are_rivals() -> None:
    laid = [{"at": [0, 0], "face": "GGGGGG"}]
    seats = [{"colour": colour} for colour in ("green", "green", "orange", "orange")]
    state = SPEC.from_position({"seats": seats, "laid": laid, "tile": ["gggggg", "......"]})
    apply(state, "a0@1,0")
    assert state.scores() == [3, 0, 0, 0]


@pytest.mark.parametrize("seats", [0, 1, 7, -1])
def test_two_to_six_seats(seats: int) -> None:
    with pytest.raises(BadOption, match="seats"):
        SPEC.start(seats)


@pytest.mark.parametrize(
    ("name", "value"), [("table", "two"), ("table", 1), ("table", None), ("tiles", 32), ("tiles", "half"), ("tile", 64)]
)
def test_options_that_do_not_exist(name: str, value: Any) -> None:
    with pytest.raises(BadOption, match=name):
        SPEC.start(2, {name: value})


# --- positions --------------------------------------------------------------------------------------------------------

FACE = "GoP..g"
ONE = [{"at": [0, 0], "face": FACE}]


def test_the_position_of_the_design_page() -> None:
    """As printed, but for the second tile, whose west edge (o) must match the first one's east edge (G)."""
    state = SPEC.from_position(
        {
            "game": "guppies",
            "options": {"table": "endless"},
            "to_move": 0,
            "seats": [{"colour": "orange", "score": 12}, {"colour": "green", "score": 3}],
            "laid": [{"at": [0, 0], "face": FACE}, {"at": [1, 0], "face": "..PgGO"}],
            "tile": ["oG.pP.", "SQUID"],
            "bag": "full",
        }
    )
    assert state.active() == [0]
    assert state.scores() == [12, 3]


def test_fields_left_out_are_those_of_a_start() -> None:
    assert SPEC.from_position({}).position() == SPEC.start(2).position()
    assert SPEC.from_position({"seats": [{}] * 5}).position() == SPEC.start(5).position()
    assert SPEC.from_position({"options": {"tiles": 64}}).position() == SPEC.start(2, {"tiles": 64}).position()


def test_a_full_bag_is_all_tiles_not_used_here() -> None:
    assert len(SPEC.from_position({"bag": "full"}).legal(CHANCE)) == 128
    # Outside the set: nothing of the set is used.
    assert len(SPEC.from_position({"laid": ONE, "bag": "full"}).legal(CHANCE)) == 128
    for turn in range(6):
        for side in (0, 1):
            laid = [{"at": [0, 0], "face": turned(TILES[1][side], turn)}]
            state = SPEC.from_position({"laid": laid, "bag": "full"})
            assert texts(state) == sorted(f"draw {number}" for number in TILES if number != 1)
    state = SPEC.from_position({"laid": ONE, "tile": list(TILES[5]), "bag": "full"})
    apply(state, texts(state)[0])
    assert texts(state) == sorted(f"draw {number}" for number in TILES if number != 5)


@pytest.mark.parametrize("turns", [(0, 0), (2, 0), (0, 3), (4, 1)])
@pytest.mark.parametrize("flipped", [False, True])
def test_a_drawn_tile_of_the_set_is_used_however_it_is_written(turns: tuple[int, int], flipped: bool) -> None:
    """A tile turned or flipped in the hand is the same tile."""
    tile = [turned(face, turn) for face, turn in zip(TILES[5], turns, strict=True)]
    state = SPEC.from_position({"laid": ONE, "tile": tile[::-1] if flipped else tile, "bag": "full"})
    apply(state, texts(state)[0])
    assert texts(state) == sorted(f"draw {number}" for number in TILES if number != 5)


def test_a_bag_as_a_list_or_a_count() -> None:
    listed = SPEC.from_position({"laid": ONE, "bag": [7, 3, 128]})
    assert texts(listed) == ["draw 128", "draw 3", "draw 7"]
    assert len({listed.weight(move) for move in listed.legal(CHANCE)}) == 1
    counted = SPEC.from_position({"laid": ONE, "bag": 2})
    assert len(counted.legal(CHANCE)) == 128
    assert len({counted.weight(move) for move in counted.legal(CHANCE)}) == 1
    laid = len(counted.position()["laid"])
    rng = Stream("count")
    while counted.active():
        seat = counted.active()[0]
        moves = counted.legal(seat)
        counted.apply(seat, counted.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])
    assert len(counted.position()["laid"]) == laid + 2


@pytest.mark.parametrize(
    "tile", [["GGGGGG", "gggggg"], ["SQUID", "......"], ["GoPGoP", "gOpgOp"], ["......", "G.G.G."]]
)
def test_tiles_that_no_box_contains(tile: list[str]) -> None:
    laid = [{"at": [0, 0], "face": "GoP..g"}, {"at": [1, 0], "face": "GGGg.."}]
    position = {"laid": laid, "tile": tile, "bag": [1, 2, 3]}
    oracle = Oracle.of(position)
    state = SPEC.from_position(position)
    play_out(state, oracle, Stream("outside"))


@pytest.mark.parametrize("text", ["a", "b"])
def test_a_tile_that_shares_a_face_with_the_set_is_not_of_the_set(text: str) -> None:
    """The example of the design page has such a tile: with a squid, but not the one of the set. The round trip is
    exact after it is laid as before."""
    state = SPEC.from_position({"laid": [{"at": [0, 0], "face": "G....."}], "tile": ["g.....", "SQUID"], "bag": "full"})
    apply(state, next(move for move in texts(state) if move[0] == text))
    again = SPEC.from_position(json.loads(json.dumps(state.position())))
    assert again.position() == state.position()
    assert texts(again) == texts(state)


def test_the_edge_of_the_known_world_is_no_trap() -> None:
    """Wherever a tile may be laid in a position, every legal move can be written and read, and made."""
    for place in [(250, 0), (0, -250), (-250, 250), (127, 0)]:
        try:
            state = SPEC.from_position({"laid": [{"at": list(place), "face": "......"}], "tile": ["......", "GGGGGG"]})
        except BadPosition:
            continue
        for text in texts(state):
            after = state.clone()
            apply(after, text)
            assert SPEC.from_position(after.position()).position() == after.position()


BAD: list[tuple[str, Any]] = [
    ("game", {"game": "umbradeco"}),
    ("gane", {"gane": "guppies"}),
    ("to_move", {"to_move": 2}),
    ("to_move", {"to_move": -1}),
    ("to_move", {"to_move": "0"}),
    ("to_move", {"to_move": True}),
    ("to_move", {"to_move": None}),
    ("seats", {"seats": 3}),
    ("seats", {"seats": [{}]}),
    ("seats", {"seats": [{}] * 7}),
    (r"seats\[1\]", {"seats": [{}, "green"]}),
    (r"seats\[0\].colour", {"seats": [{"colour": "red"}, {"colour": "green"}]}),
    (r"seats\[0\].colour", {"seats": [{"colour": 1}, {"colour": "green"}]}),
    ("colour", {"seats": [{"colour": "green"}, {"colour": "green"}]}),
    ("colour", {"seats": [{"colour": "green"}] * 3 + [{"colour": "orange"}]}),
    (r"seats\[1\].score", {"seats": [{}, {"score": -1}]}),
    (r"seats\[1\].score", {"seats": [{}, {"score": 1.5}]}),
    (r"seats\[1\].score", {"seats": [{}, {"score": "1"}]}),
    (r"seats\[0\].points", {"seats": [{"points": 1}, {}]}),
    ("options", {"options": 3}),
    ("table", {"options": {"table": "two"}}),
    ("tiles", {"options": {"tiles": 65}}),
    ("tabel", {"options": {"tabel": "one"}}),
    ("laid", {"laid": {}}),
    (r"laid\[0\]", {"laid": ["GoP..g"]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0]}]}),
    (r"laid\[0\].at", {"laid": [{"face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": [0], "face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": [0, 0, 0], "face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": "0,0", "face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": [0, "0"], "face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": [0, 0.5], "face": FACE}]}),
    (r"laid\[0\].at", {"laid": [{"at": [10**9, 0], "face": FACE}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": "GoP.."}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": "GoP..gg"}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": "GoP..x"}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": "squid"}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": 5}]}),
    (r"laid\[0\].face", {"laid": [{"at": [0, 0], "face": None}]}),
    (r"laid\[0\].turn", {"laid": [{"at": [0, 0], "face": FACE, "turn": 1}]}),
    (r"laid\[1\]", {"laid": ONE + ONE}),
    ("laid.*3,0", {"laid": [*ONE, {"at": [3, 0], "face": FACE}]}),
    (r"laid\[1\].*W edge", {"laid": [*ONE, {"at": [1, 0], "face": "...G.."}]}),
    (r"laid\[1\].*W edge", {"laid": [*ONE, {"at": [1, 0], "face": "...o.."}]}),
    (r"laid\[1\].*W edge", {"laid": [*ONE, {"at": [1, 0], "face": "......"}]}),
    (r"laid\[1\].*W edge", {"laid": [*ONE, {"at": [1, 0], "face": "SQUID"}]}),
    (r"laid\[1\].*NW edge", {"laid": [*ONE, {"at": [0, 1], "face": "....o."}]}),
    (r"laid\[1\].*E edge", {"laid": [*ONE, {"at": [-1, 0], "face": "g....."}]}),
    (r"laid\[1\]", {"laid": [{"at": [0, 0], "face": "SQUID"}, {"at": [1, 0], "face": "SQUID"}]}),
    (
        r"laid\[1\]",
        {"laid": [{"at": [0, 0], "face": "...gpG"}, {"at": [-1, 1], "face": turned("...gpG", 3)}]},
    ),
    (r"laid\[0\].at", {"options": {"table": "one"}, "laid": [{"at": [9, 0], "face": FACE}]}),
    (r"laid\[0\].at", {"options": {"table": "one"}, "laid": [{"at": [-9, 0], "face": FACE}]}),
    (r"laid\[0\].at", {"options": {"table": "one"}, "laid": [{"at": [0, 8], "face": FACE}]}),
    (r"laid\[0\].at", {"options": {"table": "one"}, "laid": [{"at": [8, 2], "face": FACE}]}),
    (r"laid\[0\].at", {"options": {"table": "one"}, "laid": [{"at": [-8, -1], "face": FACE}]}),
    ("tile", {"tile": ["GoP..g"]}),
    ("tile", {"tile": [FACE, FACE, FACE]}),
    ("tile", {"tile": "GoP..g"}),
    ("tile", {"tile": 57}),
    (r"tile\[1\]", {"tile": ["GoP..g", "x"]}),
    (r"tile\[0\]", {"tile": [None, "GoP..g"]}),
    ("tile", {"tile": list(TILES[7]), "laid": [{"at": [0, 0], "face": TILES[7][0]}]}),
    ("bag", {"bag": "half"}),
    ("bag", {"bag": -1}),
    ("bag", {"bag": 129}),
    ("bag", {"bag": 1.5}),
    ("bag", {"bag": True}),
    ("bag", {"bag": None}),
    ("bag.*1", {"bag": [1, 1]}),
    (r"bag\[1\]", {"bag": [5, 0]}),
    (r"bag\[0\]", {"bag": [129]}),
    (r"bag\[0\]", {"bag": ["1"]}),
    ("bag.*1", {"bag": [1, 2], "laid": [{"at": [0, 0], "face": TILES[1][1]}]}),
    ("bag.*1", {"bag": [1, 2], "laid": [{"at": [0, 0], "face": turned(TILES[1][0], 4)}]}),
    ("bag.*2", {"bag": [1, 2], "tile": list(TILES[2])}),
    ("bag", {"bag": 128, "laid": [{"at": [0, 0], "face": TILES[1][0]}]}),
    ("check", {"check": 1}),
    ("check", {"check": "no"}),
]


@pytest.mark.parametrize(("named", "position"), BAD, ids=[f"{number}" for number in range(len(BAD))])
def test_bad_positions_name_the_field(named: str, position: dict[str, Any]) -> None:
    with pytest.raises(BadPosition, match=named):
        SPEC.from_position(position)


@pytest.mark.parametrize("position", [None, [], "guppies", 3])
def test_a_position_is_an_object(position: Any) -> None:
    with pytest.raises(BadPosition):
        SPEC.from_position(position)


UNCHECKED: dict[str, dict[str, Any]] = {
    "an edge that does not match": {"laid": [*ONE, {"at": [1, 0], "face": "......"}]},
    "a tile apart": {"laid": [*ONE, {"at": [5, 0], "face": FACE}]},
    "two squids": {"laid": [{"at": [0, 0], "face": "SQUID"}, {"at": [1, 0], "face": "SQUID"}]},
    "one tile laid twice": {"laid": [{"at": [0, 0], "face": "...gpG"}, {"at": [3, 0], "face": "...gpG"}]},
    "off the table": {"options": {"table": "one"}, "laid": [{"at": [9, 0], "face": FACE}]},
    "a laid tile in the bag": {"bag": [1, 2], "laid": [{"at": [0, 0], "face": TILES[1][0]}]},
    "two of a colour at two seats": {"seats": [{"colour": "green"}, {"colour": "green"}]},
    "three of a colour": {"seats": [{"colour": "green"}] * 4},
}


@pytest.mark.parametrize("name", list(UNCHECKED))
def test_check_false_lets_the_inconsistent_pass(name: str) -> None:
    position = UNCHECKED[name]
    with pytest.raises(BadPosition):
        SPEC.from_position(position)
    state = SPEC.from_position({**position, "check": False})
    for item in position.get("laid", []):
        assert item in state.position()["laid"]
    assert state.active() == [CHANCE]
    again = SPEC.from_position({**state.position(), "check": False})
    assert again.position() == state.position()


def test_check_false_does_not_excuse_what_cannot_be_read() -> None:
    for position in ({"bag": "half"}, {"laid": [{"at": [0, 0], "face": "x"}]}, {"to_move": 9}, {"gane": 1}):
        with pytest.raises(BadPosition):
            SPEC.from_position({**position, "check": False})


def test_a_mismatch_on_the_table_does_not_change_what_may_be_laid_beside_it() -> None:
    position = {"laid": [*ONE, {"at": [1, 0], "face": "......"}], "tile": ["oG.pP.", "gggggg"], "bag": [3, 4]}
    state = SPEC.from_position({**position, "check": False})
    play_out(state, Oracle.of(position), Stream("mismatch"))
