"""Every game at every number of seats on small screens: at each prompt the board, the scores and the hand are there."""

from __future__ import annotations

import os
from pathlib import Path

import pyte
import pytest
from screens import Sitter, lines_of, sit
from terminal import CLEAR, Terminal

from wellies.cli.layout import LEAST
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating
from wellies.core.canvas import Panes
from wellies.core.dice import Stream
from wellies.core.types import View
from wellies.games import game, list_games
from wellies.match import Match, Record

GAMES = [name for name in list_games() if name != "toy"]
TABLES = [(name, seats) for name in GAMES for seats in range(game(name).min_seats, game(name).max_seats + 1)]
SIZES = [(80, 24), (100, 40)]
SOAK = bool(os.environ.get("WELLIES_SOAK"))
SHOWN = [
    (name, seats, size)
    for name, seats in TABLES
    for size in SIZES
    if SOAK or size == SIZES[0] or seats == game(name).max_seats
]
"""Every table on the small screen, the fullest on the larger one too; in `make soak` all on both."""
PROMPTS = 24 if SOAK else 12


def missing(text: str, panes: Panes) -> str:
    """What of a drawing is not on a screen: "" if the table and the hand are there whole, and enough of the board."""
    rows = text.splitlines()
    for name, canvas in (("head", panes.head), ("table", panes.table), ("hand", panes.hand)):
        for line in lines_of(canvas):
            if not any(line in row for row in rows):
                return f"{name}: {line}"
    board = [line.rstrip() for line in panes.board.plain().splitlines() if line.strip()]
    left = panes.fixed[1]
    seen = 0
    for row in rows:
        inner = row[left:].strip()
        seen += any((inner and inner in line) or line.strip() in row for line in board)
    return "" if seen >= min(LEAST, len(board)) else f"board: only {seen} rows"


class Looker(Sitter):
    """Looks for everything at every prompt."""

    def look(self) -> None:
        session = self.session
        assert session is not None
        assert session.viewer is not None
        text = self.glass.text()
        rows = text.splitlines()
        assert session.spec.title in rows[0], text
        assert rows[-1].startswith("Ann:"), text
        assert "…" not in text, text
        view: View = {**session.match.view_for(session.viewer), "names": session.seating.names}
        both = [session.spec.panes(view, session.marks, max(80, self.width), small) for small in (False, True)]
        lacks = [missing(text, panes) for panes in both]
        assert "" in lacks, f"{lacks}\n{text}"
        for name, score in zip(session.seating.names, session.match.state.scores(), strict=True):
            assert any(name in row and str(score) in row.partition(name)[2] for row in rows), f"{name} {score}\n{text}"


@pytest.mark.parametrize(("name", "seats", "size"), SHOWN)
def test_board_scores_and_hand_are_on_the_screen_at_every_prompt(name: str, seats: int, size: tuple[int, int]) -> None:
    sitter = Looker(*size, PROMPTS)
    sit(sitter, name, seats)
    assert len(sitter.pages) >= 8


@pytest.mark.parametrize("options", [{"mat": "large"}, {"mat": "small"}])
def test_every_mat_fits(options: dict[str, str]) -> None:
    sit(Looker(80, 24, 12), "umbradeco", 4, options=options)


def test_the_window_moves_in_both_directions_and_moves_nothing_else() -> None:
    sitter = Sitter(80, 24, 16)
    match = sit(sitter, "marram", 4, seed=3)
    again = Looker(80, 24, 0, [*"<<<<^^^^^^^^>v"])
    again.session = Session(match, Seating(["Ann", *["bot:random"] * 3]), again, lambda: None, str, "here")
    with pytest.raises(Leave):
        again.session.run()
    pages = again.pages
    assert "type < > ^ v to see the rest" in pages[0]
    assert len(set(pages)) > 3
    corner = pages[12]
    assert "rows 1 to" in corner
    assert pages[-1] != corner


class Person(Terminal):
    """Somebody at a real terminal who looks at the screen."""

    def __init__(self, words: list[str], data: Path, columns: int, rows: int) -> None:
        super().__init__(words, data, rows=rows, columns=columns)
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self._fed = 0
        self._answered = -1

    def send(self, line: str) -> None:
        self._answered = len(self.raw)
        super().send(line)

    def settle(self) -> str:
        """Wait until the program asks for something; the line that it asks with."""
        for _ in range(1200):
            self._read(0.05)
            self._stream.feed(self.raw[self._fed :])
            self._fed = len(self.raw)
            if self._answered >= 0 and CLEAR not in self.raw[self._answered :] and self.process.poll() is None:
                continue  # what was typed has not been taken yet: each answer leads to a new page
            line = self.screen.display[self.screen.cursor.y].rstrip()
            if line in ("Ann:", "Enter to go on, or undo:") or self.process.poll() is not None:
                return line
        raise AssertionError("\n".join(self.screen.display))

    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.screen.display).rstrip()


REAL = [
    (name, seats, size)
    for name, seats in TABLES
    for size in SIZES
    if SOAK or (seats == game(name).max_seats and size == SIZES[0])
]


@pytest.mark.parametrize(("name", "seats", "size"), REAL)
def test_a_player_at_a_real_terminal_sees_board_scores_and_hand(
    name: str, seats: int, size: tuple[int, int], tmp_path: Path
) -> None:
    """A program in a pseudo-terminal, and what its screen holds beside the game that it saved."""
    bots = ["-p", "bot:random"] * (seats - 1)
    save = tmp_path / "game.wellies"
    words = ["-m", "wellies", "play", name, "-p", "Ann", *bots, "--seed", "5", "--save", str(save)]
    rng = Stream("person")
    seen = 0
    with Person(words, tmp_path, *size) as person:
        for _ in range(40 if SOAK else 5):
            asked = person.settle()
            if not asked:
                break
            if asked.startswith("Enter"):
                person.send("")
                continue
            match = Match.from_record(Record.parse(save.read_text(encoding="utf-8")))
            view: View = {**match.view_for(0), "names": Seating(match.players or []).names}
            text = person.text()
            assert match.spec.title in text.splitlines()[0], text
            lacks = [missing(text, match.spec.panes(view, {}, size[0], small)) for small in (False, True)]
            assert "" in lacks, f"{lacks}\n{text}"
            seen += 1
            person.send(str(1 + rng.randrange(len(match.state.legal(0)))))
        person.hang_up()
        person.process.wait(30)
    assert seen >= 2
