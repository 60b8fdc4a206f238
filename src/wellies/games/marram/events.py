"""The events of Marram: built only when someone listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Event, ScoreLine
from wellies.core.state import CHANCE
from wellies.core.texts import listed, seat_marks, some
from wellies.games.marram.animals import Animal
from wellies.games.marram.board import Piece
from wellies.games.marram.features import Chain
from wellies.games.marram.moves import ESCAPE, FLY, PIECE_NAMES, SLOT_NAMES, claimed_words
from wellies.games.marram.places import at_place, place_json, place_text
from wellies.games.marram.scoring import beast_tiles, beast_words
from wellies.games.marram.tile_words import box_words, placed_tile_words

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState


def begins(seat: int) -> Event:
    return Event("first", seat, f"{{{seat}}} begins.")


def drew(state: MarramState, seat: int, tile: int) -> Event:
    text = f"{{{seat}}} draws {box_words(state.box, tile)} [{tile}]."
    return Event("draw", seat, text, {"tile": tile, "left": state.stock_count})


def laid(state: MarramState, tile: int, cell: int) -> Event:
    seat = state.to_move
    text = f"{{{seat}}} lays {box_words(state.box, tile)} [{tile} at {place_text(cell)}]."
    return Event("lay", seat, text, {"tile": tile, "at": place_json(cell), "turn": state.board.tiles[cell].turn})


def flipped(state: MarramState, cell: int) -> Event:
    seat = state.to_move
    placed = state.board.tiles[cell]
    text = f"{{{seat}}} flips {placed_tile_words(placed)} {at_place(cell)}."
    return Event("flip", seat, text, {"at": place_json(cell), "turn": placed.turn})


def retired(piece: Piece, cell: int) -> Event:
    """A piece on a tile that is flipped leaves the game."""
    name = PIECE_NAMES[piece.piece]
    text = f"The {name} of {{{piece.seat}}} {at_place(cell)} leaves the game."
    return Event("retire", piece.seat, text, {"at": place_json(cell), "piece": name})


def claimed(state: MarramState, kind: int, slot: int) -> Event:
    """A piece of this kind is put on the tile just played."""
    seat = state.to_move
    name, on = PIECE_NAMES[kind], SLOT_NAMES[slot]
    text = f"{{{seat}}} puts a {name} on {claimed_words(state, slot)} [{on} at {place_text(state.played)}]."
    return Event("claim", seat, text, {"at": place_json(state.played), "piece": name, "on": on})


def changed(seat: int, hand: list[int], fresh: int) -> Event:
    """A hand that fits nowhere leaves the game for so many fresh tiles."""
    tiles = ", ".join(map(str, hand))
    rest = "draws fresh ones" if fresh else "forfeits the rest of the turn"
    text = f"{{{seat}}} can lay nothing, takes the whole hand [{tiles}] out of the game and {rest}."
    return Event("change", seat, text, {"tiles": list(hand)})


def passed(seat: int) -> Event:
    return Event("pass", seat, f"{{{seat}}} passes.")


# --- scoring and removal ----------------------------------------------------------------------------------------------


def scored(winners: list[int], line: ScoreLine, words: str, of: str) -> Event:
    """Each of the winners scores the line, for the feature in these words; `of` is its kind."""
    scores = "scores" if len(winners) == 1 else "score"
    each = "" if len(winners) == 1 else " each"
    text = f"{seat_marks(winners)} {scores} {some(line.points, 'point')}{each} for the {words}."
    data = {"rule": line.rule, "of": of}
    return Event("score", winners[0], text, data, lines=[(seat, line) for seat in winners])


def removed(seat: int, words: str, where: list[list[int]]) -> Event:
    """A complete beast leaves its tiles after a move of this seat."""
    return Event("remove", seat, f"The {words} leaves the tiles.", {"where": where})


def stays(seat: int, chain: Chain) -> Event:
    """A complete beast stays after a move of this seat, since it has the last blue head."""
    why = "no other blue head lies on the table, which always keeps one"
    text = f"The {beast_words(chain)} is complete and stays: {why}."
    return Event("stay", seat, text, {"where": beast_tiles(chain)})


def bare_tiles(state: MarramState, left: list[int]) -> list[Event]:
    """Which of the tiles that a beast has left can be flipped from now on, and which never can."""
    bare = [cell for cell in sorted(set(left)) if not state.board.tiles[cell].segments]
    freed = [cell for cell in bare if state.board.tiles[cell].flips > 0]
    barred = [cell for cell in bare if cell not in freed and not state.board.tiles[cell].flipped]
    found: list[Event] = []
    if freed:
        tiles = "The tile" if len(freed) == 1 else f"Each of the {len(freed)} tiles"
        text = f"{tiles} {_at(freed)} without beasts can be flipped now, once."
        found.append(Event("bare", state.to_move, text, {"where": [place_json(cell) for cell in freed]}))
    if barred:
        tiles = "The tile" if len(barred) == 1 else f"The {len(barred)} tiles"
        text = f"{tiles} {_at(barred)} with a boot on lost the last beast just then and can never be flipped."
        found.append(Event("barred", state.to_move, text, {"where": [place_json(cell) for cell in barred]}))
    return found


def _at(cells: list[int]) -> str:
    return f"[at {listed([place_text(cell) for cell in cells])}]"


# --- animals ----------------------------------------------------------------------------------------------------------


def animal_name(kind: int) -> str:
    return "fly" if kind == FLY else "frog"


def appeared(kind: int, cell: int) -> Event:
    name = animal_name(kind)
    return Event("appear", CHANCE, f"A {name} appears {at_place(cell)}.", {"animal": name, "at": place_json(cell)})


def hopped(kind: int, animal: Animal) -> Event:
    name = animal_name(kind)
    text = f"The {name} makes hop {animal.hops} [to {place_text(animal.at)}]."
    return Event("hop", CHANCE, text, {"animal": name, "at": place_json(animal.at), "hops": animal.hops})


def guessed(kind: int, seat: int, number: int) -> Event:
    name = animal_name(kind)
    said = f"that the {name} escapes" if number == ESCAPE else f"{some(number, 'hop')} for the {name}"
    data = {"animal": name, "guess": "escape" if number == ESCAPE else number}
    return Event("guess", seat, f"{{{seat}}} guesses {said}.", data)


def settled(kind: int, hops: int, lines: list[tuple[int, ScoreLine]]) -> Event:
    """An animal was eaten at this hop, or has escaped (hops 0), and these lines were scored."""
    name = animal_name(kind)
    paid = ", ".join(f"{{{seat}}} scores {line.points}" for seat, line in lines) or "nobody scores"
    fate = f"is eaten at hop {hops}" if hops else "has escaped"
    return Event("settle", CHANCE, f"The {name} {fate}: {paid}.", {"animal": name, "hops": hops}, lines=lines)
