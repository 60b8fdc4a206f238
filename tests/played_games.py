"""Games that follow from a seed alone, told move by move. It needs the standard library and `wellies` alone, so that it
runs under any Python: tests compare that of this machine with that of a browser."""

from __future__ import annotations

import hashlib
import json

import wellies

LEVELS = ("random", "greedy", "drizzle", "shower", "storm:nodes=20:ms=0", "monsoon:nodes=12:ms=0")
"""Bots whose choice depends on nothing but the view and the random numbers: no limit in seconds."""


def _told(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def tell_game(name: str, seed: int) -> list[str]:
    """A game: its set-up, each move with a hash of all that its seat saw and could do before it, the outcome, and a
    hash of the record."""
    spec = wellies.game(name)
    rng = wellies.Stream(seed)
    seats = spec.min_seats + rng.randrange(spec.max_seats - spec.min_seats + 1)
    options = {}
    for option in spec.options:
        if option.choices and rng.randrange(2):
            options[option.name] = option.choices[rng.randrange(len(option.choices))].value
    try:
        match = wellies.Match(spec, seats, options, seed)
    except wellies.BadOption:
        match = wellies.Match(spec, seats, None, seed)
    levels = [LEVELS[rng.randrange(len(LEVELS))] for _ in range(seats)]
    bots = [wellies.bot(level) for level in levels]
    told = [f"{name} {seed}: {seats} seats, {', '.join(levels)}"]
    outcome = match.state.outcome()
    while outcome is None:
        due = match.state.due()
        seat = due[rng.randrange(len(due))]
        view = match.view_for(seat)
        legal = [match.state.move_text(seat, move) for move in match.state.legal(seat)]
        # The strong bots think at every eighth move only: it is the same game that matters, not a good one.
        chooser = bots[seat] if rng.randrange(8) == 0 else wellies.bot("random")
        text = match.state.move_text(seat, chooser.choose(view, seat, rng))
        preview = match.preview(seat, text)
        told.append(f"{seat} {text} {_told([view, legal, preview.points, preview.gains])}")
        match.play(seat, text)
        outcome = match.state.outcome()
    told.append(json.dumps(outcome.to_json()))
    told.append(_told(str(match.record(reveal=True))))
    return told
