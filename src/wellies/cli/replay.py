"""`wellies replay`: steps through a record move by move."""

from __future__ import annotations

from rich.text import Text

from wellies.cli import screen
from wellies.cli.console_io import ConsoleIO
from wellies.cli.layout import WAYS, Page, Window
from wellies.cli.seating import Seating
from wellies.core.canvas import Panes
from wellies.core.errors import BadOption, MoveError
from wellies.core.events import Event
from wellies.core.state import CHANCE, GameState
from wellies.core.texts import capital, default_names
from wellies.core.types import View
from wellies.match import Record

HELP = "Enter or n: next · p: back · a number: jump there · first, last · play · scores · < > ^ v · quit"


class Replay:
    """All states of a record, and the one that is shown."""

    def __init__(self, record: Record, viewer: int | None, io: ConsoleIO) -> None:
        self.record = record
        self.spec = record.spec()
        self.io = io
        self.states: list[GameState] = []
        self.events: list[list[Event]] = [[]]
        state = record.start()
        self.states.append(state.clone())
        for number, (seat, text) in enumerate(record.moves):
            events: list[Event] = []
            try:
                state.apply(seat, self.spec.parse_move(state, seat, text), events.append)
            except MoveError as error:
                raise record.wrong_move(number, error) from error
            self.states.append(state.clone())
            self.events.append(events)
        if viewer is not None and not 0 <= viewer < state.seats:
            raise BadOption(f"there is no seat {viewer} in this record; seats run from 0 to {state.seats - 1}.")
        self.viewer = viewer
        self.seating = replay_seating(record, state.seats)
        self.at = 0
        self.window = Window()

    @property
    def last(self) -> int:
        return len(self.states) - 1

    def show(self, at: int, note: Text | None = None) -> None:
        """Show the position after `at` moves: with a note as one screen of the interactive replay, else in full."""
        state = self.states[at]
        what = (
            "the start" if at == 0 else f"after move {at} of {self.last}: {self.who(at)} {self.record.moves[at - 1][1]}"
        )
        title = screen.title_rule(self.spec.title, what)
        events = [event.seen_by(self.viewer) for event in self.events[at]]
        scores = screen.score_bar(state, self.seating)
        outcome = state.outcome()
        ending = [] if outcome is None else [Text(), screen.ending(outcome, self.seating)]
        if note is None:
            canvas = screen.table(self.spec, state.view(self.viewer), self.seating)
            self.io.show(title, screen.whole_board(canvas, self.io.max_width), Text())
            self.io.show(*screen.log_lines(events, self.seating, 20), scores, *ending)
            return
        view: View = {**state.view(self.viewer), "names": self.seating.names}
        width = self.io.width

        def draw(small: bool) -> Panes:
            return self.spec.panes(view, {}, max(80, width), small)

        tails = [[[*screen.log_lines(events, self.seating, most), *ending, note] for most in (20, 4, 1)]]
        page = Page(title, scores, width, self.io.height, self.window, events)
        self.io.show(*page.arrange(draw, tails))

    def who(self, at: int) -> str:
        seat = self.record.moves[at - 1][0]
        return "chance" if seat == CHANCE else self.seating.names[seat]

    def run(self, note: str = "") -> None:
        """Step and jump until the user quits."""
        while True:
            self.io.clear()
            self.show(self.at, Text(note, style="bold") if note else Text(HELP, style="dim"))
            note = ""
            line = self.io.ask(f"{self.at}/{self.last}> ").strip().lower()
            word, _, rest = line.partition(" ")
            if word in ("jump", "j", "go"):
                word = rest.strip()
            if word in ("", "n", "next"):
                if self.at == self.last:
                    note = "This is the end; p goes back, q quits."
                else:
                    self.at += 1
            elif word in ("p", "prev", "previous", "back"):
                self.at = max(0, self.at - 1)
            elif word == "first":
                self.at = 0
            elif word == "last":
                self.at = self.last
            elif word in ("q", "quit", "exit"):
                return
            elif word == "play":
                self.play()
            elif word in WAYS:
                self.window.move(word)
            elif word in ("scores", "score"):
                self.io.show(screen.score_table(self.states[self.at], self.seating))
                self.io.ask("Enter to go on: ")
            elif word.isascii() and word.isdigit() and len(word) < 7:
                if int(word) <= self.last:
                    self.at = int(word)
                else:
                    note = f"There are {self.last} moves; jump to 0 to {self.last}."
            else:
                note = f"{line[:40]!r} is not a command. {HELP}"

    def play(self) -> None:
        """Play to the end automatically; Ctrl-C stops."""
        try:
            while self.at < self.last:
                self.at += 1
                self.io.clear()
                self.show(self.at, Text("playing; Ctrl-C stops", style="dim"))
                self.io.wait(0.7)
        except KeyboardInterrupt:
            return


def replay_seating(record: Record, seats: int) -> Seating:
    """The names of a record, or seat numbers if it has no usable ones."""
    players = record.players or []
    if len(players) == seats:
        try:
            return Seating(players)
        except Exception:
            players = []
    return Seating([capital(name) for name in default_names(seats)])
