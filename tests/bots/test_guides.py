"""What the guided first games advise is what our own search would play, from the positions that the page sets up."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import wellies
from wellies import CHANCE, GameState, Stream
from wellies.bots import bot
from wellies.bots.analysis import judge

GAMES = Path(__file__).parents[2] / "web" / "src" / "games"
GUIDES = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in GAMES.glob("*/guide.json")}
ME = 0
RIVAL = "shower"
NODES = 1600
"""With 200 the error of an estimate is larger than the slip allowed."""
SLIP = 0.5
"""Points that advice may cost by our own judgement: a trifle, which may be noise."""


def until_my_turn(state: GameState, rng: Stream, details: str | None) -> None:
    """The rival and chance go on until I am asked for more than the details of a choice that is made."""
    while state.due():
        seat = ME if ME in state.due() else state.due()[0]
        if seat == ME and (details is None or not all(re.match(details, text) for text in texts(state))):
            return
        move = state.chance(rng) if seat == CHANCE else bot(RIVAL).choose(state, seat, rng)
        state.step(seat, move)


def texts(state: GameState) -> list[str]:
    return [state.spec.move_text(state, ME, move) for move in state.legal(ME)]


def advised(state: GameState, step: dict[str, Any]) -> list[int]:
    pattern = re.compile(step.get("expect", ""))
    return [move for move in state.legal(ME) if pattern.search(state.spec.move_text(state, ME, move))]


@pytest.mark.parametrize("seed", [1, 2] if os.environ.get("WELLIES_SOAK") else [1])
@pytest.mark.parametrize("game", sorted(GUIDES))
def test_every_move_that_a_guide_advises_is_one_our_own_search_approves(game: str, seed: int) -> None:
    spec = wellies.game(game)
    state = spec.from_position(GUIDES[game]["position"])
    rng = Stream(f"guide {game} {seed}")
    details = GUIDES[game].get("details")
    judged = 0
    for number, step in enumerate(GUIDES[game]["steps"]):
        if step["until"] != "move":
            continue
        asks_details = details is not None and re.match(details, step.get("expect", "").lstrip("^")) is not None
        until_my_turn(state, rng, None if asks_details else details)
        moves = advised(state, step)
        assert moves, f"step {number + 1} advises what cannot be played"
        move = bot(RIVAL).choose(state, ME, rng)
        if "expect" in step and len(moves) == 1:
            move = moves[0]
            if len(state.legal(ME)) > 1:
                found = judge(spec, state, number, ME, move, len(state.legal(ME)), NODES, seed)
                assert found.lost <= SLIP, f"step {number + 1}: {found.to_json()}"
                judged += 1
        elif move not in moves:
            move = moves[0]
        state.step(ME, move)
    assert judged
