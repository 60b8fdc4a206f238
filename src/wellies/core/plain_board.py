"""A board that the page draws for any game: places on a grid, piles, and hands of cards, described as JSON.

A game gives one by `GameSpec.plain_board(view)`. It needs no code on the page. The page draws the places as squares or
hexagons, piles beside them, the viewer's own hand below the board, and a summary of each seat beside its name.

These fields of `GameSpec.move_fields` tie a move to the board:

- `at`: the place where the move is made. One chooses the move by pointing there.
- `from`: the place of the piece that moves. One points there first, then at `at`.
- `card`: the key of a card of the viewer's hand. One takes it first; if the move has an `at` or a `pile`, one then
  points there.
- `pile`: the key of a pile. One points at it; in a move that has an `at` too, one points at the pile first.
- `piece`: how the piece would look at `at`, for the preview; without it the card or the moving piece is shown.

A move that has none of `at`, `from`, `card` and `pile` becomes a button with its words. If several moves touch the same
things, one goes through them with the button "Other way".

An event that has `at` in its data lets a piece fly in there; one that has `from` and `at` moves it. Places in `where`
of a score line light up. In all of these a place is its `key` or its `at`.

All texts may hold the marks of `texts`: `{0}` is the name of seat 0. People who do not see colours or the board get the
labels, so a label says in words all that there is to see; what has a colour has a text as well.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Colour = Literal["red", "orange", "yellow", "green", "blue", "purple", "brown", "black", "white", "grey"]


class PlainPiece(TypedDict):
    """A piece on a place: a round counter with a short text, such as "X" or "12"."""

    text: str
    colour: NotRequired[Colour]
    seat: NotRequired[int]
    """It has the colour of this seat. A `colour` goes before it."""


class PlainPlace(TypedDict):
    """A place of the grid."""

    at: list[int]
    """On a square grid column and row, counted to the right and down; on a hex grid `q` and `r`, where `q` counts to
    the right and `r` down and to the right, by half a place."""
    key: NotRequired[str]
    """What moves, events and score lines call it; `at` joined by a comma if left out, such as "2,0"."""
    label: str
    """What it is and holds, in words: "b2, empty"."""
    name: NotRequired[str]
    """What it is called for short, such as "b2": written on the board when a person asks for it."""
    ground: NotRequired[Colour]
    """The colour of the place itself; paper if left out."""
    piece: NotRequired[PlainPiece]
    move: NotRequired[str]
    """The move, in notation, that a person means who points here, legal or not; `{card}` in it is the key of the card
    in hand. The page asks for it when it is not legal, to say which rule forbids it."""


class PlainPile(TypedDict):
    """Cards or tiles on one heap, beside the grid."""

    key: str
    label: str
    """In words: "the deck, 12 cards"."""
    count: NotRequired[int]
    """How many there are; drawn as a number."""
    text: NotRequired[str]
    """What the uppermost shows; a back is drawn if left out."""
    colour: NotRequired[Colour]
    move: NotRequired[str]
    """As of a place."""


class PlainCard(TypedDict):
    """A card or tile in a hand."""

    key: str
    """What the field `card` of a move calls it."""
    label: str
    text: NotRequired[str]
    """What is written on it, short; a back is drawn if left out."""
    colour: NotRequired[Colour]


class PlainHand(TypedDict):
    """What a seat holds. Of other seats list what the viewer may see: cards without a text show their backs."""

    seat: int
    cards: list[PlainCard]


class PlainBoard(TypedDict):
    """All that the page draws of a game."""

    grid: Literal["square", "hex"]
    places: list[PlainPlace]
    piles: NotRequired[list[PlainPile]]
    hands: NotRequired[list[PlainHand]]
    seats: NotRequired[list[str]]
    """A few words on each seat, shown beside its name: "plays X"."""
    prompt: NotRequired[str]
    """What the viewer can do now, as a sentence; a general one if left out."""
