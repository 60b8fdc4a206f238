"""The laws that every game keeps, stated once. A game is enrolled by being on the shelf.

Each law is tried on random games at every number of seats and with every value of every option.
"""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from example_games import golden_folder, is_in_repository, perft_file
from helpers import GAMES, THINNING, Case, cases, damage, facts, random_move, random_play, some_states
from toy import KNOCK, ToySpec, ToyState

import wellies
from wellies import (
    CHANCE,
    BadNotation,
    Ending,
    Event,
    GameState,
    IllegalMove,
    Match,
    MoveError,
    NotYourTurn,
    Record,
    Stream,
    UndoRefused,
    UnknownSeat,
    View,
)
from wellies.bots.search.bot import SearchBot
from wellies.core.events import Sink
from wellies.core.plain_board import PlainBoard
from wellies.core.texts import with_notation

CASES = cases()
every_case = pytest.mark.parametrize("case", CASES, ids=repr)


class Told:
    """A die that shows what it is told to."""

    def __init__(self, number: int) -> None:
        self.number = number

    def randrange(self, stop: int, /) -> int:
        return self.number % stop


def same_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@every_case
def test_every_game_ends_and_its_lines_sum_to_its_scores(case: Case) -> None:
    for number in range(GAMES):
        state = case.start()
        rng = Stream(f"{case} ends {number}")
        for _ in random_play(state, rng):
            if rng.randrange(8) == 0:
                _check_scores(state)
        _check_scores(state)
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.scores == state.scores()
        assert outcome.winners == [seat for seat in range(case.seats) if outcome.scores[seat] == max(outcome.scores)]
        assert outcome.reason
        assert outcome.ending != Ending.OTHER, "every game says in what way it ended"
        assert outcome.to_json()["ending"] == outcome.ending.value
        assert pickle.loads(pickle.dumps(outcome)) == outcome
        assert all(state.legal(seat) == [] for seat in [CHANCE, *range(case.seats)])


def _check_scores(state: GameState) -> None:
    for seat in range(state.seats):
        lines = state.score_lines(seat)
        assert sum(line.points for line in lines) == state.scores()[seat]
        assert all(line.rule for line in lines)
        assert isinstance(state.estimate(seat), int)


@every_case
def test_someone_may_always_act_until_the_end(case: Case) -> None:
    state = case.start()
    for _ in random_play(state, Stream(f"{case} acts")):
        active, due = state.active(), state.due()
        assert active == sorted(set(active))
        assert due
        assert set(due) <= set(active)
        assert CHANCE not in active or active == [CHANCE]
        assert all(state.legal(seat) for seat in active)
        for seat in [CHANCE, *range(case.seats)]:
            if seat not in active:
                assert state.legal(seat) == []
                assert state.refusal(seat, 0)


@every_case
def test_a_move_is_legal_exactly_when_it_has_no_refusal(case: Case) -> None:
    elsewhere: list[int] = [0, -1, 1 << 40, -(1 << 40)]
    rng = Stream(f"{case} refusals")
    for state in some_states(case, "refusals", 12):
        for seat in [CHANCE, *range(case.seats)]:
            legal = state.legal(seat)
            assert len(set(legal)) == len(legal)
            some = [legal[rng.randrange(len(legal))] for _ in range(min(len(legal), 6))]
            near = [move ^ (1 << rng.randrange(24)) for move in some for _ in range(3)]
            near += [move + rng.randrange(9) - 4 for move in some]
            strange = [elsewhere[rng.randrange(len(elsewhere))] for _ in range(12)]
            strange += [rng.randrange(1 << 24) for _ in range(4)]
            for move in [*legal, *near, *strange]:
                why = state.refusal(seat, move)
                assert (move in legal) == (why is None), (state.position(), seat, move, why)
                assert why is None or (why.strip() and "\n" not in why)
            elsewhere += some
        for seat in (-7, case.seats, case.seats + 5):
            assert state.refusal(seat, elsewhere[-1])


@every_case
def test_an_illegal_move_is_refused_and_changes_nothing(case: Case) -> None:
    for state in some_states(case, "illegal", 25):
        before = facts(state)
        for seat in [CHANCE, *range(case.seats)]:
            with pytest.raises(IllegalMove if seat in state.active() else NotYourTurn):
                state.apply(seat, 1 << 50)
        assert facts(state) == before


@every_case
def test_what_is_no_move_or_no_seat_is_named(case: Case) -> None:
    state = case.start()
    rng = Stream(f"{case} numbers")
    for move in [-1, -(1 << 40), 1 << 50, *(rng.randrange(1 << 36) for _ in range(60))]:
        try:
            assert state.move_text(0, move)
        except BadNotation as error:
            assert str(error).startswith(f"{move} is not a move of {case.spec.title}")
            with pytest.raises(BadNotation):
                state.describe(0, move)
        else:
            assert move > 0
            assert state.describe(0, move)
    for seat in (-7, -3, case.seats, 99):
        for ask in (state.view, state.score_lines, lambda seat: state.resample(seat, rng)):
            with pytest.raises(UnknownSeat, match=f"no seat {seat} at this table; seats run from 0 to"):
                ask(seat)


@every_case
def test_errors_in_python_have_no_marks_left(case: Case) -> None:
    match = Match(case.spec, case.seats, case.options, seed=1)
    for seat in range(case.seats):
        if seat not in match.state.active():
            with pytest.raises(NotYourTurn, match=r"seat \d") as found:
                match.play(seat, match.state.move_text(*_first_choice(match)))
            assert "{" not in str(found.value)
            assert "{" in found.value.text
    with pytest.raises(BadNotation, match="play_move"):
        match.play(match.state.due()[0], 7)  # type: ignore[arg-type]


def _first_choice(match: Match) -> tuple[int, int]:
    seat = match.state.due()[0]
    return seat, match.choices(seat)[0]


@every_case
def test_no_earlier_state_ever_changes(case: Case) -> None:
    kept: list[tuple[GameState, dict[str, Any]]] = []
    state = case.start()
    rng = Stream(f"{case} audit")
    for _ in random_play(state, rng):
        if rng.randrange(10 * THINNING) == 0:
            kept.append((state.clone(), facts(state)))
            branch = state.clone()
            for _, _move in zip(range(12), random_play(branch, rng), strict=False):
                pass
    for clone, before in kept:
        assert facts(clone) == before


@every_case
def test_a_state_can_be_sent_to_another_process(case: Case) -> None:
    for state in some_states(case, "pickled", 40):
        again = pickle.loads(pickle.dumps(state))
        assert facts(again) == facts(state)
        for seat in range(case.seats):
            assert again.score_lines(seat) == state.score_lines(seat)
        for _, _move in zip(range(6), random_play(again, Stream(2)), strict=False):
            pass


@every_case
def test_copies_are_clones_that_go_their_own_way(case: Case) -> None:
    for state in some_states(case, "copied", 40 * THINNING):
        before = facts(state)
        for other in (copy.copy(state), copy.deepcopy(state), state.clone(), pickle.loads(pickle.dumps(state))):
            assert other is not state
            assert other == state
            for _, _move in zip(range(3), random_play(other, Stream(5)), strict=False):
                pass
            assert facts(state) == before
            assert (other == state) == (facts(other) == before)


@every_case
def test_states_are_equal_exactly_when_their_positions_are(case: Case) -> None:
    """The reasons for points scored before do not count: a position does not keep them."""
    kept: list[GameState] = []
    for state in some_states(case, "equal", 20 * THINNING):
        again = case.spec.from_position(same_json(state.position()))
        assert again == state
        assert hash(again) == hash(state)
        assert facts(again) == facts(state), "equal states have the same future"
        text = state.serialize()
        assert case.spec.deserialize(text) == state
        assert again.serialize() == text
        kept.append(state)
    distinct = {json.dumps(state.position(), sort_keys=True) for state in kept}
    assert len(set(kept)) == len(distinct) > 1
    assert kept[0] != kept[-1]
    assert kept[0] != kept[0].position()


@every_case
def test_states_and_matches_print_themselves_and_hide_what_is_hidden(case: Case) -> None:
    for state in some_states(case, "printed", 80 * THINNING):
        assert "\n" not in repr(state)
        assert repr(state).startswith(f"<{case.game}, {case.seats} seats, ")
        assert " ".join(map(str, state.scores())) in repr(state)
        assert str(state) == case.spec.draw(state.view(None)).plain()
        for seat in range(case.seats):
            assert str(state.resample(seat, Stream(6))) == str(state)
    match = Match(case.spec, case.seats, case.options, seed=1)
    assert repr(match).startswith(f"<Match of {case.game}, {case.seats} seats, ")
    assert str(match) == str(match.state)


@every_case
def test_moves_as_text_round_trip(case: Case) -> None:
    spec = case.spec
    rng = Stream(f"{case} text")
    for state in some_states(case, "text", 15):
        for seat in state.active():
            legal = state.legal(seat)
            texts = [spec.move_text(state, seat, move) for move in legal]
            assert len(set(texts)) == len(texts)
            for move, text in zip(legal, texts, strict=True):
                assert spec.parse_move(state, seat, text) == move
                assert state.move_text(seat, move) == text
            pick = rng.randrange(len(legal))
            assert spec.parse_move(state, seat, f"  {texts[pick]} ") == legal[pick]
            fields = spec.move_fields(state, seat, legal[pick])
            assert same_json(fields) == fields
            assert fields["kind"]
            assert spec.move_words(state, seat, legal[pick])
            named = [f"<{each}>" for each in range(case.seats)]
            assert state.describe(seat, legal[pick], named) == with_notation(
                spec.move_words(state, seat, legal[pick]), named
            )
            assert not set(state.describe(seat, legal[pick])) & set("{}[]")


@every_case
def test_scrambled_text_is_refused_in_words(case: Case) -> None:
    spec = case.spec
    rng = Stream(f"{case} scrambled")
    letters = "abdrw@,-0123456789 >^:;{}\n\x00é"
    refused = 0
    for state in some_states(case, "scrambled", 40):
        for seat in state.active():
            legal = state.legal(seat)
            text = spec.move_text(state, seat, legal[rng.randrange(len(legal))])
            for _ in range(25):
                at = rng.randrange(len(text) + 1)
                other = text[:at] + letters[rng.randrange(len(letters))] + text[at + rng.randrange(3) :]
                try:
                    move = spec.parse_move(state, seat, other)
                except MoveError:
                    refused += 1
                    continue
                assert move in legal
    assert refused


@every_case
def test_positions_round_trip_at_every_moment(case: Case) -> None:
    spec = case.spec
    for state in some_states(case, "positions", 6 * THINNING):
        position = state.position()
        assert same_json(position) == position
        again = spec.from_position(same_json(position))
        assert facts(again) == facts(state)
        for seat in range(case.seats):
            assert sum(line.points for line in again.score_lines(seat)) == state.scores()[seat]


@every_case
def test_a_game_goes_on_from_any_position(case: Case) -> None:
    for state in some_states(case, "goes on", 60):
        again = case.spec.from_position(state.position())
        rng, same_rng = Stream(5), Stream(5)
        for (seat, move), (same_seat, same_move) in zip(
            random_play(state, rng), random_play(again, same_rng), strict=True
        ):
            assert (seat, move) == (same_seat, same_move)
        assert state.position() == again.position()


@every_case
def test_damaged_positions_are_refused_in_words(case: Case) -> None:
    spec = case.spec
    rng = Stream(f"{case} damage")
    refused = 0
    for state in some_states(case, "damage", 30 * THINNING):
        for _ in range(12):
            position = same_json(state.position())
            damage(position, rng)
            if rng.randrange(3) == 0:
                position["check"] = False
            try:
                again = spec.from_position(position)
            except wellies.BadPosition:
                refused += 1
                continue
            assert spec.from_position(again.position()).position() == again.position()
            for _, _move in zip(range(8), random_play(again, rng), strict=False):
                pass
    assert refused


@every_case
def test_chance_has_weights_and_picks_by_them(case: Case) -> None:
    rng = Stream(f"{case} chance")
    drawing = [state for state in some_states(case, "chance", 10) if state.active() == [CHANCE]]
    if not drawing:
        pytest.skip("this game has no chance")
    for state in drawing:
        moves = state.legal(CHANCE)
        weights = [state.weight(move) for move in moves]
        assert all(weight > 0 for weight in weights)
        assert moves == sorted(moves)
        for mark in (0, sum(weights) - 1, rng.randrange(sum(weights))):
            assert state.chance(Told(mark)) == GameState.chance(state, Told(mark))


@every_case
def test_a_seed_determines_the_game_and_its_record_replays(case: Case) -> None:
    match = _random_match(case, 3)
    assert str(match.record()) == str(_random_match(case, 3).record())
    assert str(match.record()) != str(_random_match(case, 4).record())
    record = Record.parse(str(match.record()))
    assert record == match.record()
    assert facts(record.replay().state) == facts(match.state)
    assert record.verify() == sum(1 for entry in match.log if entry.seat == CHANCE)
    state = case.start()
    for entry, then in zip([None, *match.log], record.states(), strict=True):
        if entry is not None:
            state.apply(entry.seat, entry.move)
        assert then.position() == state.position()


def _random_match(case: Case, seed: int) -> Match:
    match = Match(case.spec, case.seats, case.options, seed=seed)
    rng = Stream(seed)
    while match.state.active():
        match.play_move(*random_move(match.state, rng, eager=True))
    return match


@every_case
def test_undo_leads_back_to_the_state_before(case: Case) -> None:
    """Draws wait to be played, so that there is a time to undo in every game."""
    match = Match(case.spec, case.seats, case.options, rolls=False)
    rng = Stream("undo")
    undone = 0
    while match.state.active():
        seat, move = random_move(match.state, rng, eager=True)
        before, ids = match.state.clone(), {decision.id for decision in match.decisions()}
        match.play_move(seat, move)
        if seat != CHANCE and match.undo_refusal(seat) is None and (not undone or rng.randrange(3 * THINNING) == 0):
            undone += 1
            mine = {decision.id for decision in match.decisions() if decision.seat == seat}
            match.undo(seat)
            assert facts(match.state) == facts(before)
            assert not mine & {decision.id for decision in match.decisions()}
            assert not {decision.id for decision in match.decisions() if decision.seat == seat} & ids
    assert undone


@pytest.mark.parametrize("name", wellies.list_games())
def test_nothing_is_taken_back_once_the_game_is_over_and_the_seed_is_public(name: str) -> None:
    match = Match(name, seed=1)
    rng = Stream("undo at the end")
    while match.state.active():
        match.play_move(*random_move(match.state, rng))
    assert match.record().seed
    stands = len(match.log)
    for seat in range(match.state.seats):
        assert "is over" in (match.undo_refusal(seat) or "")
        for to in (None, 0, stands - 1):
            with pytest.raises(UndoRefused, match="is over"):
                match.undo(seat, to)
    assert match.undo_plan(range(match.state.seats)) is None
    assert len(match.log) == stands


@every_case
def test_events_can_be_told_and_explain_every_point(case: Case) -> None:
    names = [f"<{seat}>" for seat in range(case.seats)]
    state = case.start()
    rng = Stream(f"{case} events")
    told_points = state.scores()
    for seat, move in random_play(state, rng):
        after = state.clone()
        heard: list[Event] = []
        after.step(seat, move, heard.append)
        before = told_points.copy()
        for event in heard:
            for scorer, line in event.lines:
                told_points[scorer] += line.points
        gains = [now - then for now, then in zip(told_points, before, strict=True)]
        assert gains == [now - then for now, then in zip(after.scores(), state.scores(), strict=True)]
        if rng.randrange(4):
            continue
        silent = state.clone()
        silent.step(seat, move)
        assert silent.position() == after.position()
        for viewer in [None, *range(case.seats)]:
            for event in heard:
                told = event.seen_by(viewer)
                assert same_json(told) == told
                told["text"].format(*names)
    assert told_points == state.scores()


@every_case
def test_a_draw_looks_the_same_to_all_who_may_not_see_it(case: Case) -> None:
    """Whoever sees the same table after two different draws has heard the same of both."""
    rng = Stream(f"{case} draws")
    secret_draws = compared = 0
    for state in some_states(case, "draws", 3 * THINNING):
        draws = state.legal(CHANCE)
        picked = [draws[rng.randrange(len(draws))] for _ in range(4) if draws]
        looks: dict[tuple[int | None, str], list[Any]] = {}
        for draw in set(picked):
            after = state.clone()
            heard: list[Event] = []
            after.step(CHANCE, draw, heard.append)
            secret_draws += any(event.secret_text is not None or event.secret for event in heard)
            for viewer in [None, *range(case.seats)]:
                told = [event.seen_by(viewer) for event in heard]
                seen = json.dumps(after.view(viewer), sort_keys=True)
                compared += (viewer, seen) in looks
                assert looks.setdefault((viewer, seen), told) == told
    if not secret_draws:
        pytest.skip("every draw of this game is open to all")
    assert compared


@every_case
def test_resampling_changes_nothing_that_the_seat_can_see(case: Case) -> None:
    rng = Stream(f"{case} resample")
    compared = 0
    for state in some_states(case, "resample", 5 * THINNING):
        before = facts(state)
        for seat in range(case.seats):
            dealt = state.resample(seat, rng)
            assert dealt.view(seat) == state.view(seat)
            assert dealt.view(None) == state.view(None)
            assert dealt.legal(seat) == state.legal(seat)
            assert (dealt.active(), dealt.due(), dealt.scores()) == (state.active(), state.due(), state.scores())
            # It depends on what the seat sees and on the dice, not on the truth; and a view alone is enough.
            assert dealt.resample(seat, Stream(9)).position() == state.resample(seat, Stream(9)).position()
            seen = case.spec.from_position(same_json(state.view(seat)["position"]))
            assert seen.view(seat) == state.view(seat)
            assert seen.resample(seat, Stream(9)).position() == state.resample(seat, Stream(9)).position()
            # What the seat does itself tells it the same in both worlds, unless it uncovers something.
            if seat in state.active():
                moves = state.legal(seat)
                move = moves[rng.randrange(len(moves))]
                truth, dream = state.clone(), dealt.clone()
                heard: list[Event] = []
                dreamt: list[Event] = []
                truth.step(seat, move, heard.append)
                dream.step(seat, move, dreamt.append)
                if not any(event.reveals for event in heard):
                    compared += 1
                    assert [e.seen_by(seat) for e in dreamt] == [e.seen_by(seat) for e in heard]
                    assert dream.view(seat) == truth.view(seat)
        assert facts(state) == before
    assert compared


@every_case
def test_a_resampled_game_can_be_played_to_its_end(case: Case) -> None:
    rng = Stream(f"{case} play on")
    for state in some_states(case, "play on", 50):
        dealt = state.resample(rng.randrange(case.seats), rng)
        assert case.spec.from_position(dealt.position()).position() == dealt.position()
        for _ in random_play(dealt, rng):
            pass


SIMULTANEOUS = {"aquarium", "puppies"}
"""Games in which several seats choose at once."""


@every_case
def test_simultaneous_choices_do_not_depend_on_their_order(case: Case) -> None:
    rng = Stream(f"{case} order")
    together = [state for state in some_states(case, "order", 3) if len(state.due()) > 1]
    assert bool(together) == (case.game in SIMULTANEOUS)
    if not together:
        pytest.skip("nobody chooses at the same time as another in this game")
    for state in together:
        check_order(state, rng)


def check_order(state: GameState, rng: Stream) -> None:
    """Let all who are due choose, first to last and last to first: the table must be the same."""
    due = state.due()
    picks = {seat: state.legal(seat)[rng.randrange(len(state.legal(seat)))] for seat in due}
    results = []
    for order in (due, due[::-1]):
        after = state.clone()
        for seat in order:
            after.apply(seat, picks[seat])
        results.append(facts(after))
    assert results[0] == results[1]


class Hasty(ToyState):
    """A game in which all are due at once, and whoever knocks first may begin."""

    def due(self) -> list[int]:
        return [seat for seat in self.active() if seat == CHANCE or not self.knocked[seat]]

    def legal(self, seat: int) -> list[int]:
        return [KNOCK] if seat in self.active() else []

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        if not any(self.knocked):
            self.to_move = seat
        super().step(seat, move, sink)

    def clone(self) -> Hasty:
        other = Hasty(self.spec, self.seats, self.options)
        other.knocked, other.to_move, other.dealt = list(self.knocked), self.to_move, self.dealt
        return other


def test_the_law_of_simultaneous_choices_finds_a_game_that_breaks_it() -> None:
    state = Hasty(ToySpec(), 2, {})
    state.dealt = 4
    assert state.due() == [0, 1]
    with pytest.raises(AssertionError):
        check_order(state, Stream(1))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.seats in (case.spec.min_seats, case.spec.max_seats)], ids=repr
)
@pytest.mark.parametrize("name", ["greedy", "storm"])
def test_bots_choose_the_same_in_worlds_that_look_the_same(case: Case, name: str) -> None:
    """A bot of each kind; tests/bots/test_no_peeking.py asks them all."""
    bot = wellies.bot(name)
    if isinstance(bot, SearchBot):
        bot = bot.configured({"nodes": "6", "ms": "0"})
    rng = Stream(f"{case} {name}")
    for state in some_states(case, name, 60 * THINNING):
        for seat in state.due():
            if seat == CHANCE:
                continue
            move = bot.choose(state, seat, Stream(4))
            assert move in state.legal(seat)
            assert bot.choose(state.resample(seat, rng), seat, Stream(4)) == move
            assert bot.choose(same_json(state.view(seat)), seat, Stream(4)) == move


@every_case
def test_every_view_can_be_drawn(case: Case) -> None:
    for state in some_states(case, "draw", 50 * THINNING):
        for viewer in [None, *range(case.seats)]:
            view = state.view(viewer)
            assert same_json(view) == view
            assert (view["active"], view["due"]) == (state.active(), state.due())
            assert View.__required_keys__ <= set(view)
            assert msgspec.convert(view, View)["scores"] == state.scores()
            assert case.spec.draw(view).plain().strip()


@every_case
def test_positions_extras_and_moves_have_the_shapes_they_say(case: Case) -> None:
    """Nothing missing, nothing of another type, and nothing beside what is declared."""
    shapes = case.spec.shapes()
    if shapes is None:
        pytest.skip("this game declares no shapes")
    kinds = {_kind_of(shape): shape for shape in shapes.moves}
    for state in some_states(case, "shapes", 12):
        for viewer in [None, *range(case.seats)]:
            view = state.view(viewer)
            position: Any = msgspec.convert(view["position"], shapes.position)
            extra: Any = msgspec.convert(view["extra"], shapes.extra)
            assert (position, extra) == (view["position"], view["extra"])
        assert msgspec.convert(state.position(), shapes.position) == state.position()
        for seat in state.active():
            for move in state.legal(seat):
                fields = case.spec.move_fields(state, seat, move)
                assert msgspec.convert(fields, kinds[fields["kind"]]) == fields


@every_case
def test_a_plain_board_is_complete_and_its_moves_refer_to_it(case: Case) -> None:
    if "plain_board" not in case.start().view(None):
        pytest.skip("this game gives no plain board")
    names = [f"<{seat}>" for seat in range(case.seats)]
    for state in some_states(case, "plain board", 8):
        for viewer in [None, *range(case.seats)]:
            view = state.view(viewer)
            board = view.pop("plain_board")
            assert case.spec.plain_board(view) == board, "it depends on the view alone"
            assert msgspec.convert(board, PlainBoard) == board, "nothing missing, nothing beside what is declared"
            places = [place.get("key", ",".join(map(str, place["at"]))) for place in board["places"]]
            piles = [pile["key"] for pile in board.get("piles", [])]
            cards = [card["key"] for hand in board.get("hands", []) if hand["seat"] == viewer for card in hand["cards"]]
            for keys in (places, piles, cards):
                assert len(set(keys)) == len(keys)
            hands = [card for hand in board.get("hands", []) for card in hand["cards"]]
            for thing in (*board["places"], *board.get("piles", []), *hands):
                assert thing["label"].format(*names).strip(), "what is drawn is said in words"
            for coloured in (*(place.get("piece", {}) for place in board["places"]), *hands):
                assert "colour" not in coloured or coloured["text"].strip(), "colour is never the only cue"
            labels = [place["label"] for place in board["places"]]
            assert len(set(labels)) == len(labels), "each place can be told from the others by its label"
            assert len(board.get("seats", names)) == case.seats
            if viewer is None:
                continue
            for move in state.legal(viewer):
                fields = case.spec.move_fields(state, viewer, move)
                for field, keys in (("at", places), ("from", places), ("card", cards), ("pile", piles)):
                    key = fields.get(field)
                    assert key is None or (",".join(map(str, key)) if isinstance(key, list) else key) in keys


def _kind_of(shape: type) -> str:
    kind: str = get_args(get_type_hints(shape)["kind"])[0]
    return kind


@pytest.mark.parametrize("name", wellies.list_games())
def test_every_game_describes_itself(name: str) -> None:
    spec = wellies.game(name)
    assert spec.name == name
    assert spec.title
    assert spec.summary
    assert spec.minutes
    assert spec.rules_version >= 1
    assert spec.notation_help()
    assert len(spec.rules()) > 1000
    assert same_json(spec.describe()) == spec.describe()
    for option in spec.options:
        assert option.help
        assert all(choice.help for choice in option.choices)


@pytest.mark.parametrize("name", wellies.list_games())
def test_every_game_has_golden_games_examples_and_move_counts(name: str) -> None:
    if not is_in_repository(name):
        pytest.skip("a game from outside this repository keeps its own data")
    assert list(golden_folder(name).glob("*.wellies"))
    assert list(golden_folder(name).glob("*.json"))
    assert perft_file(name).is_file()
