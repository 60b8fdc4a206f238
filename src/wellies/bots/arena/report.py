"""The report of an arena as JSON. The same games give the same report; think times are reported apart."""

from __future__ import annotations

import math

from wellies.bots.arena.plan import Plan
from wellies.bots.arena.playing import Result
from wellies.bots.arena.ratings import Comparison, rate
from wellies.bots.simulate import Side, Tally, wilson
from wellies.core.errors import BadOption, nearest
from wellies.core.events import Json
from wellies.games import game


def report(plan: Plan, results: list[Result], anchor: str | None = None) -> Json:
    """Ratings, results of each pair of participants, and scores. `results` are in the order of their numbers."""
    labels = plan.labels
    anchored = find_anchor(anchor, labels)
    sides = [Side() for _ in labels]
    by_seat = [Side() for _ in range(plan.seats)]
    pairs: dict[tuple[int, int], _Pair] = {}
    comparisons: list[list[Comparison]] = []
    decisions = Tally()
    endings: dict[str, int] = {}
    for result in results:
        seated = plan.seated(result.number)
        winners = result.winners
        for seat, index in enumerate(seated):
            share = 1 / len(winners) if seat in winners else 0.0
            sides[index].add(result.scores[seat], share)
            by_seat[seat].add(result.scores[seat], share)
        compared = compare(seated, result)
        for first, second, score, margin in compared:
            pairs.setdefault((first, second), _Pair()).add(score, margin)
        comparisons.append([(first, second, score) for first, second, score, _ in compared])
        decisions.values.append(result.decisions)
        endings[result.reason] = endings.get(result.reason, 0) + 1
    ratings = rate(len(labels), comparisons, anchored)
    order = sorted(range(len(labels)), key=lambda one: (ratings[one].group, -ratings[one].value, one))
    table = []
    for one in order:
        if not sides[one].scores.values:
            continue
        rating = ratings[one]
        known = math.isfinite(rating.margin)
        low, high = rating.value - rating.margin, rating.value + rating.margin
        table.append(
            {
                "bot": labels[one],
                "plays": plan.participants[one].bot_text(),
                "code": plan.code.get(labels[one], ""),
                "group": rating.group,
                "rating": round(rating.value, 1) + 0.0,
                "rating_95": [round(low, 1) + 0.0, round(high, 1) + 0.0] if known else None,
                "imagined_draws": rating.imagined,
                **sides[one].to_json(),
            }
        )
    return {
        "game": plan.game,
        "rules_version": game(plan.game).rules_version,
        "seats": plan.seats,
        "options": plan.options,
        "seed": plan.seed,
        "code": plan.code[""],
        "anchor": anchor,
        "games": len(results),
        "planned": plan.games,
        "ratings": table,
        "pairs": _pair_rows(pairs, order, labels),
        "by_seat": [{"seat": seat, **side.to_json()} for seat, side in enumerate(by_seat)] if results else [],
        "decisions": decisions.to_json() if results else {},
        "endings": [{"reason": text, "games": count} for text, count in sorted(endings.items())],
    }


def find_anchor(anchor: str | None, labels: list[str]) -> int | None:
    """The index of the participant that is to have the rating 0."""
    if anchor is None:
        return None
    if anchor not in labels:
        raise BadOption(
            f"--anchor {anchor!r} does not take part; there are: {', '.join(labels)}.{nearest(anchor, labels)}"
        )
    return labels.index(anchor)


def compare(seated: list[int], result: Result) -> list[tuple[int, int, float, float]]:
    """For each pair of participants at the table: the first one's score from 0 to 1, and its lead in points. With
    several seats each, these are means over the seats."""
    found: dict[tuple[int, int], tuple[int, float, float]] = {}
    for seat, one in enumerate(seated):
        for other_seat, other in enumerate(seated):
            if one < other:
                mine, theirs = result.ranks[seat], result.ranks[other_seat]
                score = 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
                count, total, margin = found.get((one, other), (0, 0.0, 0.0))
                more = result.scores[seat] - result.scores[other_seat]
                found[one, other] = (count + 1, total + score, margin + more)
    return [
        (one, other, total / count, margin / count) for (one, other), (count, total, margin) in sorted(found.items())
    ]


class _Pair:
    """The results of one participant against another."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.margin = 0.0

    def add(self, score: float, margin: float) -> None:
        self.scores.append(score)
        self.margin += margin

    def reversed(self) -> _Pair:
        """The same from the other participant's side."""
        other = _Pair()
        other.scores = [1 - score for score in self.scores]
        other.margin = -self.margin
        return other

    def to_json(self) -> Json:
        games = len(self.scores)
        total = sum(self.scores)
        low, high = wilson(total, games)
        return {
            "games": games,
            "won": sum(1 for score in self.scores if score > 0.5),
            "shared": sum(1 for score in self.scores if score == 0.5),
            "lost": sum(1 for score in self.scores if score < 0.5),
            "rate": round(total / games, 4),
            "rate_95": [round(low, 4), round(high, 4)],
            "margin": round(self.margin / games, 4) + 0.0,
        }


def _pair_rows(pairs: dict[tuple[int, int], _Pair], order: list[int], labels: list[str]) -> list[Json]:
    """Each pair that played, the stronger first, in the order of the ratings."""
    rows = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            pair = pairs.get((one, other))
            if pair is None and (other, one) in pairs:
                pair = pairs[other, one].reversed()
            if pair is not None:
                rows.append({"bot": labels[one], "against": labels[other], **pair.to_json()})
    return rows


def think_times(plan: Plan, results: list[Result]) -> list[Json]:
    """How long each participant took for a decision, in milliseconds of wall-clock time, without forced moves; and the
    processor time of one seat for a whole game."""
    times: list[list[int]] = [[] for _ in plan.participants]
    processor: list[list[int]] = [[] for _ in plan.participants]
    for result in results:
        for seat, index in enumerate(plan.seated(result.number)):
            times[index] += result.think[seat]
            processor[index].append(result.processor[seat])
    found = []
    for one, taken, spent in zip(plan.participants, times, processor, strict=True):
        if not taken:
            continue
        taken.sort()
        found.append(
            {
                "bot": one.label,
                "choices": len(taken),
                "mean": round(sum(taken) / len(taken) / 1000, 3),
                "p50": quantile(taken, 0.5) / 1000,
                "p95": quantile(taken, 0.95) / 1000,
                "max": taken[-1] / 1000,
                "processor": round(sum(spent) / len(spent) / 1000, 3),
            }
        )
    return found


def quantile(ordered: list[int], share: float) -> int:
    """The smallest value that at least this share of the values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
