"""The search: determinism, budgets, simultaneous choices, seats, processes, and that it finds what is there to find."""

from __future__ import annotations

import time

import pytest
from helpers import Case, cases
from toy import ToySpec

import wellies
from wellies import CHANCE, BadOption, GameState, Stream
from wellies.bots import make_bot
from wellies.bots.search.beam import beam_search
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.processes import most_visited, parallel_search
from wellies.bots.search.rollout import Rollout, value_of_margin
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.bots.search.session import SearchSession
from wellies.bots.search.tree import Deviation, Edge, Node, SeatChoices
from wellies.core.heuristics import Heuristics, sample_moves

GAMES = wellies.list_games()


def middle(game: str, seats: int = 2, decisions: int = 12, wide: int = 3) -> tuple[GameState, int]:
    """A moment with several choices, some way into a game."""
    state = wellies.game(game).start(seats, {})
    rng = Stream(f"{game} {seats}")
    number = 0
    while True:
        seat = state.due()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        moves = state.legal(seat)
        number += 1
        if number >= decisions and len(moves) >= wide:
            return state, seat
        state.step(seat, moves[rng.randrange(len(moves))])


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_nodes_give_the_same_result(game: str) -> None:
    state, seat = middle(game)
    before = state.position()
    one, two = [search(state, seat, heuristics_of(wellies.game(game)), Budget(40), 5) for _ in range(2)]
    assert [(each.move, each.values, each.margins) for each in one.evaluations] == [
        (each.move, each.values, each.margins) for each in two.evaluations
    ]
    assert one.nodes == two.nodes <= 40
    assert state.position() == before
    other = search(state, seat, heuristics_of(wellies.game(game)), Budget(40), 6)
    assert [each.values for each in other.evaluations] != [each.values for each in one.evaluations]


@pytest.mark.parametrize("game", GAMES)
def test_the_cap_on_time_is_kept(game: str) -> None:
    state, seat = middle(game)
    begun = time.process_time()  # which a busy machine does not lengthen
    result = search(state, seat, heuristics_of(wellies.game(game)), Budget(1_000_000, 0.3), 1)
    assert time.process_time() - begun < 1.2
    assert result.nodes < 1_000_000
    assert result.best.move in state.legal(seat)


def test_nodes_are_kept_to_and_shared_out() -> None:
    state, seat = middle("guppies")
    heuristics = heuristics_of(wellies.game("guppies"))
    for nodes in (1, 2, 7, 30, 100):
        result = search(state, seat, heuristics, Budget(nodes), 1)
        assert result.nodes <= max(nodes, heuristics.width)
        assert sum(each.visits for each in result.evaluations) == result.nodes
    visits = [each.visits for each in result.evaluations]
    assert visits[0] == max(visits)
    assert visits[-1] < visits[0], "the worst move must not have been tried as often as the best"


@pytest.mark.parametrize("case", [case for case in cases() if not case.options], ids=repr)
def test_every_number_of_seats_is_searched(case: Case) -> None:
    state, seat = middle(case.game, case.seats, 9)
    bot = make_bot("storm:nodes=12:ms=0")
    assert bot.choose(state, seat, Stream(1)) in state.legal(seat)


class Ladder(Heuristics):
    """Judges by the score alone, so that what a test expects can be computed by hand."""

    def estimate(self, state: GameState, seat: int) -> int:
        return 100 * state.scores()[seat]


def toy_state(hands: list[list[int]]) -> GameState:
    return ToySpec().from_position({"game": "toy", "seats": len(hands), "hands": hands})


class LadderSpec(ToySpec):
    """A game from outside with heuristics of its own."""

    def heuristics(self, deep: bool = False) -> Heuristics:
        return Ladder(deep)


def test_a_game_from_outside_brings_its_own_heuristics() -> None:
    spec, plain = LadderSpec(), ToySpec()
    quick, deep = heuristics_of(spec), heuristics_of(spec, True)
    assert isinstance(quick, Ladder)
    assert isinstance(deep, Ladder)
    assert quick.nodes < deep.nodes
    assert heuristics_of(spec) is quick, "made once"
    assert type(heuristics_of(plain)) is Heuristics, "the default for a game that has none"


def test_it_finds_the_plan_of_two_steps() -> None:
    """In the toy game, a mark (1 point) and then the higher card; knocking brings nothing."""
    state = toy_state([[2, 9], [3, 4]])
    candidates = beam_search(state, 0, Ladder().margin, 240)
    best = max(each.value for each in candidates)
    assert {each.move for each in candidates if each.value == best} >= {20}
    assert candidates[0].follow[-1] == 9 or candidates[0].move == 9
    result = search(state, 0, Ladder(), Budget(200), 3)
    assert result.best.move in (20, 22), "mark first; a knock before it loses nothing"
    assert result.best.margin() > 0


def test_a_beam_that_is_too_narrow_keeps_every_move_and_puts_incomplete_ones_last() -> None:
    """Of Puppies' tricks many steps lie ahead: with a budget of one evaluation a step only one line is extended."""
    state, seat = middle("puppies", 2, 14, 5)
    margin = heuristics_of(state.spec).margin
    for budget in (1, 10, 1000):
        candidates = beam_search(state, seat, margin, budget)
        assert sorted(each.move for each in candidates) == sorted(state.legal(seat))
        complete = [each for each in candidates if each.complete]
        assert complete == candidates[: len(complete)] != []
        for part in (complete, candidates[len(complete) :]):
            assert [each.value for each in part] == sorted([each.value for each in part], reverse=True)


def test_hands_of_rivals_are_imagined_not_known() -> None:
    """A rival's true cards make no difference to the values."""
    values = []
    for theirs in ([3, 4], [5, 6]):
        state = toy_state([[2, 9], theirs])
        values.append([each.values for each in search(state, 0, Ladder(), Budget(60), 3).evaluations])
    assert values[0] == values[1]


def test_simultaneous_choices_are_kept_by_seat() -> None:
    """In Puppies all choose at once: the rival's choice is thought about, and never by what we put down."""
    state = wellies.game("puppies").start(2, {})
    rng = Stream(3)
    while state.due() == [CHANCE]:
        state.step(CHANCE, state.chance(rng))
    assert state.due() == [0, 1]
    root = Node()
    search(state, 0, heuristics_of(wellies.game("puppies")), Budget(60), 1, root)
    assert set(root.choices) == {1}, "our own moves are compared at the root itself, not in the tree"
    rival = root.choices[1]
    assert sum(edge.visits for edge in rival.edges.values()) == 60
    assert all(edge.available >= edge.visits for edge in rival.edges.values())
    assert len(rival.edges) > 3, "different imagined hands, so more cards than one hand holds"


def test_a_rival_who_has_chosen_is_thought_about_all_the_same() -> None:
    """Who was asked first makes no difference: a choice that is made and secret is imagined anew."""
    state = wellies.game("puppies").start(2, {})
    rng = Stream(3)
    while state.due() == [CHANCE]:
        state.step(CHANCE, state.chance(rng))
    state.step(1, state.legal(1)[0])
    assert state.due() == [0]
    root = Node()
    search(state, 0, heuristics_of(wellies.game("puppies")), Budget(60), 1, root)
    assert sum(edge.visits for edge in root.choices[1].edges.values()) == 60


def test_secret_steps_in_a_row_are_kept_apart() -> None:
    """In Aquarium's set-up three cards are put down one by one, in secret: our second step must not know theirs."""
    state = wellies.game("aquarium").start(2, {})
    rng = Stream(5)
    while state.due() == [CHANCE]:
        state.step(CHANCE, state.chance(rng))
    root = Node()
    result = search(state, 0, heuristics_of(wellies.game("aquarium")), Budget(48), 1, root)
    assert set(root.children) <= {(each.move,) for each in result.evaluations}


def test_acting_out_of_turn_is_possible_and_sane() -> None:
    """Whoever holds a net may be asked what to do with it while another is to move."""
    state = wellies.game("aquarium").start(2, {})
    rng = Stream(5)
    while len(state.active()) < 2 or len(state.due()) > 1:
        seat = state.due()[0]
        moves = state.legal(seat)
        state.step(seat, state.chance(rng) if seat == CHANCE else moves[rng.randrange(len(moves))])
    waiting = next(seat for seat in state.active() if seat not in state.due())
    assert make_bot("storm:nodes=30:ms=0").choose(state, waiting, Stream(1)) in state.legal(waiting)


def test_processes_agree_with_themselves() -> None:
    state, seat = middle("umbradeco")
    bot = make_bot("storm:nodes=40:ms=0:processes=2")
    moves = {bot.choose(state, seat, Stream(7)) for _ in range(2)}
    assert len(moves) == 1
    assert moves <= set(state.legal(seat))
    dealt = state.resample(seat, Stream(7))
    assert parallel_search(dealt, seat, False, Budget(40), 11, 2) == parallel_search(
        dealt, seat, False, Budget(40), 11, 2
    )


def test_visits_of_several_processes_are_added_up() -> None:
    assert most_visited([[(1, 10, 4.0), (2, 5, 4.0)], [(2, 10, 4.0), (1, 4, 3.0)]]) == 2
    assert most_visited([[(1, 10, 4.0), (2, 5, 4.0)], [(2, 5, 4.5), (1, 0, 0.0)]]) == 2
    assert most_visited([[(3, 1, 0.2)]]) == 3


def test_an_easy_choice_is_made_early() -> None:
    """A clear winner stops the search long before its budget is spent."""
    state = toy_state([[1, 9], [3, 4]])
    state.step(0, 20)
    state.step(0, 22)
    result = search(state, 0, Ladder(), Budget(3000), 1)
    assert result.best.move == 9
    assert result.nodes < 1500


def test_every_candidate_meets_the_same_draws() -> None:
    state, seat = middle("guppies")
    rollout = Rollout(state, seat, Ladder(), 5, Node())
    moves = state.legal(seat)
    draws = []
    for move in moves[:3]:
        rollout.run(move, (), 0)
        rollout.run(move, (), 0)  # the first visit only adds the move itself to the tree
        draws.append(list(rollout.root.children[(move,)].children))
    assert draws[0] == draws[1] == draws[2] != []


def test_nodes_widen_and_explore() -> None:
    choices = SeatChoices()
    for move, prior in ((1, 5), (2, 9), (3, 7)):
        choices.edges[move] = Edge(0, move, prior)
    first = choices.choose([1, 2, 3], 0.0, 1.0)
    assert first.move == 2, "the most promising first"
    assert choices.choose([1, 2, 3], 0.0, 1.0).move == 2, "and it alone while the node is narrow"
    first.visits, first.total = 1, 0.1
    assert choices.choose([1, 2, 3], 10.0, 1.0).move == 3, "then those not tried yet"
    assert choices.choose([1], 10.0, 1.0).move == 1, "only what is legal in this world"
    assert choices.edges[1].available == 2
    assert choices.missing([1, 4]) == [4]


def test_deviations_and_values() -> None:
    deviation = Deviation()
    for value in (1.0, 2.0, 3.0, 4.0):
        deviation.add(value)
    assert deviation.value() == pytest.approx(1.29099, abs=1e-4)
    assert value_of_margin(0, 100) == 0.5
    assert value_of_margin(100, 100) == 0.75
    assert value_of_margin(-100, 100) == 0.25
    assert sorted(sample_moves([1, 2, 3, 4], 4, Stream(1))) == [1, 2, 3, 4]


def test_settings_of_searching_bots() -> None:
    bot = make_bot("storm:nodes=50:ms=200:processes=2")
    assert isinstance(bot, SearchBot)
    assert (bot.budget("guppies").nodes, bot.budget("guppies").seconds, bot.processes) == (50, 0.2, 2)
    assert make_bot("storm").name == "storm"
    for text, words in (
        ("storm:nodes=0", "from 1 to"),
        ("storm:nods=5", 'Did you mean "nodes"'),
        ("storm:nodes", "is not a setting"),
        ("monsoon:processes=1000", "from 1 to 64"),
    ):
        with pytest.raises(BadOption, match=words):
            make_bot(text)


def test_a_session_continues_its_tree() -> None:
    """The steps of a turn in Puppies: what was thought about the first helps with the second, the same each time."""
    logs = []
    for _ in range(2):
        state, _seat = middle("puppies", 2, 6)
        session = make_bot("storm:nodes=60:ms=0").session()
        dice, rng = Stream("dice"), Stream("session")
        log: list[int] = []
        while len(log) < 25 and state.due():
            seat = state.due()[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(dice))
            elif seat == 0:
                log.append(session.choose(state, 0, rng))
                state.step(0, log[-1])
            else:
                state.step(seat, state.legal(seat)[0])
        assert isinstance(session, SearchSession)
        assert session.reused > 0
        logs.append(log)
    assert logs[0] == logs[1]
