"""After the claim: complete features score, completed beasts leave the tiles; and what is left scores at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Event, ScoreLine, Sink
from wellies.core.texts import listed, seat_marks, some
from wellies.games.marram.features import Chain, leaders
from wellies.games.marram.places import GROUND_NAMES, parity, place_json, place_text
from wellies.games.marram.removal import chains_to_remove
from wellies.games.marram.scoring import (
    END_SEGMENT,
    beast_points,
    beast_rule,
    beast_tiles,
    beast_words,
    end_patch_points,
    line_for,
    patch_points,
    patch_tiles,
    patch_words,
)
from wellies.games.marram.segments import BLUE, KIND_NAMES

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState


def score_move(state: MarramState, sink: Sink | None) -> None:
    """Every complete feature of the tile just played goes to whoever has most pieces on it; these come home."""
    board = state.board
    for chain_id in board.chains_at(state.played):
        chain = board.chains[chain_id]
        if not chain.loose and chain.pieces:
            _score_beast(state, chain_id, beast_rule(chain), beast_points(chain), sink)
            for cell in board.pieces_on_chain(chain_id):
                _send_home(state, cell)
    for patch_id in board.patches_at(state.played):
        patch = board.patches[patch_id]
        if patch.open == 0 and patch.pieces:
            _score_patch(state, patch_id, "patch", patch_points(patch, state.numbers), sink)
            for cell in board.pieces_on_patch(patch_id):
                _send_home(state, cell)


def _send_home(state: MarramState, cell: int) -> None:
    piece = state.board.take_piece(cell)
    state.hand_out(piece.seat, piece.piece, 1)


def _score_beast(state: MarramState, chain_id: int, rule: str, points: int, sink: Sink | None) -> None:
    chain = state.board.chains[chain_id]
    words = beast_words(chain)
    line = line_for(rule, points, beast_tiles(chain), words, chain.pieces, True, state.numbers)
    _award(state, leaders(chain.pieces, state.seats), line, words, KIND_NAMES[chain.kind], sink)


def _score_patch(state: MarramState, patch_id: int, rule: str, points: int, sink: Sink | None) -> None:
    patch = state.board.patches[patch_id]
    words = patch_words(patch)
    line = line_for(rule, points, patch_tiles(state.board, patch), words, patch.pieces, False, state.numbers)
    _award(state, leaders(patch.pieces, state.seats), line, words, GROUND_NAMES[parity(patch.members[0])], sink)


def _award(state: MarramState, winners: list[int], line: ScoreLine, words: str, of: str, sink: Sink | None) -> None:
    """Each of the winners scores the line in full."""
    for seat in winners:
        state.points[seat] += line.points
        state.lines[seat].append(line)
    if sink is not None:
        scores = "scores" if len(winners) == 1 else "score"
        each = "" if len(winners) == 1 else " each"
        text = f"{seat_marks(winners)} {scores} {some(line.points, 'point')}{each} for the {words}."
        told = {"rule": line.rule, "of": of}
        sink(Event("score", winners[0], text, told, lines=[(seat, line) for seat in winners]))


def remove_beasts(state: MarramState, sink: Sink | None) -> None:
    """Pitchfork and Animals: completed beasts leave their tiles, but for the last blue head."""
    board = state.board
    left: list[int] = []
    for chain_id in chains_to_remove(board, state.played, state.kept):
        chain = board.chains[chain_id]
        words = beast_words(chain)
        where = beast_tiles(chain)
        left += board.remove(chain_id)
        if sink is not None:
            sink(Event("remove", state.to_move, f"The {words} leaves the tiles.", {"where": where}))
    staying = [chain_id for chain_id in state.kept if chain_id in board.chains]
    for chain_id in board.chains_at(state.played):
        chain = board.chains[chain_id]
        if chain.kind == BLUE and not chain.loose and chain_id not in staying:
            staying.append(chain_id)
            if sink is not None:
                sink(_stays(state, chain))
    state.kept = tuple(staying)
    if sink is not None and left:
        for event in _bare_tiles(state, left):
            sink(event)


def _stays(state: MarramState, chain: Chain) -> Event:
    why = "no other blue head lies on the table, which always keeps one"
    text = f"The {beast_words(chain)} is complete and stays: {why}."
    return Event("stay", state.to_move, text, {"where": beast_tiles(chain)})


def _bare_tiles(state: MarramState, left: list[int]) -> list[Event]:
    """Which of the tiles that a beast has left can be flipped from now on, and which never can."""
    bare = [cell for cell in sorted(set(left)) if not state.board.tiles[cell].segments]
    freed = [cell for cell in bare if state.board.tiles[cell].flips > 0]
    barred = [cell for cell in bare if cell not in freed and not state.board.tiles[cell].flipped]
    events: list[Event] = []
    if freed:
        tiles = "The tile" if len(freed) == 1 else f"Each of the {len(freed)} tiles"
        text = f"{tiles} {_at(freed)} without beasts can be flipped now, once."
        events.append(Event("bare", state.to_move, text, {"where": [place_json(cell) for cell in freed]}))
    if barred:
        tiles = "The tile" if len(barred) == 1 else f"The {len(barred)} tiles"
        text = f"{tiles} {_at(barred)} with a boot on lost the last beast just then and can never be flipped."
        events.append(Event("barred", state.to_move, text, {"where": [place_json(cell) for cell in barred]}))
    return events


def _at(cells: list[int]) -> str:
    return f"[at {listed([place_text(cell) for cell in cells])}]"


def score_what_is_left(state: MarramState, sink: Sink | None) -> None:
    """Incomplete beasts and patches go to whoever has most pieces on them."""
    board = state.board
    for chain_id in sorted(board.chains, key=lambda each: min(board.chains[each].members)):
        chain = board.chains[chain_id]
        if chain.loose and chain.pieces:
            _score_beast(state, chain_id, "end beast", END_SEGMENT * len(chain.members), sink)
    for patch_id in sorted(board.patches, key=lambda each: min(board.patches[each].members)):
        patch = board.patches[patch_id]
        worth = end_patch_points(patch)
        if patch.open and patch.pieces and worth > 0:
            _score_patch(state, patch_id, "end patch", worth, sink)
