"""The engine's bookkeeping equals plain recomputation after every move of random games, and nothing is ever lost."""

from __future__ import annotations

import os
from typing import Any

import marram_oracle as oracle
import pytest

import wellies
from wellies import CHANCE, Stream
from wellies.games.marram import moves
from wellies.games.marram.features import count_of, parts
from wellies.games.marram.material_file import STANDARD
from wellies.games.marram.placed_tile import PlacedTile
from wellies.games.marram.places import x_of, y_of
from wellies.games.marram.segments import ANY, EDGE_NAMES, KIND_NAMES, edges_of, text_of
from wellies.games.marram.state import MarramState
from wellies.games.marram.variants import numbers_for

GAMES = int(os.environ.get("WELLIES_SOAK", "1"))
WAYS = [
    pytest.param(variant, length, seats, id=f"{variant}-{length}-{seats}")
    for variant, length in (
        ("classic", "short"),
        ("classic", "long"),
        ("pitchfork", "short"),
        ("pitchfork", "long"),
        ("animals", "long"),
    )
    for seats in (2, 3, 4)
]


def engine_patches(state: MarramState) -> set[Any]:
    found = set()
    for patch_id, patch in state.board.patches.items():
        assert all(state.board.patch_of[vertex] == patch_id for vertex in patch.members)
        members = frozenset((x_of(vertex), y_of(vertex)) for vertex in patch.members)
        assert len(members) == len(patch.members)
        pieces = tuple(count_of(patch.pieces, seat) for seat in range(4))
        found.add((members, patch.open, (patch.gold, patch.silver, patch.flowers), pieces))
    assert len(state.board.patch_of) == sum(len(patch.members) for patch in state.board.patches.values())
    return found


def engine_chains(state: MarramState) -> set[Any]:
    found = set()
    ends = 0
    for chain_id, chain in state.board.chains.items():
        members = set()
        for member in chain.members:
            tile = state.board.tiles[member >> 2]
            edges = edges_of(tile.segment_at(member & 3))
            ends += len(edges)
            assert all(state.board.chain_of[member & ~3 | edge] == chain_id for edge in edges)
            names = "".join(sorted(EDGE_NAMES[edge] for edge in edges))
            members.add((x_of(member >> 2), y_of(member >> 2), names))
        loose = frozenset((x_of(end >> 2), y_of(end >> 2), EDGE_NAMES[end & 3]) for end in chain.loose)
        kinds = frozenset() if chain.kind == ANY else frozenset({KIND_NAMES[chain.kind]})
        counts = tuple(parts(chain.counts, role) for role in range(5))
        pieces = tuple(count_of(chain.pieces, seat) for seat in range(4))
        found.add((frozenset(members), loose, kinds, counts, pieces))
    assert len(state.board.chain_of) == ends
    return found


def check_features(state: MarramState) -> None:
    position = state.position()
    tiles = oracle.table(position)
    claims = oracle.claims_of(position)
    assert engine_patches(state) == oracle.patches(tiles, claims)
    assert engine_chains(state) == oracle.chains(tiles, claims)
    heads = [part for face in tiles.values() for part in face.segments if part[:2] == ("blue", "head")]
    assert state.board.heads == len(heads)
    beside = {cell + step for cell in state.board.tiles for step in (-1024, 1, 1024, -1)}
    assert state.board.open_cells == sorted(beside - set(state.board.tiles))
    assert state.board.open_codes == [state.board.demand(cell) for cell in state.board.open_cells]
    assert sorted(state.board.flippable) == sorted(cell for cell, tile in state.board.tiles.items() if tile.flips)


def shown(lying: PlacedTile) -> oracle.Face:
    segments: list[tuple[str, str, str]] = []
    for segment in lying.segments:
        kind, role, edges = text_of(segment).split()
        segments.append((kind, role, edges))
    ornament = ("none", "gold", "silver", "flower")[lying.ornament]
    return oracle.Face(("grass", "sand")[lying.bridge], segments, ornament)


def check_moves(state: MarramState) -> None:
    """Legal lays and flips equal all that can be found by trying, looks that are the same counted once."""
    seat = state.to_move
    found_lays = set()
    found_flips = set()
    lays = flips = 0
    for move in state.legal(seat):
        if moves.kind_of_move(move) == moves.LAY:
            lays += 1
            tile, cell = moves.lay_tile(move), moves.lay_cell(move)
            lying = STANDARD.placed(tile, moves.lay_turn(move), moves.lay_face(move), state.numbers.flips)
            below = ("none", "gold", "silver", "flower")[lying.other] if lying.flips else ""
            found_lays.add((tile, (x_of(cell), y_of(cell)), repr((shown(lying).look(), below))))
        elif moves.kind_of_move(move) == moves.FLIP:
            flips += 1
            cell = moves.flip_cell(move)
            face = shown(state.board.tiles[cell].turned_over(moves.flip_turn(move)))
            found_flips.add(((x_of(cell), y_of(cell)), repr(oracle.Face(face.bridge, face.segments, "").look())))
    assert len(found_lays) == lays
    assert len(found_flips) == flips
    assert found_lays == oracle.lays(state)
    assert found_flips == (oracle.flips(state) if state.spades[seat] else set())


def check_conserved(state: MarramState, flips_made: list[int]) -> None:
    numbers = numbers_for(state.options["variant"], state.options["length"], state.seats)
    everywhere = [*state.stock, *state.out, *(tile for hand in state.hands for tile in hand)]
    everywhere += [tile.tile for tile in state.board.tiles.values()]
    assert sorted(everywhere) == list(range(96))
    for seat in range(state.seats):
        mine = [piece for piece in state.board.pieces.values() if piece.seat == seat]
        boots = sum(1 for piece in mine if piece.piece == moves.BOOT)
        assert state.boots[seat] + boots + state.retired_boots[seat] == numbers.boots
        assert state.forks[seat] + len(mine) - boots + state.retired_forks[seat] == numbers.forks
        assert state.spades[seat] + flips_made[seat] == numbers.spades


def play_and_compare(variant: str, length: str, seats: int, number: int) -> None:
    """One random game, compared after every move. Some are played by people who like to flip, so that flips and
    removals meet."""
    rng = Stream(f"{variant} {length} {seats} {number}")
    state = wellies.game("marram").start(seats, {"variant": variant, "length": length})
    assert isinstance(state, MarramState)
    flips_made = [0] * seats
    flippers = number % 2 == 0
    while state.active():
        seat = state.active()[0]
        if seat == CHANCE:
            state.step(seat, state.chance(rng))
            continue
        if state.phase == 1 and rng.randrange(40) == 0:
            check_moves(state)
        legal = state.legal(seat)
        flips = [move for move in legal if moves.kind_of_move(move) == moves.FLIP]
        choice = flips if flips and flippers and rng.randrange(4) == 0 else legal
        move = choice[rng.randrange(len(choice))]
        if moves.kind_of_move(move) == moves.FLIP:
            flips_made[seat] += 1
        state.step(seat, move)
        check_features(state)
        check_conserved(state, flips_made)
    assert state.outcome() is not None


@pytest.mark.parametrize(("variant", "length", "seats"), WAYS)
def test_random_games_agree_with_recomputation(variant: str, length: str, seats: int) -> None:
    for number in range(GAMES):
        play_and_compare(variant, length, seats, number)
