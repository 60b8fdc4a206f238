"""Marram played beside a slow and obvious table of our own, written from the rules page alone.

The table keeps nothing that can be worked out again: the ground is a set of vertices joined by bridges, a beast is a
set of segments joined across edges, and both are looked up anew from the laid tiles whenever anyone asks. After every
move of random games it must agree with the engine: who is to move, all moves as text, chance and its weights, points
with their reasons, every tile and piece, the end and the winners. Below that: positions and texts from outside.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import wellies
from wellies import (
    CHANCE,
    BadNotation,
    BadOption,
    BadPosition,
    Event,
    GameState,
    IllegalMove,
    MoveError,
    NotYourTurn,
    Stream,
    UnknownPiece,
)

SPEC = wellies.game("marram")

Place = tuple[int, int]
Spot = tuple[Place, int]

EDGES = "NESW"
AWAY = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OTHER = {"N": "S", "S": "N", "E": "W", "W": "E"}
CORNERS = {"NW": (0, 0), "NE": (1, 0), "SE": (1, 1), "SW": (0, 1)}

_FILE = Path(__file__).parents[3] / "src" / "wellies" / "games" / "marram" / "tiles.json"
TILES: dict[int, dict[str, Any]] = {one["tile"]: one for one in json.loads(_FILE.read_text(encoding="utf-8"))["tiles"]}

BULGE = {"classic": 5, "pitchfork": 3, "animals": 3}
WORTH = {
    "classic": {"none": 0, "gold": 5, "flower": 4, "silver": 3},
    "pitchfork": {"none": 0, "gold": 4, "flower": 3, "silver": 2},
    "animals": {"none": 0, "gold": 4, "flower": 3, "silver": 2},
}


def ground(vertex: Place) -> str:
    return "grass" if (vertex[0] + vertex[1]) % 2 == 0 else "sand"


def turned(segment: str, turns: int) -> str:
    """A segment after so many quarter turns clockwise, its edges spelled as winds are: NS, EW, NE, SE, SW, NW."""
    beast, part, edges = segment.split()
    new = {EDGES[(EDGES.index(edge) + turns) % 4] for edge in edges}
    return f"{beast} {part} " + "".join(edge for edge in "NSEW" if edge in new)


def first_edge(segment: str) -> str:
    """Of a segment's edges the first in the order N, E, S, W."""
    return min(segment.split()[2], key=EDGES.index)


def ordered(segments: Iterable[str]) -> list[str]:
    return sorted(segments, key=lambda segment: EDGES.index(first_edge(segment)))


class Tile:
    """One tile as it lies."""

    def __init__(self, number: int, turn: int, bridge: str, segments: list[str], ornament: str, reverse: str) -> None:
        self.number = number
        self.turn = turn
        self.bridge = bridge
        self.segments = segments
        self.ornament = ornament
        self.reverse = reverse
        self.flips = 0
        self.flipped = False
        self.claim: tuple[int, str, str] | None = None

    def edge(self, edge: str) -> str | None:
        """The segment at an edge."""
        for segment in self.segments:
            if edge in segment.split()[2]:
                return segment
        return None

    def looks(self) -> tuple[str, tuple[str, ...], str]:
        return self.bridge, tuple(self.segments), self.ornament


class Animal:
    def __init__(self, at: Place, seats: int) -> None:
        self.at = at
        self.came: Place | None = None
        self.hops = 0
        self.guesses: list[int | str | None] = [None] * seats
        self.gone = False


class Table:
    """A game from its first draw on; `do` makes a move given as text."""

    def __init__(self, seats: int, variant: str, length: str) -> None:
        self.seats = seats
        self.variant = variant
        self.length = "long" if variant == "animals" else length
        short = self.length == "short"
        if variant == "classic":
            boots, forks, spades, self.knock_out = 7, 0, [4, 3, 2][seats - 2], [80, 60, 50][seats - 2] if short else 0
        elif short:
            boots, forks, spades, self.knock_out = 3, 5, [8, 5, 4][seats - 2], [120, 80, 60][seats - 2]
        else:
            boots, forks, spades, self.knock_out = 5, 5, [10, 7, 5][seats - 2], 0
        self.boots, self.forks, self.spades = [boots] * seats, [forks] * seats, [spades] * seats
        self.retired = 0
        self.scores = [0] * seats
        self.lines: list[list[tuple[str, int]]] = [[] for _ in range(seats)]
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.stock = set(range(1, 96))
        self.out: list[int] = []
        self.laid: dict[Place, Tile] = {(0, 0): Tile(0, 0, "sand", ["blue head N"], "none", "none")}
        self.to_move = 0
        self.move = 1
        self.flipped_now: list[Place] = []
        self.passes = 0
        self.phase = "deal"
        self.fresh = 0
        self.played: Place = (0, 0)
        self.how = ""
        self.animals: dict[str, Animal | None] = {"fly": None, "frog": None}
        self.todo: list[tuple[str, str]] = []

    # --- geometry: all of it looked up afresh ---------------------------------------------------------------------

    def beside(self, at: Place) -> list[tuple[str, Place]]:
        return [(edge, (at[0] + dx, at[1] + dy)) for edge, (dx, dy) in AWAY.items()]

    def corner(self, at: Place, name: str) -> Place:
        return at[0] + CORNERS[name][0], at[1] + CORNERS[name][1]

    def bridge_corners(self, at: Place) -> list[str]:
        return [name for name in CORNERS if ground(self.corner(at, name)) == self.laid[at].bridge]

    def around(self, vertex: Place) -> list[Place]:
        return [(vertex[0] - dx, vertex[1] - dy) for dx in (0, 1) for dy in (0, 1)]

    def patch(self, start: Place) -> set[Place]:
        found, todo = {start}, [start]
        while todo:
            vertex = todo.pop()
            for at in self.around(vertex):
                if at in self.laid:
                    ends = [self.corner(at, name) for name in self.bridge_corners(at)]
                    if vertex in ends:
                        for end in ends:
                            if end not in found:
                                found.add(end)
                                todo.append(end)
        return found

    def full(self, vertex: Place) -> bool:
        return all(at in self.laid for at in self.around(vertex))

    def ornaments(self, patch: set[Place]) -> list[str]:
        return [
            tile.ornament
            for at, tile in self.laid.items()
            if tile.ornament != "none" and self.corner(at, self.bridge_corners(at)[0]) in patch
        ]

    def patch_pieces(self, patch: set[Place]) -> list[Place]:
        found = []
        for at, tile in self.laid.items():
            if tile.claim is not None:
                on = tile.claim[2]
                if on == "bridge":
                    on = self.bridge_corners(at)[0]
                if on in CORNERS and self.corner(at, on) in patch:
                    found.append(at)
        return found

    def beast(self, start: Spot) -> set[Spot]:
        found, todo = {start}, [start]
        while todo:
            at, index = todo.pop()
            for edge in self.laid[at].segments[index].split()[2]:
                there = at[0] + AWAY[edge][0], at[1] + AWAY[edge][1]
                if there in self.laid:
                    for number, segment in enumerate(self.laid[there].segments):
                        if OTHER[edge] in segment.split()[2] and (there, number) not in found:
                            found.add((there, number))
                            todo.append((there, number))
        return found

    def text(self, spot: Spot) -> str:
        return self.laid[spot[0]].segments[spot[1]]

    def closed(self, beast: set[Spot]) -> bool:
        return all(
            (at[0] + AWAY[edge][0], at[1] + AWAY[edge][1]) in self.laid
            for at, index in beast
            for edge in self.text((at, index)).split()[2]
        )

    def kind(self, beast: set[Spot]) -> str:
        kinds = {self.text(spot).split()[0] for spot in beast} - {"any"}
        assert len(kinds) <= 1, "two beasts are joined"
        return kinds.pop() if kinds else "any"

    def settle(self) -> None:
        """A Beastly body that is joined to a beast is of that beast from then on."""
        for beast in self.beasts():
            kind = self.kind(beast)
            for at, index in beast:
                segments = self.laid[at].segments
                segments[index] = segments[index].replace("any ", f"{kind} ")

    def beast_pieces(self, beast: set[Spot]) -> list[Place]:
        found = []
        for at, index in beast:
            claim = self.laid[at].claim
            if claim is not None and claim[2] in list(self.text((at, index)).split()[2]):
                found.append(at)
        return found

    def parts(self, beast: set[Spot]) -> list[str]:
        return [self.text(spot).split()[1] for spot in beast]

    def beasts(self) -> list[set[Spot]]:
        found: list[set[Spot]] = []
        for at, tile in self.laid.items():
            for index in range(len(tile.segments)):
                if not any((at, index) in beast for beast in found):
                    found.append(self.beast((at, index)))
        return found

    def has_head(self, at: Place) -> bool:
        return any(segment.startswith("blue head") for segment in self.laid[at].segments)

    # --- laying and flipping ----------------------------------------------------------------------------------------

    def fits(self, at: Place, tile: Tile) -> bool:
        """Would this tile match all its neighbours at this place? Grounds always do, by the way faces are chosen."""
        careful = False
        for edge, there in self.beside(at):
            if there in self.laid:
                mine, theirs = tile.edge(edge), self.laid[there].edge(OTHER[edge])
                if (mine is None) != (theirs is None):
                    return False
                if mine is not None and theirs is not None:
                    kinds = {mine.split()[0], theirs.split()[0]}
                    if "any" in kinds:
                        careful = True
                    elif len(kinds) > 1:
                        return False
        if not careful:
            return True
        before = self.laid.get(at)
        self.laid[at] = tile
        beasts = [self.beast((at, index)) for index in range(len(tile.segments))]
        good = all(len({self.text(spot).split()[0] for spot in beast} - {"any"}) <= 1 for beast in beasts)
        if before is None:
            del self.laid[at]
        else:
            self.laid[at] = before
        return good

    def candidate(self, number: int, face: str, turn: int) -> Tile:
        one = TILES[number]
        swaps = one["spade"] and face == "b"
        bridge = {"grass": "sand", "sand": "grass"}[one["bridge"]] if swaps else one["bridge"]
        faces = (one["front"], one["reverse"]) if face == "a" else (one["reverse"], one["front"])
        tile = Tile(number, turn, bridge, ordered(turned(segment, turn) for segment in one["segments"]), *faces)
        if one["spade"]:
            tile.flips = 3 if self.variant == "classic" else 1
        return tile

    @staticmethod
    def face_at(at: Place, turn: int) -> str:
        """Grass is at NW of the front, and must lie on a vertex whose x + y is even."""
        return "a" if (at[0] + at[1] + turn) % 2 == 0 else "b"

    def lays(self, seat: int) -> dict[str, tuple[Place, Tile]]:
        places = sorted({there for at in self.laid for _, there in self.beside(at) if there not in self.laid})
        found = {}
        for number in self.hands[seat]:
            ways = {}
            for odd in (0, 1):
                looks: list[tuple[Any, ...]] = []
                for turn in range(4):
                    face = self.face_at((odd, 0), turn)
                    tile = self.candidate(number, face, turn)
                    if tile.looks() not in looks:
                        looks.append(tile.looks())
                        ways[odd, turn] = f"{number}{face}{turn}", tile
            for at in places:
                for turn in range(4):
                    way = ways.get(((at[0] + at[1]) % 2, turn))
                    if way is not None and self.fits(at, way[1]):
                        found[f"{way[0]}@{at[0]},{at[1]}"] = (at, self.candidate(number, way[0][-2], turn))
        return found

    def other_face(self, at: Place, turn: int) -> Tile:
        tile = self.laid[at]
        bridge = {"grass": "sand", "sand": "grass"}[tile.bridge]
        segments = ordered(turned(segment, turn - tile.turn) for segment in tile.segments)
        return Tile(tile.number, turn, bridge, segments, tile.reverse, tile.ornament)

    def flips(self, seat: int) -> dict[str, tuple[Place, Tile]]:
        found: dict[str, tuple[Place, Tile]] = {}
        if not self.spades[seat]:
            return found
        for at, tile in self.laid.items():
            if not tile.flips or at in self.flipped_now:
                continue
            looks: list[tuple[Any, ...]] = []
            for turn in range(4):
                if (turn - tile.turn) % 2 == 1:
                    other = self.other_face(at, turn)
                    if other.looks() not in looks and self.fits(at, other):
                        looks.append(other.looks())
                        found[f"flip {at[0]},{at[1]} {turn}"] = at, other
        return found

    def claims(self, seat: int) -> list[str]:
        at = self.played
        tile = self.laid[at]
        found = []
        if self.boots[seat]:
            bridge = self.bridge_corners(at)
            for name in ["bridge", *(corner for corner in CORNERS if corner not in bridge)]:
                vertex = self.corner(at, bridge[0] if name == "bridge" else name)
                if not self.patch_pieces(self.patch(vertex)):
                    found.append(f"boot {name}")
        piece = "boot" if self.variant == "classic" else "fork"
        if (self.boots if piece == "boot" else self.forks)[seat]:
            for index, segment in enumerate(tile.segments):
                if not self.beast_pieces(self.beast((at, index))):
                    found.append(f"{piece} {first_edge(segment)}")
        return found

    # --- who may do what --------------------------------------------------------------------------------------------

    def active(self) -> list[int]:
        if self.phase == "over":
            return []
        if self.phase in ("deal", "refill", "fresh") or self.phase.endswith(("appears", "hops")):
            return [-1]
        if self.phase.endswith("guess"):
            animal = self.animals[self.phase.split()[0]]
            assert animal is not None
            said = sum(guess is not None for guess in animal.guesses)
            return [(self.to_move + said) % self.seats]
        return [self.to_move]

    def legal(self) -> dict[str, Fraction]:
        """All moves of whoever is to move as texts; for chance with their probabilities, for seats with 1."""
        if self.phase in ("deal", "refill", "fresh"):
            return {f"draw {number}": Fraction(1, len(self.stock)) for number in self.stock}
        if self.phase.endswith("appears"):
            places = self.farthest(self.phase.split()[0])
            return {f"{self.phase.split()[0]} {x},{y}": Fraction(1, len(places)) for x, y in places}
        if self.phase.endswith("hops"):
            kind = self.phase.split()[0]
            animal = self.animals[kind]
            assert animal is not None
            weights = {at: 1 if at == animal.came else 2 for at in self.hop_places(kind, animal.at)}
            total = sum(weights.values())
            return {f"{kind} {x},{y}": Fraction(weight, total) for (x, y), weight in weights.items()}
        if self.phase.endswith("guess"):
            return dict.fromkeys([*(f"guess {number}" for number in range(1, 31)), "guess escape"], Fraction(1))
        if self.phase == "claim":
            return dict.fromkeys([*self.claims(self.to_move), "no claim"], Fraction(1))
        seat = self.to_move
        texts = list(self.flips(seat))
        if not self.hands[seat]:
            texts.append("pass")
        else:
            lays = list(self.lays(seat))
            texts += lays or ["change"]
        return dict.fromkeys(texts, Fraction(1))

    # --- the course of a move ---------------------------------------------------------------------------------------

    def do(self, text: str) -> None:
        seat = self.to_move
        if text.startswith("draw "):
            self.draw(int(text[5:]))
        elif text.startswith(("fly ", "frog ")):
            self.animal_goes(text)
        elif text.startswith("guess "):
            self.guess(text[6:])
        elif self.phase == "claim":
            if text != "no claim":
                piece, on = text.split()
                (self.boots if piece == "boot" else self.forks)[seat] -= 1
                self.laid[self.played].claim = (seat, piece, on)
            self.after_claim()
        elif text == "pass":
            self.passed()
        elif text == "change":
            self.passes = 0
            count = len(self.hands[seat])
            self.out += self.hands[seat]
            self.hands[seat] = []
            self.fresh = min(count, len(self.stock))
            if self.fresh:
                self.phase = "fresh"
            else:
                self.end_turn()
        elif text.startswith("flip "):
            at, other = self.flips(seat)[text]
            tile = self.laid[at]
            other.flips = tile.flips - 1
            other.flipped = True
            if tile.claim is not None:
                self.retired += 1
            self.laid[at] = other
            self.spades[seat] -= 1
            self.flipped_now.append(at)
            self.after_play(at, "flip")
        else:
            at, tile = self.lays(seat)[text]
            self.hands[seat].remove(tile.number)
            self.laid[at] = tile
            self.after_play(at, "lay")

    def draw(self, number: int) -> None:
        self.stock.remove(number)
        if self.phase == "deal":
            seat = next(seat for seat in range(self.seats) if len(self.hands[seat]) < 3)
            self.hands[seat].append(number)
            if all(len(hand) == 3 for hand in self.hands):
                self.begin_move()
            return
        self.hands[self.to_move].append(number)
        if self.phase == "fresh":
            self.fresh -= 1
            if not self.fresh:
                self.begin_move()
        else:
            self.refill()

    def begin_move(self) -> None:
        self.phase = "move"
        if not self.hands[self.to_move] and not self.spades[self.to_move]:
            self.passed()

    def passed(self) -> None:
        self.passes += 1
        if self.passes == self.seats and not self.stock and not any(self.hands):
            self.end_scoring()
            self.phase = "over"
        else:
            self.end_turn()

    def after_play(self, at: Place, how: str) -> None:
        self.passes = 0
        self.played, self.how = at, how
        self.phase = "claim"
        if not self.claims(self.to_move):
            self.after_claim()

    def after_claim(self) -> None:
        self.score()
        if self.variant != "classic":
            self.remove()
        self.todo = []
        if self.variant == "animals":
            for kind, animal in self.animals.items():
                if animal is not None and not animal.gone:
                    self.todo.append((kind, "hops"))
            for kind, number in (("fly", 20), ("frog", 30)):
                if self.how == "lay" and len(self.laid) - 1 == number:
                    self.todo.append((kind, "appears"))
        self.next_animal()

    def next_animal(self) -> None:
        if self.todo:
            self.phase = " ".join(self.todo.pop(0))
        else:
            self.end_move()

    def end_move(self) -> None:
        if self.knock_out and max(self.scores) >= self.knock_out:
            left = bool(self.stock) or any(self.hands)
            if left or (self.how == "lay" and self.scores[self.to_move] >= self.knock_out):
                self.phase = "over"
                return
        if self.move == 1:
            self.move = 2
            self.begin_move()
        else:
            self.end_turn()

    def end_turn(self) -> None:
        self.phase = "refill"
        self.refill()

    def refill(self) -> None:
        if self.stock and len(self.hands[self.to_move]) < 3:
            return
        self.to_move = (self.to_move + 1) % self.seats
        self.move = 1
        self.flipped_now = []
        self.begin_move()

    # --- points -------------------------------------------------------------------------------------------------------

    def gain(self, pieces: list[Place], points: int, rule: str) -> None:
        """To whoever has most pieces there, each in full when equal."""
        count = [0] * self.seats
        for at in pieces:
            claim = self.laid[at].claim
            assert claim is not None
            count[claim[0]] += 1
        for seat in range(self.seats):
            if pieces and count[seat] == max(count) and points:
                self.scores[seat] += points
                self.lines[seat].append((rule, points))

    def go_home(self, pieces: list[Place]) -> None:
        for at in pieces:
            claim = self.laid[at].claim
            assert claim is not None
            (self.boots if claim[1] == "boot" else self.forks)[claim[0]] += 1
            self.laid[at].claim = None

    def worth(self, beast: set[Spot]) -> tuple[str, int]:
        """A complete beast."""
        kind, parts = self.kind(beast), sorted(self.parts(beast))
        many = {part: parts.count(part) for part in set(parts)}
        if kind == "blue" and many.get("head") == 1 and many.get("tail") == 1 and many.get("body", 0) >= 1:
            return "blue", 3 * len(parts)
        if kind == "orange" and many.get("end") == 2:
            return "orange", len(parts)
        if kind == "worm" and many.get("end") == 2 and many.get("saddle") == 1:
            return "worm", 2 * len(parts)
        return "freak", 3

    def features_of(self, at: Place) -> tuple[list[set[Place]], list[set[Spot]]]:
        patches: list[set[Place]] = []
        for name in CORNERS:
            patch = self.patch(self.corner(at, name))
            if patch not in patches:
                patches.append(patch)
        beasts: list[set[Spot]] = []
        for index in range(len(self.laid[at].segments)):
            beast = self.beast((at, index))
            if beast not in beasts:
                beasts.append(beast)
        return patches, beasts

    def score(self) -> None:
        patches, beasts = self.features_of(self.played)
        for patch in patches:
            if all(self.full(vertex) for vertex in patch):
                points = BULGE[self.variant] * len(patch)
                points += sum(WORTH[self.variant][one] for one in self.ornaments(patch))
                pieces = self.patch_pieces(patch)
                self.gain(pieces, points, "patch")
                self.go_home(pieces)
        for beast in beasts:
            if self.closed(beast):
                rule, points = self.worth(beast)
                pieces = self.beast_pieces(beast)
                self.gain(pieces, points, rule)
                self.go_home(pieces)

    def end_scoring(self) -> None:
        seen: set[Place] = set()
        for at in list(self.laid):
            for name in CORNERS:
                vertex = self.corner(at, name)
                if vertex not in seen:
                    patch = self.patch(vertex)
                    seen |= patch
                    if not all(self.full(one) for one in patch):
                        points = 2 * sum(self.full(one) for one in patch) + len(self.ornaments(patch))
                        self.gain(self.patch_pieces(patch), points, "end patch")
        for beast in self.beasts():
            if not self.closed(beast):
                self.gain(self.beast_pieces(beast), len(beast), "end beast")

    def first_here(self, beast: set[Spot]) -> int:
        here = [EDGES.index(first_edge(self.text(spot))) for spot in beast if spot[0] == self.played]
        return min(here, default=0)

    def remove(self) -> None:
        new = self.features_of(self.played)[1]
        complete = [beast for beast in self.beasts() if self.closed(beast)]
        blue = [beast for beast in complete if self.kind(beast) == "blue"]
        gone = [beast for beast in complete if beast not in blue]
        heads = {
            (at, index)
            for at, tile in self.laid.items()
            for index, segment in enumerate(tile.segments)
            if segment.startswith("blue head")
        }
        for beast in sorted(blue, key=lambda beast: (beast in new, len(beast), self.first_here(beast))):
            if not (beast & heads) or heads - beast:
                gone.append(beast)
                heads -= beast
        losing = {spot for beast in gone for spot in beast}
        for at, tile in self.laid.items():
            left = [segment for index, segment in enumerate(tile.segments) if (at, index) not in losing]
            if len(left) < len(tile.segments):
                tile.segments = left
                tile.flips = 0
                if not left:
                    boot = tile.claim is not None and tile.claim[1] == "boot"
                    tile.flips = 0 if boot or tile.flipped else 1
                    tile.reverse = "none"

    # --- animals ------------------------------------------------------------------------------------------------------

    def hop_places(self, kind: str, at: Place) -> list[Place]:
        return [
            (at[0] + dx, at[1] + dy)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx, dy) != (0, 0) and (kind == "frog" or 0 in (dx, dy)) and (at[0] + dx, at[1] + dy) in self.laid
        ]

    def farthest(self, kind: str) -> list[Place]:
        far = {at: 0 for at in self.laid if self.has_head(at)}
        edge = list(far)
        while edge:
            at = edge.pop(0)
            for there in self.hop_places(kind, at):
                if there not in far:
                    far[there] = far[at] + 1
                    edge.append(there)
        return [at for at, hops in far.items() if hops == max(far.values())]

    def animal_goes(self, text: str) -> None:
        kind, where = text.split()
        x, y = where.split(",")
        at = int(x), int(y)
        if self.phase.endswith("appears"):
            self.animals[kind] = Animal(at, self.seats)
            self.phase = f"{kind} guess"
            return
        animal = self.animals[kind]
        assert animal is not None
        animal.came, animal.at = animal.at, at
        animal.hops += 1
        if self.has_head(at):
            animal.gone = True
            off = {
                seat: abs(guess - animal.hops) for seat, guess in enumerate(animal.guesses) if isinstance(guess, int)
            }
            closest = [seat for seat in off if off[seat] == min(off.values())]
            for seat in closest:
                points = (12 if off[seat] else 24) // len(closest)
                self.scores[seat] += points
                self.lines[seat].append((kind, points))
        elif animal.hops == 30:
            animal.gone = True
            right = [seat for seat, guess in enumerate(animal.guesses) if guess == "escape"]
            for seat in right:
                self.scores[seat] += 12 // len(right)
                self.lines[seat].append((kind, 12 // len(right)))
        self.next_animal()

    def guess(self, text: str) -> None:
        kind = self.phase.split()[0]
        animal = self.animals[kind]
        assert animal is not None
        animal.guesses[self.active()[0]] = text if text == "escape" else int(text)
        if None not in animal.guesses:
            self.next_animal()


# --- the engine and the table side by side --------------------------------------------------------------------------

VARIANTS = [
    ("classic", "short"),
    ("classic", "long"),
    ("pitchfork", "short"),
    ("pitchfork", "long"),
    ("animals", "long"),
]
EVERY = [(variant, length, seats) for variant, length in VARIANTS for seats in (2, 3, 4)]
NUMBERS = range(1, 96)


def texts(state: GameState, seat: int) -> dict[str, int]:
    return {SPEC.move_text(state, seat, move): move for move in state.legal(seat)}


def likes(table: Table, state: GameState, seat: int, text: str, move: int) -> int:
    """Compact boards, worthwhile claims and now and then a flip make for lively games."""
    if "@" in text:
        x, y = map(int, text.split("@")[1].split(","))
        return 1 + sum((x + dx, y + dy) in table.laid for dx in (-1, 0, 1) for dy in (-1, 0, 1)) ** 3
    if table.phase == "claim" and text != "no claim":
        after = state.clone()
        after.step(seat, move)
        return 2 + 10 * (after.scores()[seat] - state.scores()[seat])
    return {"flip": 6, "pass": 10, "change": 10}.get(text.split()[0], 1)


def pick(table: Table, state: GameState, rng: Stream) -> tuple[int, str, int]:
    seat = state.active()[0]
    known = texts(state, seat)
    wanted = table.legal()
    assert known.keys() == wanted.keys()
    if seat == CHANCE:
        total = sum(map(state.weight, known.values()))
        assert {text: Fraction(state.weight(move), total) for text, move in known.items()} == wanted
        move = state.chance(rng)
        return seat, SPEC.move_text(state, seat, move), move
    weights = [likes(table, state, seat, text, move) for text, move in known.items()]
    mark = rng.randrange(sum(weights))
    for (text, move), weight in zip(known.items(), weights, strict=True):
        mark -= weight
        if mark < 0:
            return seat, text, move
    raise AssertionError


def told(state: GameState) -> list[Counter[tuple[str, int]]]:
    return [
        Counter((line.rule, line.points) for line in state.score_lines(seat) if line.rule != "before")
        for seat in range(state.seats)
    ]


def check_table(table: Table, state: GameState, pieces: int) -> None:
    position = state.position()
    assert len(position["laid"]) == len(table.laid)
    for one in position["laid"]:
        tile = table.laid[tuple(one["at"])]
        claim = one.get("claim")
        assert one["tile"] == tile.number
        assert one["turn"] == tile.turn
        assert one["bridge"] == tile.bridge
        # While nothing can part a Beastly body from its beast, the engine need not write down which it is.
        beastly = [told.startswith("any ") for told in one["segments"]]
        ours = [
            f"any {each.split(' ', 1)[1]}" if open_ else each
            for each, open_ in zip(tile.segments, beastly, strict=True)
        ]
        assert one["segments"] == ours
        assert one.get("ornament", "none") == tile.ornament
        assert one["flips"] == tile.flips
        assert (claim and (claim["seat"], claim["piece"], claim["on"])) == tile.claim
    for seat, one in enumerate(position["seats"]):
        assert sorted(one["hand"]) == sorted(table.hands[seat])
        assert (one["boots"], one["forks"], one["spades"]) == (table.boots[seat], table.forks[seat], table.spades[seat])
    assert sorted(position["stock"]) == sorted(table.stock)
    if table.phase in ("move", "claim"):
        assert (position["to_move"], position["move"]) == (table.to_move, table.move)
    everywhere = [tile.number for tile in table.laid.values() if tile.number] + list(table.stock) + table.out
    assert sorted(everywhere + [number for hand in table.hands for number in hand]) == list(NUMBERS)
    on_table = sum(tile.claim is not None for tile in table.laid.values())
    assert sum(table.boots) + sum(table.forks) + on_table + table.retired == pieces


def play_beside(table: Table, state: GameState, rng: Stream) -> None:
    pieces = sum(table.boots) + sum(table.forks)
    events: list[Event] = []
    for _ in range(3000):
        assert state.active() == table.active()
        if not state.active():
            break
        seat, text, move = pick(table, state, rng)
        before, lines_before = state.scores(), [len(lines) for lines in table.lines]
        events.clear()
        state.apply(seat, move, events.append)
        table.do(text)
        table.settle()
        gains = [after - then for after, then in zip(state.scores(), before, strict=True)]
        new = [lines[then:] for lines, then in zip(table.lines, lines_before, strict=True)]
        assert gains == [sum(points for _, points in lines) for lines in new], text
        heard = sorted((who, line.rule, line.points) for event in events for who, line in event.lines)
        assert heard == sorted((who, *line) for who, lines in enumerate(new) for line in lines)
        check_table(table, state, pieces)
    assert told(state) == [Counter(lines) for lines in table.lines]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [seat for seat, score in enumerate(table.scores) if score == max(table.scores)]


@pytest.mark.parametrize(("variant", "length", "seats"), EVERY)
def test_random_games_with_few_tiles(variant: str, length: str, seats: int) -> None:
    """Short games: the end comes soon, hands run dry, spade and Beastly tiles are common."""
    rng = Stream(f"few {variant} {length} {seats}")
    deck = [number for number in NUMBERS if rng.randrange(100) < (50 if number < 22 or number > 80 else 25)]
    if variant == "animals":
        deck = [number for number in NUMBERS if number < 22 or number > 60]
    table = Table(seats, variant, length)
    state = SPEC.from_position(
        {
            "game": "marram",
            "options": {"variant": variant, "length": length},
            "phase": "deal",
            "seats": [{"score": max(0, table.knock_out - 25)} for _ in range(seats)],
            "stock": deck,
            "out": [number for number in NUMBERS if number not in deck],
        }
    )
    table.stock = set(deck)
    table.out = [number for number in NUMBERS if number not in deck]
    table.scores = state.scores()
    play_beside(table, state, rng)


@pytest.mark.parametrize(("variant", "length", "seats"), [EVERY[0], EVERY[4], EVERY[8], EVERY[9], EVERY[13]])
def test_random_games_with_the_whole_box(variant: str, length: str, seats: int) -> None:
    state = SPEC.start(seats, {"variant": variant, "length": length})
    table = Table(seats, variant, length)
    table.to_move = seats - 1
    assert [SPEC.move_text(state, CHANCE, move) for move in state.legal(CHANCE)] == [f"first {n}" for n in range(seats)]
    state.apply(CHANCE, SPEC.parse_move(state, CHANCE, f"first {table.to_move}"))
    play_beside(table, state, Stream(f"whole {variant} {length} {seats}"))


def test_hands_that_fit_nowhere_are_changed() -> None:
    """A box of crowded tiles: changes and forfeited turns are common."""
    changes = 0
    for number in range(12):
        rng = Stream(f"crowded {number}")
        deck = [1, 15, 16, 17, 18, 81, 82, 83, 84]
        variant = ("classic", "pitchfork")[number % 2]
        position = {
            "game": "marram",
            "options": {"variant": variant},
            "seats": [{}, {}],
            "stock": deck,
            "phase": "deal",
        }
        state = SPEC.from_position({**position, "out": [one for one in NUMBERS if one not in deck]})
        table = Table(2, variant, "long")
        table.stock, table.out = set(deck), [one for one in NUMBERS if one not in deck]
        play_beside(table, state, rng)
        changes += len(table.out) > 95 - len(deck)
    assert changes >= 3


# --- the box --------------------------------------------------------------------------------------------------------

PAGE = """
none, spade x14; orange body NE, orange body SW, spade x2; worm body NE, worm body SW, spade x1; any body NS x4;
blue head N x5; blue tail N x5; blue body NS x4; blue body NE x5; orange end N x7; orange body NS x3; orange body NE x3;
worm end N x7; worm saddle NS x3; worm saddle NE x2; worm body NE x2; worm body NS x1; blue head N, orange end S x2;
blue tail N, orange end S x2; blue head N, worm end S x2; blue tail N, worm end S x2; orange end N, worm end E x2;
orange end N, orange end S x1; worm end N, worm end S x1; blue body NE, blue body SW x1;
blue body NE, orange body SW x2; orange body NE, worm body SW x1; blue body NS, worm end E x2;
orange body NS, blue tail E x1; orange body NS, blue head E x1;
worm saddle NS, orange end E x2; blue body NE, orange end S, worm end W x2; worm body NE, orange end S, blue tail W x1;
blue head N, orange end E, worm end S x1; worm saddle NE, blue head S, orange end W x1
"""


def test_the_tiles_are_those_of_the_page() -> None:
    wanted: Counter[str] = Counter()
    for row in PAGE.replace("\n", " ").split(";"):
        kind, copies = row.strip().rsplit(" x", 1)
        wanted[kind] += int(copies)
    box = [TILES[number] for number in NUMBERS]
    kind_of = [", ".join(one["segments"] or ["none"]) + (", spade" if one["spade"] else "") for one in box]
    assert Counter(kind_of) == wanted
    assert sum(wanted.values()) == 95
    for kind in wanted:
        bridges = [one["bridge"] for one, its in zip(box, kind_of, strict=True) if its == kind]
        if kind.endswith("spade"):
            assert set(bridges) == {"grass"}
        else:
            assert bridges == [("grass", "sand")[index % 2] for index in range(len(bridges))]
    ornaments: Counter[tuple[str, str, str]] = Counter()
    for one, kind in zip(box, kind_of, strict=True):
        if kind == "none, spade":
            ornaments["spade", "front", one["front"]] += 1
            ornaments["spade", "reverse", one["reverse"]] += 1
        else:
            assert one["front"] == one["reverse"]
            if one["front"] != "none":
                assert kind.split()[1] in ("end", "head", "tail")
                assert len(one["segments"]) == 1
                assert (one["bridge"] == "sand") == (one["front"] == "flower")
                ornaments["ends", "both", one["front"]] += 1
    assert {key: number for key, number in ornaments.items() if key[2] != "none"} == {
        ("spade", "front", "gold"): 3,
        ("spade", "front", "silver"): 3,
        ("spade", "reverse", "flower"): 5,
        ("ends", "both", "gold"): 2,
        ("ends", "both", "silver"): 4,
        ("ends", "both", "flower"): 5,
    }
    assert (TILES[0]["segments"], TILES[0]["bridge"], TILES[0]["spade"]) == (["blue head N"], "sand", False)


@pytest.mark.parametrize(
    ("variant", "length", "boots", "forks", "spades"),
    [
        ("classic", "short", 7, 0, [4, 3, 2]),
        ("classic", "long", 7, 0, [4, 3, 2]),
        ("pitchfork", "long", 5, 5, [10, 7, 5]),
        ("pitchfork", "short", 3, 5, [8, 5, 4]),
        ("animals", "long", 5, 5, [10, 7, 5]),
    ],
)
def test_what_each_seat_gets(variant: str, length: str, boots: int, forks: int, spades: list[int]) -> None:
    for seats in (2, 3, 4):
        for one in SPEC.start(seats, {"variant": variant, "length": length}).position()["seats"]:
            assert (one["boots"], one["forks"], one["spades"]) == (boots, forks, spades[seats - 2])


def test_seats_and_options() -> None:
    assert (SPEC.min_seats, SPEC.max_seats) == (2, 4)
    for seats in (1, 5):
        with pytest.raises(BadOption):
            SPEC.start(seats)
    with pytest.raises(BadOption, match="variant"):
        SPEC.start(2, {"variant": "frogs"})
    with pytest.raises(BadOption, match="length"):
        SPEC.start(2, {"length": "endless"})
    assert SPEC.start(2, {"variant": "animals", "length": "short"}).options["length"] == "long"


# --- positions from outside -----------------------------------------------------------------------------------------

STARTER = {"at": [0, 0], "tile": 0, "turn": 0}
BASE: dict[str, Any] = {
    "game": "marram",
    "options": {"variant": "pitchfork", "length": "long"},
    "seats": [{"hand": [1, 2, 3]}, {"hand": [4, 5, 6]}],
    "laid": [
        STARTER,
        {
            "at": [1, 0],
            "bridge": "sand",
            "segments": ["orange end E"],
            "claim": {"seat": 0, "piece": "fork", "on": "E"},
        },
    ],
    "stock": 60,
}
ROW = [STARTER, *({"at": [x, 0], "bridge": "sand", "segments": []} for x in range(1, 22))]
FLYING: dict[str, Any] = {
    **BASE,
    "options": {"variant": "animals"},
    "laid": ROW,
    "fly": {"at": [3, 0], "from": [2, 0], "hops": 3, "guesses": [7, "escape"]},
}


def changed(position: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The position with one field set, such as seats.0.hand; a list is lengthened by the number after its last."""
    new = copy.deepcopy(position)
    inner: Any = new
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        inner = inner[step]
    if isinstance(inner, list) and last == len(inner):
        inner.append(value)
    else:
        inner[last] = value
    return new


def lies(**fields: Any) -> dict[str, Any]:
    return {"at": [1, 0], "bridge": "sand", "segments": [], **fields}


def claim(seat: Any = 0, piece: Any = "fork", on: Any = "E") -> dict[str, Any]:
    return {"seat": seat, "piece": piece, "on": on}


PLAYED = {"at": [1, 0], "how": "lay"}


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("zzz", 1, "zzz"),
        ("game", "guppies", "guppies"),
        ("phase", "dance", "phase"),
        ("phase", "claim", "played"),
        ("to_move", 2, "to_move"),
        ("to_move", -1, "to_move"),
        ("to_move", "0", "to_move"),
        ("to_move", True, "to_move"),
        ("move", 0, "move"),
        ("move", 3, "move"),
        ("seats", [{"hand": [1]}], "seats"),
        ("seats", [{}] * 5, "seats"),
        ("seats", "two", "seats"),
        ("seats.0.hat", 1, "seats[0].hat"),
        ("seats.1.score", -1, "seats[1].score"),
        ("seats.1.score", 1.5, "seats[1].score"),
        ("seats.0.boots", 6, "seats[0].boots"),
        ("seats.0.forks", 5, "seats[0].forks"),
        ("seats.0.forks", -1, "seats[0].forks"),
        ("seats.0.spades", 11, "seats[0].spades"),
        ("seats.0.hand", [1, 2, 3, 7], "seats[0].hand"),
        ("seats.0.hand", [96], "seats[0].hand[0]"),
        ("seats.0.hand", [0], "seats[0].hand[0]"),
        ("seats.0.hand", [1, 1], "tile 1 "),
        ("seats.0.hand", [4], "tile 4 "),
        ("seats.0.hand", "1", "seats[0].hand"),
        ("laid", [], "laid"),
        ("laid", 7, "laid"),
        ("laid.2", lies(), "1,0"),
        ("laid.2", lies(at=[5, 0]), "5,0"),
        ("laid.2", lies(at=[2, 1]), "2,1"),
        ("laid.2", lies(at=[2, 0]), "edge"),
        ("laid.2", lies(at=[2, 0], segments=["worm end W"]), "edge"),
        ("laid.1.at", "1,0", "laid[1].at"),
        ("laid.1.at", [1, 0, 0], "laid[1].at"),
        ("laid.1.at", [1.5, 0], "laid[1].at"),
        ("laid.1.at", [10**9, 0], "laid[1].at"),
        ("laid.1.bridge", "mud", "laid[1].bridge"),
        ("laid.1.hue", 1, "laid[1].hue"),
        ("laid.1", {"at": [1, 0], "segments": []}, "laid[1].bridge"),
        ("laid.1.segments", ["green end E"], "laid[1].segments"),
        ("laid.1.segments", ["orange head E"], "laid[1].segments"),
        ("laid.1.segments", ["orange saddle NE"], "laid[1].segments"),
        ("laid.1.segments", ["worm tail E"], "laid[1].segments"),
        ("laid.1.segments", ["blue end E"], "laid[1].segments"),
        ("laid.1.segments", ["blue saddle NE"], "laid[1].segments"),
        ("laid.1.segments", ["any head E"], "laid[1].segments"),
        ("laid.1.segments", ["orange body E"], "laid[1].segments"),
        ("laid.1.segments", ["orange end NE"], "laid[1].segments"),
        ("laid.1.segments", ["orange body EE"], "laid[1].segments"),
        ("laid.1.segments", ["orange end E", "worm body NE"], "laid[1].segments"),
        ("laid.1.segments", ["orange"], "laid[1].segments"),
        ("laid.1.segments", "orange end E", "laid[1].segments"),
        ("laid.1.ornament", "ruby", "laid[1].ornament"),
        ("laid.1.flips", -1, "laid[1].flips"),
        ("laid.0.turn", 4, "laid[0].turn"),
        ("laid.1", {"at": [1, 0], "tile": 96, "turn": 0}, "laid[1].tile"),
        ("laid.1", {"at": [1, 0], "tile": 14, "turn": 0, "bridge": "grass"}, "laid[1]"),
        ("laid.1", {"at": [1, 0], "tile": 14, "turn": 0, "segments": ["worm end E"]}, "laid[1]"),
        ("laid.1", {"at": [1, 0], "tile": 1, "turn": 0}, "tile 1 "),
        ("laid.1", {"at": [1, 0], "tile": 0, "turn": 1}, "tile 0 "),
        ("laid.1.claim", claim(piece="boot"), "laid[1].claim.piece"),
        ("laid.1.claim", claim(on="bridge"), "laid[1].claim.piece"),
        ("laid.1.claim", claim(on="N"), "laid[1].claim.on"),
        ("laid.1.claim", claim(on="X"), "laid[1].claim.on"),
        ("laid.1.claim", claim(seat=7), "laid[1].claim.seat"),
        ("laid.1.claim", claim(piece="hat"), "laid[1].claim.piece"),
        ("laid.1.claim", {"seat": 0, "piece": "fork"}, "laid[1].claim.on"),
        ("stock", 90, "stock"),
        ("stock", -1, "stock"),
        ("stock", [1, 7], "tile 1 "),
        ("stock", [7, 7], "tile 7 "),
        ("stock", [96], "stock[0]"),
        ("stock", "empty", "stock"),
        ("out", [1], "tile 1 "),
        ("out", [0], "out[0]"),
        ("played", PLAYED, "played"),
        ("flipped", [[9, 9]], "flipped[0]"),
        ("fresh", 2, "fresh"),
        ("passes", -1, "passes"),
        ("passes", 3, "passes"),
        ("ended", "knock-out", "ended"),
        ("phase", "over", "ended"),
        ("phase", "fly guess", "fly"),
        ("fly", FLYING["fly"], "fly"),
        ("check", "no", "check"),
        ("options", {"variant": "chess"}, "variant"),
        ("options", {"flies": 1}, "flies"),
    ],
)
def test_a_bad_position_names_the_field(path: str, value: Any, named: str) -> None:
    SPEC.from_position(BASE)
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(changed(BASE, path, value))
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("fly.at", [9, 9], "fly.at"),
        ("fly.from", [9, 9], "fly.from"),
        ("fly.hops", 30, "fly.hops"),
        ("fly.hops", -1, "fly.hops"),
        ("fly.guesses", [7], "fly.guesses"),
        ("fly.guesses", [7, 8, 9], "fly.guesses"),
        ("fly.guesses", [0, 2], "fly.guesses[0]"),
        ("fly.guesses", [2, 31], "fly.guesses[1]"),
        ("fly.guesses", ["maybe", 2], "fly.guesses[0]"),
        ("fly.guesses", [None, 2], "fly.guesses"),
        ("fly.wings", 2, "fly.wings"),
        ("frog", {"at": [9, 9], "from": None, "hops": 0, "guesses": [1, 2]}, "frog.at"),
    ],
)
def test_a_bad_animal_names_the_field(path: str, value: Any, named: str) -> None:
    SPEC.from_position(FLYING)
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(changed(FLYING, path, value))
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("position", "path", "value", "named"),
    [
        pytest.param(BASE, "laid.1", lies(bridge="grass", ornament="flower"), "ornament", id="a flower on grass"),
        pytest.param(BASE, "laid.1", lies(ornament="gold"), "ornament", id="a coin on sand"),
        pytest.param(
            BASE, "laid.1", {**lies(), "tile": 14, "turn": 0, "ornament": "flower"}, "laid[1]", id="tile 14 is bare"
        ),
        pytest.param(BASE, "laid.1", lies(flips=2), "flips", id="two flips of one tile in Pitchfork"),
        pytest.param({**BASE, "options": {}}, "laid.1", lies(flips=4), "flips", id="four flips of one tile in Classic"),
        pytest.param(BASE, "passes", 2, "passes", id="all have passed and play goes on"),
        pytest.param(BASE, "flipped", [[1, 0]], "flipped", id="a tile flipped this turn that never could"),
        pytest.param(FLYING, "fly.from", [9, 0], "fly.from", id="the fly came from afar"),
        pytest.param(FLYING, "fly.hops", 0, "fly", id="the fly came from somewhere without a hop"),
        pytest.param(
            FLYING,
            "fly",
            {"at": [0, 0], "from": [1, 0], "hops": 3, "guesses": [1, 2]},
            "fly",
            id="the fly sits on a head",
        ),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(
    position: dict[str, Any], path: str, value: Any, named: str
) -> None:
    bad = changed(position, path, value)
    SPEC.from_position({**bad, "check": False})
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(bad)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seats.0.boots", 9),
        ("seats.0.spades", 30),
        ("seats.0.hand", [1, 2, 3, 7, 8]),
        ("seats.0.hand", [1, 4, 7]),
        ("laid.2", lies(at=[5, 0])),
        ("laid.2", lies(at=[2, 0])),
        ("laid.2", lies(at=[2, 0], segments=["worm end W"])),
        ("laid.1", {"at": [1, 0], "tile": 14, "turn": 0, "segments": ["worm end E"]}),
        ("out", [1]),
    ],
)
def test_check_false_lets_experiments_pass_and_they_play_on(path: str, value: Any) -> None:
    state = SPEC.from_position({**changed(BASE, path, value), "check": False})
    rng = Stream(path)
    for _ in range(60):
        if state.active():
            seat = state.active()[0]
            moves = state.legal(seat)
            state.apply(seat, state.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])


def test_fields_left_out_take_their_value_at_the_start() -> None:
    assert SPEC.from_position({"game": "marram"}).position() == SPEC.start(2).position()
    for variant, length in VARIANTS:
        options = {"variant": variant, "length": length}
        state = SPEC.from_position({"game": "marram", "options": options, "seats": [{}, {}, {}]})
        assert state.position() == SPEC.start(3, options).position()
    state = SPEC.from_position({"game": "marram", "seats": [{"hand": [7]}, {"hand": [8, 9]}]})
    position = state.position()
    assert position["phase"] == "move"
    assert state.active() == [0]
    assert [one["boots"] for one in position["seats"]] == [7, 7]
    assert position["stock"] == [number for number in NUMBERS if number not in (7, 8, 9)]


def test_pieces_not_mentioned_are_those_not_on_the_table() -> None:
    assert SPEC.from_position(BASE).position()["seats"][0]["forks"] == 4
    assert SPEC.from_position(BASE).position()["seats"][1]["forks"] == 5


def test_a_tile_by_its_number_is_filled_in() -> None:
    state = SPEC.from_position(changed(BASE, "laid.1", {"at": [1, 0], "tile": 7, "turn": 0}))
    tile = next(one for one in state.position()["laid"] if one["at"] == [1, 0])
    assert (tile["bridge"], tile["segments"], tile["ornament"], tile["flips"]) == ("sand", [], "flower", 1)
    state = SPEC.from_position({**changed(BASE, "laid.1", {"at": [1, 0], "tile": 7, "turn": 1}), "options": {}})
    tile = next(one for one in state.position()["laid"] if one["at"] == [1, 0])
    assert (tile["bridge"], tile.get("ornament", "none"), tile["flips"]) == ("grass", "none", 3)


def test_a_stock_known_only_by_its_number() -> None:
    """A count: any tile that is nowhere to be seen may come, each as likely as any other."""
    state = SPEC.from_position(
        {**BASE, "phase": "refill", "seats": [{"hand": [1, 2]}, {"hand": [4, 5, 6]}], "stock": 2}
    )
    unseen = [number for number in NUMBERS if number not in (1, 2, 4, 5, 6)]
    for one in (state, state.resample(0, Stream(1)), state.resample(1, Stream(2))):
        assert [SPEC.move_text(one, CHANCE, move) for move in one.legal(CHANCE)] == [
            f"draw {number}" for number in unseen
        ]
        assert len({one.weight(move) for move in one.legal(CHANCE)}) == 1
        assert one.view(0) == state.view(0)
    state.apply(CHANCE, SPEC.parse_move(state, CHANCE, "draw 50"))
    assert state.active() == [1]
    with pytest.raises(MoveError):
        SPEC.parse_move(state, CHANCE, "draw 50")
    rng = Stream("on")
    while state.active():
        seat = state.active()[0]
        moves = state.legal(seat)
        state.step(seat, state.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])
    assert state.outcome() is not None


def test_positions_as_a_seat_sees_them_play_on() -> None:
    """Hands are open and only the order of the stock is hidden, so every viewer sees the same, and none the future."""
    for variant, length in VARIANTS:
        state = SPEC.start(3, {"variant": variant, "length": length})
        rng = Stream(f"seen {variant} {length}")
        for number in range(160):
            seat = state.active()[0]
            moves = state.legal(seat)
            state.step(seat, state.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])
            if number % 32:
                continue
            for viewer in (0, 1, 2, None):
                again = SPEC.from_position(json.loads(json.dumps(state.position(viewer))))
                assert again.position() == state.position()
                if viewer is not None:
                    other = again.resample(viewer, Stream(number))
                    assert other.view(viewer) == state.view(viewer)
                    for one in state.active():
                        assert other.legal(one) == state.legal(one)


def test_the_next_tiles_are_nowhere_in_views_or_events() -> None:
    """The same moves before two different draws: no view tells which is to come."""
    state = SPEC.from_position({**BASE, "stock": [50, 60, 70]})
    for text in ("1b0@-1,0", "no claim", "2b0@0,1", "no claim"):
        events: list[Event] = []
        state.apply(0, SPEC.parse_move(state, 0, text), events.append)
        heard = json.dumps([event.seen_by(viewer) for event in events for viewer in (0, 1, None)])
        assert not any(number in heard for number in ("50", "60", "70"))
    views = [json.dumps(state.view(viewer)["position"]["stock"]) for viewer in (0, 1, None)]
    assert views == ["[50, 60, 70]"] * 3
    for text in ("draw 60", "draw 50"):
        state.apply(CHANCE, SPEC.parse_move(state, CHANCE, text))
    assert state.position()["stock"] == [70]
    assert sorted(state.position(1)["seats"][0]["hand"]) == [3, 50, 60]


# --- texts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadNotation),
        ("lay", BadNotation),
        ("1", BadNotation),
        ("1a@1,0", BadNotation),
        ("1c1@1,0", BadNotation),
        ("1a1@1", BadNotation),
        ("1a1@1,0,0", BadNotation),
        ("1a1@x,0", BadNotation),
        ("flip", BadNotation),
        ("flip 1,0", BadNotation),
        ("boot", BadNotation),
        ("boot middle", (BadNotation, UnknownPiece)),
        ("hat N", BadNotation),
        ("guess", BadNotation),
        ("guess many", BadNotation),
        ("96a1@1,0", UnknownPiece),
        ("0a1@1,0", UnknownPiece),
        ("1a0@2,0", IllegalMove),
        ("4a1@-1,0", IllegalMove),
        ("1a0@-1,0", IllegalMove),
        ("change", IllegalMove),
        ("pass", IllegalMove),
        ("no claim", IllegalMove),
        ("guess 4", IllegalMove),
        ("boot N", IllegalMove),
    ],
)
def test_texts_that_are_no_move_here(text: str, error: Any) -> None:
    state = SPEC.from_position(BASE)
    before = state.position()
    with pytest.raises(error):
        SPEC.parse_move(state, 0, text)
    assert state.position() == before


def test_not_your_turn() -> None:
    state = SPEC.from_position(BASE)
    with pytest.raises(NotYourTurn):
        SPEC.parse_move(state, 1, "4b0@-1,0")


@pytest.mark.parametrize(
    ("typed", "meant"), [("1b2@-1,0", "1b0@-1,0"), ("1a3@-1,0", "1a1@-1,0"), (" 1a1 @ -1, 0", "1a1@-1,0")]
)
def test_other_ways_to_type_a_lay(typed: str, meant: str) -> None:
    state = SPEC.from_position(BASE)
    assert SPEC.move_text(state, 0, SPEC.parse_move(state, 0, typed)) == meant
