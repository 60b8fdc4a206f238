"""The compiled engine: all of it or none, and open to games from outside."""

from __future__ import annotations

from pathlib import Path

from engine_modules import ROOT, listed_modules, uncompiled_modules
from toy import ToySpec

import wellies
from wellies import CHANCE, GameSpec, GameState, Match, Stream
from wellies.core.engine import compiled, engine_words


def test_the_engine_is_compiled_as_a_whole_or_not_at_all() -> None:
    plain = uncompiled_modules()
    assert plain == ([] if compiled() else listed_modules())
    assert engine_words().startswith("compiled" if compiled() else "interpreted")


def test_every_game_has_its_rules_among_the_modules_that_can_be_compiled() -> None:
    listed = listed_modules()
    for game in ("aquarium", "guppies", "marram", "puppies", "umbradeco"):
        assert f"wellies.games.{game}.state" in listed
        assert f"wellies.games.{game}.spec" not in listed, "specs stay open: their class attributes are inherited"
    assert "wellies.core.state" in listed


def test_a_game_from_outside_can_be_written_in_plain_python() -> None:
    """Its spec sets class attributes, its state overrides methods that the base class calls."""
    spec: GameSpec = ToySpec()
    match = Match(spec, seats=2, seed=3)
    rng = Stream(1)
    while match.state.active():
        seat = match.state.due()[0]
        moves = match.state.legal(seat)
        assert GameState.refusal(match.state, seat, moves[0]) is None
        match.play_move(seat, moves[rng.randrange(len(moves))])
    outcome = match.state.outcome()
    assert outcome is not None
    assert outcome.scores == match.state.scores()
    start = spec.start(2, {"size": "big"})
    assert start.active() == [CHANCE]
    assert GameState.chance(start, Stream(1)) in start.legal(CHANCE)


def test_the_package_that_runs_has_all_its_data() -> None:
    """Above all where it runs from a wheel. The page is built apart; `test_wheel.py` looks for it."""
    source, running = ROOT / "src" / "wellies", Path(wellies.__file__).parent
    found = [
        path.relative_to(source) for path in source.rglob("*") if path.suffix in {".md", ".json", ".html", ".typed"}
    ]
    data = [path for path in found if path.parts[:2] != ("server", "page")]
    assert len(data) > 10
    assert [name for name in data if not (running / name).is_file()] == []
