"""Marram worked out afresh, slowly and obviously, from what lies on the table; held against the engine by the tests.

It shares nothing with the engine's bookkeeping: places and vertices are pairs, features are sets found by flooding.
"""

from __future__ import annotations

from typing import Any

from wellies.games.marram.material_file import BOX
from wellies.games.marram.state import MarramState

Place = tuple[int, int]
End = tuple[int, int, str]

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FACING = {"N": "S", "S": "N", "E": "W", "W": "E"}
CORNERS = {"NW": (0, 0), "NE": (1, 0), "SE": (1, 1), "SW": (0, 1)}
AFTER_A_TURN = {"N": "E", "E": "S", "S": "W", "W": "N", "NW": "NE", "NE": "SE", "SE": "SW", "SW": "NW"}


class Face:
    """A tile as it lies: ground of the bridge, segments as (kind, role, edges), ornament."""

    def __init__(self, bridge: str, segments: list[tuple[str, str, str]], ornament: str) -> None:
        self.bridge = bridge
        self.segments = segments
        self.ornament = ornament

    def kind(self, edge: str) -> str:
        for kind, _, edges in self.segments:
            if edge in edges:
                return kind
        return "none"

    def look(self) -> Any:
        return (self.bridge, sorted((kind, role, sorted(edges)) for kind, role, edges in self.segments), self.ornament)


def table(position: dict[str, Any]) -> dict[Place, Face]:
    found: dict[Place, Face] = {}
    for laid in position["laid"]:
        segments = []
        for text in laid["segments"]:
            kind, role, edges = text.split()
            segments.append((kind, role, edges))
        found[(laid["at"][0], laid["at"][1])] = Face(laid["bridge"], segments, laid.get("ornament", "none"))
    return found


def ground(vertex: Place) -> str:
    return "grass" if (vertex[0] + vertex[1]) % 2 == 0 else "sand"


def corner(place: Place, name: str) -> Place:
    return (place[0] + CORNERS[name][0], place[1] + CORNERS[name][1])


def bridge_pair(place: Place, face: Face) -> list[Place]:
    return [corner(place, name) for name in CORNERS if ground(corner(place, name)) == face.bridge]


def components(links: dict[Any, set[Any]]) -> list[frozenset[Any]]:
    """The things that are linked to each other, by flooding."""
    found: list[frozenset[Any]] = []
    seen: set[Any] = set()
    for start in links:
        if start in seen:
            continue
        flooded = {start}
        todo = [start]
        while todo:
            for other in links[todo.pop()]:
                if other not in flooded:
                    flooded.add(other)
                    todo.append(other)
        seen |= flooded
        found.append(frozenset(flooded))
    return found


def patches(tiles: dict[Place, Face], claims: list[tuple[int, Place, str]]) -> set[Any]:
    """(vertices, open bulges, gold, silver, flowers, pieces by seat) of every patch."""
    links: dict[Any, set[Any]] = {}
    for place, face in tiles.items():
        for name in CORNERS:
            links.setdefault(corner(place, name), set())
        a, b = bridge_pair(place, face)
        links[a].add(b)
        links[b].add(a)
    decked = [(place, face) for place, face in tiles.items() if face.ornament != "none"]
    ornaments = [(bridge_pair(place, face)[0], face.ornament) for place, face in decked]
    claimed = [(seat, bridge_pair(place, tiles[place])[0]) for seat, place, on in claims if on == "bridge"]
    claimed += [(seat, corner(place, on)) for seat, place, on in claims if on in CORNERS]
    result = set()
    for component in components(links):
        open_bulges = sum(
            1 for x, y in component if not all(p in tiles for p in [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)])
        )
        shown = [ornament for vertex, ornament in ornaments if vertex in component]
        pieces = [0, 0, 0, 0]
        for seat, vertex in claimed:
            if vertex in component:
                pieces[seat] += 1
        counts = tuple(shown.count(name) for name in ("gold", "silver", "flower"))
        result.add((component, open_bulges, counts, tuple(pieces)))
    return result


def chains(tiles: dict[Place, Face], claims: list[tuple[int, Place, str]]) -> set[Any]:
    """(segments, loose ends, kinds, parts, pieces by seat) of every beast; a segment is its place and edges."""
    segment_at: dict[End, Any] = {}
    about: dict[Any, tuple[str, str]] = {}
    for (x, y), face in tiles.items():
        for kind, role, edges in face.segments:
            segment = (x, y, "".join(sorted(edges)))
            about[segment] = (kind, role)
            for edge in edges:
                segment_at[(x, y, edge)] = segment
    links: dict[Any, set[Any]] = {segment: set() for segment in about}
    loose: set[End] = set()
    for (x, y, edge), segment in segment_at.items():
        dx, dy = STEPS[edge]
        other = segment_at.get((x + dx, y + dy, FACING[edge]))
        if other is None:
            loose.add((x, y, edge))
        else:
            links[segment].add(other)
    result = set()
    for component in components(links):
        ends = frozenset(end for end in loose if segment_at[end] in component)
        kinds = frozenset(about[segment][0] for segment in component) - {"any"}
        roles = [about[segment][1] for segment in component]
        counts = tuple(roles.count(role) for role in ("head", "tail", "end", "body", "saddle"))
        pieces = [0, 0, 0, 0]
        for seat, (x, y), on in claims:
            if on in STEPS and segment_at[(x, y, on)] in component:
                pieces[seat] += 1
        result.add((component, ends, kinds, counts, tuple(pieces)))
    return result


def claims_of(position: dict[str, Any]) -> list[tuple[int, Place, str]]:
    return [
        (laid["claim"]["seat"], (laid["at"][0], laid["at"][1]), laid["claim"]["on"])
        for laid in position["laid"]
        if "claim" in laid
    ]


def faces_of_box(tile: int) -> list[tuple[Face, str]]:
    """Front and reverse in base position, each with what is below it when it lies; grass corners follow."""
    box = BOX[tile]
    names = ("none", "gold", "silver", "flower")
    from wellies.games.marram.segments import text_of

    segments: list[tuple[str, str, str]] = []
    for packed in box.segments:
        kind, role, edges = text_of(packed).split()
        segments.append((kind, role, edges))
    ground_names = ("grass", "sand")
    front = Face(ground_names[box.bridge], segments, names[box.ornaments[0]])
    back_ground = ground_names[1 - box.bridge] if box.spade else ground_names[box.bridge]
    back = Face(back_ground, segments, names[box.ornaments[1]])
    return [(front, back.ornament if box.spade else ""), (back, front.ornament if box.spade else "")]


def turned(face: Face, turns: int) -> Face:
    segments = face.segments
    for _ in range(turns):
        segments = [(kind, role, "".join(AFTER_A_TURN[edge] for edge in edges)) for kind, role, edges in segments]
    return Face(face.bridge, segments, face.ornament)


def grass_corners(face_number: int, turns: int) -> set[str]:
    names = {"NW", "SE"} if face_number == 0 else {"NE", "SW"}
    for _ in range(turns):
        names = {AFTER_A_TURN[name] for name in names}
    return names


def matches(tiles: dict[Place, Face], place: Place, face: Face) -> bool:
    """Whether all edges match, nothing Beastly joining two kinds."""
    touching = False
    beastly = False
    for edge, (dx, dy) in STEPS.items():
        other = tiles.get((place[0] + dx, place[1] + dy))
        if other is None:
            continue
        touching = True
        mine, theirs = face.kind(edge), other.kind(FACING[edge])
        beastly = beastly or "any" in (mine, theirs)
        if (mine == "none") != (theirs == "none"):
            return False
        if mine != theirs and "any" not in (mine, theirs):
            return False
    if not touching:
        return False
    if beastly:
        after = dict(tiles)
        after[place] = face
        return all(len(kinds) <= 1 for _, _, kinds, _, _ in chains(after, []))
    return True


def lays(state: MarramState) -> set[tuple[int, Place, Any]]:
    """Every way to lay a tile of the hand of the seat to move: tile, place and how it then looks above and below."""
    tiles = table(state.position())
    beside = {(x + dx, y + dy) for x, y in tiles for dx, dy in STEPS.values()} - set(tiles)
    found = set()
    for tile in state.hands[state.to_move]:
        for number, (face, below) in enumerate(faces_of_box(tile)):
            for turns in range(4):
                lying = turned(face, turns)
                grass = grass_corners(number, turns)
                for place in beside:
                    fits_ground = all((ground(corner(place, name)) == "grass") == (name in grass) for name in CORNERS)
                    if fits_ground and matches(tiles, place, lying):
                        found.add((tile, place, repr((lying.look(), below))))
    return found


def flips(state: MarramState) -> set[tuple[Place, Any]]:
    """Every flip of a laid tile: place and look afterwards."""
    position = state.position()
    tiles = table(position)
    now = [tuple(place) for place in position.get("flipped", [])]
    found = set()
    for laid in position["laid"]:
        place = (laid["at"][0], laid["at"][1])
        if laid["flips"] == 0 or place in now:
            continue
        old = tiles[place]
        swapped = Face("sand" if old.bridge == "grass" else "grass", old.segments, "")
        rest = {other: face for other, face in tiles.items() if other != place}
        for turns in (1, 3):
            lying = turned(swapped, turns)
            if matches(rest, place, lying):
                found.add((place, repr(lying.look())))
    return found
