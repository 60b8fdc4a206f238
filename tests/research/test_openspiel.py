"""The games of OpenSpiel pass OpenSpiel's own tests, and its algorithms play them."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from helpers import SOAK, Case
from research_cases import CASES, FEWEST, late_position, position_before_end

import wellies
from wellies import CHANCE, BadOption, BadPosition, IllegalMove

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra research, where OpenSpiel has a package")

from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.observation import make_observation

from wellies.research import openspiel

openspiel.register()


def name_of(case: Case, left: int | None = None) -> str:
    """How a game is loaded; with `left`, so many decisions before its end."""
    position = None if left is None else late_position(case, left)
    if position is not None:
        return f"wellies_{case.game}(position={openspiel.coded_position(position)})"
    options = "".join(f",{option}={value}" for option, value in case.options.items())
    return f"wellies_{case.game}(seats={case.seats}{options})"


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_game_passes_the_simulation_test(case: Case) -> None:
    short = case.game in ("umbradeco", "aquarium")
    game = pyspiel.load_game(name_of(case, None if short else 5))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("case", FEWEST, ids=repr)
def test_a_playthrough_can_be_generated_and_repeated(case: Case) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # it loads SciPy: a second for each process

    name = name_of(case, 1 if case.game in ("guppies", "marram") else 4)
    text = generate_playthrough.playthrough(name, None, seed=1)
    assert "InformationStateString(0)" in text
    assert "ObservationTensor(1)" in text
    if SOAK or case.game == "puppies":
        assert generate_playthrough.playthrough(name, None, seed=1) == text


def test_a_game_is_loaded_by_name_with_its_options() -> None:
    game = pyspiel.load_game("wellies_guppies(seats=3,colours=purple+green+orange,table=one)")
    assert game.num_players() == 3
    table = game.new_initial_state().table
    assert table.options["colours"] == ["purple", "green", "orange"]
    assert table.options["table"] == "one"
    assert pyspiel.load_game("wellies_guppies(seats=2)").num_distinct_actions() == 15384
    assert str(pyspiel.load_game(str(game))) == str(game)
    with pytest.raises(BadOption, match="endless"):
        pyspiel.load_game("wellies_guppies(table=round)")


@pytest.mark.parametrize(
    "name", ["wellies_puppies(seats=2)", "wellies_umbradeco(seats=2)", "wellies_aquarium(seats=2)"]
)
def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(name: str) -> None:
    rng = wellies.Stream(name)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(12):
        before = str(state.table.serialize())
        legal = state.legal_actions()
        for action in (-5, 10**7, next(number for number in range(10**6) if number not in legal)):
            with pytest.raises(IllegalMove):
                state.apply_action(action)
            assert str(state.table.serialize()) == before
        state.apply_action(legal[rng.randrange(len(legal))])


def test_registering_twice_changes_nothing() -> None:
    assert openspiel.register() == openspiel.register()
    assert set(openspiel.register()) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("case", FEWEST, ids=repr)
def test_chance_has_the_weights_of_the_game(case: Case) -> None:
    state = pyspiel.load_game(name_of(case, 6)).new_initial_state()
    rng = np.random.RandomState(3)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(weight for _, weight in outcomes) == pytest.approx(1)
            assert len(outcomes) == len(state.table.legal(CHANCE))
            action = int(rng.choice([each for each, _ in outcomes], p=[weight for _, weight in outcomes]))
        else:
            action = int(rng.choice(state.legal_actions()))
            text = state.action_to_string(action)
            assert state.string_to_action(text) == action
        state.apply_action(action)
    assert sum(state.returns()) == pytest.approx(0)
    assert state.returns() == state.rewards()


def test_copies_and_serialized_states_go_on_alike() -> None:
    game = pyspiel.load_game("wellies_puppies(seats=2)")
    state = game.new_initial_state()
    rng = np.random.RandomState(5)
    for _ in range(40):
        legal = [each for each, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(rng.choice(legal)))
    others = [state.clone(), copy.deepcopy(state), game.deserialize_state(state.serialize())]
    others += [pickle.loads(pickle.dumps(state))]
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for other in [*others, again]:
        assert other.table == state.table
        assert other.information_state_string(0) == state.information_state_string(0)
        other.apply_action(other.legal_actions()[0])
        assert other.table != state.table


def test_the_observation_tensor_has_its_pieces_by_name() -> None:
    game = pyspiel.load_game("wellies_umbradeco(seats=2)")
    observation = make_observation(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    observation.set_from(state, 0)
    assert observation.dict["mat"].shape == (10, 7, 7)
    assert observation.dict["mat"].sum() == 2, "two umbrellas lie on the mat"
    assert observation.dict["hand"].sum() == 2
    assert observation.tensor.sum() > 4
    assert make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)).tensor is None


def test_a_position_may_be_a_file_json_or_coded(tmp_path: Any) -> None:
    position = wellies.game("umbradeco").start(3).position()
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    for given in (str(file), json.dumps(position), openspiel.coded_position(position)):
        game = pyspiel.load_game("wellies_umbradeco", {"position": given})
        assert game.num_players() == 3
        assert pyspiel.load_game(str(game)).new_initial_state().table == game.new_initial_state().table
    with pytest.raises(BadPosition, match="not JSON"):
        openspiel.read_position("{")
    with pytest.raises(BadOption, match="cannot be read"):
        openspiel.read_position(str(tmp_path / "none.json"))


# --- algorithms -------------------------------------------------------------------------------------------------------

DIFFERENCE = {"rewards": "difference"}


def test_monte_carlo_tree_search_finds_the_best_last_move() -> None:
    """One tile is left: the search takes the most points."""
    case = next(each for each in FEWEST if each.game == "guppies")
    game = pyspiel.load_game("wellies_guppies", {"position": json.dumps(position_before_end(case, 1))} | DIFFERENCE)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    best = max(state.legal_actions(), key=lambda action: state.child(action).returns()[state.current_player()])
    actions = len(state.legal_actions())
    bot = mcts.MCTSBot(game, 2, 12 * actions, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True)
    chosen = bot.step(state)
    mover = state.current_player()
    assert state.child(chosen).returns()[mover] == state.child(best).returns()[mover]


def test_information_set_search_plays_a_game_with_secrets() -> None:
    case = next(each for each in FEWEST if each.game == "umbradeco")
    game = pyspiel.load_game("wellies_umbradeco", {"position": json.dumps(position_before_end(case, 8))})
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=evaluator, uct_c=2.0, max_simulations=8, random_state=np.random.RandomState(3)
    )
    while not state.is_terminal():
        action = state.chance_outcomes()[0][0] if state.is_chance_node() else bot.step(state)
        state.apply_action(action)


NETS = {
    "game": "aquarium",
    "options": {"cards": "balanced"},
    "phase": "nets",
    "round": 8,
    "first": 0,
    "seats": [
        {"grid": [["Hermit Crab", "Gravel", "Manatee Grass"], ["Gravel"] * 3, ["Gravel", "Manatee Grass", "Gravel"]]},
        {"grid": [["Gravel", "Pink Gravel", "Manatee Grass"], ["Gravel"] * 3, ["Gravel", "Gravel", "Pink Gravel"]]},
    ],
}
"""Both seats answer the last net question in secret, and the game is over."""


def small_game(name: str) -> Any:
    """A game with few enough positions to be solved."""
    if name == "aquarium":
        position: Any = NETS
    else:
        case = next(each for each in FEWEST if each.game == name)
        position = position_before_end(case, 5 if name == "puppies" else 3)
    return pyspiel.load_game(f"wellies_{name}", {"position": json.dumps(position)} | DIFFERENCE)


@pytest.mark.parametrize("name", ["aquarium", "puppies", "umbradeco"])
def test_counterfactual_regret_minimisation_solves_small_games(name: str) -> None:
    game = small_game(name)
    solver = cfr.CFRSolver(game)
    start = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert start > 0
    for _ in range(30 if SOAK else 4):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(game, average) < start / 2
    if name == "aquarium":
        assert len(average.states) == 2, "the second seat does not see what the first has chosen"
