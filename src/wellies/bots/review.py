"""A short review of a game, as a coach would give it: what cost most, where the game turned, what was done well, and
what to try next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Protocol

from wellies.bots.reasons import AT_ONCE, LATER, LEAST_POINTS, NEXT_TURN, RIVALS, number_words
from wellies.core.events import Json
from wellies.core.texts import seat_mark

TURN: Final = 0.15
"""A smaller change of the winning chance is no turn of the game."""
CLEAR: Final = 1.5
"""A best move that is ahead of the next best by fewer points is not praised."""
ENOUGH: Final = 3
"""With fewer choices a good move is nothing to praise."""

SOURCES: Final = {
    AT_ONCE: "to moves that scored less at once than they could",
    RIVALS: "to moves that left more to the others than they had to",
    NEXT_TURN: "to moves that prepared less for the next turn than they could",
    LATER: "to moves whose price showed only later",
}
ADVICE: Final = {
    AT_ONCE: "Before you move, look once more through all that scores at once.",
    RIVALS: "Before you move, ask what the next player could make of what you leave, and take or spoil the best of it.",
    NEXT_TURN: "Among moves that score alike, choose the one that leaves you the better next turn.",
    LATER: "Where two moves score alike, think about the end: keep what stays useful, and begin what can be finished.",
}


class Reviewed(Protocol):
    """What the review needs of a judged move."""

    @property
    def number(self) -> int: ...

    @property
    def seat(self) -> int: ...

    @property
    def words(self) -> str: ...

    @property
    def better(self) -> str:
        """The better move in words; empty if there is none."""

    @property
    def choices(self) -> int: ...

    @property
    def lost(self) -> float: ...

    @property
    def sure(self) -> bool: ...

    @property
    def kind(self) -> str:
        """What the better move was better for."""

    @property
    def gap(self) -> float:
        """By how many points the best move was ahead of the next best; 0 if it is not certain."""

    @property
    def chance(self) -> float | None:
        """The winning chance after the move."""


def review(moves: Sequence[Reviewed], seats: int) -> list[Json]:
    """For each seat of which moves were judged, some sentences (see `texts`)."""
    found: list[Json] = []
    for seat in range(seats):
        mine = [move for move in moves if move.seat == seat]
        if mine:
            found.append({"seat": seat, "sentences": sentences(seat, mine)})
    return found


def sentences(seat: int, moves: Sequence[Reviewed]) -> list[str]:
    """The review of one seat, whose moves these are, in order."""
    told = [_in_all(seat, moves)]
    told += _costliest(moves)
    told += _turn(moves)
    told += _well_done(moves)
    told.append(_advice(moves))
    return told


def _in_all(seat: int, moves: Sequence[Reviewed]) -> str:
    best = sum([1 for move in moves if move.lost == 0])
    lost = sum([move.lost for move in moves])
    choices = "the only choice" if len(moves) == 1 else f"{best} of {len(moves)} choices"
    if best == len(moves):
        choices = "the only choice" if best == 1 else f"all {best} choices"
        return f"{seat_mark(seat)} found the best move in {choices}."
    if len(moves) == 1:
        return f"{seat_mark(seat)} had one choice, and lost about {_points(lost)} with it."
    return f"{seat_mark(seat)} found the best move in {choices}, and lost about {_points(lost)} with the others."


def _costliest(moves: Sequence[Reviewed]) -> list[str]:
    """The one or two moves that cost most."""
    dear = sorted([move for move in moves if move.lost >= LEAST_POINTS], key=_cost, reverse=True)[:2]
    if not dear:
        return []
    worst = dear[0]
    told = f"Most was lost at move {worst.number}, about {_points(worst.lost)}: better was to {worst.better}."
    if len(dear) > 1:
        told += f" Next comes move {dear[1].number}, about {_points(dear[1].lost)}: better was to {dear[1].better}."
    return [told]


def _cost(move: Reviewed) -> tuple[bool, float]:
    return (move.sure, move.lost)


def _turn(moves: Sequence[Reviewed]) -> list[str]:
    """The greatest change of the winning chance from one move to the next."""
    told = [move for move in moves if move.chance is not None]
    best: tuple[float, Reviewed, Reviewed] | None = None
    for before, after in pairwise(told):
        assert before.chance is not None
        assert after.chance is not None
        change = after.chance - before.chance
        if abs(change) >= TURN and (best is None or abs(change) > abs(best[0])):
            best = (change, before, after)
    if best is None:
        return []
    change, before, after = best
    assert before.chance is not None
    assert after.chance is not None
    how = "rose" if change > 0 else "fell"
    where = f"between the moves {before.number} and {after.number}"
    chances = f"from {percent(before.chance)} to {percent(after.chance)}"
    return [f"The game turned {where}: the winning chance {how} {chances}."]


def percent(chance: float) -> str:
    """A chance in words: certain only if it is."""
    whole = round(100 * chance)
    if 0 < chance < 1:
        whole = min(99, max(1, whole))
    return f"{whole} %"


def _well_done(moves: Sequence[Reviewed]) -> list[str]:
    """The best move that was the hardest to do without."""
    good = [move for move in moves if move.lost == 0 and move.gap >= CLEAR and move.choices >= ENOUGH]
    if not good:
        return []
    best = max(good, key=_gap)
    return [
        f"Well done at move {best.number}: to {best.words} was the best of {best.choices} moves, "
        f"about {_points(best.gap)} ahead of the next."
    ]


def _gap(move: Reviewed) -> float:
    return move.gap


def _advice(moves: Sequence[Reviewed]) -> str:
    """What to try next: against what cost most in all."""
    lost: dict[str, float] = {}
    for move in moves:
        if move.lost >= LEAST_POINTS and move.kind:
            lost[move.kind] = lost.get(move.kind, 0.0) + move.lost
    if not lost:
        return "To try next: a stronger opponent, for there was little to mend here."
    kind = max(lost, key=lost.__getitem__)
    return f"Most went {SOURCES[kind]}: about {_points(lost[kind])}. To try next: {lower(ADVICE[kind])}"


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _points(points: float) -> str:
    words = number_words(points)
    return "1 point" if words == "1" else f"{words} points"


def chances_line(chances: Sequence[float], signs: str = "▁▂▃▄▅▆▇█", most: int = 60) -> str:
    """Winning chances as a line of characters, from the first to the last; of many, the mean of each few."""
    count = min(most, len(chances))
    line = ""
    for index in range(count):
        part = chances[index * len(chances) // count : (index + 1) * len(chances) // count]
        mean = sum(part) / len(part)
        line += signs[min(len(signs) - 1, int(mean * len(signs)))]
    return line
