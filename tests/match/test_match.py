"""A match drives chance, keeps the log, knows the open decisions and undoes."""

from __future__ import annotations

import pytest

import wellies
from wellies import CHANCE, Match, Record, Stream


def greedy_match(seed: int, moves: int) -> Match:
    match = Match("guppies", seats=2, seed=seed)
    for _ in range(moves):
        seat = match.state.due()[0]
        match.play_move(seat, wellies.bot("greedy").choose(match.state, seat, Stream(seed)))
    return match


def test_chance_is_rolled_by_the_match() -> None:
    match = Match("guppies", seats=2, seed=7)
    assert match.state.active() == [0]
    assert [entry.seat for entry in match.log] == [CHANCE]
    events = match.play(0, "a0@0,0")
    assert [event.kind for event in events] == ["lay", "draw"]
    assert match.state.active() == [1]


def test_a_game_from_a_real_table_can_be_typed_in() -> None:
    match = Match("guppies", seats=2, rolls=False)
    assert match.decisions() == []
    for seat, text in [(CHANCE, "draw 57"), (0, "a0@0,0"), (CHANCE, "draw 1")]:
        match.play(seat, text)
    assert match.state.active() == [1]
    assert match.record(reveal=True).seed == match.record().seed_hash == "", "these were not our dice"
    with pytest.raises(wellies.BadRecord, match="not in the bag"):
        Record.parse(str(match.record()).replace("draw 1\n", "draw 57\n")).replay()


def test_each_decision_has_an_id_of_its_own() -> None:
    match = Match("guppies", seats=2, seed=7)
    [first] = match.decisions()
    assert (first.seat, first.due) == (0, True)
    match.play(0, "a0@0,0", decision=first.id)
    [second] = match.decisions()
    assert second.seat == 1
    assert second.id != first.id


def test_a_move_that_answers_an_old_decision_is_stale() -> None:
    match = Match("guppies", seats=2, seed=7)
    [first] = match.decisions()
    match.play(0, "a0@0,0")
    before = str(match.record())
    with pytest.raises(wellies.StaleDecision, match="no longer open"):
        match.play(0, "b0@0,0", decision=first.id)
    assert str(match.record()) == before


@pytest.mark.parametrize(
    ("seat", "text", "error"),
    [
        (0, "nonsense", wellies.BadNotation),
        (0, "a0@999,0", wellies.UnknownPiece),
        (0, "a0@5,5", wellies.IllegalMove),
        (1, "a0@0,0", wellies.NotYourTurn),
        (5, "a0@0,0", wellies.NotYourTurn),
        (CHANCE, "draw 3", wellies.NotYourTurn),
    ],
)
def test_a_refused_move_leaves_the_match_as_it_was(seat: int, text: str, error: type[Exception]) -> None:
    match = Match("guppies", seats=2, seed=7)
    before = str(match.record())
    with pytest.raises(error):
        match.play(seat, text)
    assert str(match.record()) == before


def test_nothing_can_be_taken_back_once_chance_has_spoken() -> None:
    match = Match("guppies", seats=2, seed=7)
    with pytest.raises(wellies.UndoRefused, match="nothing of yours"):
        match.undo(0)
    match.play(0, "a0@0,0")
    with pytest.raises(wellies.UndoRefused, match="Chance has shown"):
        match.undo(0)


def test_a_move_is_free_to_be_taken_back_until_chance_speaks() -> None:
    match = Match("guppies", seats=2, rolls=False)
    match.play(CHANCE, "draw 57")
    before = match.state.position()
    match.play(0, "a0@0,0")
    with pytest.raises(wellies.UndoRefused, match="nothing of yours"):
        match.undo(1)
    match.undo(0)
    assert match.state.position() == before
    match.play(0, "b0@0,0")
    assert [entry.text for entry in match.log] == ["draw 57", "b0@0,0"]


def test_a_takeback_goes_back_over_what_others_did_and_the_same_draws_come_again() -> None:
    match = Match("guppies", seats=2, seed=7)
    before = match.state.position()
    for seat, text in ((0, "a0@0,0"), (1, None)):
        match.play(seat, text or match.spec.move_text(match.state, seat, match.choices(seat)[0]))
    drawn = [entry.text for entry in match.log if entry.seat == CHANCE]
    plan = match.undo_plan([0])
    assert plan is not None
    assert (plan.to, plan.seat, plan.others, plan.shown) == (1, 0, {1}, True)
    assert match.undo_plan([0], floor=2) is None
    late = match.decisions()[0].id
    match.undo(0, plan.to)
    assert match.state.position() == before
    assert match.decisions()[0].id != late
    with pytest.raises(wellies.StaleDecision):
        match.play(0, "a0@0,0", decision=late)
    match.play(0, "b0@0,0")
    match.play_move(1, match.choices(1)[-1])
    assert [entry.text for entry in match.log if entry.seat == CHANCE] == drawn
    while match.state.due():
        seat = match.state.due()[0]
        match.play_move(seat, match.choices(seat)[0])
    assert match.record().verify() == 128
    with pytest.raises(wellies.UndoRefused):
        match.undo(0, 1000)


def test_a_move_without_an_alternative_is_no_decision_to_go_back_to() -> None:
    found = 0
    for name in wellies.list_games():
        match = Match(name, seed=3)
        rng = Stream(3)
        while match.state.due() and found < 20:
            seat = match.state.due()[0]
            choices = match.choices(seat)
            match.play_move(seat, choices[rng.randrange(len(choices))])
            plan = match.undo_plan([seat])
            if not match.state.due():
                assert plan is None
            elif len(choices) > 1:
                assert plan is not None
                assert match.log[plan.to].text != ""
                assert not match.log[plan.to].forced
            elif plan is not None:
                assert not match.log[plan.to].forced
                assert any(entry.forced for entry in match.log[plan.to :])
                found += 1
    assert found


def test_only_what_a_seat_could_not_know_counts_as_shown() -> None:
    """In Good Puppies all choose a card face down: what another has chosen is not seen, but might be."""
    match = Match("puppies", seats=3, seed=3)
    first, second, _ = match.state.due()
    match.play_move(first, match.choices(first)[0])
    plan = match.undo_plan([first])
    assert plan is not None
    assert (plan.others, plan.shown) == (set(), False)
    match.play_move(second, match.choices(second)[0])
    plan = match.undo_plan([first])
    assert plan is not None
    assert (plan.others, plan.shown) == ({second}, True)
    known = Match("guppies", seats=2, rolls=False)
    for seat, text in ((CHANCE, "draw 57"), (0, "a0@0,0")):
        known.play(seat, text)
    plan = known.undo_plan([0])
    assert plan is not None
    assert not plan.shown


def test_the_seed_is_kept_secret_until_the_end() -> None:
    match = greedy_match(3, 5)
    assert match.record().seed == ""
    assert match.record().seed_hash == match.seed_hash
    assert match.record(reveal=True).seed == match.seed.hex()
    done = greedy_match(3, 128)
    assert done.record().seed == done.seed.hex()
    assert done.record().verify() == 128
    assert done.record().result.endswith("; All tiles are laid.")


def test_a_record_goes_on_with_the_same_dice() -> None:
    match = greedy_match(3, 20)
    again = Record.parse(str(match.record(reveal=True))).replay()
    for each in (match, again):
        while each.state.due():
            seat = each.state.due()[0]
            each.play_move(seat, each.state.legal(seat)[0])
    assert str(match.record()) == str(again.record())


def test_a_record_without_its_seed_goes_on_with_dice_that_prove_nothing() -> None:
    match = greedy_match(3, 20)
    again = Record.parse(str(match.record())).replay()
    assert again.record() == match.record()
    again.play_move(again.state.due()[0], again.state.legal(again.state.due()[0])[0])
    assert again.record(reveal=True).seed == again.record().seed_hash == ""


def test_a_match_can_start_from_a_position() -> None:
    position = greedy_match(3, 20).state.position()
    match = Match("guppies", position=position, seed=1)
    match.play_move(match.state.due()[0], match.state.legal(match.state.due()[0])[0])
    again = Record.parse(str(match.record())).replay()
    assert again.state.position() == match.state.position()
    assert again.start_position == position


def test_events_go_out_only_as_a_seat_may_see_them() -> None:
    match = greedy_match(3, 4)
    assert [event["kind"] for event in match.events_for(None)][:3] == ["draw", "lay", "draw"]
    assert match.events_for(0, since=len(match.log)) == []
    assert match.view_for(1)["seat"] == 1


def test_a_fork_goes_its_own_way() -> None:
    match = greedy_match(3, 6)
    before = str(match.record(reveal=True))
    fork = match.fork()
    assert fork.decisions() == match.decisions()
    seat = fork.state.due()[0]
    fork.play_move(seat, fork.choices(seat)[0])
    assert str(match.record(reveal=True)) == before
    match.play_move(seat, match.choices(seat)[0])
    assert str(match.record(reveal=True)) == str(fork.record(reveal=True))
    assert match.decisions() == fork.decisions()


def test_a_match_that_follows_a_log_stands_where_the_other_stands() -> None:
    match = greedy_match(3, 30)
    follower = Match.for_replay("guppies", 2, {}, match.seed)
    assert follower.log == []
    for entry in match.log:
        follower.apply_logged(entry.seat, entry.text)
    assert follower.decisions() == match.decisions()
    assert follower.choices(0) == match.choices(0)
    assert str(follower.record(reveal=True)) == str(match.record(reveal=True))
    for each in (match, follower):
        seat = each.state.due()[0]
        each.play_move(seat, each.choices(seat)[-1])
    assert str(follower.record(reveal=True)) == str(match.record(reveal=True)), "the same dice go on"


def test_a_match_that_goes_on_from_another_proves_nothing_by_its_seed() -> None:
    match = greedy_match(3, 5)
    other = Match.for_replay("guppies", 2, {}, b"x" * 32, proves=False)
    for entry in match.log:
        other.apply_logged(entry.seat, entry.text)
    other.play_move(1, other.choices(1)[0])
    assert other.record(reveal=True).seed == other.record().seed_hash == ""
    assert Record.parse(str(other.record())).replay().state.position() == other.state.position()


GOOD = """\
Game: guppies
Seats: 2

* draw 57
0 a0@0,0
"""


def test_a_record_may_have_comments_and_blank_lines() -> None:
    record = Record.parse("# a game\n" + GOOD.replace("draw 57", "draw 57   # nice") + "\n\n# the end\n")
    assert record.moves == [(CHANCE, "draw 57"), (0, "a0@0,0")]
    assert record.replay().state.active() == [1]
    assert len(list(record.states())) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no .Game"),
        ("Game guppies\n", "Key: value"),
        ("Gaem: guppies\n", 'Did you mean "Game"'),
        ("Game: guppies\nGame: guppies\n", "twice"),
        ("Game: guppies\n", "no .Seats"),
        ("Game: guppies\nSeats: two\n", "whole number"),
        ("Game: guppies\nSeats: 2\nOptions: {\n", "not JSON"),
        ("Game: guppies\nSeats: 2\nOptions: []\n", "JSON object"),
        ("Game: guppies\nSeats: 2\nPlayers: [1]\n", "list of names"),
        ("Game: guppies\nSeats: 2\nSeed: xyz\n", "64 hexadecimal"),
        ("Game: guppies\nSeats: 2\nSeed: " + "0" * 64 + "\nSeed hash: " + "0" * 64 + "\n", "does not belong"),
        (GOOD + "zero a0@0,0\n", "line 6: .*seat move"),
        (GOOD + "1\n", "line 6: seat 1 has no move"),
        (GOOD + "* draw 1\n" * 20_001, "no record of a game"),
    ],
)
def test_a_broken_record_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(wellies.BadRecord, match=says):
        Record.parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("guppies", "gupies"), 'Did you mean "guppies"'),
        (GOOD.replace("Seats: 2", "Seats: 9"), "2 to 6 seats"),
        (GOOD.replace("Seats: 2", 'Seats: 2\nOptions: {"table": "two"}'), "table"),
        (GOOD.replace("Seats: 2", "Seats: 2\nRules: 99"), "rules version 99"),
        (GOOD.replace("Seats: 2", 'Seats: 2\nPosition: {"laid": 3}'), "laid"),
        (GOOD + "1 a0@0,0\n", "line 6: seat 1 cannot play"),
        (GOOD + "* draw 57\n", "line 6: chance cannot play 'draw 57': Tile 57 is not in the bag"),
    ],
)
def test_a_record_that_cannot_be_played_is_refused_with_its_line(text: str, says: str) -> None:
    record = Record.parse(text)
    with pytest.raises(wellies.BadRecord, match=says):
        record.replay()
    with pytest.raises(wellies.BadRecord, match=says):
        list(record.states())


def test_a_shuffle_that_was_tampered_with_is_found() -> None:
    record = greedy_match(3, 128).record()
    assert record.verify() == 128
    first = record.moves[0]
    other = "draw 1" if first[1] != "draw 1" else "draw 2"
    record.moves = [(CHANCE, other), *record.moves[1:]]
    with pytest.raises(wellies.BadRecord):
        record.verify()
    with pytest.raises(wellies.BadRecord, match="nothing to check"):
        Record.parse(GOOD).verify()
