"""Why a move: reasons in words and points, how the game is expected to go on, and what other moves would score.

All of it comes from what the seat may see. The rules give the reasons: a preview says what a move scores at once. Then
the game is played on a few times, each time with all that the seat has not seen dealt afresh, until the seat has had
its next turn: that says what a move leaves to the others, and what it prepares. A second move is played on with the
same luck, so that the two can be compared. The heuristics of a game may add a remark in its own words.

Texts have the marks of `core.texts`: front ends fill in names.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from wellies.bots.base import Bot, seen
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.rollout import EVERYONE, share_of_win
from wellies.bots.search.root import Evaluation, SearchResult, heuristics_of
from wellies.bots.search.session import SearchSession
from wellies.bots.search.tree import Node
from wellies.core.dice import Rng, Stream
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.preview import Preview, preview_move
from wellies.core.state import CHANCE, GameState
from wellies.core.texts import seat_mark

MOST_REASONS: Final = 3
MOST_STEPS: Final = 6
"""Steps of the expected line that are told."""
MOST_OTHERS: Final = 4
"""Candidates that are listed, the best one among them."""
MOST_LINES: Final = 3
"""Score lines that are named in a reason."""
OBVIOUS_AMONG: Final = 8
"""The obvious move is the one of most points among so many candidates."""

MOST_SAMPLES: Final = 8
FEWEST_SAMPLES: Final = 3
"""How often the game is played on from a move."""
NODES_A_SAMPLE: Final = 30
"""One more for so many rollouts of the search: so the reasons cost a small part of it."""
HINT_SECONDS: Final = 0.2
"""How long the reasons of a hint may take, about."""
MOST_MOVES: Final = 80
"""A game is played on for so many moves at most."""

LIKELY: Final = 0.5
"""A move that is played at least so often is told as expected."""
TRUSTED_VISITS: Final = 3
"""A move of the search tree with fewer visits is no better than a quick reply."""
LEAST_POINTS: Final = 0.5
"""Fewer points are not worth a sentence."""
SURE: Final = 2.0
"""A difference counts if it is more than so many standard errors."""

AT_ONCE: Final = "at once"
RIVALS: Final = "rivals"
NEXT_TURN: Final = "next turn"
LATER: Final = "later"
"""What a better move is better for."""

DEPENDS: Final = {
    "draw": "that depends on the draw",
    "hidden": "that depends on what nobody else sees",
    "choice": "several moves are as likely",
}
"""In words, on what an open step of the expected line depends."""

_NOW: Final = 0
_BETWEEN: Final = 1
_NEXT: Final = 2


class Step:
    """One step of the expected line: who plays, and what. Where that is open there are no `words`, and `depends` says
    on what: "draw", "hidden", or "choice" where several moves are as good."""

    __slots__ = ("depends", "often", "points", "seat", "words")

    def __init__(self, seat: int, words: str, often: float, points: float | None, depends: str) -> None:
        self.seat = seat
        self.words = words
        self.often = often
        """In which part of the games that were played on, from 0 to 1."""
        self.points = points
        """What the turn brings on average; None where all choose at once."""
        self.depends = depends

    def to_json(self) -> Json:
        return {
            "seat": self.seat,
            "words": self.words,
            "often": round(self.often, 2),
            "points": None if self.points is None else round(self.points, 1),
            "depends": self.depends,
        }


class Other:
    """A candidate beside the best one: the lead that it would give, and how far it is behind."""

    __slots__ = ("behind", "error", "lead", "lead_error", "move", "words")

    def __init__(self, move: str, words: str, lead: float, lead_error: float, behind: float, error: float) -> None:
        self.move = move
        self.words = words
        self.lead = lead
        """Expected points ahead of the strongest rival, as far as the search looks."""
        self.lead_error = lead_error
        self.behind = behind
        """Expected points less than with the best move, over the same simulated games; 0 for the best itself."""
        self.error = error
        """The standard error of `behind`: much smaller than that of the lead, since luck is the same for both."""

    def to_json(self) -> Json:
        return {
            "move": self.move,
            "words": self.words,
            "lead": round(self.lead, 2),
            "lead_error": round(self.lead_error, 2),
            "behind": round(self.behind, 2),
            "error": round(self.error, 2),
        }


class Explanation:
    """What there is to say for a move."""

    __slots__ = ("chance", "kind", "line", "others", "proved", "reasons")

    def __init__(self) -> None:
        self.reasons: list[str] = []
        """Sentences, the most telling first."""
        self.line: list[Step] = []
        """The move and what is expected to follow."""
        self.others: list[Other] = []
        """The best candidates, the move itself first; empty without a search."""
        self.chance: float | None = None
        """The winning chance after the move; None where there is no rival or no search."""
        self.proved = False
        self.kind = ""
        """What the move is better for than the one that it is compared with; empty if nothing stands out."""

    def to_json(self) -> Json:
        return {
            "reasons": self.reasons,
            "line": [step.to_json() for step in self.line],
            "others": [other.to_json() for other in self.others],
            "chance": rounded_chance(self.chance),
            "proved": self.proved,
        }


def rounded_chance(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 3)


# --- hints ------------------------------------------------------------------------------------------------------------


def hint(player: Bot, table: GameState | Mapping[str, Any], seat: int, rng: Rng) -> tuple[GameState, int, Explanation]:
    """A move for this seat, from its view or a state, and why; with a state that looks the same to the seat."""
    session = player.session()
    state = seen(table, seat, rng)
    move = session.choose(state, seat, rng)
    deep = isinstance(player, SearchBot) and player.deep
    heuristics = heuristics_of(state.spec, deep)
    result = session.result if isinstance(session, SearchSession) else None
    root = session.root if isinstance(session, SearchSession) else Node()
    if result is None:
        return state, move, explain_alone(state, seat, move, heuristics)
    assert isinstance(session, SearchSession)
    assert session.state is not None
    return state, move, explain(session.state, seat, result, root, heuristics, rng.randrange(1 << 62), HINT_SECONDS)


def explain_alone(state: GameState, seat: int, move: int, heuristics: Heuristics) -> Explanation:
    """What the rules alone say for a move that no search has compared with others."""
    found = Explanation()
    found.reasons = [*_at_once(preview_move(state, seat, move), None, ""), *heuristics.remarks(state, seat, move)]
    return found


# --- with a search ----------------------------------------------------------------------------------------------------


def explain(
    state: GameState,
    seat: int,
    result: SearchResult,
    root: Node,
    heuristics: Heuristics,
    seed: int,
    seconds: float = 0.0,
    played: Evaluation | None = None,
) -> Explanation:
    """Why the best move of a search is the best. `state` is one in which all that the seat has not seen is resampled.

    It is compared with the move that was `played`, if that is another, or else with the obvious move. With `seconds`
    the game is played on for so long at most. Without, the same arguments give the same explanation.
    """
    best = result.best
    against, than = _compared_with(state, seat, result, played)
    found = Explanation()
    found.proved = result.proved
    found.others = _others(state, seat, result, played)
    found.chance = winning_chance(best, state, heuristics, result.proved)
    number = max(FEWEST_SAMPLES, min(MOST_SAMPLES, result.nodes // NODES_A_SAMPLE))
    end = time.monotonic() + seconds if seconds > 0 else math.inf
    mine: list[Course] = []
    theirs: list[Course] = []
    if state.seats > 1:
        for index in range(number):
            mine.append(play_on(state, seat, best, heuristics, seed, index, root))
            if against is not None:
                theirs.append(play_on(state, seat, against, heuristics, seed, index, root))
            if time.monotonic() >= end:
                break
    ahead = preview_move(state, seat, best.move)
    behind = None if against is None else preview_move(state, seat, against.move)
    later = [*_left_to_rivals(seat, mine, theirs, than), *_prepared(seat, mine, theirs, than)]
    later.sort(key=_weight, reverse=True)
    remarks = heuristics.remarks(state, seat, best.move)
    told = [*_at_once(ahead, behind, than), *remarks[:1], *(sentence for _, sentence in later), *remarks[1:]]
    found.reasons = told[:MOST_REASONS] or _by_the_search(result)
    found.line = _line(seat, mine, heuristics.sees_everything(state, seat))
    found.kind = _kind(seat, ahead, behind, mine, theirs, gap(best, against)[0] if against is not None else 0.0)
    return found


def _compared_with(
    state: GameState, seat: int, result: SearchResult, played: Evaluation | None
) -> tuple[Evaluation | None, str]:
    """The move to compare the best one with, and what it is called."""
    best = result.best
    if played is not None and played is not best:
        return played, "the move played"
    if len(result.evaluations) == 1:
        return None, ""
    obvious = best
    most = preview_move(state, seat, best.move).points
    for each in result.evaluations[1:OBVIOUS_AMONG]:
        points = preview_move(state, seat, each.move).points
        if points > most:
            obvious, most = each, points
    if obvious is not best:
        return obvious, "the move that scores most"
    return result.evaluations[1], "the next best move"


def _others(state: GameState, seat: int, result: SearchResult, played: Evaluation | None) -> list[Other]:
    """The best move and the next best ones, and the one that was played."""
    best = result.best
    lead, lead_error = best.margin() / 100, 0.0 if result.proved else _error(best.margins) / 100
    compared = [(each, *gap(best, each)) for each in result.evaluations[1:]]
    compared.sort(key=_behind)
    listed = compared[: MOST_OTHERS - 1]
    listed += [each for each in compared[MOST_OTHERS - 1 :] if each[0] is played]
    spec = state.spec
    rows = [
        Other(state.move_text(seat, best.move), spec.move_words(state, seat, best.move), lead, lead_error, 0.0, 0.0)
    ]
    for each, difference, error in listed:
        text, words = state.move_text(seat, each.move), spec.move_words(state, seat, each.move)
        behind = max(0.0, difference)
        spread = 0.0 if result.proved else _error(each.margins) / 100
        rows.append(Other(text, words, lead - behind, spread, behind, 0.0 if result.proved else error))
    return rows


def _behind(row: tuple[Evaluation, float, float]) -> float:
    return row[1]


def gap(best: Evaluation, other: Evaluation) -> tuple[float, float]:
    """The mean difference in points between two moves over the simulated games of both, and its standard error."""
    count = min(len(best.margins), len(other.margins))
    if count == 0:
        return (best.candidate.value - other.candidate.value) / 100, 0.0
    gaps = [best.margins[index] - other.margins[index] for index in range(count)]
    return sum(gaps) / count / 100, _error(gaps) / 100


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return math.sqrt(sum([(value - mean) ** 2 for value in values]) / (count - 1) / count)


def winning_chance(one: Evaluation, state: GameState, heuristics: Heuristics, proved: bool) -> float | None:
    """How likely the seat wins after this move: the mean over the rollouts. One that came to the end of the game counts
    as it ended; any other by its lead and by how far leads still move until the end (`Heuristics.swing`)."""
    if state.seats < 2:
        return None
    if proved:
        return share_of_win(one.values[0], round(one.margin()), heuristics.scale, True)
    swing = max(1, heuristics.swing(state))
    if not one.margins:
        return likely(one.candidate.value, swing)
    total = 0.0
    for value, margin in zip(one.values, one.margins, strict=True):
        share = share_of_win(value, margin, heuristics.scale)
        total += likely(margin, swing) if share < 0 else share
    return total / len(one.margins)


def likely(margin: int, swing: int) -> float:
    """The chance that a lead lasts, if it still changes by a normal distribution."""
    return 0.5 * (1.0 + math.erf(margin / swing / math.sqrt(2.0)))


# --- playing on -------------------------------------------------------------------------------------------------------


class Turn:
    """One turn of a game that was played on: what its seat did and gained, and whether something was drawn before."""

    __slots__ = ("drawn", "gained", "moves", "seat")

    def __init__(self, seat: int, drawn: bool) -> None:
        self.seat = seat
        self.drawn = drawn
        self.moves: list[str] = []
        self.gained: int | None = None

    @property
    def words(self) -> str:
        return ", then ".join(self.moves)


class Course:
    """How one game went on after a move, until its seat had had its next turn: the points that each seat gained with
    the move, before the next turn of the seat, and in it."""

    __slots__ = ("gains", "turns")

    def __init__(self, seats: int) -> None:
        self.gains = [[0] * seats for _ in range(3)]
        self.turns: list[Turn] = []


def play_on(
    state: GameState, seat: int, one: Evaluation, heuristics: Heuristics, seed: int, number: int, root: Node
) -> Course:
    """Play on with a candidate, by the tree of the search and then by quick replies. The same `number` has the same
    hidden cards and dice for every candidate."""
    dice = Stream(f"{seed} course {number}")
    replies = Stream(f"{seed} course {number} replies")
    state = state.resample(seat, dice)
    heuristics.forget_choices(state, seat)
    draws = heuristics.plan_draws(state, dice)
    plan = [one.move, *one.candidate.follow]
    course = Course(state.seats)
    before = state.scores()
    walk: Node | None = root
    due = state.due()
    mover = seat if seat not in due else due[0] if len(due) == 1 else EVERYONE
    window = _NOW
    first = True
    drawn = False
    turn = Turn(seat, False)
    course.turns.append(turn)
    for _ in range(MOST_MOVES):
        if first and seat not in due:
            # Acting out of turn: the move comes first.
            walk = _make(state, seat, plan.pop(0), turn, walk)
        elif not due:
            break
        elif due[0] == CHANCE:
            draw = heuristics.next_draw(state, draws, dice)
            state.step(CHANCE, draw)
            walk = None if walk is None else walk.children.get((draw,))
            drawn = True
            if not first:
                plan.clear()
        else:
            now = due[0] if len(due) == 1 else EVERYONE
            if now != mover:
                if window == _NEXT:
                    break
                window = _NEXT if now == seat else _BETWEEN
                mover = now
                turn = Turn(now, drawn)
                drawn = False
                if now != EVERYONE:
                    course.turns.append(turn)
            if now == EVERYONE:
                _choose_at_once(state, seat, due, plan, heuristics, replies, course, drawn, first)
                walk = None
            else:
                planned = plan.pop(0) if plan and now == seat else None
                legal = state.legal(now)
                if planned is None or planned not in legal:
                    plan.clear()
                    planned = _reply(state, now, legal, heuristics, walk, replies)
                walk = _make(state, now, planned, turn, walk)
        first = False
        after = state.scores()
        for each in range(state.seats):
            gained = after[each] - before[each]
            course.gains[window][each] += gained
            if each == turn.seat:
                turn.gained = gained + (turn.gained or 0)
        before = after
        due = state.due()
    return course


def _make(state: GameState, seat: int, move: int, turn: Turn, walk: Node | None) -> Node | None:
    """Make a move of this turn; returns the node of the tree after it."""
    turn.moves.append(state.spec.move_words(state, seat, move))
    state.step(seat, move)
    return None if walk is None else walk.children.get((move,))


def _choose_at_once(
    state: GameState,
    seat: int,
    due: list[int],
    plan: list[int],
    heuristics: Heuristics,
    replies: Rng,
    course: Course,
    drawn: bool,
    first: bool,
) -> None:
    """Several choose at once: each before any choice is made."""
    taken: list[int] = []
    for each in due:
        planned = plan.pop(0) if plan and each == seat else None
        taken.append(heuristics.reply(state, each, replies) if planned is None else planned)
    for each, move in zip(due, taken, strict=True):
        turn = course.turns[0] if first and each == seat else Turn(each, drawn)
        turn.moves.append(state.spec.move_words(state, each, move))
        if turn is not course.turns[0]:
            course.turns.append(turn)
    for each, move in zip(due, taken, strict=True):
        state.step(each, move)


def _reply(
    state: GameState, seat: int, legal: list[int], heuristics: Heuristics, walk: Node | None, replies: Rng
) -> int:
    """The move that the search has tried most here, if it has tried any often; else a quick reply."""
    if len(legal) == 1:
        return legal[0]
    choices = None if walk is None else walk.choices.get(seat)
    if choices is not None:
        most, best = TRUSTED_VISITS - 1, -1
        for move in legal:
            edge = choices.edges.get(move)
            if edge is not None and edge.visits > most:
                most, best = edge.visits, move
        if best >= 0:
            return best
    return heuristics.reply(state, seat, replies)


# --- words ------------------------------------------------------------------------------------------------------------


def number_words(number: float) -> str:
    """A number with at most one decimal."""
    text = f"{number:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _at_once(ahead: Preview, behind: Preview | None, than: str) -> list[str]:
    """What a move scores and for what, beside another."""
    seat = ahead.seat
    points, offer = ahead.points, ahead.best_offer
    lines = [line for scorer, line in ahead.lines if scorer == seat and line.points]
    difference = 0 if behind is None else points + offer - behind.points - behind.best_offer
    beside = f", {abs(difference)} {'more' if difference > 0 else 'less'} than {than}" if difference else ""
    if not points and not lines and not offer:
        return [f"It scores nothing at once{beside}."] if difference else []
    lines.sort(key=_line_weight, reverse=True)
    if len(lines) == 1 and lines[0].why and lines[0].points == points:
        reasons = f": {lines[0].why}"
    else:
        parts = [f"{line.why or line.rule} ({line.points:+d})" for line in lines[:MOST_LINES]]
        reasons = ": " + "; ".join([*parts, "and more"] if len(lines) > MOST_LINES else parts) if parts else ""
    scores = f"It scores {points} at once" if points or lines else "It scores nothing at once"
    more = f" and lets one score up to {offer} more" if offer else ""
    told = [f"{scores}{more}{beside}{reasons}."]
    for other, gained in enumerate(ahead.gains):
        if other != seat and gained:
            told[0] += f" {seat_mark(other)} gets {gained:+d}."
    return told


def _line_weight(line: Any) -> int:
    return abs(int(line.points))


def _left_to_rivals(seat: int, mine: list[Course], theirs: list[Course], than: str) -> list[tuple[float, str]]:
    """What the rival for whom the move makes the greatest difference is expected to gain before the next turn of the
    seat, with the weight of the reason. Without a difference, the rival who gains most."""
    if not mine:
        return []
    best: tuple[float, str] | None = None
    for rival in range(len(mine[0].gains[_BETWEEN])):
        if rival == seat:
            continue
        gained, difference, sure = _compared(rival, _BETWEEN, mine, theirs)
        told = f"{seat_mark(rival)} should then make about {_points(gained)}"
        if sure:
            told += f", {number_words(abs(difference))} {'more' if difference > 0 else 'less'} than after {than}"
        elif gained < LEAST_POINTS:
            continue
        weight = 10.0 + abs(difference) if sure else min(gained, 9.0) / 10
        if best is None or weight > best[0]:
            best = (weight, f"{told}.")
    return [] if best is None else [best]


def _prepared(seat: int, mine: list[Course], theirs: list[Course], than: str) -> list[tuple[float, str]]:
    """What the seat is expected to gain with its next turn, with the weight of the reason."""
    if not mine:
        return []
    gained, difference, sure = _compared(seat, _NEXT, mine, theirs)
    told = f"{seat_mark(seat)} should make about {_points(gained)} with the next turn"
    if sure:
        told += f", {number_words(abs(difference))} {'more' if difference > 0 else 'less'} than after {than}"
    elif gained < LEAST_POINTS:
        return []
    return [(10.0 + abs(difference) if sure else min(gained, 9.0) / 10, f"{told}.")]


def _by_the_search(result: SearchResult) -> list[str]:
    """What there is to say for a move where nothing shows before the next turn is over."""
    if len(result.evaluations) < 2:
        return []
    if result.proved:
        return ["Nothing of it shows at once; it is proved to be best at the end of the game."]
    return ["Nothing of it shows in the next turns; in the simulated games it did best by what they led to."]


def _points(number: float) -> str:
    words = number_words(number)
    return f"{words} point" if words == "1" else f"{words} points"


def _weight(reason: tuple[float, str]) -> float:
    return reason[0]


def _compared(seat: int, window: int, mine: list[Course], theirs: list[Course]) -> tuple[float, float, bool]:
    """What a seat gains on average, how much more that is than after the other move, and whether the difference is
    more than luck and worth a word."""
    gained = [float(course.gains[window][seat]) for course in mine]
    mean = sum(gained) / len(gained)
    count = min(len(mine), len(theirs))
    if count < 2:
        return mean, 0.0, False
    gaps = [gained[index] - theirs[index].gains[window][seat] for index in range(count)]
    difference = sum(gaps) / count
    return mean, difference, abs(difference) >= LEAST_POINTS and abs(difference) > SURE * _error(gaps)


def _kind(
    seat: int, ahead: Preview, behind: Preview | None, mine: list[Course], theirs: list[Course], lost: float
) -> str:
    """What the move is better for than the other: where most of the points that lie between them come from."""
    if behind is None or lost <= 0 or not mine or not theirs:
        return ""
    at_once = float(ahead.points + ahead.best_offer - behind.points - behind.best_offer)
    denied = -max(
        (_compared(rival, _BETWEEN, mine, theirs)[1] for rival in range(len(mine[0].gains[0])) if rival != seat),
        key=abs,
        default=0.0,
    )
    prepared = _compared(seat, _NEXT, mine, theirs)[1]
    points, kind = max([(at_once, AT_ONCE), (denied, RIVALS), (prepared, NEXT_TURN)], key=_first)
    return kind if points >= max(LEAST_POINTS, 0.4 * lost) else LATER


def _first(pair: tuple[float, str]) -> float:
    return pair[0]


def _line(seat: int, mine: list[Course], sees_everything: bool) -> list[Step]:
    """What is expected to happen: at each step what happens most often, or on what it depends."""
    steps: list[Step] = []
    for index in range(MOST_STEPS):
        turns = [course.turns[index] for course in mine if index < len(course.turns)]
        if len(turns) <= len(mine) * LIKELY:
            break
        who = Counter([turn.seat for turn in turns]).most_common(1)[0][0]
        turns = [turn for turn in turns if turn.seat == who]
        words, count = Counter([turn.words for turn in turns]).most_common(1)[0]
        gains = [turn.gained for turn in turns if turn.gained is not None]
        points = sum(gains) / len(gains) if gains else None
        often = count / len(mine)
        depends = ""
        if often < LIKELY:
            drawn = sum([turn.drawn for turn in turns]) > len(turns) / 2
            depends = "draw" if drawn else "choice" if sees_everything or who == seat else "hidden"
        steps.append(Step(who, "" if depends else words, often, points, depends))
    return steps


def step_words(step: Json) -> str:
    """A step of the line as a phrase that begins with its player."""
    who = seat_mark(step["seat"])
    what = step["words"] or DEPENDS[step["depends"]]
    points = step["points"]
    about = f" (about {_points(points)})" if points else ""
    return f"{who}: {what}{about}"
