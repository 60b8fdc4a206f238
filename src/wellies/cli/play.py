"""A game at the terminal: people and bots in any seats, on one screen.

The session does not know the terminal: it uses `ConsoleIO`, and it saves the game through the functions it is given. It
is a loop of turns; every turn ends by changing the match, and every change is saved at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wellies.bots import bot, reasons
from wellies.cli import screen
from wellies.cli.console_io import ConsoleIO
from wellies.cli.files import FileTrouble
from wellies.cli.layout import WAYS, Page, Window
from wellies.cli.picker import PAGE, Choice, Picker, least_points
from wellies.cli.seating import Seating
from wellies.core.canvas import Panes
from wellies.core.dice import Stream
from wellies.core.errors import BadNotation, MoveError, UndoRefused, UnknownPiece, WelliesError
from wellies.core.state import CHANCE
from wellies.core.types import View
from wellies.match import Match

SHORT: Final = 12
"""Up to this many moves are listed at the start of a turn."""

LOG: Final = 8
"""At most this many lines of events are shown above a turn."""

COMMANDS: Final = [
    ("moves [part]", "list the legal moves, or those that contain this text; more: the next ones"),
    ("best [part]", "the same list, highest score first; +3: moves that score 3 or more"),
    ("part of a move", "typed alone lists the moves that contain it"),
    ("? MOVE, why MOVE", "why a move is not legal, or what it would score"),
    ("hint", "what storm, a strong bot, would play here"),
    ("undo", "take back the last move, as long as nothing new was revealed; alone with bots, at any time"),
    ("scores [name]", "where the points come from; with a name, line by line"),
    ("board, log", "show the table again, with the numbers of the moves last listed; show the whole log"),
    ("< > ^ v", "scroll a board that is too large for the screen"),
    ("legend", "what the symbols mean, and the texts of the cards on the table"),
    ("as NAME MOVE", "move for another person here who may act out of turn"),
    ("wait", "ask before each bot's move when you may act first; again: do not ask"),
    ("rules", "the rules of the game"),
    ("save [FILE]", "show where the game is saved (after every move); with a file, save a copy"),
    ("quit", "stop; the game is saved and can be resumed"),
]
_WORDS: Final = [
    "moves",
    "best",
    "hint",
    "legend",
    "undo",
    "scores",
    "board",
    "log",
    "rules",
    "save",
    "quit",
    "why",
    "more",
    "help",
]


class Leave(Exception):
    """The player wants to stop."""


class Session:
    """One game on one screen, until it ends or the players leave."""

    def __init__(
        self,
        match: Match,
        seating: Seating,
        io: ConsoleIO,
        save: Callable[[], None],
        copy: Callable[[str], str],
        place: str,
    ) -> None:
        self.match = match
        self.spec = match.spec
        self.seating = seating
        self.io = io
        self._save = save
        self._copy = copy
        self.place = place
        self.people = seating.people
        self.viewer: int | None = None
        self.since = [self._last_own(seat) for seat in range(len(seating.names))]
        self.queue: list[str] = []
        self.window = Window()
        self.asking = False
        self.watching = 0
        self.picker: Picker | None = None
        self.marks: dict[Any, str] = {}

    def _last_own(self, seat: int) -> int:
        """The place in the log of this seat's last move."""
        return max((index for index, entry in enumerate(self.match.log) if entry.seat == seat), default=0)

    # --- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play to the end. Leave, EOFError and KeyboardInterrupt pass through; the game is saved after every move."""
        self.autosave()
        while True:
            state = self.match.state
            due = state.due()
            if not due:
                break
            bots = [seat for seat in due if seat in self.seating.bots]
            if bots:
                self.bot_turn(bots[0])
            else:
                self.turn(due[0])
        self.show_end()

    def autosave(self) -> None:
        """Save; if that fails, say so and go on."""
        try:
            self._save()
        except FileTrouble as error:
            self.say(f"The game could not be saved: {error}", "bold red")

    def bot_turn(self, seat: int) -> None:
        if not self.people:
            self.watch()
        elif self.asking and self.interrupt(seat):
            return
        state = self.match.state
        if seat not in state.due():
            return
        stream = Stream(self.match.seed + b" bot %d %d" % (seat, len(self.match.log)))
        self.match.play_move(seat, self.seating.bots[seat].choose(state, seat, stream))
        self.autosave()

    def watch(self) -> None:
        """Only bots play: show each move and wait for Enter."""
        if not self.io.live or self.watching < 0:
            return
        self.show_page(None, "bots at play", max(0, len(self.match.log) - 4))
        while True:
            line = self.ask("Enter for the next move, all to play on, quit: ").lower()
            if line == "all":
                self.watching = -1
            elif line in ("quit", "q", "exit"):
                raise Leave
            elif line in WAYS:
                self.window.move(line)
                self.show_page(None, "bots at play", max(0, len(self.match.log) - 4))
                continue
            return

    def interrupt(self, seat: int) -> bool:
        """Let people who may act before this bot do so. True if one did."""
        may = [each for each in self.match.state.active() if each in self.people]
        if not may:
            return False
        actor = may[0]
        self.hand_over(actor)
        self.show_turn(actor, f"{self.seating.names[seat]} is to move; {self.seating.names[actor]} may act first")
        self.picker = Picker(self.spec, self.match.state, actor, self.seating.names)
        while True:
            line = self.ask(f"Enter lets {self.seating.names[seat]} move, or act now: ")
            if not line:
                return False
            if self.answer(actor, line):
                return True

    def turn(self, seat: int) -> None:
        """One decision of one person."""
        self.hand_over(seat)
        name = self.seating.names[seat]
        self.picker = Picker(self.spec, self.match.state, seat, self.seating.names)
        self.marks = {}
        self.window.reset()
        if not self.queue or not self.io.live:
            self.show_turn(seat, f"{name} to move", offering=True)
        while True:
            line = self.ask(f"{name}: ")
            if not line:
                if len(self.picker) != 1:
                    self.offer_moves(seat)
                    continue
                line = "1"
            if self.answer(seat, line):
                return

    def ask(self, prompt: str) -> str:
        if self.queue:
            return self.queue.pop(0)
        return " ".join(self.io.ask(prompt, self.complete).split())

    def complete(self, typed: str) -> list[str]:
        found = self.picker.complete(typed) if self.picker is not None else []
        return found + [word for word in _WORDS if word.startswith(typed)]

    # --- hidden hands -------------------------------------------------------------------------------------------

    def hand_over(self, seat: int) -> None:
        """Clear the screen before another person looks at it, if they may not see what this one sees."""
        if self.viewer == seat:
            return
        before = self.viewer
        self.viewer = seat
        state = self.match.state
        mine = state.view(seat)["position"]
        if all(state.view(other)["position"] == mine for other in self.people if other != seat):
            return
        if len(self.people) < 2:
            return
        self.io.clear(scrollback=True)
        name = self.seating.names[seat]
        about = Text("\n\n    Pass the screen to ")
        about.append_text(screen.seat_name(self.seating, seat))
        about.append(".\n\n")
        if before is not None:
            about.append(f"    {self.seating.names[before]}'s side of the table is covered now.\n", style="dim")
        self.io.show(Rule(self.spec.title, style="dim"), about)
        self.io.ask(f"    {name}, press Enter when nobody else is looking: ")
        self.io.clear(scrollback=True)

    # --- commands -------------------------------------------------------------------------------------------------

    def answer(self, seat: int, line: str) -> bool:
        """Act on a line. True if the match changed, so that the turn is over."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        rest = rest.strip()
        if word.startswith("?") and len(word) > 1:
            word, rest = "?", line[1:].strip()
        if word in ("quit", "exit", "q") and not rest:
            raise Leave
        if word == "undo" and not rest:
            return self.undo(seat)
        if word == "as":
            return self.act_as(seat, rest)
        if self.show_info(seat, word, rest):
            return False
        return self.move(seat, line)

    def show_info(self, seat: int, word: str, rest: str) -> bool:
        """Run a command that does not change the match. False if the word is not such a command."""
        if word in ("?", "help", "why", "h"):
            if rest:
                self.explain(seat, rest)
            else:
                self.help(seat)
        elif word == "moves":
            self.list_moves(seat, rest)
        elif word == "more" and not rest:
            self.more_moves()
        elif word == "hint" and not rest:
            self.hint(seat)
        elif word in ("scores", "score"):
            self.show_scores(rest)
        elif word == "best":
            self.list_moves(seat, rest, best=True)
        elif word == "board" and not rest:
            self.show_turn(seat, f"{self.seating.names[seat]} to move", offering=True)
        elif word in ("legend", "cards") and not rest:
            self.show_legend(seat)
        elif word == "log" and not rest:
            self.show_log(seat, 0, 60)
        elif word in WAYS and not rest:
            self.window.move(word)
            self.show_turn(seat, f"{self.seating.names[seat]} to move", offering=True)
        elif word == "rules" and not rest:
            self.io.page(Markdown(self.spec.rules()))
        elif word == "wait" and not rest:
            self.asking = not self.asking
            self.say(
                "You will be asked before bots move when you may act first." if self.asking else "Bots move at once."
            )
        elif word == "save":
            self.save(rest)
        else:
            return False
        return True

    def move(self, seat: int, text: str) -> bool:
        """Make a move given by number or notation; anything else filters the list of moves."""
        picker = self.picker
        assert picker is not None
        choice = picker.numbered(text)
        if choice is None and text.isascii() and text.isdigit():
            self.say(f"There is no move number {text}; they run from 1 to {len(picker)}.", "red")
            return False
        try:
            if choice is not None:
                self.make(seat, choice.move)
            else:
                self.make(seat, self.spec.parse_move(self.match.state, seat, text))
            return True
        except (BadNotation, UnknownPiece) as error:
            if picker.matching(text):
                self.list_moves(seat, text)
            elif least_points(text) is not None:
                most = max((picker.points(each) for each in picker.choices), default=0)
                self.say(f"No move scores {least_points(text)} or more at once; the best scores {most}.", "dim")
            else:
                self.say(error.text, "red")
                self.say("Type ? for help, or moves for the list.", "dim")
        except MoveError as error:
            self.say(error.text, "red")
        return False

    def make(self, seat: int, move: int) -> None:
        """Play a move, save, and offer to undo it if that is allowed."""
        start = len(self.match.log)
        self.marks = {}
        self.match.play_move(seat, move)
        self.since[seat] = start
        self.autosave()
        if seat != self.viewer or seat in self.match.state.due() or self.match.undo_refusal(seat) is not None:
            return
        name = self.seating.names[seat]
        self.show_turn(seat, f"{name} has moved")
        while True:
            try:
                line = self.ask("Enter to go on, or undo: ")
            except EOFError:
                return  # the move stands; the next prompt meets the end of input again
            word, _, rest = line.partition(" ")
            if not line:
                return
            if line.lower() == "undo":
                self.undo(seat)
                return
            if line.lower() in ("quit", "exit", "q"):
                raise Leave
            if not self.show_info(seat, word.lower(), rest.strip()):
                self.queue.append(line)  # this is already the next person's move
                return

    def undo(self, seat: int) -> bool:
        """Take back the last decision of a person. The match refuses once something new was revealed. A person alone
        with bots may undo even then: the same draws come again."""
        last = self.match.log[-1].seat if self.match.log else seat
        mover = last if last in self.people else seat
        plan = self.match.undo_plan(self.people)
        free = plan is not None and (not plan.shown or (len(self.people) == 1 and self.match.seeded))
        try:
            if plan is not None and free and self.match.undo_refusal(mover) is not None:
                self.match.undo(plan.seat, plan.to)
            else:
                self.match.undo(mover)
        except UndoRefused as error:
            self.say(error.text, "red")
            return False
        self.since = [min(place, self._last_own(each)) for each, place in enumerate(self.since)]
        self.autosave()
        return True

    def act_as(self, seat: int, rest: str) -> bool:
        """`as NAME MOVE`: another person here acts, out of turn or before the one who is asked."""
        found = self.seating.find(rest)
        if found is None or not found[1]:
            names = ", ".join(self.seating.names[each] for each in self.people)
            self.say(f"Type: as NAME MOVE. The people here are: {names}.", "red")
            return False
        actor, text = found
        if actor not in self.people:
            self.say(f"{self.seating.names[actor]} is a bot and plays by itself.", "red")
            return False
        try:
            move = self.spec.parse_move(self.match.state, actor, text)
        except MoveError as error:
            self.say(error.text, "red")
            return False
        self.make(actor, move)
        return True

    def save(self, name: str) -> None:
        try:
            if name:
                self.say(f"A copy is in {self._copy(name)}.", "green")
            else:
                self._save()
                self.say(f"The game is saved in {self.place}.", "green")
        except FileTrouble as error:
            self.say(error.text, "red")

    # --- explaining ---------------------------------------------------------------------------------------------

    def words_at_hand(self) -> str:
        """Some commands that are useful at every turn."""
        return "hint, undo, scores, quit"

    def commands(self) -> list[tuple[str, str]]:
        """What can be typed beside moves, with what it does."""
        return COMMANDS

    def help(self, seat: int) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        for command, what in self.commands():
            table.add_row(command, what)
        count = len(self.match.state.legal(seat))
        about = Text(f"A move is typed as {self.spec.notation_help()}")
        about.append(f"\nOr type its number in the list (1 to {count}). Tab completes.")
        self.io.show(Rule("help", style="dim"), about, Text(), table)

    def explain(self, seat: int, text: str) -> None:
        """Why a move is not legal, or what it would do."""
        state = self.match.state
        choice = self.picker.numbered(text) if self.picker is not None else None
        try:
            move = choice.move if choice is not None else self.spec.read_move(state, seat, text)
        except WelliesError as error:
            self.say(error.text, "red")
            return
        why = state.refusal(seat, move)
        if why is not None:
            self.say(f"Not legal: {why}", "red")
            return
        found = self.match.preview_move(seat, move)
        points, offer = found.points, found.best_offer
        about = Text("Legal: ", style="green")
        about.append(self.words(seat, move), style="default")
        about.append(f". It scores {points:+d} at once." if points else ". It scores nothing at once.", style="default")
        if offer:
            about.append(f" What it lets you do next could score up to {offer:+d}.", style="default")
        own = [line for scorer, line in found.lines if scorer == seat]
        self.io.show(about, *screen.line_texts(own, self.seating))

    def hint(self, seat: int) -> None:
        state = self.match.state
        if seat not in state.active():
            self.say("You have nothing to decide now, so there is no hint.", "dim")
            return
        stream = Stream(b"hint %d %d" % (seat, len(self.match.log)))
        _, move, why = reasons.hint(bot("storm"), state, seat, stream)
        points = self.match.preview_move(seat, move).points
        about = Text("The storm would play ")
        about.append(self.spec.move_text(state, seat, move), style="bold")
        about.append(f": {self.words(seat, move)} ({f'{points:+d}' if points else 'no points'} at once).")
        if why.proved:
            about.append(" This is proved: every line of play was followed to the end of the game.")
        self.io.show(about, *screen.explanation(why, self.seating))

    def words(self, seat: int, move: int) -> str:
        """A move in words, with the names of the seats."""
        return self.seating.fill(self.spec.move_words(self.match.state, seat, move))

    # --- lists of moves -----------------------------------------------------------------------------------------

    def offer_moves(self, seat: int) -> None:
        """Show the moves at the start of a turn: a short list, or how to get one."""
        self.io.show(*self.offers(seat)[0])

    def offers(self, seat: int) -> list[list[RenderableType]]:
        """The same as lines to show: in full if the list is short, and in brief."""
        picker = self.picker
        assert picker is not None
        count = len(picker)
        if count == 1:
            what = brief = "This is your only move: press Enter to make it. (? for help)"
        elif count <= SHORT:
            what = f"Type a move or its number. (? for help, {self.words_at_hand()})"
            brief = f"{count} moves: type one, or moves for the list. (? for help, {self.words_at_hand()})"
        else:
            example = picker.choices[0].text
            what = brief = f"{count} moves, such as {example}: type one, or part of one. (? for help)"
        if count > SHORT:
            return [[Text(brief, style="dim")]]
        return [[self.choices_table(picker.page("", SHORT)), Text(what, style="dim")], [Text(brief, style="dim")]]

    def list_moves(self, seat: int, filter: str, *, best: bool = False) -> None:
        picker = self.picker
        assert picker is not None
        page = picker.page(filter, self.page_size(), best=best)
        if not page:
            self.say(f"No legal move has {filter!r} in it; there are {len(picker)} in all.", "red")
            return
        self.show_choices(page)
        self.say_left(picker)

    def more_moves(self) -> None:
        picker = self.picker
        assert picker is not None
        page = picker.more(self.page_size())
        if not page:
            self.say("There are no more.", "dim")
            return
        self.show_choices(page)
        self.say_left(picker)

    def say_left(self, picker: Picker) -> None:
        if picker.left:
            self.say(f"{picker.left} more: type more, or part of a move to narrow the list.", "dim")

    def page_size(self) -> int:
        return max(5, min(PAGE, self.io.height - 6))

    def show_choices(self, choices: list[Choice]) -> None:
        self.marks = self.picker.marks(choices) if self.picker is not None else {}
        self.io.show(self.choices_table(choices))

    def choices_table(self, choices: list[Choice]) -> Table:
        picker = self.picker
        assert picker is not None
        table = Table(box=None, show_header=False, padding=(0, 1))
        table.add_column(justify="right", style="dim", no_wrap=True)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column()
        for choice in choices:
            points = screen.points_text(picker.points(choice))
            table.add_row(f"{choice.number})", choice.text, points, Text(choice.words))
        return table

    # --- showing ------------------------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        self.io.show(screen.named(text, self.seating) if not style else Text(self.seating.fill(text), style=style))

    def show_turn(self, seat: int, what: str, *, offering: bool = False) -> None:
        """The page of a turn: the table, what happened, the scores, and what can be done."""
        self.show_page(seat, what, min(self.since[seat], len(self.match.log)), self.offers(seat) if offering else None)

    def show_page(
        self, seat: int | None, what: str, since: int, offers: list[list[RenderableType]] | None = None
    ) -> None:
        """One screen: the table as far as it fits, the events since then, and the moves in full or in brief."""
        self.io.clear()
        style = "" if seat is None else screen.seat_style(seat)
        title = screen.title_rule(self.spec.title, what, style)
        scores = screen.score_bar(self.match.state, self.seating)
        events = self.match.events_for(seat, since)
        offers = offers or [[]]
        if not self.io.live:
            whole = screen.table(self.spec, self.match.view_for(seat), self.seating, self.marks)
            self.io.show(title, screen.whole_board(whole, self.io.max_width), Text())
            self.io.show(*screen.log_lines(events, self.seating, LOG), scores, Text(), *offers[0])
            return
        view: View = {**self.match.view_for(seat), "names": self.seating.names}
        width = self.io.width

        def draw(small: bool) -> Panes:
            return self.spec.panes(view, self.marks, max(80, width), small)

        tails = [
            [[*screen.log_lines(events, self.seating, most), *offer] for most in lines]
            for offer, lines in zip(offers, ([LOG, 4, 2], [LOG, 4, 2]), strict=False)
        ]
        tails.append([[*screen.log_lines(events, self.seating, 1), *offers[-1]]])
        page = Page(title, scores, width, self.io.height, self.window, events)
        self.io.show(*page.arrange(draw, tails))

    def show_legend(self, seat: int | None) -> None:
        """Show what the symbols mean, and the texts of the cards."""
        view: View = {**self.match.view_for(seat), "names": self.seating.names}
        notes = self.spec.panes(view, {}, max(80, self.io.width), True).notes
        if notes.height:
            self.io.show(screen.whole_board(notes, self.io.max_width))
        else:
            self.say("This game has no legend; type ? to see how moves are written.", "dim")

    def show_log(self, seat: int | None, since: int, most: int = LOG) -> None:
        events = self.match.events_for(seat, since)
        self.io.show(*screen.log_lines(events, self.seating, most))

    def show_scores(self, name: str) -> None:
        state = self.match.state
        if not name:
            self.io.show(screen.score_table(state, self.seating))
            return
        found = self.seating.find(name)
        if found is None:
            self.say(f"Nobody here is called {name}; there are: {', '.join(self.seating.names)}.", "red")
            return
        lines = state.score_lines(found[0])
        self.io.show(screen.seat_name(self.seating, found[0]), *screen.line_texts(lines, self.seating))
        self.say(f"  {sum(line.points for line in lines)} points in all", "bold")

    def show_end(self) -> None:
        outcome = self.match.state.outcome()
        if outcome is None:
            return
        viewer = self.people[0] if len(self.people) == 1 else None
        self.io.clear()
        canvas = screen.table(self.spec, self.match.view_for(viewer), self.seating)
        self.io.show(
            screen.title_rule(self.spec.title, "the end"), screen.whole_board(canvas, self.io.max_width), Text()
        )
        since = min(self.since[viewer], len(self.match.log)) if viewer is not None else 0
        self.show_log(viewer, since, LOG)
        self.io.show(screen.score_table(self.match.state, self.seating), screen.ending(outcome, self.seating))


def moves_made(match: Match) -> int:
    """How many moves people and bots have made."""
    return sum(1 for entry in match.log if entry.seat != CHANCE)
