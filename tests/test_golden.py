"""Worked examples and whole games, kept as data under `golden/`; counts of move sequences under `perft/`. A game in a
package of its own has them beside it (`example_games`), and is tested where it is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_games import golden_folder, perft_file

import wellies
from wellies import CHANCE, GameState, MoveError, Record


def _examples() -> list[Any]:
    found = []
    for game in wellies.list_games():
        for path in sorted(golden_folder(game).glob("*.json")):
            for example in json.loads(path.read_text(encoding="utf-8")):
                found.append(pytest.param(game, example, id=f"{game}: {example['name']}"))
    return found


KEYS = {"name", "source", "position", "plays", "scores", "active", "winners", "lines", "note"}


@pytest.mark.parametrize(("game", "example"), _examples())
def test_example(game: str, example: dict[str, Any]) -> None:
    assert set(example) <= KEYS, "a key that nothing checks"
    assert set(example) & {"plays", "scores", "active", "winners", "lines"}, "an example that claims nothing"
    spec = wellies.game(game)
    state = spec.from_position(example["position"])
    for play in example.get("plays", []):
        _play(state, play)
    if "scores" in example:
        assert state.scores() == example["scores"]
    if "active" in example:
        assert state.active() == example["active"]
    if "winners" in example:
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.winners == example["winners"]
    for seat, lines in example.get("lines", {}).items():
        told = [[line.rule, line.points] for line in state.score_lines(int(seat)) if line.rule != "before"]
        assert told == lines


def _play(state: GameState, play: dict[str, Any]) -> None:
    seat, text = play["seat"], play["move"]
    assert set(play) <= {"seat", "move", "gains", "refused", "note"}
    if "refused" in play:
        with pytest.raises(MoveError) as caught:
            state.spec.parse_move(state, seat, text)
        assert play["refused"] in caught.value.text
        return
    before = state.scores()
    state.apply(seat, state.spec.parse_move(state, seat, text))
    if "gains" in play:
        assert [after - then for after, then in zip(state.scores(), before, strict=True)] == play["gains"]


def _golden_games() -> list[Any]:
    found = []
    for game in wellies.list_games():
        for path in sorted(golden_folder(game).glob("*.wellies")):
            found.append(pytest.param(path, id=f"{game}: {path.stem}"))
    return found


@pytest.mark.parametrize("path", _golden_games())
def test_golden_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = Record.parse(text)
    match = record.replay()
    outcome = match.state.outcome()
    assert outcome is not None
    assert record.result == " ".join(map(str, outcome.scores)) + "; " + outcome.reason
    assert record.verify() == sum(1 for seat, _ in record.moves if seat == CHANCE)
    assert str(match.record()) == text


def _perft_lines() -> list[Any]:
    found = []
    for game in wellies.list_games():
        for number, line in enumerate(perft_file(game).read_text(encoding="utf-8").splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if line:
                found.append(pytest.param(game, line, id=f"{game}:{number}"))
    return found


@pytest.mark.parametrize(("game", "line"), _perft_lines())
def test_number_of_move_sequences(game: str, line: str) -> None:
    start, *counts = line.split(" ; ")
    asked = json.loads(start)
    spec = wellies.game(game)
    state = (
        spec.from_position(asked["position"])
        if "position" in asked
        else spec.start(asked.get("seats"), asked.get("options"))
    )
    assert counts
    for count in counts:
        depth, number = map(int, count.split())
        assert sequences(state, depth) == number


def sequences(state: GameState, depth: int) -> int:
    """How many ways there are to make so many moves, by any seat that may act, chance included."""
    total = 0
    for seat in state.active():
        moves = state.legal(seat)
        if depth == 1:
            total += len(moves)
            continue
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            total += sequences(after, depth - 1)
    return total
