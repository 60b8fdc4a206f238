"""What follows a claim: complete features score, complete beasts leave the tiles. At the end, what is left scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import ScoreLine, Sink
from wellies.games.marram import events
from wellies.games.marram.beast_removal import chains_to_remove
from wellies.games.marram.features import leaders
from wellies.games.marram.places import GROUND_NAMES, parity
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
    award(state, leaders(chain.pieces, state.seats), line, words, KIND_NAMES[chain.kind], sink)


def _score_patch(state: MarramState, patch_id: int, rule: str, points: int, sink: Sink | None) -> None:
    patch = state.board.patches[patch_id]
    words = patch_words(patch)
    line = line_for(rule, points, patch_tiles(state.board, patch), words, patch.pieces, False, state.numbers)
    award(state, leaders(patch.pieces, state.seats), line, words, GROUND_NAMES[parity(patch.members[0])], sink)


def award(state: MarramState, winners: list[int], line: ScoreLine, words: str, of: str, sink: Sink | None) -> None:
    """Each of the winners scores the line in full."""
    for seat in winners:
        state.points[seat] += line.points
        state.lines[seat].append(line)
    if sink is not None:
        sink(events.scored(winners, line, words, of))


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
            sink(events.removed(state.to_move, words, where))
    staying = [chain_id for chain_id in state.kept if chain_id in board.chains]
    for chain_id in board.chains_at(state.played):
        chain = board.chains[chain_id]
        if chain.kind == BLUE and not chain.loose and chain_id not in staying:
            staying.append(chain_id)
            if sink is not None:
                sink(events.stays(state.to_move, chain))
    state.kept = tuple(staying)
    if sink is not None and left:
        for event in events.bare_tiles(state, left):
            sink(event)


def score_what_is_left(state: MarramState, sink: Sink | None) -> None:
    """Incomplete beasts and patches go to whoever has most pieces on them."""
    board = state.board
    for chain_id in sorted(board.chains, key=lambda each: min(board.chains[each].members)):
        chain = board.chains[chain_id]
        if chain.loose and chain.pieces:
            _score_beast(state, chain_id, "end beast", END_SEGMENT * len(chain.members), sink)
    for patch_id in sorted(board.patches, key=lambda each: min(board.patches[each].members)):
        patch = board.patches[patch_id]
        points = end_patch_points(patch)
        if patch.open and patch.pieces and points > 0:
            _score_patch(state, patch_id, "end patch", points, sink)
