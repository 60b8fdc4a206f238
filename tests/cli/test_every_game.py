"""Every game on the shelf works at the terminal, by being registered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from wellies.cli.console_io import Complete
from wellies.cli.picker import Picker
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating
from wellies.core.dice import Stream
from wellies.games import game, list_games
from wellies.match import Match, Record

GAMES = [name for name in list_games() if name != "toy"]
Command = Callable[..., tuple[int, str, str]]


class ExternalBot:
    """A `ConsoleIO` for somebody who tries everything, then plays any legal move."""

    live = True
    height = 40

    def __init__(self, limit: int, width: int = 100) -> None:
        self.width = self.max_width = width
        self.limit = limit
        self.session: Session | None = None
        self.stream = Stream("visitor")
        self.turns = 0
        self.covers = 0
        self.todo = ["?", "hint", "moves", "more", "scores", "board", "log", "? 1", "zzz", "<", ">", "99999"]
        self.console = Console(width=width, record=True, file=open("/dev/null", "w"), markup=False)  # noqa: SIM115

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing)

    def page(self, thing: RenderableType) -> None:
        self.show(thing)

    def clear(self, *, scrollback: bool = False) -> None:
        pass

    def wait(self, seconds: float) -> None:
        pass

    def ask(self, prompt: str, complete: Complete | None = None) -> str:
        if prompt.startswith("Enter"):
            return ""
        if "press Enter" in prompt:
            self.covers += 1
            return ""
        if self.todo and self.turns > 3:
            return self.todo.pop(0)
        self.turns += 1
        if self.turns > self.limit:
            raise Leave
        assert self.session is not None
        assert self.session.picker is not None
        return str(1 + self.stream.randrange(len(self.session.picker)))


def visit(match: Match, players: list[str], limit: int, width: int = 100) -> ExternalBot:
    talk = ExternalBot(limit, width)
    talk.session = Session(match, Seating(players), talk, lambda: None, lambda name: name, "here")
    try:
        talk.session.run()
    except Leave:
        pass
    finally:
        talk.console.file.close()
    return talk


@pytest.mark.parametrize("name", GAMES)
def test_a_person_and_bots_play_to_the_end(name: str) -> None:
    spec = game(name)
    seats = spec.min_seats
    match = Match(spec, seats=seats, seed=1)
    talk = visit(match, ["Ann", *["bot:random"] * (seats - 1)], 2000)
    assert match.state.outcome() is not None
    text = talk.console.export_text()
    assert "Scores" in text
    assert not re.search(r"\{\d\}|\bseat \d", text, re.IGNORECASE), "people are called by their names"
    record = Record.parse(str(match.record()))
    assert record.verify() == sum(1 for seat, _ in record.moves if seat == -1)


@pytest.mark.parametrize("name", GAMES)
def test_people_at_one_screen_are_covered_where_hands_are_hidden(name: str) -> None:
    spec = game(name)
    match = Match(spec, seats=max(2, spec.min_seats), seed=2)
    hidden = match.view_for(0)["position"] != match.view_for(1)["position"]
    talk = visit(match, ["Ann", "Bob"], 12)
    assert talk.covers > 0 or not hidden


@pytest.mark.parametrize("name", GAMES)
def test_a_narrow_screen_cuts_no_line_in_two(name: str) -> None:
    talk = visit(Match(name, seed=3), ["Ann", "bot:random"], 8, width=40)
    assert all(len(line) <= 40 for line in talk.console.export_text().splitlines())


@pytest.mark.parametrize("name", GAMES)
def test_positions_records_and_rules(name: str, wellies: Command, tmp_path: Path) -> None:
    match = Match(name, seed=4)
    stream = Stream("moves")
    for _ in range(10):
        due = match.state.due()
        if due:
            moves = match.state.legal(due[0])
            match.play_move(due[0], moves[stream.randrange(len(moves))])
    position = tmp_path / "position.json"
    position.write_text(json.dumps(match.state.position()), encoding="utf-8")
    record = tmp_path / "game.wellies"
    record.write_text(str(match.record(reveal=True)), encoding="utf-8")
    for words in (
        ("position", position),
        ("position", position, "--seat", "0"),
        ("position", position, "--json"),
        ("replay", record),
        ("replay", record, "--at", "3", "--seat", "1", "--verify"),
        ("verify", record),
        ("rules", name),
        ("simulate", name, "--bots", "random", "--games", "2", "--seed", "1"),
    ):
        code, out, err = wellies(*words)
        assert (code, err) == (0, ""), words
        assert out.strip()


@pytest.mark.parametrize("name", GAMES)
def test_the_list_of_moves_tells_any_two_apart(name: str) -> None:
    match = Match(name, seed=4)
    stream = Stream("moves")
    for _ in range(25):
        due = match.state.due()
        if not due:
            break
        picker = Picker(match.spec, match.state, due[0])
        words = [choice.words for choice in picker.choices]
        assert len(set(words)) == len(words)
        match.play_move(due[0], picker.choices[stream.randrange(len(picker))].move)


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_sorted_and_filtered_by_points(name: str) -> None:
    match = Match(name, seed=4)
    seen: set[int] = set()
    for _ in range(12):
        due = match.state.due()
        picker = Picker(match.spec, match.state, due[0])
        points = [picker.points(choice) for choice in picker.page("", 1000, best=True)]
        assert points == sorted(points, reverse=True)
        assert [choice.number for choice in picker.matching("+2")] == [
            choice.number for choice in picker.choices if picker.points(choice) >= 2
        ]
        seen.update(points)
        match.play_move(due[0], picker.page("", 1, best=True)[0].move)
    assert len(seen) > 1
