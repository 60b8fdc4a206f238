"""Types that the whole engine shares: seats, moves and views. This module is never compiled."""

from typing import Any, NotRequired, TypedDict

from wellies.core.plain_board import PlainBoard

Seat = int
"""A chair at the table, counted from 0; `CHANCE` is the seat of the dice."""

Move = int
"""A packed move. Its meaning never depends on the state; `GameState.move_text` writes it."""


class OutcomeView(TypedDict):
    """`Outcome.to_json()`; a server adds the seats that resigned."""

    scores: list[int]
    ranks: list[int]
    winners: list[int]
    reason: str
    ending: str
    resigned: NotRequired[list[int]]


class View(TypedDict):
    """What one seat, or a spectator, may know: the part that is the same in every game.

    `position` and `extra` are the game's own; `GameSpec.shapes()` has their types. `plain_board` is there if the game
    gives one. A front end may add the players' `names` before it lets the game draw the view.
    """

    game: str
    seat: int | None
    seats: int
    active: list[int]
    due: list[int]
    scores: list[int]
    outcome: OutcomeView | None
    position: dict[str, Any]
    extra: dict[str, Any]
    plain_board: NotRequired[PlainBoard]
    names: NotRequired[list[str]]
