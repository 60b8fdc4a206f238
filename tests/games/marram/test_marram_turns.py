"""Turns, flips, claims, removal and animals: what the golden examples do not show by points alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from marram_tables import SPEC, START, laid_at, play, table, texts, tile

import wellies
from wellies import CHANCE, IllegalMove, Stream
from wellies.games.marram import moves
from wellies.games.marram.phases import MOVE
from wellies.games.marram.state import MarramState


def started(seats: int, **options: str) -> MarramState:
    state = SPEC.start(seats, options)
    assert isinstance(state, MarramState)
    return state


# --- set-up and turns -----------------------------------------------------------------------------------------------


def test_who_begins_is_drawn_then_three_tiles_are_dealt_seat_by_seat() -> None:
    state = started(3)
    assert texts(state, CHANCE) == ["first 0", "first 1", "first 2"]
    assert {state.chance(Stream(number)) for number in range(30)} == set(state.legal(CHANCE))
    play(state, CHANCE, "first 1")
    for number in range(1, 10):
        assert state.active() == [CHANCE]
        assert len(state.legal(CHANCE)) == 96 - number
        play(state, CHANCE, f"draw {number}")
    assert state.hands == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert state.active() == [1]
    assert state.position()["to_move"] == 1


def test_records_of_before_that_do_not_say_who_begins_still_replay() -> None:
    old = "Game: marram\nRules: 1\nSeats: 2\nOptions: {}\n\n" + "".join(
        f"* draw {tile}\n" for tile in (12, 13, 14, 1, 2, 3)
    )
    record = wellies.Record.parse(old + "0 12a1@1,0\n")
    match = record.replay()
    assert match.state.position()["to_move"] == 0
    assert [state.active() for state in record.states()] == [[CHANCE]] * 6 + [[0], [0]]
    match.undo(0)
    assert match.state.active() == [0]
    followed = wellies.Match.for_replay("marram", 2, {}, b"7" * 32)
    for seat, text in record.moves:
        followed.apply_logged(seat, text)
    followed.undo(0)
    assert followed.state == match.state
    new = wellies.Match("marram", seed=1).record()
    assert new.moves[0][1].startswith("first ")
    assert new.replay().state.position()["to_move"] == int(new.moves[0][1].split()[1])


@pytest.mark.parametrize(
    ("variant", "length", "boots", "forks", "spades"),
    [
        ("classic", "short", 7, 0, (4, 3, 2)),
        ("classic", "long", 7, 0, (4, 3, 2)),
        ("pitchfork", "long", 5, 5, (10, 7, 5)),
        ("pitchfork", "short", 3, 5, (8, 5, 4)),
        ("animals", "long", 5, 5, (10, 7, 5)),
        ("animals", "short", 5, 5, (10, 7, 5)),
    ],
)
def test_pieces_and_cards(variant: str, length: str, boots: int, forks: int, spades: tuple[int, ...]) -> None:
    for seats in (2, 3, 4):
        state = started(seats, variant=variant, length=length)
        assert (state.boots, state.forks) == ([boots] * seats, [forks] * seats)
        assert state.spades == [spades[seats - 2]] * seats


def test_animals_is_always_long() -> None:
    assert started(2, variant="animals", length="short").options["length"] == "long"


def test_a_turn_is_two_moves_and_then_the_hand_is_refilled_to_three() -> None:
    state = table(START, hands=[[12, 13, 14], [1, 2, 3]], stock=[40, 41, 42])
    play(state, 0, "12a1@1,0", "no claim")
    assert (state.active(), state.move_number) == ([0], 2)
    play(state, 0, "13b1@2,0", "no claim")
    assert state.active() == [CHANCE]
    play(state, CHANCE, "draw 40")
    assert state.active() == [CHANCE]
    play(state, CHANCE, "draw 42")
    assert (state.hands[0], state.active(), state.move_number) == ([14, 40, 42], [1], 1)


def test_a_flip_refills_only_what_was_laid() -> None:
    state = table(START, tile(1, 0, "grass", spade=True), hands=[[12, 13, 14], [1]], stock=[40, 41])
    play(state, 0, "flip 1,0 0", "no claim", "12b1@2,0", "no claim")
    play(state, CHANCE, "draw 41")
    assert (state.hands[0], state.spades[0], state.active()) == ([13, 14, 41], 3, [1])


def test_each_turn_of_a_tile_suits_one_face_and_looks_that_are_the_same_are_one_move() -> None:
    state = table(START, hands=[[12, 46, 79], []])
    found = texts(state, 0)
    assert [text for text in found if text.startswith("12") and text.endswith("@1,0")] == ["12a1@1,0", "12b0@1,0"]
    # One end: three of the four turns keep it away from the starter's east edge.
    assert [text for text in found if text.startswith("46") and text.endswith("@1,0")] == [
        "46a1@1,0",
        "46b0@1,0",
        "46b2@1,0",
    ]
    # Two like ends on opposite edges look the same after half a turn.
    assert [text for text in found if text.startswith("79") and text.endswith("@1,0")] == ["79b0@1,0"]


def test_two_tiles_of_one_kind_are_two_moves() -> None:
    found = texts(table(START, hands=[[12, 13], []]), 0)
    assert len([text for text in found if text.startswith("12")]) == len(found) // 2 == 6


# --- flips ----------------------------------------------------------------------------------------------------------


def test_a_flip_swaps_the_ground_shows_the_other_ornament_and_retires_the_piece() -> None:
    spade = {"at": [1, 0], "tile": 7, "turn": 1, "claim": {"seat": 1, "on": "bridge"}}
    state = table(START, spade, hands=[[12], []])
    assert laid_at(state, 1, 0)["bridge"] == "grass"
    play(state, 0, "flip 1,0 0")
    after = laid_at(state, 1, 0)
    assert (after["bridge"], after["ornament"], after["flips"], after["turn"]) == ("sand", "flower", 2, 0)
    assert "claim" not in after
    assert (state.boots[1], state.retired_boots[1], state.spades[0]) == (6, 1, 3)


def test_three_flips_of_a_spade_tile_in_three_turns_and_no_fourth() -> None:
    state = table(
        START, {"at": [1, 0], "tile": 12, "turn": 1}, hands=[[13, 14, 11], [1, 2, 3]], stock=list(range(40, 60))
    )
    for number in range(3):
        seat = state.active()[0]
        play(state, seat, f"flip 1,0 {number % 2}", "no claim")
        lay = next(text for text in texts(state, seat) if "@" in text)
        play(state, seat, lay, "no claim")
        while state.active() == [CHANCE]:
            state.step(CHANCE, state.legal(CHANCE)[0])
    with pytest.raises(IllegalMove, match="at most three times"):
        play(state, state.active()[0], "flip 1,0 1")


def test_a_tile_laid_in_this_turn_may_be_flipped_in_it() -> None:
    state = table(START, hands=[[12, 13], []])
    play(state, 0, "12a1@1,0", "no claim", "flip 1,0 0")


def test_the_flip_of_a_spade_tile_with_beasts_must_match_and_has_two_outcomes_at_most() -> None:
    # Written out: a single end on a spade tile. Turning it a quarter either way gives two different looks.
    state = table(START, tile(1, 0, "grass", "orange end E", spade=True, turn=1), hands=[[12], []])
    assert [text for text in texts(state, 0) if "flip" in text] == ["flip 1,0 0", "flip 1,0 2"]
    play(state, 0, "flip 1,0 2")
    assert laid_at(state, 1, 0)["segments"] == ["orange end S"]


def test_a_flip_cuts_one_chain_and_joins_others_pieces_staying_where_they_stand() -> None:
    around = [
        tile(0, -1, "sand", "orange body NS", claim={"seat": 0, "on": "N"}),
        tile(1, 0, "sand", "orange body EW", claim={"seat": 1, "on": "E"}),
        tile(0, 1, "sand", "orange end N"),
        tile(-1, 0, "sand", "orange end E"),
    ]
    state = table({"at": [0, 0], "tile": 15}, *around, hands=[[12], []])
    beasts = {tuple(each["pieces"]): each["segments"] for each in state.extra(None)["beasts"]}
    assert beasts == {(1, 1): 3}
    play(state, 0, "flip 0,0 1")
    beasts = {tuple(each["pieces"]): each["segments"] for each in state.extra(None)["beasts"]}
    assert beasts == {(1, 0): 3, (0, 1): 3}


# --- claims ---------------------------------------------------------------------------------------------------------


def test_all_free_features_of_the_tile_may_be_claimed_classic_with_boots() -> None:
    state = table(START, hands=[[82], []])
    # Blue from south to east, orange from west to north; a grass bridge at an odd place joins NE and SW.
    play(state, 0, "82a1@0,-1")
    assert texts(state, 0) == ["boot N", "boot E", "boot NW", "boot SE", "boot bridge", "no claim"]


def test_pieces_come_home_from_a_completed_feature_those_of_the_beaten_too() -> None:
    laid = [
        START,
        tile(0, -1, "grass", "blue body NS", claim={"seat": 1, "on": "N"}),
        *(tile(1, y) for y in range(-4, 1)),
        tile(0, -3, "grass", "blue body NS", claim={"seat": 0, "on": "N"}),
        tile(0, -4, "grass", "blue tail S", claim={"seat": 0, "on": "S"}),
    ]
    state = table(*laid, hands=[[33, 12], []])
    assert (state.boots[0], state.boots[1]) == (5, 6)
    play(state, 0, "33a0@0,-2", "no claim")
    assert state.boots == [7, 7]
    assert not state.board.pieces
    line = state.score_lines(0)[-1]
    assert (line.rule, line.points) == ("blue", 15)
    assert line.why == "Blue snake of 5 segments; {0} had 2 boots, {1} had 1 boot"
    assert line.where == [[0, -4], [0, -3], [0, -2], [0, -1], [0, 0]]


def test_patch_lines_name_bulges_and_coins() -> None:
    laid = [START, tile(1, 0), tile(0, 1), tile(2, 0), tile(2, 1), tile(2, 2), tile(1, 2)]
    state = table(*laid, hands=[[1, 12], []])
    play(state, 0, "1a0@1,1", "boot bridge")
    assert state.score_lines(0)[-1].why == "Grass patch of 2 bulges with 1 gold coin; {0} had 1 boot"


# --- Beastly tiles --------------------------------------------------------------------------------------------------


def test_what_an_open_chain_demands_changes_far_away_when_it_takes_a_kind() -> None:
    laid = [tile(0, 0), tile(0, 1, "grass", "any body EW"), tile(1, 1, "grass", "any body EW")]
    state = table(*laid, hands=[[46, 58, 30], []])
    assert any(text.startswith("58") and text.endswith("@-1,1") for text in texts(state, 0))
    play(state, 0, "46a3@2,1", "no claim")
    assert not any(text.startswith("58") and text.endswith("@-1,1") for text in texts(state, 0))


def test_both_ends_of_one_open_chain_at_one_place_must_take_the_same_beast() -> None:
    # Three Beastly corners (in no box) lead round from the west edge to the north edge of 1,1.
    laid = [
        tile(0, 0, "grass", "any body SE"),
        tile(1, 0, "grass", "any body SW"),
        tile(0, 1, "grass", "any body NE"),
    ]
    state = table(*laid, hands=[[77, 79, 53], []])
    found = [text for text in texts(state, 0) if text.endswith("@1,1")]
    # 77 has an orange end and a worm end side by side: never. 53, an orange bend, closes a ring.
    assert found == ["53b3@1,1"]
    with pytest.raises(IllegalMove, match="two different"):
        play(state, 0, "77b3@1,1")
    play(state, 0, "53b3@1,1", "boot N")
    assert state.scores() == [3, 0]


# --- Pitchfork ------------------------------------------------------------------------------------------------------


def test_a_bare_ordinary_tile_flips_once_to_swapped_ground_without_ornament() -> None:
    laid = [START, {"at": [1, 0], "tile": 41, "turn": 1}]
    state = table(*laid, hands=[[46, 12], []], variant="pitchfork")
    before = laid_at(state, 1, 0)
    assert (before["bridge"], before["ornament"], before["flips"]) == ("grass", "silver", 0)
    play(state, 0, "46b3@2,0", "no claim")
    assert (laid_at(state, 1, 0)["segments"], laid_at(state, 1, 0)["flips"]) == ([], 1)
    play(state, 0, "flip 1,0 0")
    after = laid_at(state, 1, 0)
    assert (after["bridge"], after["flips"], after["flipped"]) == ("sand", 0, True)
    assert "ornament" not in after
    assert SPEC.from_position(state.position()).position() == state.position()


def test_an_edge_left_bare_takes_no_beast() -> None:
    state = table(START, tile(1, 0, "sand", "orange end E"), hands=[[46, 47], []], variant="pitchfork")
    play(state, 0, "46b3@2,0", "no claim")
    assert laid_at(state, 2, 0)["segments"] == []
    with pytest.raises(IllegalMove, match="has no beast there"):
        play(state, 0, "47a3@3,0")


def test_a_spade_tile_flipped_before_is_not_flippable_again_when_bare() -> None:
    spade = {"at": [0, 0], "tile": 15, "turn": 1, "flipped": True, "flips": 0}
    ends = [
        tile(0, -1, "sand", "orange end S"),
        tile(-1, 0, "sand", "orange end E"),
        tile(0, 1, "sand", "orange end N"),
    ]
    state = table(spade, *ends, hands=[[46, 47], []], variant="pitchfork")
    play(state, 0, "46a3@1,0", "no claim")
    after = laid_at(state, 0, 0)
    assert after["segments"] == ["orange body NW"]
    # The other snake was complete in this position already; nothing touches it until it changes.
    assert after["flips"] == 0


def test_scores_of_kept_snakes_are_not_paid_twice() -> None:
    laid = [START, tile(0, -1, "grass", "blue body NS"), tile(0, -2, "sand", "blue tail S")]
    state = table(*laid, hands=[[12, 13], []], variant="pitchfork")
    play(state, 0, next(text for text in texts(state, 0) if "@1,0" in text), "no claim")
    assert laid_at(state, 0, 0)["segments"] == ["blue head N"]
    assert state.scores() == [0, 0]


# --- Animals --------------------------------------------------------------------------------------------------------


def row(length: int) -> list[dict[str, object]]:
    """The starter and a row of plain tiles to its east."""
    return [START, *(tile(x, 0, "sand") for x in range(1, length + 1))]


@pytest.mark.parametrize(("before", "animal"), [(19, "fly"), (29, "frog")])
def test_an_animal_appears_after_the_20th_and_the_30th_tile(before: int, animal: str) -> None:
    state = table(*row(before), hands=[[12, 13], [14]], variant="animals", to_move=0)
    play(state, 0, next(text for text in texts(state, 0) if f"@{before + 1},0" in text), "no claim")
    assert state.active() == [CHANCE]
    assert texts(state, CHANCE) == [f"{animal} {before + 1},0"]
    play(state, CHANCE, f"{animal} {before + 1},0")
    play(state, 0, "guess 3")
    play(state, 1, "guess 3")
    assert (state.active(), state.move_number) == ([0], 2)
    play(state, 0, next(text for text in texts(state, 0) if f"@{before + 1},1" in text), "no claim")
    assert texts(state, CHANCE) == [f"{animal} {before},0", f"{animal} {before + 1},1"]


def test_a_flip_does_not_bring_an_animal_but_makes_it_hop() -> None:
    laid = row(20)
    laid[20] = tile(20, 0, "grass", spade=True)
    state = table(*laid, hands=[[12], [14]], variant="animals")
    play(state, 0, "flip 20,0 1", "no claim")
    assert state.active() == [0]
    fly = {"at": [5, 0], "from": [4, 0], "hops": 2, "guesses": [3, "escape"]}
    state = table(*laid, hands=[[12], [14]], variant="animals", fly=fly)
    play(state, 0, "flip 20,0 1", "no claim")
    assert [state.weight(move) for move in state.legal(CHANCE)] == [1, 2]
    play(state, CHANCE, "fly 6,0")
    assert state.fly is not None
    assert (state.fly.hops, state.active()) == (3, [0])


def test_passing_and_changing_are_no_moves_for_an_animal() -> None:
    fly = {"at": [1, 0], "from": None, "hops": 2, "guesses": [3, 4]}
    state = table(*row(3), seats=[{"spades": 1}, {"hand": [12]}], variant="animals", fly=fly, stock=[])
    play(state, 0, "pass")
    assert (state.active(), state.position()["fly"]["hops"]) == ([1], 2)


def test_fly_and_frog_hop_in_the_same_move_one_after_the_other() -> None:
    fly = {"at": [2, 0], "from": None, "hops": 2, "guesses": [3, 4]}
    frog = {"at": [3, 0], "from": None, "hops": 0, "guesses": [1, "escape"]}
    state = table(*row(4), hands=[[12], [14]], variant="animals", fly=fly, frog=frog)
    play(state, 0, next(text for text in texts(state, 0) if "@3,1" in text), "no claim")
    assert texts(state, CHANCE) == ["fly 1,0", "fly 3,0"]
    play(state, CHANCE, "fly 1,0")
    assert texts(state, CHANCE) == ["frog 2,0", "frog 4,0", "frog 3,1"]
    play(state, CHANCE, "frog 3,1")
    assert state.active() == [0]


def test_an_animal_still_hopping_at_the_end_scores_nothing() -> None:
    fly = {"at": [1, 0], "from": None, "hops": 2, "guesses": [3, 4]}
    state = table(*row(3), seats=[{"spades": 1}, {"spades": 0}], variant="animals", fly=fly, stock=[])
    play(state, 0, "pass")
    assert (state.active(), state.scores()) == ([], [0, 0])


def test_a_hop_back_is_half_as_likely() -> None:
    fly = {"at": [2, 0], "from": [1, 0], "hops": 5, "guesses": [9, 9]}
    state = table(*row(4), tile(2, 1), variant="animals", fly=fly, phase="fly hops", played={"at": [4, 0]})
    counts = dict.fromkeys(state.legal(CHANCE), 0)
    rng = Stream("hops")
    for _ in range(1000):
        counts[state.chance(rng)] += 1
    back, *others = counts.values()
    assert 150 < back < 250
    assert all(350 < other < 450 for other in others)


# --- the greedy bot -------------------------------------------------------------------------------------------------


def test_greedy_beats_random() -> None:
    greedy, rng, dice = wellies.bot("greedy"), Stream("bots"), Stream("dice")
    state = started(2, variant="classic", length="long")
    while state.active():
        seat = state.active()[0]
        if seat == CHANCE:
            state.step(seat, state.chance(dice))
        elif seat == 0:
            state.step(seat, greedy.choose(state, seat, rng))
        else:
            legal = state.legal(seat)
            state.step(seat, legal[rng.randrange(len(legal))])
    assert state.scores()[0] > state.scores()[1]


@pytest.mark.parametrize("variant", ["classic", "pitchfork"])
def test_a_refusal_never_recommends_a_move_that_is_itself_illegal(variant: str) -> None:
    """Every way to lay and flip, legal or not, at some moments of random games."""
    named = 0
    for number in range(2):
        state = started(2, variant=variant)
        rng = Stream(f"refused {variant} {number}")
        while state.active():
            seat = state.active()[0]
            if seat == CHANCE:
                state.step(seat, state.chance(rng))
                continue
            legal = state.legal(seat)
            if state.phase == MOVE and rng.randrange(4) == 0:
                cells = [state.board.open_cells[rng.randrange(len(state.board.open_cells))] for _ in range(3)]
                tried = [
                    moves.lay_move(tile, face, turn, cell)
                    for tile in state.hands[seat]
                    for cell in cells
                    for face in (0, 1)
                    for turn in range(4)
                ]
                tried += [moves.flip_move(cell, turn) for cell in state.board.tiles for turn in range(4)]
                for move in tried:
                    why = state.refusal(seat, move)
                    if why is None:
                        continue
                    for text in re.findall(r"\d+[ab]\d@-?\d+,-?\d+|flip -?\d+,-?\d+ \d", why):
                        named += 1
                        assert SPEC.read_move(state, seat, text) in legal, f"{moves.move_text(move)}: {why}"
                    assert "fits" not in why or "[" in why
            state.step(seat, legal[rng.randrange(len(legal))])
    assert named > 100


@pytest.mark.parametrize(("score", "rival"), [(71, 0), (71, 79), (75, 40)])
def test_the_greedy_bot_sees_the_knock_out(score: int, rival: int) -> None:
    """A blue snake of three completes the score that ends a short game: the bot lays its tail and claims it."""
    state = SPEC.from_position(
        {
            "options": {"variant": "classic", "length": "short"},
            "to_move": 0,
            "seats": [{"hand": [31, 14, 62], "score": score}, {"hand": [47, 58, 36], "score": rival}],
            "laid": [
                {"at": [0, 0], "tile": 0},
                {"at": [0, -1], "tile": 37, "turn": 1, "claim": {"seat": 1, "piece": "boot", "on": "bridge"}},
                {"at": [1, 0], "tile": 12, "turn": 0},
                {"at": [0, 1], "tile": 13, "turn": 0},
                {"at": [-1, 0], "tile": 45, "turn": 0, "claim": {"seat": 1, "piece": "boot", "on": "N"}},
            ],
        }
    )
    bot = wellies.bot("greedy")
    for number in range(4):
        if not state.active():
            break
        state.step(0, bot.choose(state, 0, Stream(number)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [0]


def test_tiles_of_no_box_round_trip_exactly_whatever_they_lost() -> None:
    position = {
        "options": {"variant": "pitchfork"},
        "to_move": 0,
        "move": 1,
        "seats": [{"hand": [1, 2, 3]}, {"hand": [4, 5, 6]}],
        "laid": [
            {"at": [0, 0], "turn": 3, "bridge": "sand", "segments": [], "flips": 1},
            {"at": [1, 0], "turn": 2, "bridge": "sand", "segments": ["orange body NS"], "flips": 0},
        ],
    }
    state = SPEC.from_position(position)
    assert [each["turn"] for each in state.position()["laid"]] == [3, 2]
    assert SPEC.from_position(state.position()).position() == state.position()


def beastly_corner(*beside: dict[str, Any]) -> MarramState:
    """A tile of no box with two Beastly corners, NE and SW, that can be flipped; to its east lies a blue body."""
    state = SPEC.from_position(
        {
            "options": {"variant": "classic"},
            "to_move": 0,
            "move": 1,
            "seats": [{"hand": [1, 2, 3]}, {"hand": [4, 5, 6]}],
            "laid": [
                {"at": [0, 0], "bridge": "grass", "segments": ["any body NE", "any body SW"], "flips": 3},
                {"at": [1, 0], "bridge": "grass", "segments": ["blue body EW"]},
                *beside,
            ],
        }
    )
    assert isinstance(state, MarramState)
    return state


def test_a_beastly_body_stays_of_its_beast_when_a_flip_parts_them() -> None:
    state = beastly_corner({"at": [0, -1], "tile": 18, "segments": ["any body NS"]})
    flip = [text for text in texts(state, 0) if text.startswith("flip 0,0")]
    assert flip
    play(state, 0, flip[0])
    kinds = {laid["at"][1]: laid["segments"] for laid in state.position()["laid"] if laid["at"][0] == 0}
    assert kinds[-1] == ["blue body NS"]
    assert all(segment.startswith("blue body") for segment in kinds[0])
    assert SPEC.from_position(state.position()) == state
    assert {chain.kind for chain in state.board.chains.values()} == {1}


def test_a_beastly_body_of_one_beast_is_never_flipped_to_another() -> None:
    state = beastly_corner({"at": [-1, 0], "bridge": "grass", "segments": ["orange body EW"]})
    # The corner at NE is blue, the one at SW orange, for good: the other way round each would touch the other's beast.
    assert [text for text in texts(state, 0) if text.startswith("flip 0,0")] == ["flip 0,0 1"]
    with pytest.raises(IllegalMove, match="edges must match"):
        SPEC.parse_move(state, 0, "flip 0,0 3")
