"""Which complete beasts leave their tiles in Pitchfork and Animals: the table always keeps a blue head."""

from __future__ import annotations

from wellies.games.marram.board import Board
from wellies.games.marram.segments import BLUE


def chains_to_remove(board: Board, played: int, kept: tuple[int, ...]) -> list[int]:
    """The complete beasts that vanish after a move with the tile at `played`, in order.

    `kept` are the complete blue beasts that stayed from before (one at most, but in a position written by hand). Blue
    beasts go in turn: the kept one first, then the new ones from small to large; each if it has no head or if another
    blue head stays on the table.
    """
    new = [chain_id for chain_id in board.chains_at(played) if not board.chains[chain_id].loose]
    if not kept and not new:
        return []
    gone = [chain_id for chain_id in new if board.chains[chain_id].kind != BLUE]
    blue = [chain_id for chain_id in kept if chain_id in board.chains]
    blue += by_size(board, [each for each in new if board.chains[each].kind == BLUE and each not in kept])
    heads = board.heads
    for chain_id in blue:
        mine = board.chains[chain_id].heads()
        if mine == 0 or heads > mine:
            gone.append(chain_id)
            heads -= mine
    return gone


def by_size(board: Board, chains: list[int]) -> list[int]:
    """From small to large; equal ones stay in the order of the edges of their tile."""
    return sorted(chains, key=lambda chain_id: len(board.chains[chain_id].members))


def find_kept(board: Board, played: int) -> tuple[int, ...]:
    """The complete blue beasts with a head that lie on the table from before the move under way."""
    fresh = board.chains_at(played) if played >= 0 else []
    found = [
        chain_id
        for chain_id, chain in board.chains.items()
        if chain.kind == BLUE and not chain.loose and chain.heads() > 0 and chain_id not in fresh
    ]
    return tuple(by_size(board, found))
