"""The session without a terminal: a script types, and what was shown is read back."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from rich.console import Console, RenderableType
from toy import ToyState

from wellies.cli import launch
from wellies.cli.console_io import Complete
from wellies.cli.picker import PAGE, Picker
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating, seat_players
from wellies.core.errors import BadOption
from wellies.games import game
from wellies.match import Match, Record


class Script:
    """A `ConsoleIO` that answers from a list and remembers every page."""

    width = 100
    height = 40
    max_width = 100

    def __init__(self, *lines: str, live: bool = False) -> None:
        self.lines = list(lines)
        self.live = live
        self.pages: list[str] = [""]
        self.prompts: list[str] = []

    def show(self, *things: RenderableType) -> None:
        out = Console(file=io.StringIO(), width=100, markup=False, emoji=False, highlight=False)
        for thing in things:
            out.print(thing)
        assert isinstance(out.file, io.StringIO)
        self.pages[-1] += out.file.getvalue()

    def page(self, thing: RenderableType) -> None:
        self.show(thing)

    def clear(self, *, scrollback: bool = False) -> None:
        self.pages.append("")

    def ask(self, prompt: str, complete: Complete | None = None) -> str:
        self.prompts.append(prompt)
        self.pages[-1] += prompt
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        self.pages[-1] += line + "\n"
        return line

    def wait(self, seconds: float) -> None:
        pass

    @property
    def text(self) -> str:
        return "\n".join(self.pages)


def play(match: Match, players: list[str], *lines: str) -> tuple[Script, Session, int]:
    """Play these lines, then stop; also tells how often the game was kept."""
    talk = Script(*lines)
    kept: list[str] = []
    session = Session(
        match, Seating(players), talk, lambda: kept.append(str(match.record())), lambda name: name, "here"
    )
    with contextlib.suppress(EOFError, Leave):
        session.run()
    return talk, session, len(kept)


def toy(players: int = 2, seed: int = 5) -> Match:
    return Match("toy", seats=players, seed=seed)


def guppies() -> Match:
    match = Match("guppies", seats=2, seed=5)
    while True:
        seat = match.state.due()[0]
        moves = match.state.legal(seat)
        if len(moves) > 2 * PAGE:
            return match
        match.play_move(seat, moves[-1])


def test_every_move_is_kept_at_once() -> None:
    match = toy()
    _, _, kept = play(match, ["Ann", "Bob"], "", "mark", "knock")
    assert kept == 3
    assert [entry.text for entry in match.log if entry.seat == 0] == ["mark", "knock"]


def test_a_step_can_be_taken_back() -> None:
    match = toy()
    talk, _, _ = play(match, ["Ann", "Bob"], "", "mark", "undo", "undo")
    assert [entry for entry in match.log if entry.seat == 0] == []
    assert "There is nothing of yours to take back." in talk.text


def test_the_last_step_of_a_turn_can_be_taken_back_before_the_next_player_looks() -> None:
    match = toy()
    talk, _, _ = play(match, ["Ann", "Bob"], "", "pass", "undo", "mark")
    assert [entry.text for entry in match.log if entry.seat >= 0] == ["mark"]
    assert "Pass the screen to Bob" not in talk.text


def cards_of(match: Match) -> ToyState:
    assert isinstance(match.state, ToyState)
    return match.state


def test_a_move_typed_instead_of_enter_is_the_next_players() -> None:
    match = Match("toy", seats=2, seed=5)
    play(match, ["Ann", "bot:random"], "pass", "pass")
    assert [entry.text for entry in match.log if entry.seat == 0] == ["pass", "pass"]


def test_a_person_alone_with_bots_goes_back_behind_their_answers_and_the_same_draws_come_again() -> None:
    match = Match("guppies", seats=2, seed=5)
    play(match, ["Ann", "bot:greedy"], "a0@0,0", "undo", "b0@0,0")
    assert [entry.text for entry in match.log if entry.seat == 0] == ["b0@0,0"]
    again = Match("guppies", seats=2, seed=5)
    again.play(0, "b0@0,0")
    assert [entry.text for entry in match.log][:3] == [entry.text for entry in again.log]
    with_two = Match("guppies", seats=2, seed=5)
    play(with_two, ["Ann", "Bob"], "a0@0,0", "undo")
    assert [entry.text for entry in with_two.log if entry.seat == 0] == ["a0@0,0"]


def test_what_shows_hidden_cards_stands() -> None:
    match = toy()
    card = match.spec.move_text(match.state, 0, min(cards_of(match).hands[0]))
    talk, _, _ = play(match, ["Ann", "Bob"], "", card, "", "undo")
    assert "Your move showed what was hidden, so it stands." in talk.text or "nothing of yours" in talk.text


def test_hint_names_the_move_and_its_points() -> None:
    match = toy()
    best = max(cards_of(match).hands[0])
    talk, _, _ = play(match, ["Ann", "bot:greedy"], "mark", "knock", "hint")
    assert f"play {best}" in talk.text
    assert f"(+{best} at once)" in talk.text


def test_a_hint_says_why_and_what_else() -> None:
    talk, _, _ = play(Match("umbradeco", 2, {}, 3), ["Ann", "Ben"], "", "hint")
    for words in ("It scores ", "  Instead ", " points less.", "Expected lead: ", "Winning chance: about ", "Then: "):
        assert words in talk.text


def test_questions_about_moves() -> None:
    talk, _, _ = play(toy(), ["Ann", "bot:greedy"], "? mark", "?pass", "why play 77", "why fly", "? 1", "?", "help")
    assert "Legal: make a mark. It scores +1 at once." in talk.text
    assert "+1  mark  A mark" in talk.text
    assert "Legal: do nothing. It scores nothing at once." in talk.text
    assert "There is no card 77" in talk.text
    assert "'fly' is not a move" in talk.text
    assert "save [FILE]" in talk.text
    assert "moves [part]" in talk.text


def test_a_refused_move_says_the_rule_and_changes_nothing() -> None:
    match = toy()
    other = cards_of(match).hands[1][0]
    talk, _, _ = play(match, ["Ann", "bot:greedy"], f"play {other}", "77", "+99", "nonsense here")
    assert "You do not hold that card" in talk.text
    assert "There is no move number 77" in talk.text
    assert "No move scores 99 or more at once; the best scores" in talk.text
    assert "Type ? for help" in talk.text
    assert all(entry.seat < 0 for entry in match.log)


def test_scores_board_log_rules_and_save() -> None:
    talk, _, _ = play(
        toy(),
        ["Ann", "bot:greedy"],
        "mark",
        "scores",
        "scores Ann",
        "scores Zoe",
        "board",
        "log",
        "rules",
        "save",
        "save x",
    )
    assert "in all" in talk.text
    assert "1 points in all" in talk.text
    assert "Nobody here is called Zoe" in talk.text
    assert "You are dealt the" in talk.text
    assert "Greedy is dealt the" not in talk.text
    assert "Play your cards." in talk.text
    assert "The game is saved in here." in talk.text
    assert "A copy is in x." in talk.text


def test_an_only_move_is_offered_for_enter() -> None:
    match = toy()
    state = cards_of(match)
    state.hands[0] = []
    state.knocked[0] = state.marked[0] = True
    talk, _, _ = play(match, ["Ann", "bot:greedy"], "")
    assert "This is your only move: press Enter to make it." in talk.text
    assert [entry.text for entry in match.log if entry.seat == 0] == ["pass"]


def test_people_may_act_out_of_turn() -> None:
    match = toy()
    talk, _, _ = play(match, ["Ann", "Bob"], "", "as Bob knock", "as Bob knock", "as Zoe knock", "as Bob")
    assert [(entry.seat, entry.text) for entry in match.log if entry.seat >= 0] == [(1, "knock")]
    assert "The people here are: Ann, Bob." in talk.text
    match = toy()
    talk, _, _ = play(match, ["Ann", "bot:greedy"], "as Greedy knock", "wait", "pass", "", "knock", "")
    assert "plays by itself" in talk.text
    assert [(entry.seat, entry.text) for entry in match.log if entry.seat == 0] == [(0, "pass"), (0, "knock")]


def test_nobody_sees_anothers_hand() -> None:
    match = toy(3)
    hands = [set(hand) for hand in cards_of(match).hands]
    talk, _, _ = play(match, ["Ann", "bot:greedy", "Cy"], "", "mark", "pass", "", "", "mark")
    owner = None
    for page in talk.pages:
        if "Ann to move" in page or "Ann has moved" in page:
            owner = 0
        elif "Cy to move" in page:
            owner = 2
        elif "Pass the screen" in page:
            assert "<" not in page
            owner = None
        for seat, hand in enumerate(hands):
            if seat != owner:
                assert not any(f"<{card}>" in page for card in hand), page
    assert owner == 2


def test_a_long_list_is_filtered_and_paged() -> None:
    match = guppies()
    seat = match.state.due()[0]
    count = len(match.state.legal(seat))
    assert count > PAGE
    part = match.spec.move_text(match.state, seat, match.state.legal(seat)[0]).partition("@")[2]
    talk, session, _ = play(match, ["Ann", "Bob"], "moves", "more", f"@{part}", "moves nosuch", "board")
    first = talk.pages[1]
    assert f"{count} moves, such as" in first
    assert f"{count - PAGE} more: type more" in first
    assert "No legal move has 'nosuch' in it" in first
    assert " #" in talk.pages[2], "the board is marked with the numbers last listed"
    assert all(page.count(")  ") <= 3 * PAGE for page in talk.pages)
    assert session.complete("hi") == ["hint"]
    assert session.complete("a0@")[0].startswith("a0@")


def test_numbers_mean_the_same_move_whatever_the_filter() -> None:
    match = guppies()
    seat = match.state.due()[0]
    picker = Picker(match.spec, match.state, seat)
    for choice in picker.page("b", 10):
        assert picker.choices[choice.number - 1] is choice
        assert picker.numbered(str(choice.number)) is choice
    assert picker.numbered("0") is None
    assert picker.numbered(str(len(picker) + 1)) is None


def test_a_preview_is_what_the_move_then_scores() -> None:
    match = guppies()
    seat = match.state.due()[0]
    for choice in Picker(match.spec, match.state, seat).choices:
        found = match.preview_move(seat, choice.move)
        after = match.state.clone()
        after.step(seat, choice.move)
        assert found.points == after.scores()[seat] - match.state.scores()[seat]
        assert found.points == sum(line.points for _, line in found.lines)


def test_a_save_that_fails_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    match = toy()
    talk = Script("mark", "save", "quit")
    out = Console(file=io.StringIO())
    gone = tmp_path / "gone" / "game.wellies"
    code = launch.run_session(match, Seating(["Ann", "bot:greedy"]), gone, talk, out)
    assert code == 0
    assert "could not be saved" in talk.text
    assert match.log[-1].text == "mark"


def test_seats_are_filled_with_greedy_bots() -> None:
    spec = game("toy")
    assert seat_players(spec, [], None).players == ["Player", "bot:greedy"]
    assert seat_players(spec, ["Ann"], 3).players == ["Ann", "bot:greedy", "bot:greedy"]
    assert seat_players(spec, ["Ann"], 3).names == ["Ann", "Greedy", "Greedy 2"]
    assert seat_players(spec, ["bot:random", "Greedy", "bot:greedy"], None).names == ["Random", "Greedy", "Greedy 2"]
    with pytest.raises(BadOption):
        seat_players(spec, ["Ann", "Bob", "Cy", "Di"], None)


def test_texts_of_the_log_get_names_and_nothing_else() -> None:
    seating = Seating(["Ann [b]", "bot:greedy"])
    assert seating.fill("{0} greets {1}, {7} and {x}.") == "Ann [b] greets Greedy, {7} and {x}."


def test_the_same_seed_and_lines_give_the_same_game() -> None:
    records = []
    for _ in range(2):
        match = Match("toy", seats=3, seed=9)
        play(match, ["Ann", "bot:random", "bot:random"], "pass", "")
        records.append(str(match.record(reveal=True)))
    assert records[0] == records[1]
    assert Record.parse(records[0]).replay().state.position() == match.state.position()


@pytest.mark.parametrize("live", [False, True])
def test_no_command_that_only_informs_disturbs_the_turn_after_a_move(live: bool) -> None:
    match = toy()
    words = ["hint", "why", "moves", "more", "best", "scores", "board", "legend", "log", "wait", "rules"]
    script = Script("", "knock", "pass", *words, "undo", live=live)
    session = Session(match, Seating(["Ann", "Bob"]), script, lambda: None, lambda name: name, "here")
    with contextlib.suppress(EOFError, Leave):
        session.run()
    assert script.prompts.count("Enter to go on, or undo: ") == len(words) + 1
    assert "there is no hint" in script.text
    assert [entry.text for entry in match.log if entry.seat >= 0] == ["knock"], "the move was taken back"
