"""Every game at every number of seats on small screens: at each prompt the board, the scores and the hand are there."""

from __future__ import annotations

from pathlib import Path

import pyte
import pytest
from screens import Sitter, lines_of, sit
from terminal import Terminal

from wellies.cli.layout import LEAST
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating
from wellies.core.canvas import Panes
from wellies.games import game, list_games

GAMES = [name for name in list_games() if name != "toy"]
TABLES = [(name, seats) for name in GAMES for seats in range(game(name).min_seats, game(name).max_seats + 1)]
SIZES = [(80, 24), (100, 40)]


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
        view = {**session.match.view_for(session.viewer), "names": session.seating.names}
        both = [session.spec.panes(view, session.marks, max(80, self.width), small) for small in (False, True)]
        lacks = [missing(text, panes) for panes in both]
        assert "" in lacks, f"{lacks}\n{text}"
        for name, score in zip(session.seating.names, session.match.state.scores(), strict=True):
            assert any(name in row and str(score) in row.partition(name)[2] for row in rows), f"{name} {score}\n{text}"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_board_scores_and_hand_are_on_the_screen_at_every_prompt(
    name: str, seats: int, columns: int, rows: int
) -> None:
    sitter = Looker(columns, rows, 24)
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


def test_a_player_at_a_real_terminal_of_80_by_24_sees_the_board(tmp_path: Path) -> None:
    for name in GAMES:
        seats = game(name).max_seats
        words = ["-m", "wellies", "play", name, "-p", "Ann", "--seats", str(seats), "--seed", "5"]
        with Terminal(words, tmp_path, rows=24, columns=80) as terminal:
            terminal.expect("\nAnn: ")
            screen = pyte.Screen(80, 24)
            pyte.Stream(screen).feed(terminal.raw)
            rows = [row.rstrip() for row in screen.display]
            assert game(name).title in rows[0], "\n".join(rows)
            assert rows[screen.cursor.y].startswith("Ann:")
            assert sum(1 for row in rows if row) > 12
            terminal.send("quit")
            assert terminal.finish() == 0
