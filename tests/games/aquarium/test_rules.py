"""The rules of a game of Ultimate Aquarium, from the deal to the last net; the worked examples are under golden/."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import CHANCE, Event, Match, Stream
from wellies.games.aquarium.moves import DRAW, END, FIRST, KEEP_NET, NET, PAIRS, PUT, RESTOCK, TAKE, pack_net
from wellies.games.aquarium.phases import most_draws
from wellies.games.aquarium.state import AquariumState

SPEC = wellies.game("aquarium")
HANDS = [
    ["Anthias", "Clown Goby", "Sun Coral", "Moray Eel", "Mangrove"],
    ["Anthias", "Seahorse", "Bubble Jet", "Moray Eel", "Driftwood"],
]


def setting_up() -> AquariumState:
    return load({"first": 1, "phase": "setup", "seats": [{"hand": hand} for hand in HANDS]})


def load(position: dict[str, Any]) -> AquariumState:
    state = SPEC.from_position(position)
    assert isinstance(state, AquariumState)
    return state


def do(state: AquariumState, seat: int, text: str) -> list[Event]:
    heard: list[Event] = []
    state.apply(seat, SPEC.parse_move(state, seat, text), heard.append)
    return heard


def refusal(state: AquariumState, seat: int, text: str) -> str:
    with pytest.raises(wellies.MoveError) as caught:
        SPEC.parse_move(state, seat, text)
    return str(caught.value)


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chance_gives_the_token_then_five_cards_to_each_seat_in_turn(seats: int) -> None:
    state = SPEC.start(seats)
    assert isinstance(state, AquariumState)
    assert state.legal(CHANCE) == [FIRST + seat for seat in range(seats)]
    state.apply(CHANCE, FIRST + 1)
    assert state.first == 1
    for number in range(5 * seats):
        assert state.active() == [CHANCE]
        assert state.receiver() == number // 5
        assert len(state.legal(CHANCE)) <= 31
        state.apply(CHANCE, state.chance(Stream(number)))
    assert state.active() == state.due() == list(range(seats))
    assert state.deck_size == 92 - 5 * seats


def test_a_card_is_as_likely_as_it_has_copies_left() -> None:
    state = load({"first": 0, "seats": [{"hand": ["Moray Eel", "Moray Eel"]}]})
    eel = DRAW + state.cards.ids["Moray Eel"]
    assert state.weight(eel) == 4
    assert sum(state.weight(move) for move in state.legal(CHANCE)) == 90


def test_a_seat_that_has_put_three_cards_down_is_done() -> None:
    state = setting_up()
    for text in ("put Anthias@a1", "put Sun Coral@b1", "put Mangrove@c1"):
        assert 0 in state.active()
        do(state, 0, text)
    assert state.active() == state.due() == [1]
    assert state.legal(0) == []
    assert "yours are down" in str(state.rule_against(0, PUT + 9 * state.cards.ids["Moray Eel"]))


PLANS = {
    0: ["put Clown Goby@a1", "put Sun Coral@b1", "put Mangrove@c1"],
    1: ["put Bubble Jet@c3", "put Driftwood@a2", "put Moray Eel@a1"],
}


@pytest.mark.parametrize("order", ["000111", "111000", "010101", "101010", "011001"])
@pytest.mark.parametrize("turned", [1, -1])
def test_any_order_of_submission_leads_to_the_same_state(order: str, turned: int) -> None:
    results = []
    for each in (order, "001011"):
        state = setting_up()
        plans = {seat: iter(texts[:: turned if each == order else 1]) for seat, texts in PLANS.items()}
        for seat in map(int, each):
            do(state, seat, next(plans[seat]))
        results.append([state.position(), state.scores(), state.view(0), state.view(1), state.view(None)])
    assert results[0] == results[1]


def test_the_reveal_is_one_event_that_shows_everything_and_cannot_be_taken_back() -> None:
    state = setting_up()
    moves = [(seat, text) for seat, texts in PLANS.items() for text in texts]
    for seat, text in moves[:-1]:
        assert not any(event.reveals for event in do(state, seat, text))
    heard = do(state, *moves[-1])
    [reveal] = [event for event in heard if event.reveals]
    assert reveal.data["placed"] == [
        {"a1": "Clown Goby", "b1": "Sun Coral", "c1": "Mangrove"},
        {"a1": "Moray Eel", "a2": "Driftwood", "c3": "Bubble Jet"},
    ]
    for seat in (0, 1):
        assert sum(line.points for scorer, line in reveal.lines if scorer == seat) == state.scores()[seat] - 10
    assert [event.kind for event in heard] == ["put", "reveal", "round"]
    assert state.position()["seats"][0]["aside"] == ["Anthias", "Moray Eel"]
    assert (state.round, state.first, state.to_move) == (1, 1, 1)


# --- nothing leaks ----------------------------------------------------------------------------------------------------


def test_nothing_of_a_secret_choice_is_visible_to_others() -> None:
    """Whatever seat 0 puts wherever, seat 1 and a spectator see the same, in views and in events."""
    seen = set()
    for text in ("put Anthias@a1", "put Clown Goby@b2", "put Moray Eel@c3", "put Mangrove@a3"):
        state = setting_up()
        heard = do(state, 0, text)
        for viewer in (1, None):
            told = [event.seen_by(viewer) for event in heard]
            seen.add((viewer, str(state.view(viewer)), str(told), str(state.scores()), str(state.score_lines(0))))
        own = state.view(0)
        assert own["position"]["seats"][0]["placed"] == {text[-2:]: text[4:-3]}
        assert text[4:-3] in str([event.seen_by(0) for event in heard])
    assert len(seen) == 2
    assert {str(viewer) for viewer, *_ in seen} == {"1", "None"}


def test_other_hands_and_cards_not_kept_stay_hidden() -> None:
    state = setting_up()
    assert state.view(1)["position"]["seats"][0]["hand"] == ["?"] * 5
    assert state.view(1)["position"]["seats"][1]["hand"] == sorted(HANDS[1], key=state.cards.names.index)
    for seat, texts in PLANS.items():
        for text in texts:
            do(state, seat, text)
    assert state.view(1)["position"]["seats"][0]["aside"] == ["?", "?"]
    assert state.view(0)["position"]["seats"][0]["aside"] == ["Anthias", "Moray Eel"]
    assert state.view(None)["position"]["seats"][1]["aside"] == ["?", "?"]


def test_a_dealt_card_is_told_to_its_seat_only() -> None:
    state = load({"first": 0, "options": {"cards": "balanced"}})
    heard = do(state, CHANCE, "draw Seahorse")
    assert [event.seen_by(0)["text"] for event in heard] == ["You are dealt a Seahorse."]
    for viewer in (1, None):
        assert "Seahorse" not in str([event.seen_by(viewer) for event in heard])
        assert "Seahorse" not in str(state.view(viewer))


def test_resampling_keeps_what_the_seat_has_seen_and_deals_the_rest_anew() -> None:
    state = setting_up()
    do(state, 1, "put Driftwood@a2")
    hands = set()
    spaces = set()
    for number in range(30):
        dealt = state.resample(0, Stream(number))
        assert isinstance(dealt, AquariumState)
        assert dealt.hands[0] == state.hands[0]
        assert (len(dealt.hands[1]), dealt.placed_count(1)) == (4, 1)
        spaces.add(str(dealt.position()["seats"][1]["placed"]))
        hands.add(str(dealt.hands[1]))
        used = [dealt.deck.copy()]
        for card in [*dealt.hands[0], *dealt.hands[1], *(card for card in dealt.placed[1] if card >= 0)]:
            used[0][card] += 1
        assert used[0] == state.cards.in_deck, "no card is lost or made"
    assert len(hands) > 25
    assert len(spaces) > 20


def test_an_answer_about_the_last_net_is_secret_until_all_have_answered() -> None:
    seen = set()
    for text in ("net a1 b2", "net c2 a3", "keep net"):
        state = load({"phase": "nets", "round": 8})
        heard = do(state, 0, text)
        assert state.due() == state.active() == [1]
        assert state.scores() == [10, 10]
        assert state.view(0)["position"]["seats"][0]["answer"] == text
        seen.add(str(state.view(1)) + str([event.seen_by(1) for event in heard]))
    assert len(seen) == 1


def test_last_answers_in_any_order_lead_to_the_same_end() -> None:
    ends = []
    for order in ([0, 1], [1, 0]):
        state = load({"phase": "nets", "round": 8})
        for seat in order:
            heard = do(state, seat, ["net a1 b2", "net c2 a3"][seat])
        assert [event.reveals for event in heard] == [False, True, False]
        ends.append(state.position())
    assert ends[0] == ends[1]


# --- turns, restock, net ----------------------------------------------------------------------------------------------


def test_the_replaced_card_lies_in_the_store_where_the_taken_one_lay() -> None:
    state = load({"round": 1, "store": ["Anthias", "Driftwood", "Anthias"]})
    do(state, 0, "take Anthias@b2")
    assert state.position()["store"] == ["Clownfish", "Driftwood", "Anthias"]


def test_equal_cards_in_the_store_are_one_choice() -> None:
    state = load({"round": 1, "store": ["Anthias", "Anthias"], "seats": [{"net": False, "restock": False}]})
    assert len(state.legal(0)) == 9


def test_whoever_holds_a_net_is_active_but_nobody_waits_for_it() -> None:
    state = load({"round": 1, "first": 1, "store": ["Anthias"], "seats": [{}, {}, {"net": False}, {}]})
    assert state.active() == [0, 1, 3]
    assert state.due() == [1]
    assert all(NET <= move < RESTOCK for move in state.legal(0))
    assert len(state.legal(0)) == 23, "36 pairs without the 10 of two Waters and the 3 of two Gravels"
    do(state, 3, "net a1 b2")
    assert state.active() == [0, 1]
    assert state.due() == [1]


def test_a_net_is_no_use_in_a_tank_of_equal_cards() -> None:
    state = load({"round": 1, "store": ["Anthias"], "seats": [{}, {"grid": [["Water"] * 3] * 3}]})
    assert state.active() == [0]
    assert state.legal(1) == []


def test_a_net_event_follows_the_swapped_cards_and_counts_the_gain() -> None:
    grid = [["Sun Coral", "Water", "Water"], ["Water", "Clownfish", "Water"], ["Clown Goby", "Gravel", "Gravel"]]
    state = load({"round": 1, "store": ["Anthias"], "seats": [{"grid": grid}]})
    [event] = do(state, 0, "net a2 a3")
    assert event.text == "{0} uses the net: Water [on a2] and Clown Goby [on a3] change places (+2 points, now 18)."
    assert [(line.rule, line.points, line.where) for _, line in event.lines] == [("change", 2, ["a2"])]


def test_a_take_event_tells_what_came_what_left_and_what_changed() -> None:
    grid = [["Anthias", "Water", "Water"], ["Water", "Clownfish", "Water"], ["Gravel", "Gravel", "Gravel"]]
    state = load({"round": 1, "store": ["Moray Eel"], "seats": [{"grid": grid}]})
    [event] = [event for event in do(state, 0, "take Moray Eel@b1") if event.kind == "take"]
    assert [(line.rule, line.points, line.where) for _, line in event.lines] == [
        ("change", 1, ["a1"]),
        ("replaced", -1, ["b1"]),
        ("new", 5, ["b1"]),
    ]
    assert event.data == {"card": "Moray Eel", "space": "b1", "replaced": "Water"}
    assert "+5 points, now 16" in event.text


def test_a_restock_discards_the_whole_store_openly() -> None:
    state = load({"round": 1, "store": ["Seahorse", "Water", "Driftwood"], "deck": 70})
    do(state, 0, "restock")
    assert state.position()["discards"] == ["Seahorse", "Driftwood"], "starters are not kept count of"
    assert state.position()["seats"][0]["restock"] is False
    for _ in range(5):
        do(state, CHANCE, SPEC.move_text(state, CHANCE, state.chance(Stream(1))))
    assert (state.due(), state.deck_size) == ([0], 65)


def test_the_rest_of_the_store_is_discarded_when_the_round_ends() -> None:
    state = load({"round": 1, "first": 0, "to_move": 1, "store": ["Seahorse", "Anthias"]})
    do(state, 1, "take Seahorse@a1")
    assert state.position()["discards"] == ["Anthias"]
    assert (state.round, state.first) == (2, 1)


@pytest.mark.parametrize(("seats", "rounds", "most"), [(2, 8, 60), (3, 9, 75), (4, 8, 92)])
def test_with_every_restock_used_the_deck_is_just_enough(seats: int, rounds: int, most: int) -> None:
    assert most_draws(seats) == most
    match = Match(SPEC, seats, seed=seats)
    turns = [0] * seats
    while match.state.active():
        seat = match.state.due()[0]
        legal = match.state.legal(seat)
        move = RESTOCK if RESTOCK in legal else legal[0]
        turns[seat] += TAKE <= move < NET
        match.play_move(seat, move)
    assert turns == [rounds] * seats
    assert match.state.position()["deck"] == 92 - most
    assert sum(1 for entry in match.log if entry.seat == CHANCE) == most + 1


def test_a_deck_that_runs_out_ends_the_game_with_the_last_nets() -> None:
    state = load({"round": 2, "first": 0, "to_move": 1, "store": ["Anthias"], "deck": 0})
    assert "deck is empty" in refusal(state, 1, "restock")
    do(state, 1, "take Anthias@a1")
    assert state.due() == [0, 1]
    do(state, 0, "keep net")
    do(state, 1, "keep net")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "The deck ran out."


def test_a_short_deck_fills_the_store_as_far_as_it_goes() -> None:
    state = load({"phase": "stock", "round": 2, "deck": 2})
    do(state, CHANCE, "draw Anthias")
    do(state, CHANCE, "draw Anthias")
    assert state.due() == [0]
    assert state.position()["store"] == ["Anthias", "Anthias"]


def test_a_seat_that_can_take_nothing_is_passed_over() -> None:
    water = [["Water"] * 3] * 3
    state = load({"round": 8, "store": ["Anthias", "Water"], "seats": [{}, {"grid": water, "net": False}, {}]})
    do(state, 0, "take Anthias@b1")
    assert state.position()["store"] == ["Water", "Water"]
    assert state.due() == [2]


# --- moves ------------------------------------------------------------------------------------------------------------


def test_the_kinds_of_moves_have_numbers_of_their_own() -> None:
    assert [PUT, TAKE, NET, RESTOCK, KEEP_NET, DRAW, FIRST, END] == [0, 576, 1152, 1188, 1189, 1190, 1254, 1258]
    assert [pack_net(*pair) for pair in PAIRS] == list(range(NET, RESTOCK))
    assert pack_net(4, 0) == pack_net(0, 4)


def test_a_move_is_legal_exactly_when_it_has_no_refusal_for_every_number_there_is() -> None:
    states = [setting_up(), load({"round": 1, "store": ["Anthias", "Water"]}), load({"phase": "nets", "round": 8})]
    states += [load({}), load({"first": 0}), load({"phase": "stock", "round": 3}), load({"phase": "over", "round": 8})]
    for state in states:
        for seat in (CHANCE, 0, 1):
            legal = state.legal(seat)
            assert [move for move in range(-5, END + 5) if state.rule_against(seat, move) is None] == sorted(legal)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("take Seahorse", wellies.BadNotation, "take CARD@SPACE"),
        ("take Seahorse@b2@c3", wellies.BadNotation, "forms are"),
        ("take Seahorse@2b", wellies.BadNotation, "forms are"),
        ("Take Seahorse@b2", wellies.BadNotation, "forms are"),
        ("net a1", wellies.BadNotation, "forms are"),
        ("net a1 a1", wellies.BadNotation, "two different spaces"),
        ("first \u0661", wellies.BadNotation, "forms are"),
        ("", wellies.BadNotation, "forms are"),
        ("take Seahorze@b2", wellies.UnknownPiece, 'Did you mean "Seahorse"'),
        ("take seahorse@b2", wellies.UnknownPiece, 'Did you mean "Seahorse"'),
        ("draw Dragons Tongue Algae", wellies.UnknownPiece, 'Did you mean "Dragon\'s Tongue Algae"'),
        ("take Seahorse@d2", wellies.UnknownPiece, "columns are a to c"),
        ("net a1 b4", wellies.UnknownPiece, "columns are a to c"),
        ("first 7", wellies.UnknownPiece, "seats run from 0"),
        ("draw Anthias", wellies.IllegalMove, "for chance"),
        ("put Anthias@a1", wellies.IllegalMove, "set-up only"),
    ],
)
def test_a_text_that_is_no_move_is_refused_by_its_kind(text: str, error: type[Exception], says: str) -> None:
    state = load({"round": 1, "store": ["Seahorse"]})
    with pytest.raises(error, match=says):
        SPEC.parse_move(state, 0, text)


@pytest.mark.parametrize("text", ["take Mermaid's Fan@b2", "takeMermaid'sFan@b2", " take  Mermaid\u2019s Fan @ b2 "])
def test_spaces_and_kinds_of_apostrophe_do_not_matter(text: str) -> None:
    state = load({"round": 1, "store": ["Mermaid's Fan"]})
    assert SPEC.move_text(state, 0, SPEC.parse_move(state, 0, text)) == "take Mermaid's Fan@b2"


def test_moves_are_put_in_words_and_fields() -> None:
    state = load({"round": 1, "store": ["Seahorse"]})
    told = {
        "take Seahorse@b2": "take Seahorse in place of Clownfish [on b2]",
        "net a1 b2": "swap Water [on a1] and Clownfish [on b2] with the net",
        "restock": "restock: discard the whole store and fill it again",
    }
    for text, words in told.items():
        assert SPEC.move_words(state, 0, SPEC.parse_move(state, 0, text)) == words
    fields = SPEC.move_fields(state, 0, SPEC.parse_move(state, 0, "take Seahorse@b2"))
    assert fields == {"kind": "take", "card": "Seahorse", "space": "b2", "replaces": "Clownfish"}


# --- bots and drawing -------------------------------------------------------------------------------------------------


def test_the_greedy_bot_takes_the_best_card_and_uses_its_last_net() -> None:
    bot = wellies.bot("greedy")
    state = load({"round": 1, "store": ["Moray Eel", "Water"], "seats": [{"net": False}, {"net": False}]})
    assert SPEC.move_text(state, 0, bot.choose(state, 0, Stream(1))).startswith("take Moray Eel")
    grid = [["Sun Coral", "Water", "Water"], ["Water", "Clownfish", "Water"], ["Clown Goby", "Gravel", "Gravel"]]
    state = load({"phase": "nets", "round": 8, "seats": [{"grid": grid}, {}]})
    do(state, 0, SPEC.move_text(state, 0, bot.choose(state, 0, Stream(1))))
    do(state, 1, "keep net")
    assert state.scores() == [18, 10]


def test_greedy_beats_random_nearly_always() -> None:
    wins = 0
    for number in range(12):
        match = Match(SPEC, 2, seed=number)
        rng = Stream(number)
        while match.state.active():
            seat = match.state.due()[0]
            match.play_move(seat, wellies.bot(["greedy", "random"][seat]).choose(match.state, seat, rng))
        outcome = match.state.outcome()
        assert outcome is not None
        wins += outcome.winners == [0]
    assert wins == 12


def test_the_terminal_shows_tanks_points_store_and_texts_within_80_columns() -> None:
    state = load(
        {"round": 3, "first": 1, "store": ["Dragon's Tongue Algae", "Water"], "seats": [{"net": False}, {}, {}]}
    )
    text = SPEC.draw(state.view(0), {"b2": "7"}).plain()
    assert max(map(len, text.splitlines())) <= 80
    for words in ("Round 3 of 9, seat 1 to move", "▶ seat 1: 10", "first net restock", "seat 0 (you): 10"):
        assert words in text
    assert "+1 per other plant in this column" in text
    assert "b2─────────7" in text


def test_the_terminal_shows_ones_own_secret_plan_and_nobody_elses() -> None:
    state = setting_up()
    do(state, 0, "put Moray Eel@b2")
    mine, theirs = (SPEC.draw(state.view(seat)).plain() for seat in (0, 1))
    assert "b2*" in mine
    assert "seat 0 (you): 13" in mine
    assert "b2*" not in theirs
    assert "seat 0: 10" in theirs
