"""Why a move: reasons in words and points, the expected line, the alternatives, the winning chance and the review."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import wellies
from wellies import CHANCE, GameState, Match, Stream
from wellies.bots import reasons
from wellies.bots.analysis import Finding, analyse
from wellies.bots.reasons import AT_ONCE, RIVALS, explain, hint, play_on, step_words, winning_chance
from wellies.bots.review import Reviewed, chances_line, percent, review
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.root import Budget, SearchResult, heuristics_of, search
from wellies.bots.search.tree import Node
from wellies.core.heuristics import Heuristics
from wellies.core.preview import preview_move
from wellies.core.texts import default_names, with_notation

MOMENTS = (2, 9)


def storm(nodes: int = 60) -> SearchBot:
    found = wellies.bot(f"storm:nodes={nodes}:ms=0")
    assert isinstance(found, SearchBot)
    return found


def moments(game: str, seats: int, seed: int = 1) -> Iterator[tuple[GameState, int]]:
    """Some decisions of a game between players who take points."""
    state, rng, number = wellies.game(game).start(seats), Stream(seed), 0
    player = wellies.bot("shower")
    while state.due() and number <= MOMENTS[-1]:
        seat = state.due()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        if len(state.legal(seat)) > 1:
            number += 1
            if number in MOMENTS:
                yield state.clone(), seat
        state.step(seat, player.choose(state, seat, rng))


def searched(state: GameState, seat: int, nodes: int = 60) -> tuple[SearchResult, Node, Heuristics]:
    heuristics, root = heuristics_of(state.spec), Node()
    return search(state, seat, heuristics, Budget(nodes), 7, root), root, heuristics


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", wellies.list_games())
def test_a_hint_says_why_what_follows_and_what_else(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "HINT_SECONDS", 0.0)
    asked = 0
    for state, seat in moments(game, seats):
        asked += 1
        seen, move, why = hint(storm(), state, seat, Stream("hint"))
        assert move in state.legal(seat)
        assert 1 <= len(why.reasons) <= reasons.MOST_REASONS
        names = default_names(seats)
        for sentence in why.reasons:
            read = with_notation(sentence, names)
            assert re.fullmatch(r"[A-Z\ds].*[.]", read), read
            assert not re.search(r"[{}\[\]]", read), read
        assert why.others[0].move == state.move_text(seat, move)
        assert why.others[0].behind == 0
        behind = [other.behind for other in why.others]
        assert behind == sorted(behind)
        assert len({other.move for other in why.others}) == len(why.others) <= reasons.MOST_OTHERS
        for other in why.others:
            state.spec.parse_move(state, seat, other.move)
            assert other.lead == pytest.approx(why.others[0].lead - other.behind)
        assert why.chance is not None
        assert 0 <= why.chance <= 1
        assert why.line[0].seat == seat
        assert why.line[0].words.startswith(state.spec.move_words(seen, seat, move))
        for step in why.line:
            assert 0 <= step.seat < seats
            assert bool(step.words) != bool(step.depends)
            assert step.often >= reasons.LIKELY or step.depends
            assert with_notation(step_words(step.to_json()), names)
        again = hint(storm(), state, seat, Stream("hint"))[2]
        assert again.to_json() == why.to_json()
    assert asked == len(MOMENTS)


@pytest.mark.parametrize("game", wellies.list_games())
def test_what_a_reason_says_of_points_is_what_the_rules_score(game: str) -> None:
    told = 0
    for state, seat in moments(game, 2):
        result, root, heuristics = searched(state, seat)
        for each in result.evaluations[:3]:
            result.evaluations.remove(each)
            result.evaluations.insert(0, each)
            why = explain(state, seat, result, root, heuristics, 5)
            points = preview_move(state, seat, each.move).points
            if points:
                told += 1
                assert why.reasons[0].startswith(f"It scores {points} at once")
            else:
                assert not re.match(r"It scores -?\d", why.reasons[0])
    assert told or game == "marram"


@pytest.mark.parametrize("game", wellies.list_games())
def test_playing_on_is_a_legal_game_and_counts_every_point_once(game: str) -> None:
    for state, seat in moments(game, 2):
        result, root, heuristics = searched(state, seat, 30)
        before = state.position()
        one = play_on(state, seat, result.best, heuristics, 5, 0, root)
        other = play_on(state, seat, result.best, heuristics, 5, 0, root)
        assert state.position() == before
        assert one.gains == other.gains
        assert [turn.words for turn in one.turns] == [turn.words for turn in other.turns]
        assert one.turns[0].seat == seat
        gained = sum([turn.gained or 0 for turn in one.turns if turn.seat == seat])
        assert gained == sum([window[seat] for window in one.gains]) or game in ("aquarium", "puppies")


def test_a_move_that_leaves_the_rival_more_is_told_so() -> None:
    """Guppies: of two lays that score alike, one opens a rich place for the rival."""
    found = []
    for seed in range(8):
        for state, seat in moments("guppies", 2, seed):
            result, root, heuristics = searched(state, seat, 120)
            why = explain(state, seat, result, root, heuristics, 5)
            found += [
                sentence for sentence in why.reasons if "should then make" in sentence and " than after " in sentence
            ]
    assert found
    for sentence in found:
        assert re.match(r"\{\d\} should then make about -?[\d.]+ points?, [\d.]+ (more|less) than after the ", sentence)


def test_in_words_of_the_game() -> None:
    told: dict[str, list[str]] = {game: [] for game in wellies.list_games()}
    for game, sentences in told.items():
        for state, seat in moments(game, 2, 3):
            heuristics = heuristics_of(state.spec)
            for move in state.legal(seat)[:40]:
                sentences += heuristics.remarks(state, seat, move)
    for game in ("guppies", "umbradeco", "aquarium", "marram"):
        assert told[game], game
    assert any("place" in sentence for sentence in told["guppies"])
    assert any("store" in sentence or "no card" in sentence for sentence in told["aquarium"])


def test_the_bonuses_of_a_yard_are_told() -> None:
    state, rng = wellies.game("puppies").start(2), Stream(2)
    player = wellies.bot("shower")
    told: list[str] = []
    while state.due():
        seat = state.due()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        for move in state.legal(seat)[:6]:
            told += heuristics_of(state.spec).remarks(state, seat, move)
        state.step(seat, player.choose(state, seat, rng))
    assert any(
        re.fullmatch(r"The bonuses of the yard are then worth \d+ (more|less) at the end\.", each) for each in told
    )


# --- the winning chance -------------------------------------------------------------------------------------------


def test_the_chance_grows_with_the_lead_and_is_certain_at_the_end() -> None:
    state, seat = next(moments("umbradeco", 2))
    result, _, heuristics = searched(state, seat)
    one = result.best
    chances = []
    for lead in (-4000, -500, 0, 500, 4000):
        one.margins = [lead] * 5
        one.values = [0.5 + 0.5 * lead / (heuristics.scale + abs(lead))] * 5
        chance = winning_chance(one, state, heuristics, False)
        assert chance is not None
        chances.append(chance)
    assert chances == sorted(chances)
    assert chances[2] == pytest.approx(0.5)
    assert chances[0] < 0.2 < 0.8 < chances[-1]
    # Rollouts that came to the end count as they ended: two wins, one shared, two lost, each by a little.
    one.margins = [100, 100, 0, -100, -100]
    by_margin = [0.5 + 0.5 * each / (heuristics.scale + abs(each)) for each in one.margins]
    one.values = [(value + share) / 2 for value, share in zip(by_margin, [1, 1, 0.5, 0, 0], strict=True)]
    assert winning_chance(one, state, heuristics, False) == pytest.approx(0.5)
    one.margins, one.values = [100, 100], [(by_margin[0] + 1) / 2] * 2
    assert winning_chance(one, state, heuristics, False) == pytest.approx(1)


def test_a_proved_end_has_a_certain_chance() -> None:
    state, rng = wellies.game("umbradeco").start(2, {"mat": "small"}), Stream(4)
    player = wellies.bot("shower")
    proved = 0
    while state.due():
        seat = state.due()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        if state.deck == 0 and len(state.legal(seat)) > 1:  # type: ignore[attr-defined]
            _, _, why = hint(storm(20), state, seat, Stream(1))
            if why.proved:
                proved += 1
                assert why.chance is not None
                assert all(other.error == other.lead_error == 0 for other in why.others)
        state.step(seat, player.choose(state, seat, rng))
    assert proved


@pytest.mark.parametrize("level", ["drizzle", "shower", "random"])
def test_a_bot_that_does_not_search_gives_the_reasons_of_the_rules(level: str) -> None:
    for state, seat in moments("umbradeco", 2):
        _, move, why = hint(wellies.bot(level), state, seat, Stream(1))
        assert move in state.legal(seat)
        assert not why.others
        assert why.chance is None
        if preview_move(state, seat, move).points:
            assert why.reasons[0].startswith("It scores ")


def test_as_a_line_of_characters() -> None:
    assert chances_line([0.0, 0.5, 1.0]) == "▁▅█"
    assert chances_line([0.2] * 200) == "▂" * 60
    assert chances_line([0.0, 1.0], "0123456789") == "09"
    assert [percent(chance) for chance in (0.0, 0.001, 0.42, 0.999, 1.0)] == ["0 %", "1 %", "42 %", "99 %", "100 %"]


# --- in the analysis ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", wellies.list_games())
def test_every_judged_move_has_reasons_and_a_chance(game: str) -> None:
    match, rng = Match(wellies.game(game), 2, {}, 3), Stream(5)
    for _ in range(8):
        seat = match.state.due()[0]
        match.play_move(seat, wellies.bot(["shower", "random"][seat]).choose(match.state, seat, rng))
    record = match.record()
    found = [each for each in analyse(record.spec(), record.start(), record.moves, 24) if each is not None]
    assert found
    for each in found:
        told = each.to_json()
        assert told["reasons"]
        assert told["others"][0]["move"] == each.best
        assert each.played in [other["move"] for other in told["others"]]
        assert told["line"][0]["seat"] == each.seat
        assert 0 <= told["chance"] <= 1
        assert 0 <= told["best_chance"] <= 1
        assert bool(told["kind"]) <= (each.lost > 0)
        if each.lost > 0:
            behind = next(other["behind"] for other in told["others"] if other["move"] == each.played)
            assert behind == pytest.approx(each.lost, abs=0.01)
    assert [each["seat"] for each in review(found, 2)] == sorted({each.seat for each in found})


def judged(number: int, lost: float = 0.0, chance: float | None = 0.5, kind: str = "", gap: float = 0.0) -> Finding:
    finding = Finding(number, 0, "played", f"play {number}", 5)
    finding.lost, finding.chance, finding.error = lost, chance, 0.1
    finding.best_words = f"play better {number}" if lost else finding.words
    finding.why.kind = kind
    if gap:
        finding.why.others = [
            reasons.Other("played", "play", 3.0, 0.1, 0.0, 0.0),
            reasons.Other("x", "play x", 3.0 - gap, 0.1, gap, 0.1),
        ]
    return finding


def sentences(*moves: Reviewed) -> list[str]:
    (told,) = review(moves, 2)
    assert told["seat"] == 0
    found: list[str] = told["sentences"]
    return found


def test_the_review_names_what_cost_most_where_it_turned_what_was_good_and_what_to_try() -> None:
    told = sentences(
        judged(2, chance=0.6),
        judged(4, 6.25, 0.3, RIVALS),
        judged(6, 1.0, 0.25, AT_ONCE),
        judged(8, chance=0.3, gap=4.5),
        judged(9, 2.0, 0.2, RIVALS),
    )
    assert told == [
        "{0} found the best move in 2 of 5 choices, and lost about 9.2 points with the others.",
        "Most was lost at move 4, about 6.2 points: better was to play better 4. "
        "Next comes move 9, about 2 points: better was to play better 9.",
        "The game turned between the moves 2 and 4: the winning chance fell from 60 % to 30 %.",
        "Well done at move 8: to play 8 was the best of 5 moves, about 4.5 points ahead of the next.",
        "Most went to moves that left more to the others than they had to: about 8.2 points. To try next: before you "
        "move, ask what the next player could make of what you leave, and take or spoil the best of it.",
    ]


def test_the_review_of_a_flawless_or_a_short_game() -> None:
    assert sentences(judged(1), judged(3)) == [
        "{0} found the best move in all 2 choices.",
        "To try next: a stronger opponent, for there was little to mend here.",
    ]
    assert sentences(judged(1, 1.0, None, AT_ONCE))[0] == "{0} had one choice, and lost about 1 point with it."
    assert review([], 2) == []
