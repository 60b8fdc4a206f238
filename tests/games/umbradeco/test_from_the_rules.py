"""Umbradeco against the rules page alone: a slow and obvious twin of the game, written without a look at the engine's.

The twin keeps plain dicts and lists and looks at every space anew for every question. After every move of random games
the engine must agree with it on the legal moves, on chance, on every point and its reason, on who is to move, on what
each viewer may know and on the end. Below that: positions from outside, and situations made by hand with hidden tiles.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

import wellies
from wellies import CHANCE, BadPosition, Event, GameState, IllegalMove, Match, MoveError, NotYourTurn, Stream

SPEC = wellies.game("umbradeco")
COLOURS = ["red", "yellow", "green", "blue", "violet"]
EACH = 8
DIRECTIONS = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
LINES = [("N", "S"), ("NE", "SW"), ("SE", "NW")]
SIDES = {"small": 3, "standard": 4, "large": 5}
SPACES = {"small": 19, "standard": 37, "large": 61}

Place = tuple[int, int]


class Twin:
    """The game as the rules page tells it."""

    def __init__(self, seats: int, mat: str = "standard", rows: str = "open") -> None:
        self.seats = seats
        self.rows = rows
        reach = SIDES[mat] - 1
        span = range(-reach, reach + 1)
        self.spaces: list[Place] = [(q, r) for q in span for r in span if -reach <= q + r <= reach]
        self.mat: dict[Place, list[str]] = {}
        self.deck = Counter(dict.fromkeys(COLOURS, EACH))
        self.out: list[str] = []
        self.discarded: list[str] = []
        self.market: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.known: list[list[str]] = [[] for _ in range(seats)]
        """The tiles of each hand that everyone has seen, because they came from the market."""
        self.fits_not: list[set[str]] = [set() for _ in range(seats)]
        """The colours that a hidden tile kept at a discard cannot have."""
        self.points: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.last: Counter[str] = Counter()
        self.phase = "setup"
        self.turn = 0

    # --- looking at the mat

    def around(self, place: Place) -> list[Place]:
        q, r = place
        return [(q + dq, r + dr) for dq, dr in DIRECTIONS.values() if (q + dq, r + dr) in self.spaces]

    def top(self, place: Place) -> str | None:
        tiles = self.mat.get(place)
        return tiles[-1] if tiles else None

    def clashes(self, place: Place) -> bool:
        """Whether the tile on top here touches its own colour."""
        return any(self.top(near) == self.top(place) for near in self.around(place))

    # --- what may be done

    def placements(self, colour: str) -> list[str]:
        found = []
        for place in self.spaces:
            at = f"{place[0]},{place[1]}"
            tiles = self.mat.get(place, [])
            if not tiles:
                # "adjacent, on an empty space touching a tile"
                if any(near in self.mat for near in self.around(place)) and self._try([(place, [colour])], place):
                    found.append(f"{colour}@{at}")
                continue
            if len(tiles) > 1:
                continue  # "never a stack"; "at most two high"
            # "push over: move one single tile to an empty space touching it, and put mine where it was"
            for name, (dq, dr) in DIRECTIONS.items():
                to = (place[0] + dq, place[1] + dr)
                if to not in self.spaces or to in self.mat:
                    continue
                if self._try([(to, list(tiles)), (place, [colour])], place, to):
                    found.append(f"{colour}>{at}:{name}")
            # "stack up: on a single tile of another colour all of whose neighbouring spaces on the mat are occupied"
            if (
                tiles[0] != colour
                and all(near in self.mat for near in self.around(place))
                and self._try([(place, [tiles[0], colour])], place)
            ):
                found.append(f"{colour}^{at}")
        return found

    def _try(self, changes: list[tuple[Place, list[str]]], *watched: Place) -> bool:
        kept = self.mat
        self.mat = {**kept, **dict(changes)}
        fine = not any(self.clashes(place) for place in watched)
        self.mat = kept
        return fine

    def active(self) -> list[int]:
        if self.phase in ("setup", "refill"):
            return [CHANCE]
        return [] if self.phase == "over" else [self.turn]

    def legal(self) -> list[str]:
        if self.phase == "take":
            return [f"take {colour}" for colour in sorted(set(self.market))]
        if self.phase != "place":
            return []
        hand = sorted(set(self.hands[self.turn]))
        found = [text for colour in hand for text in self.placements(colour)]
        return found or [f"drop {colour}" for colour in hand]

    def chance(self) -> dict[str, int]:
        if self.phase == "refill" or (self.phase == "setup" and self._due() not in ("second", "first")):
            return {f"draw {colour}": self.deck[colour] for colour in COLOURS if self.deck[colour]}
        if self.phase == "setup" and self._due() == "second":
            # One of the same colour goes back and another is drawn: so each of the others is as likely as the next.
            shown = self.top((0, 0))
            return {f"draw {c}": self.deck[c] for c in COLOURS if self.deck[c] and c != shown}
        if self.phase == "setup":
            return {f"first {seat}": 1 for seat in range(self.seats)}
        return {}

    def _due(self) -> str:
        if self.seats > 2 and len(self.out) < 2:
            return "out"
        if len(self.mat) < 2:
            return "second" if self.mat else "start"
        if any(len(hand) < 2 for hand in self.hands):
            return "hand"
        return "market" if len(self.market) < 2 else "first"

    # --- doing it

    def do(self, text: str) -> None:
        self.last = Counter()
        if text.startswith("first "):
            self.turn = int(text[6:])
            self.phase = "place"
        elif text.startswith("draw "):
            self._draw(text[5:])
        elif text.startswith("take "):
            self.market.remove(text[5:])
            self.hands[self.turn].append(text[5:])
            self.known[self.turn].append(text[5:])
            self._refill()
        elif text.startswith("drop "):
            colour = text[5:]
            fitting = {other for other in COLOURS if self.placements(other)}
            self._leave_hand(colour)
            self.discarded.append(colour)
            if len(self.hands[self.turn]) > len(self.known[self.turn]):
                self.fits_not[self.turn] |= fitting
            self._placed()
        else:
            self._place(text)

    def _draw(self, colour: str) -> None:
        self.deck[colour] -= 1
        due = "market" if self.phase == "refill" else self._due()
        if due == "out":
            self.out.append(colour)
        elif due in ("start", "second"):
            self.mat[(0, 0) if due == "start" else (0, 1)] = [colour]
        elif due == "hand":
            next(hand for hand in self.hands if len(hand) < 2).append(colour)
        else:
            self.market.append(colour)
        if self.phase == "refill":
            self._refill()

    def _leave_hand(self, colour: str) -> None:
        self.hands[self.turn].remove(colour)
        if colour in self.known[self.turn]:
            self.known[self.turn].remove(colour)
        if len(self.hands[self.turn]) == len(self.known[self.turn]):
            self.fits_not[self.turn] = set()

    def _place(self, text: str) -> None:
        for sign in "@>^":
            if sign in text:
                colour, rest = text.split(sign)
                break
        at, _, way = rest.partition(":")
        place = (int(at.split(",")[0]), int(at.split(",")[1]))
        if sign == "@":
            self.mat[place] = [colour]
        elif sign == ">":
            dq, dr = DIRECTIONS[way]
            self.mat[(place[0] + dq, place[1] + dr)] = self.mat[place]
            self.mat[place] = [colour]
            self.last["push"] = 1
        else:
            self.mat[place] = [*self.mat[place], colour]
            self.last["stack"] = 5
        self._leave_hand(colour)
        row = len(self.in_line(place))
        if row:
            self.last["row"] = row
        if len({self.top(near) for near in self.around(place)} - {None}) >= 4:
            self.last["four colours"] = 3
        self.points[self.turn] += self.last
        self._placed()

    def in_line(self, place: Place) -> list[Place]:
        found = []
        for ways in LINES:
            for way in ways:
                dq, dr = DIRECTIONS[way]
                q, r = place[0] + dq, place[1] + dr
                while (q, r) in self.spaces:
                    if (q, r) not in self.mat and self.rows == "unbroken":
                        break
                    if self.top((q, r)) == self.top(place):
                        found.append((q, r))
                    q, r = q + dq, r + dr
        return found

    def _placed(self) -> None:
        if self.market:
            self.phase = "take"
        else:
            self._next()

    def _refill(self) -> None:
        if len(self.market) < 2 and self.deck.total():
            self.phase = "refill"
        else:
            self._next()

    def _next(self) -> None:
        if not any(self.hands):
            self.phase = "over"
            return
        self.phase = "place"
        self.turn = (self.turn + 1) % self.seats
        while not self.hands[self.turn]:
            self.turn = (self.turn + 1) % self.seats

    def scores(self) -> list[int]:
        return [points.total() for points in self.points]


# --- the engine beside its twin


def texts(state: GameState, seat: int) -> list[str]:
    return [SPEC.move_text(state, seat, move) for move in state.legal(seat)]


def play(state: GameState, seat: int, text: str) -> list[Event]:
    heard: list[Event] = []
    state.apply(seat, SPEC.parse_move(state, seat, text), heard.append)
    return heard


def agree(state: GameState, twin: Twin) -> None:
    assert state.active() == twin.active()
    assert state.due() == twin.active()
    for seat in range(twin.seats):
        due = sorted(twin.legal()) if seat in twin.active() else []
        assert sorted(texts(state, seat)) == due
    told = {SPEC.move_text(state, CHANCE, move): state.weight(move) for move in state.legal(CHANCE)}
    assert told == twin.chance()
    assert state.scores() == twin.scores()
    for seat in range(twin.seats):
        reasons: Counter[str] = Counter()
        for line in state.score_lines(seat):
            reasons[line.rule] += line.points
        assert reasons == twin.points[seat]
    outcome = state.outcome()
    assert (outcome is not None) == (twin.phase == "over")
    if outcome is not None:
        best = max(twin.scores())
        assert outcome.scores == twin.scores()
        assert outcome.winners == [seat for seat in range(twin.seats) if twin.scores()[seat] == best]
        assert outcome.ranks == [1 + sum(1 for other in twin.scores() if other > mine) for mine in twin.scores()]
    agree_on_the_table(state.position(), twin, list(range(twin.seats)), everything=True)
    for viewer in [None, *range(twin.seats)]:
        view = state.view(viewer)
        mine = [] if viewer is None else [viewer]
        agree_on_the_table(view["position"], twin, mine, everything=False)
        assert view["extra"]["unseen"] == unseen(twin, mine)


def agree_on_the_table(position: dict[str, Any], twin: Twin, open_hands: list[int], *, everything: bool) -> None:
    assert {(q, r): entry["tiles"] for entry in position["mat"] for q, r in [entry["at"]]} == twin.mat
    assert sorted(position["market"]) == sorted(twin.market)
    assert sorted(position.get("discarded", [])) == sorted(twin.discarded)
    assert position["deck"] == twin.deck.total()
    out = sorted(position.get("out", []))
    assert out == (sorted(twin.out) if everything else ["?"] * len(twin.out))
    for seat, hand in enumerate(position["hands"]):
        known = twin.known[seat]
        hidden = list((Counter(twin.hands[seat]) - Counter(known)).elements())
        assert position["shown"][seat] == len(known)
        assert sorted(hand[: len(known)]) == sorted(known)
        assert sorted(hand[len(known) :]) == (sorted(hidden) if seat in open_hands else ["?"] * len(hidden))
    nothing: list[list[str]] = [[] for _ in range(twin.seats)]
    assert [set(colours) for colours in position.get("excluded", nothing)] == twin.fits_not


def unseen(twin: Twin, open_hands: list[int]) -> dict[str, int]:
    seen = Counter(tile for tiles in twin.mat.values() for tile in tiles)
    seen += Counter(twin.market) + Counter(twin.discarded)
    for seat in range(twin.seats):
        seen += Counter(twin.hands[seat] if seat in open_hands else twin.known[seat])
    return {colour: EACH - seen[colour] for colour in COLOURS}


def conserved(position: dict[str, Any]) -> None:
    """Nothing has been lost or made, and the deck has what is nowhere else."""
    named = Counter(tile for entry in position["mat"] for tile in entry["tiles"])
    for hand in [*position["hands"], position["market"], position.get("out", []), position.get("discarded", [])]:
        named += Counter(hand)
    assert set(named) <= set(COLOURS)
    assert all(named[colour] <= EACH for colour in COLOURS)
    assert named.total() + position["deck"] == 40


def pick(choices: list[str], rng: Stream) -> str:
    """One of the moves, each kind of move being as likely as the others, so that the rare ones come up."""
    kinds: dict[str, list[str]] = {}
    for text in choices:
        kinds.setdefault(next((sign for sign in "@>^" if sign in text), text.split()[0]), []).append(text)
    names = sorted(kinds)
    kind = kinds[names[rng.randrange(len(names))]]
    return kind[rng.randrange(len(kind))]


def roll(weights: dict[str, int], rng: Stream) -> str:
    mark = rng.randrange(sum(weights.values()))
    for text, weight in weights.items():
        mark -= weight
        if mark < 0:
            return text
    raise AssertionError


def hears_only_what_it_may(event: Event, text: str, seat: int, twin: Twin, due: str) -> None:
    """A hidden draw names no colour to those who may not see it, and what is not hidden is told to all."""
    for viewer in [None, *range(twin.seats)]:
        told = json.dumps(event.seen_by(viewer))
        hidden = due == "out" or (due == "hand" and viewer != event.seat)
        if seat == CHANCE and hidden:
            assert not any(colour in told.lower() for colour in COLOURS)
        elif not text.startswith("first ") and event.kind != "end":
            colour = next(colour for colour in COLOURS if colour in text)
            assert colour in told.lower()


def keep_hidden(twin: Twin, rng: Stream) -> str:
    """A move that, more often than not, plays a tile that all know of: so hidden tiles stay in hands for long."""
    choices = twin.legal()
    known = [text for text in choices if any(colour in text for colour in twin.known[twin.turn])]
    return pick(known if known and rng.randrange(4) else choices, rng)


def play_beside(state: GameState, twin: Twin, rng: Stream) -> Counter[str]:
    """Play to the end at random, comparing after every move. Returns what there was to see."""
    seen: Counter[str] = Counter()
    agree(state, twin)
    while twin.active():
        seat = twin.active()[0]
        text = roll(twin.chance(), rng) if seat == CHANCE else keep_hidden(twin, rng)
        due = twin._due() if twin.phase == "setup" else twin.phase
        before = twin.scores()
        heard = play(state, seat, text)
        twin.do(text)
        agree(state, twin)
        conserved(state.position())
        told = Counter[str]()
        for event in heard:
            hears_only_what_it_may(event, text, seat, twin, due)
            for scorer, line in event.lines:
                assert scorer == seat
                assert line.points > 0
                told[line.rule] += line.points
        assert told == twin.last
        assert twin.last.total() == sum(twin.scores()) - sum(before)
        if rng.randrange(6) == 0:
            for viewer in range(twin.seats):
                honours(state.resample(viewer, rng), twin, viewer)
        seen[next((sign for sign in "@>^" if sign in text), text.split()[0])] += 1
        seen["proof"] += any(twin.fits_not)
        seen.update(list(twin.last))
    return seen


CASES = [(seats, mat, rows) for seats in (2, 3, 4) for mat in SIDES for rows in ("open", "unbroken")]


@pytest.mark.parametrize(("seats", "mat", "rows"), CASES)
def test_random_games_go_as_the_rules_say(seats: int, mat: str, rows: str) -> None:
    state, twin = SPEC.start(seats, {"mat": mat, "rows": rows}), Twin(seats, mat, rows)
    assert len(twin.spaces) == SPACES[mat]
    seen = play_beside(state, twin, Stream(f"from the rules {seats} {mat} {rows}"))
    assert twin.deck.total() == 0
    assert not twin.market
    # Everything leaves the deck: all that was dealt is placed or discarded in the end.
    placed = sum(len(tiles) for tiles in twin.mat.values())
    assert placed + len(twin.discarded) + len(twin.out) == 40
    for kind in ("@", ">", "take", "draw", "first", "row", "push", *([] if mat == "small" else ["four colours"])):
        assert seen[kind], kind


def crowded(seats: int, rows: str, rng: Stream) -> tuple[GameState, Twin]:
    """A small mat that is full, or nearly so, in the middle of a game; hands of any size."""
    twin = Twin(seats, "small", rows)
    names = [COLOURS[(rng.randrange(2) + 2 * step) % 5] for step in range(3)]
    if len(set(names)) < 3:
        names = COLOURS[:3]
    empty = {twin.spaces[rng.randrange(19)] for _ in range(rng.randrange(4))}
    for q, r in twin.spaces:
        if (q, r) not in empty:
            twin.mat[q, r] = [names[(q - r) % 3]]
            twin.deck[names[(q - r) % 3]] -= 1

    def draw() -> str:
        colour = roll({colour: twin.deck[colour] for colour in COLOURS if twin.deck[colour]}, rng)
        twin.deck[colour] -= 1
        return colour

    twin.hands = [[draw() for _ in range(min(2, rng.randrange(4)))] for _ in range(seats)]
    if not twin.hands[0]:
        twin.hands[0] = [draw(), draw()]
    twin.market = [draw(), draw()]
    twin.out = [draw(), draw()] if seats > 2 else []
    twin.phase = "place"
    position = {
        "options": {"mat": "small", "rows": rows},
        "mat": [{"at": [q, r], "tiles": tiles} for (q, r), tiles in twin.mat.items()],
        "hands": twin.hands,
        "market": twin.market,
        "out": twin.out,
        "scores": [0] * seats,
    }
    return SPEC.from_position(position), twin


def test_crowded_mats_go_as_the_rules_say() -> None:
    seen: Counter[str] = Counter()
    for seats in (2, 3, 4):
        for rows in ("open", "unbroken"):
            for number in range(3):
                rng = Stream(f"crowded {seats} {rows} {number}")
                seen += play_beside(*crowded(seats, rows, rng), rng)
    for kind in ("@", ">", "^", "drop", "take", "draw", "row", "push", "stack", "proof"):
        assert seen[kind] > 3, (kind, seen)


def honours(dealt: GameState, twin: Twin, viewer: int) -> None:
    """A resampled state agrees with all that the viewer has seen, and makes up no tile."""
    position = dealt.position()
    conserved(position)
    for seat, hand in enumerate(position["hands"]):
        assert "?" not in hand
        assert len(hand) == len(twin.hands[seat])
        assert sorted(hand[: len(twin.known[seat])]) == sorted(twin.known[seat])
        assert not set(hand[len(twin.known[seat]) :]) & twin.fits_not[seat]
    assert sorted(position["hands"][viewer]) == sorted(twin.hands[viewer])
    assert "?" not in position.get("out", [])
    assert len(position.get("out", [])) == len(twin.out)
    assert sorted(position["market"]) == sorted(twin.market)
    assert sorted(position.get("discarded", [])) == sorted(twin.discarded)
    assert {(q, r): entry["tiles"] for entry in position["mat"] for q, r in [entry["at"]]} == twin.mat
    assert dealt.scores() == twin.scores()


@pytest.mark.parametrize("rows", ["open", "unbroken"])
def test_row_lines_light_up_the_tiles_that_score(rows: str) -> None:
    twin, rng = Twin(2, "standard", rows), Stream("lights")
    state = SPEC.start(2, {"rows": rows})
    lit = 0
    while twin.active():
        seat = twin.active()[0]
        text = roll(twin.chance(), rng) if seat == CHANCE else pick(twin.legal(), rng)
        before = {place: list(tiles) for place, tiles in twin.mat.items()}
        heard = play(state, seat, text)
        twin.do(text)
        if not twin.last["row"]:
            continue
        at = text.replace("@", "|").replace(">", "|").replace("^", "|").split("|")[1].split(":")[0]
        place = (int(at.split(",")[0]), int(at.split(",")[1]))
        assert before != twin.mat
        lines = [line for event in heard for _, line in event.lines if line.rule == "row"]
        places = {tuple(where) for line in lines for where in line.where}
        assert set(twin.in_line(place)) <= places <= {place, *twin.in_line(place)} | set(twin.mat)
        lit += 1
    assert lit > 5


# --- the number of seats and the options


def test_for_two_to_four() -> None:
    assert (SPEC.min_seats, SPEC.max_seats) == (2, 4)
    for seats in (0, 1, 5, -2):
        with pytest.raises(wellies.BadOption):
            SPEC.start(seats)
    assert {option.name: (option.values, option.default) for option in SPEC.options} == {
        "mat": (["small", "standard", "large"], "standard"),
        "rows": (["open", "unbroken"], "open"),
    }
    with pytest.raises(wellies.BadOption, match="mat"):
        SPEC.start(2, {"mat": "huge"})


@pytest.mark.parametrize(("seats", "out", "deck"), [(2, 0, 32), (3, 2, 28), (4, 2, 26)])
def test_set_up_deals_what_the_book_says(seats: int, out: int, deck: int) -> None:
    firsts = set()
    for seed in range(30):
        match = Match(SPEC, seats=seats, seed=seed)
        position = match.state.position()
        assert len(position.get("out", [])) == out
        assert position["deck"] == deck
        assert [len(hand) for hand in position["hands"]] == [2] * seats
        assert len(position["market"]) == 2
        assert sorted(entry["at"] for entry in position["mat"]) == [[0, 0], [0, 1]]
        assert position["mat"][0]["tiles"] != position["mat"][1]["tiles"]
        firsts.add(position["to_move"])
    assert firsts == set(range(seats))


# --- positions from outside


def triples(mat: str = "small", order: str = "green red yellow") -> list[dict[str, Any]]:
    """A full mat in three colours, on which those three fit nowhere and the other two may be stacked anywhere.

    On the small mat there are 7 tiles of the first colour and 6 of each of the others.
    """
    names = order.split()
    return [{"at": [q, r], "tiles": [names[(q - r) % 3]]} for q, r in Twin(2, mat).spaces]


def start(**changes: Any) -> dict[str, Any]:
    position: dict[str, Any] = {
        "game": "umbradeco",
        "to_move": 0,
        "scores": [0, 0],
        "mat": [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue"]}],
        "hands": [["red", "green"], ["yellow", "violet"]],
        "market": ["violet", "yellow"],
    }
    position.update(changes)
    return {name: value for name, value in position.items() if value is not ...}


def full(**changes: Any) -> dict[str, Any]:
    """Nothing but blue and violet fits here."""
    position: dict[str, Any] = {
        "game": "umbradeco",
        "options": {"mat": "small"},
        "to_move": 0,
        "mat": triples(),
        "hands": [["red", "yellow"], ["red", "blue"]],
        "market": ["blue", "violet"],
    }
    position.update(changes)
    return {name: value for name, value in position.items() if value is not ...}


def one(q: int, r: int, *tiles: str) -> dict[str, Any]:
    return {"at": [q, r], "tiles": list(tiles)}


BAD: list[tuple[str, dict[str, Any]]] = [
    ("guppies", {"game": "guppies"}),
    ("colour", {"colour": "red"}),
    ("mat", {"options": {"mat": "huge"}}),
    ("rows", {"options": {"rows": "short"}}),
    ("table", {"options": {"table": "one"}}),
    ("options", {"options": 3}),
    ("phase", {"phase": "nap"}),
    ("phase", {"phase": 1}),
    ("phase", {"phase": "over"}),
    ("to_move", {"to_move": 2}),
    ("to_move", {"to_move": -1}),
    ("to_move", {"to_move": "0"}),
    ("to_move", {"to_move": None}),
    ("to_move", {"to_move": True}),
    ("scores", {"scores": [1]}),
    ("scores", {"scores": [1, 2, 3]}),
    ("scores[0]", {"scores": [-1, 2]}),
    ("scores[1]", {"scores": [1, 2.5]}),
    ("scores", {"scores": 3}),
    ("mat", {"mat": {}}),
    ("mat[0]", {"mat": [3]}),
    ("mat[0].at", {"mat": [one(4, 0, "red")]}),
    ("mat[1].at", {"mat": [one(0, 0, "red"), one(2, 2, "red")]}),
    ("mat[0].at", {"mat": [one(3, 0, "red")], "options": {"mat": "small"}}),
    ("mat[0].at", {"mat": [one(5, 0, "red")], "options": {"mat": "large"}}),
    ("mat[0].at", {"mat": [{"tiles": ["red"]}]}),
    ("mat[0].at", {"mat": [{"at": [0], "tiles": ["red"]}]}),
    ("mat[0].at", {"mat": [{"at": [0, "x"], "tiles": ["red"]}]}),
    ("mat[0].tiles", {"mat": [{"at": [0, 0]}]}),
    ("mat[0].tiles", {"mat": [one(0, 0)]}),
    ("mat[0].tiles", {"mat": [{"at": [0, 0], "tiles": "red"}]}),
    ("mat[0].tiles", {"mat": [one(0, 0, "red", "blue", "red")]}),
    ("mat[0].tiles", {"mat": [one(0, 0, "red", "red")]}),
    ("mat[0].tiles[1]", {"mat": [one(0, 0, "red", "pink")]}),
    ("mat[0].tiles[0]", {"mat": [one(0, 0, "?")]}),
    ("mat[0].height", {"mat": [{"at": [0, 0], "tiles": ["red"], "height": 1}]}),
    ("mat[1].at", {"mat": [one(0, 0, "red"), one(0, 0, "blue")]}),
    ("mat[1]", {"mat": [one(0, 0, "red"), one(1, 0, "red")]}),
    ("mat[1]", {"mat": [one(0, 0, "red"), one(-1, 0, "blue", "red")]}),
    ("hands", {"hands": 5}),
    ("hands[1]", {"hands": [["red"], "red"]}),
    ("hands[1]", {"hands": [["red"], ["red", "blue", "green"]]}),
    ("hands[0][1]", {"hands": [["red", "pink"], ["red"]]}),
    ("hands[0][0]", {"hands": [[None], ["red"]]}),
    ("hands", {"hands": [["red", "blue"]]}),
    ("hands", {"hands": [["red"]] * 5, "scores": [0] * 5}),
    ("shown", {"shown": [1]}),
    ("shown[1]", {"shown": [0, 3]}),
    ("shown[0]", {"shown": [-1, 0]}),
    ("shown[1]", {"shown": [0, 1], "hands": [["red", "green"], ["?", "red"]]}),
    ("shown", {"shown": "all"}),
    ("excluded", {"excluded": [["red"]]}),
    ("excluded[1][0]", {"excluded": [[], ["pink"]], "hands": [["red"], ["red", "?"]]}),
    ("excluded[1]", {"excluded": [[], ["red"]], "hands": [["red"], ["?", "?"]]}),
    ("excluded[1]", {"excluded": [[], ["violet"]], "shown": [0, 1]}),
    ("excluded[1]", {"excluded": [[], COLOURS], "hands": [["red"], ["red", "?"]]}),
    ("market", {"market": ["red", "red", "blue"]}),
    ("market[0]", {"market": ["?", "red"]}),
    ("market[1]", {"market": ["red", "pink"]}),
    ("market", {"market": "red"}),
    ("deck", {"deck": -1}),
    ("deck", {"deck": 41}),
    ("deck", {"deck": 33}),
    ("deck", {"deck": "full"}),
    ("deck", {"deck": None}),
    ("out[0]", {"out": ["pink"]}),
    ("out", {"out": 2}),
    ("deck", {"out": ["red", "blue"], "deck": 31}),
    ("discarded[0]", {"discarded": ["?"]}),
    ("discarded[1]", {"discarded": ["red", 7]}),
    ("discarded", {"discarded": "red"}),
    ("red", {"discarded": ["red"] * 7}),
    ("red", {"out": ["red"] * 4, "discarded": ["red"] * 3}),
    ("check", {"check": "no"}),
    ("check", {"check": None}),
    ("hands[0]", {"phase": "take"}),
]


@pytest.mark.parametrize(("named", "changes"), BAD, ids=[f"{name} {change}" for name, change in BAD])
def test_a_bad_position_is_refused_and_the_field_is_named(named: str, changes: dict[str, Any]) -> None:
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(start(**changes))
    assert named in str(caught.value)


def test_what_is_no_object_is_no_position() -> None:
    values: list[Any] = [[], None, "red", 3]
    for value in values:
        with pytest.raises(BadPosition):
            SPEC.from_position(value)


def test_proofs_that_leave_a_hidden_tile_no_colour_are_refused() -> None:
    """All red and all yellow are seen, and the rest is ruled out: no tile in the box can be the hidden one."""
    with pytest.raises(BadPosition, match="excluded"):
        SPEC.from_position(
            full(
                hands=[["yellow", "blue"], ["red", "?"]],
                market=["yellow"],
                discarded=["red"],
                excluded=[[], ["green", "blue", "violet"]],
            )
        )


def test_proofs_that_need_more_tiles_than_there_are_are_refused() -> None:
    """Unseen are one red, one yellow and one green, and the proofs say that both hidden tiles are red."""
    with pytest.raises(BadPosition, match="excluded"):
        SPEC.from_position(
            full(
                hands=[["blue"], ["?"], ["?"]],
                scores=[0, 0, 0],
                market=[],
                deck=0,
                discarded=["red", "yellow"] + ["blue"] * 7 + ["violet"] * 8,
                excluded=[[], ["yellow", "green"], ["yellow", "green"]],
            )
        )


def test_without_the_check_what_cannot_be_may_be_tried() -> None:
    touching = start(mat=[one(0, 0, "red"), one(0, 1, "red")], check=False)
    state = SPEC.from_position(touching)
    assert state.position()["check"] is False
    assert state.position() == SPEC.from_position(state.position()).position()
    assert "red@0,-1" not in texts(state, 0)
    assert "green@0,-1" in texts(state, 0)
    play(state, 0, "green@0,-1")

    many = start(market=["red", "red"], discarded=["red"] * 8, deck=5, check=False)
    state = SPEC.from_position(many)
    play(state, 0, "green@1,0")
    play(state, 0, "take red")
    assert state.active() == [CHANCE]
    assert "draw red" not in texts(state, CHANCE)

    same = start(mat=[one(0, 0, "red", "red"), one(0, 1, "blue")], check=False)
    assert SPEC.from_position(same).position()["mat"][0]["tiles"] == ["red", "red"]
    assert SPEC.from_position(start(excluded=[[], ["violet"]], shown=[0, 1], check=False)).active() == [0]
    for hopeless in ({"mat": [one(9, 0, "red")]}, {"to_move": 7}, {"hands": [["pink"], []]}, {"mat": 3}, {"x": 1}):
        with pytest.raises(BadPosition):
            SPEC.from_position(start(**hopeless, check=False))
    # Played on to the end, whatever was wrong with it.
    for position in (touching, many, same):
        finish(SPEC.from_position(position), Stream("unchecked"))


def finish(state: GameState, rng: Stream) -> None:
    for _ in range(500):
        if not state.active():
            assert state.outcome() is not None
            return
        seat = state.active()[0]
        moves = state.legal(seat)
        assert moves
        state.apply(seat, state.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])
    raise AssertionError("the game does not end")


def test_fields_left_out_are_as_at_the_start() -> None:
    assert SPEC.from_position({}).position() == SPEC.start(2).position()
    assert SPEC.from_position({"game": "umbradeco"}).position() == SPEC.start(2).position()
    assert SPEC.from_position({"hands": [[], [], []], "phase": "setup"}).position() == SPEC.start(3).position()
    assert SPEC.from_position({"options": {"mat": "large"}}).position()["options"] == {"mat": "large", "rows": "open"}
    position = SPEC.from_position(start(to_move=..., scores=..., game=...)).position()
    assert (position["phase"], position["to_move"], position["scores"]) == ("place", 0, [0, 0])
    assert position["options"] == {"mat": "standard", "rows": "open"}
    assert position["deck"] == 40 - 2 - 4 - 2
    assert position["shown"] == [0, 0]
    # Tiles found nowhere would be out of the game unseen, which never happens to two players.
    for lost in (start(deck=30), start(out=["?", "?"])):
        with pytest.raises(BadPosition, match="out of the game unseen"):
            SPEC.from_position(lost)
        position = SPEC.from_position({**lost, "check": False}).position()
        assert (position["deck"], position["out"]) == (30, ["?", "?"])


def test_who_knows_what_of_a_hand_written_down() -> None:
    """The named tiles of a hand with a `?` are known to all, and those of a hand without to its owner only."""
    state = SPEC.from_position(start(hands=[["?", "red"], ["yellow", "violet"]]))
    assert state.position()["shown"] == [1, 0]
    assert state.position(None)["hands"] == [["red", "?"], ["?", "?"]]
    assert state.position(1)["hands"][1] in (["yellow", "violet"], ["violet", "yellow"])
    state = SPEC.from_position(start(shown=[2, 1]))
    assert state.position(None)["hands"] == [["red", "green"], ["yellow", "?"]]
    assert state.position(0)["hands"] == [["red", "green"], ["yellow", "?"]]


def test_the_set_up_can_be_entered_half_way() -> None:
    state = SPEC.from_position({"phase": "setup", "hands": [[], [], []], "out": ["red", "blue"]})
    assert {SPEC.move_text(state, CHANCE, m): state.weight(m) for m in state.legal(CHANCE)} == {
        "draw red": 7,
        "draw yellow": 8,
        "draw green": 8,
        "draw blue": 7,
        "draw violet": 8,
    }
    play(state, CHANCE, "draw green")
    weights = {SPEC.move_text(state, CHANCE, m): state.weight(m) for m in state.legal(CHANCE)}
    assert weights == {"draw red": 7, "draw yellow": 8, "draw blue": 7, "draw violet": 8}
    with pytest.raises(IllegalMove):
        play(state, CHANCE, "draw green")
    finish(state, Stream("half way"))
    ready = SPEC.from_position(start(phase="setup"))
    assert sorted(texts(ready, CHANCE)) == ["first 0", "first 1"]
    with pytest.raises(BadPosition):
        SPEC.from_position({"phase": "setup", "mat": [one(0, 1, "red")]})
    with pytest.raises(BadPosition):
        SPEC.from_position({"phase": "setup", "market": ["red"]})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_as_one_seat_sees_it_is_enough_to_play_on(seats: int) -> None:
    rng = Stream(f"seen {seats}")
    match = Match(SPEC, seats=seats, options={"mat": "small"}, seed=5)
    number = 0
    while match.state.active():
        seat = match.state.active()[0]
        number += 1
        if number % 7 == 1:
            for viewer in [None, *range(seats)]:
                position = json.loads(json.dumps(match.state.position(viewer)))
                state = SPEC.from_position(position)
                assert state.position() == position
                assert state.active() == match.state.active()
                finish(state.clone(), rng)
                finish(state.resample(0 if viewer is None else viewer, rng), rng)
        moves = match.state.legal(seat)
        match.play_move(seat, moves[rng.randrange(len(moves))])


# --- hands with tiles not seen


def test_a_tile_not_seen_may_be_any_that_is_left() -> None:
    """Six red lie on the mat and two are in the market: the tile not seen is not red."""
    state = SPEC.from_position(full(hands=[["?"], ["?"]], market=["red", "red"]))
    moves = texts(state, 0)
    assert "drop red" not in moves
    assert {"drop yellow", "drop green", "blue^0,0", "violet^0,0"} <= set(moves)
    for number in range(60):
        hands = state.resample(1, Stream(number)).position()["hands"]
        assert "red" not in hands[0]
    # A known tile that fits forbids every discard, and so does the rule: blue may be stacked.
    state = SPEC.from_position(full(hands=[["blue", "?"], ["?"]]))
    assert not any(text.startswith("drop") for text in texts(state, 0))
    assert "violet^0,0" in texts(state, 0)
    # What a discard has ruled out cannot be played.
    state = SPEC.from_position(full(hands=[["violet", "?"], ["?"]], excluded=[["blue"], []]))
    assert not any(text.startswith("blue") for text in texts(state, 0))


def test_playing_a_tile_not_seen_shows_it() -> None:
    state = SPEC.from_position(full(hands=[["?", "?"], ["?", "?"]]))
    play(state, 0, "drop red")
    position = state.position()
    assert position["hands"][0] == ["?"]
    assert position["discarded"] == ["red"]
    assert set(position["excluded"][0]) == {"blue", "violet"}
    play(state, 0, "take blue")
    assert state.position()["hands"][0] == ["blue", "?"]
    assert state.position()["shown"] == [1, 0]


def test_a_draw_leaves_a_hidden_tile_the_colour_it_must_have() -> None:
    """One yellow is unseen, and the hidden tile can be nothing else: so yellow cannot come from the deck."""
    state = SPEC.from_position(
        full(
            phase="refill",
            to_move=1,
            hands=[["violet", "?"], ["red", "blue"]],
            shown=[1, 0],
            market=["green"],
            discarded=["red", "yellow"],
            excluded=[["blue", "violet"], []],
        )
    )
    assert state.view(1)["extra"]["unseen"] == {"red": 0, "yellow": 1, "green": 0, "blue": 7, "violet": 7}
    for number in range(20):
        dealt = state.resample(1, Stream(number))
        assert dealt.position()["hands"][0] == ["violet", "yellow"]
        assert texts(dealt, CHANCE) == ["draw blue", "draw violet"]
    assert texts(state, CHANCE) == ["draw blue", "draw violet"]


# --- what is hidden stays hidden


def secret_game(hidden: str) -> tuple[GameState, list[Event]]:
    """A game of three in which seat 1 was dealt two tiles of the hidden colour, and nobody else has seen any."""
    others = [colour for colour in COLOURS if colour != hidden]
    state = SPEC.start(3)
    heard: list[Event] = []
    draws = [hidden, hidden, others[0], others[1], others[2], others[3], hidden, hidden, others[2], others[3]]
    for colour in [*draws, others[0], others[1]]:
        heard += play(state, CHANCE, f"draw {colour}")
    heard += play(state, CHANCE, "first 0")
    return state, heard


@pytest.mark.parametrize("hidden", COLOURS)
def test_nobody_else_sees_a_dealt_hand_or_the_tiles_out_of_the_game(hidden: str) -> None:
    state, heard = secret_game(hidden)
    for viewer in (None, 0, 2):
        view = state.view(viewer)
        assert view["extra"].pop("unseen")[hidden] == 8
        assert hidden not in json.dumps(view).lower()
        assert hidden not in json.dumps(state.position(viewer)).lower()
        assert hidden not in json.dumps([event.seen_by(viewer) for event in heard]).lower()
    own = state.view(1)
    assert own["position"]["hands"][1] == [hidden, hidden]
    assert own["position"]["out"] == ["?", "?"]
    assert own["extra"]["unseen"][hidden] == 6
    assert sum(event.seen_by(1)["data"].get("colour") == hidden for event in heard) == 2
    assert [event.seen_by(1)["data"] for event in heard[:2]] == [{}, {}]
    # The truth, for records and analysis only.
    assert state.position()["out"] == [hidden, hidden]


@pytest.mark.parametrize("hidden", COLOURS)
def test_two_worlds_that_a_viewer_cannot_tell_apart_look_the_same(hidden: str) -> None:
    """Swap all that is hidden from seat 0 for something else: its view does not change, nor does a spectator's."""
    state, _ = secret_game(hidden)
    truth = state.position()
    other = COLOURS[(COLOURS.index(hidden) + 1) % 5]
    lie = {**truth, "hands": [truth["hands"][0], [other, other], [hidden, hidden]], "out": [hidden, other]}
    twin = SPEC.from_position(lie)
    for viewer in (None, 0):
        assert twin.view(viewer) == state.view(viewer)
    assert texts(twin, 0) == texts(state, 0)
    assert twin.resample(0, Stream(3)).position() == state.resample(0, Stream(3)).position()


def test_a_tile_taken_from_the_market_is_remembered_until_it_is_played() -> None:
    state = SPEC.from_position(start(hands=[["red", "green"], ["yellow", "violet"]], market=["violet", "violet"]))
    play(state, 0, "green@1,0")
    assert state.position(1)["hands"][0] == ["?"]
    assert texts(state, 0) == ["take violet"]
    play(state, 0, "take violet")
    for viewer in (None, 1):
        assert state.position(viewer)["hands"][0] == ["violet", "?"]
    for number in range(40):
        assert state.resample(1, Stream(number)).position()["hands"][0][0] == "violet"
    play(state, CHANCE, "draw red")
    play(state, 1, "violet@2,-1")
    play(state, 1, "take violet")
    play(state, CHANCE, "draw red")
    # Seat 0 plays the colour that everyone knows of: it counts as the known one.
    play(state, 0, "violet@-1,1")
    assert state.position(1)["hands"] == [["?"], state.position()["hands"][1]]


def test_a_known_colour_that_is_played_counts_as_the_known_one() -> None:
    state = SPEC.from_position(start(hands=[["green", "green"], ["yellow", "violet"]], shown=[1, 0]))
    assert state.position(1)["hands"][0] == ["green", "?"]
    play(state, 0, "green@1,0")
    assert state.position(1)["hands"][0] == ["?"]
    assert state.position()["hands"][0] == ["green"]
    # The other way about: the hidden one is played, and the known one stays known.
    state = SPEC.from_position(start(hands=[["green", "violet"], ["yellow", "violet"]], shown=[1, 0]))
    play(state, 0, "violet@1,0")
    assert state.position(1)["hands"][0] == ["green"]


def test_a_discard_proves_that_the_tile_kept_fits_nowhere() -> None:
    state = SPEC.from_position(full())
    heard = play(state, 0, "drop red")
    assert all("yellow" not in json.dumps(event.seen_by(1)) for event in heard)
    kept = {state.resample(1, Stream(number)).position()["hands"][0][0] for number in range(120)}
    assert kept == {"yellow", "green"}  # of red the last two are discarded and in seat 1's own hand
    play(state, 0, "take violet")
    play(state, CHANCE, "draw green")
    play(state, 1, "blue^0,0")
    # It is remembered, though the mat has changed, until the tile is played.
    for number in range(60):
        hand = state.resample(1, Stream(number)).position()["hands"][0]
        assert hand[0] == "violet"
        assert hand[1] == "yellow"  # the last green has come to the market
    play(state, 1, "take green")
    play(state, CHANCE, "draw blue")
    play(state, 0, "violet^2,0")
    assert set(state.position(1)["excluded"][0]) == {"blue", "violet"}
    # A spectator knows the same of that tile.
    assert state.position(None)["excluded"] == state.position(1)["excluded"]


def test_a_discard_of_the_hidden_tile_proves_nothing_about_the_known_one() -> None:
    state = SPEC.from_position(full(hands=[["yellow", "red"], ["red", "blue"]], shown=[1, 0]))
    assert sorted(texts(state, 0)) == ["drop red", "drop yellow"]
    play(state, 0, "drop red")
    position = state.position(1)
    assert position["hands"][0] == ["yellow"]
    assert not any(position.get("excluded", [[], []]))
    state = SPEC.from_position(full(hands=[["yellow", "red"], ["red", "blue"]], shown=[1, 0]))
    play(state, 0, "drop yellow")
    position = state.position(1)
    assert position["hands"][0] == ["?"]
    assert set(position["excluded"][0]) == {"blue", "violet"}


def test_proofs_are_forgotten_when_the_tile_is_played() -> None:
    state = SPEC.from_position(
        full(hands=[["violet", "green"], ["red", "blue"]], shown=[1, 0], excluded=[["blue", "violet"], []])
    )
    play(state, 0, "violet^0,0")
    assert set(state.position()["excluded"][0]) == {"blue", "violet"}
    play(state, 0, "take blue")
    play(state, CHANCE, "draw yellow")
    play(state, 1, "blue^2,0")
    play(state, 1, "take violet")
    play(state, CHANCE, "draw yellow")
    with pytest.raises(MoveError):
        play(state, 0, "drop green")  # blue fits
    play(state, 0, "blue^-2,0")
    assert set(state.position()["excluded"][0]) == {"blue", "violet"}
    play(state, 0, "take yellow")
    play(state, CHANCE, "draw blue")
    play(state, 1, "violet^2,-1")
    play(state, 1, "take blue")
    play(state, CHANCE, "draw blue")
    assert sorted(texts(state, 0)) == ["drop green", "drop yellow"]
    play(state, 0, "drop green")
    assert not any(state.position().get("excluded", [[], []]))
    assert state.position(1)["hands"][0] == ["yellow"]


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (start(), "green@1,0"),
        (full(), "drop red"),
        (full(shown=[1, 0], hands=[["red", "yellow"], ["blue"]]), "drop red"),
    ],
    ids=["a hidden tile placed", "a hidden tile discarded", "a discard that proves something of the hidden tile"],
)
def test_a_seat_may_take_back_what_showed_only_its_own_tiles(position: dict[str, Any], text: str) -> None:
    """Undo protects against learning something and then choosing anew; showing one's own tile teaches one nothing."""
    match = Match(SPEC, position=position, seed=1)
    before = match.state.position()
    match.play(0, text)
    match.undo(0)
    assert match.state.position() == before


def test_what_has_shown_nothing_is_taken_back() -> None:
    match = Match(SPEC, position=start(shown=[2, 0], deck=0, check=False), seed=1)
    before = match.state.position()
    match.play(0, "green@1,0")
    match.play(0, "take violet")
    match.undo(0)
    match.undo(0)
    assert match.state.position() == before


def test_the_last_tiles_can_be_worked_out() -> None:
    """Two players, nothing left to draw: what seat 0 does not see is in seat 1's hand, and every deal says so."""
    state = SPEC.from_position(
        full(
            hands=[["yellow", "yellow"], ["green", "red"]],
            market=[],
            deck=0,
            discarded=["red"] + ["blue"] * 8 + ["violet"] * 8,
        )
    )
    assert state.position().get("out", []) == []
    for number in range(20):
        assert sorted(state.resample(0, Stream(number)).position()["hands"][1]) == ["green", "red"]


def test_proofs_of_two_seats_are_honoured_together() -> None:
    """Unseen are one yellow, one green and one red, in three hidden tiles; proofs leave just one way to deal them."""
    position = full(
        hands=[["blue"], ["?"], ["?"], ["?"]],
        scores=[0, 0, 0, 0],
        check=False,
        market=[],
        deck=0,
        discarded=["red", "yellow"] + ["blue"] * 7 + ["violet"] * 8,
        excluded=[[], ["yellow"], ["yellow", "green"], []],
    )
    state = SPEC.from_position(position)
    for number in range(40):
        assert state.resample(0, Stream(number)).position()["hands"] == [["blue"], ["green"], ["red"], ["yellow"]]


def test_all_deals_that_fit_what_was_seen_come_up_about_equally() -> None:
    """Each way to deal the unseen tiles one by one is as likely as any other that honours both seats' proofs."""
    position = full(
        hands=[["blue"], ["violet", "?"], ["violet", "?"]],
        scores=[0, 0, 0],
        market=[],
        deck=0,
        out=["?", "?"],
        discarded=["yellow", "green"] + ["blue"] * 7 + ["violet"] * 5,
        excluded=[[], ["violet"], ["red"]],
    )
    state = SPEC.from_position(position)
    left = ["red", "red", "yellow", "violet"]
    assert state.view(0)["extra"]["unseen"] == {**dict.fromkeys(COLOURS, 0), **Counter(left)}
    ways: Counter[tuple[str, str]] = Counter()
    for one_way, other in product(range(4), repeat=2):
        if one_way != other and left[one_way] != "violet" and left[other] != "red":
            ways[left[one_way], left[other]] += 1
    assert ways == {("red", "yellow"): 2, ("red", "violet"): 2, ("yellow", "violet"): 1}
    rng, tries = Stream("fair deals"), 1000
    dealt: Counter[tuple[str, str]] = Counter()
    for _ in range(tries):
        hands = state.resample(0, rng).position()["hands"]
        dealt[hands[1][1], hands[2][1]] += 1
    assert set(dealt) == set(ways)
    for pair, number in ways.items():
        assert abs(dealt[pair] / tries - number / 5) < 0.06, dealt


def test_hidden_tiles_are_dealt_by_how_many_of_each_are_unseen() -> None:
    state = SPEC.from_position(start())
    left = state.view(0)["extra"]["unseen"]
    assert left == {"red": 6, "yellow": 7, "green": 7, "blue": 7, "violet": 7}
    rng, tries = Stream("dealt"), 1000
    dealt: Counter[str] = Counter()
    for _ in range(tries):
        dealt.update(state.resample(0, rng).position()["hands"][1])
    for colour in COLOURS:
        assert abs(dealt[colour] / (2 * tries) - left[colour] / 34) < 0.04


# --- typing moves


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", wellies.BadNotation),
        ("green", wellies.BadNotation),
        ("green@", wellies.BadNotation),
        ("green@1", wellies.BadNotation),
        ("green@1,-1,0", wellies.BadNotation),
        ("green>0,0", wellies.BadNotation),
        ("green^0,0:N", wellies.BadNotation),
        ("drop", wellies.BadNotation),
        ("green@1.5,0", wellies.BadNotation),
        ("pink@1,-1", wellies.UnknownPiece),
        ("?@1,-1", MoveError),
        ("green@4,0", wellies.UnknownPiece),
        ("green@3,1", wellies.UnknownPiece),
        ("green>0,0:E", wellies.UnknownPiece),
        ("take pink", wellies.UnknownPiece),
        ("drop pink", wellies.UnknownPiece),
        ("green@0,0", IllegalMove),
        ("yellow@1,-1", IllegalMove),
        ("take violet", IllegalMove),
        ("drop red", IllegalMove),
        ("draw red", IllegalMove),
        ("first 1", IllegalMove),
    ],
)
def test_what_is_not_a_move_is_refused_in_kind(text: str, error: type[MoveError]) -> None:
    state = SPEC.from_position(start())
    before = state.position()
    with pytest.raises(error):
        SPEC.parse_move(state, 0, text)
    assert state.position() == before


def test_out_of_turn() -> None:
    state = SPEC.from_position(start())
    for seat, text in ((1, "yellow@1,0"), (2, "red@1,0"), (CHANCE, "draw red")):
        with pytest.raises(NotYourTurn):
            SPEC.parse_move(state, seat, text)
    with pytest.raises(wellies.BadNotation):
        SPEC.parse_move(state, 1, "yellow at 1,0")
    play(state, 0, " green @ 1 , -1 ")
    with pytest.raises(NotYourTurn):
        SPEC.parse_move(state, 1, "yellow@1,0")
    play(state, 0, "take  yellow")
    with pytest.raises(NotYourTurn):
        SPEC.parse_move(state, 1, "yellow@1,0")
    play(state, CHANCE, "draw red")
    assert state.active() == [1]
