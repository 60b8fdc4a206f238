"""Observations as arrays of numpy, in four forms, and masks of legal actions.

- `flat`: all cells in one array of unsigned bytes: numbers, and codes as they are.
- `dict`: the same cells as a dictionary of arrays, by field.
- `floats`: one array of floats from 0 to 1. A number is divided by the largest it can be. A code from 1 to k becomes k
  floats, of which one is 1; code 0 is all zeros.
- `planes`: a dictionary. `planes` has the board, expanded like that, as an array (planes, rows, columns). `rest` has all
  other fields as floats.

`Encoding.fields` describes the cells, and `Expansion` says which float comes from which cell.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from wellies.core.encoding import Encoding, Field
from wellies.core.errors import BadOption, nearest
from wellies.core.state import GameState

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

FORMS: Final = ("flat", "dict", "floats", "planes")


def check_form(form: object, encoding: Encoding) -> str:
    """The name of a form of observations that this game has; BadOption lists them."""
    known = list(FORMS)
    if form not in known:
        raise BadOption(
            f"observations: {form!r} is not known; choose one of {', '.join(known)}.{nearest(str(form), known)}"
        )
    if form == "planes" and not any(field.is_board for field in encoding.fields):
        raise BadOption(
            f"observations: {encoding.game} has no board, so it has no planes; choose flat, dict or floats."
        )
    return str(form)


class Expansion:
    """Which floats some fields become. A number becomes one float. A code from 1 to k becomes k floats, of which one is 1.
    With `as_planes` the floats of a board lie plane by plane, otherwise place by place."""

    def __init__(self, fields: list[Field], as_planes: bool = False) -> None:
        self.size = 0
        self.labels: list[str] = []
        """What each float is, in order; for the planes of a board, what each plane is."""
        self.spans: dict[str, tuple[int, tuple[int, ...]]] = {}
        """Where the floats of each field begin, and their shape."""
        self._numbers: list[tuple[int, int, float]] = []
        self._codes: list[tuple[int, int, int]] = []
        for field in fields:
            self._add(field, field.grid[0] * field.grid[1] if as_planes and field.is_board else 1)
        self._code_cells = np.array([each[0] for each in self._codes], dtype=np.intp)
        self._code_first = np.array([each[1] - each[2] for each in self._codes], dtype=np.intp)
        self._code_step = np.array([each[2] for each in self._codes], dtype=np.intp)
        self._number_cells = np.array([each[0] for each in self._numbers], dtype=np.intp)
        self._number_first = np.array([each[1] for each in self._numbers], dtype=np.intp)
        self._number_scale = np.array([each[2] for each in self._numbers], dtype=np.float32)

    def _add(self, field: Field, plane: int) -> None:
        """The next floats are those of this field; `plane` is the size of a plane, or 1."""
        start = self.size
        count = len(field.channels)
        first: list[int] = []
        for index in range(count if plane > 1 else field.size):
            about = field.channels[index % count]
            label = f"{field.name}: {about.name}" if plane > 1 else field.label(field.offset + index)
            first.append(self.size)
            self.labels += [f"{label} = {each}" for each in about.codes] or [label]
            self.size += (len(about.codes) or 1) * plane
        for index in range(field.size):
            place, channel = divmod(index, count)
            at = first[channel] + field.where[place] if plane > 1 else first[index]
            about = field.channels[channel]
            if about.codes:
                self._codes.append((field.offset + index, at, plane))
            else:
                self._numbers.append((field.offset + index, at, 1 / max(about.top, 1)))
        size = self.size - start
        self.spans[field.name] = (start, (size // plane, *field.grid) if plane > 1 else (size,))

    def __call__(self, cells: Bytes) -> Floats:
        """The floats of an observation, or of several: the last axis of the array is the cells."""
        rows = cells.reshape(-1, cells.shape[-1])
        found = np.zeros((len(rows), self.size), dtype=np.float32)
        found[:, self._number_first] = rows[:, self._number_cells] * self._number_scale
        codes = rows[:, self._code_cells]
        row, index = np.nonzero(codes)
        found[row, self._code_first[index] + codes[row, index] * self._code_step[index]] = 1
        return found.reshape(*cells.shape[:-1], self.size)


class Observer:
    """Turns states into observations of one form. Arrays are new each time, so that they can be kept."""

    def __init__(self, encoding: Encoding, form: str = "flat") -> None:
        self.encoding = encoding
        self.form = check_form(form, encoding)
        self._cells = bytearray(encoding.size)
        self._mask = bytearray(encoding.actions)
        boards = [field for field in encoding.fields if field.is_board]
        rest = [field for field in encoding.fields if not field.is_board]
        self.floats: Expansion | None = None
        self.planes: Expansion | None = None
        self.plane_shape: tuple[int, int, int] = (0, 0, 0)
        if self.form == "floats":
            self.floats = Expansion(encoding.fields)
        elif self.form == "planes":
            self.floats = Expansion(rest)
            self.planes = Expansion(boards, as_planes=True)
            rows, columns = boards[0].grid
            self.plane_shape = (self.planes.size // (rows * columns), rows, columns)

    def cells(self, state: GameState, seat: int) -> Bytes:
        """The flat observation of a seat."""
        self.encoding.observe(state, seat, self._cells)
        return np.frombuffer(bytes(self._cells), dtype=np.uint8)

    def observe(self, state: GameState, seat: int) -> Any:
        """The observation of a seat in this form."""
        cells = self.cells(state, seat)
        return cells.copy() if self.form == "flat" else self.convert(cells)

    def convert(self, cells: Bytes) -> Any:
        """Flat observations in this form; the last axis of the array is the cells."""
        if self.form == "dict":
            return as_dict(self.encoding, cells)
        if self.floats is None:
            return cells
        if self.planes is None:
            return self.floats(cells)
        planes = self.planes(cells).reshape(*cells.shape[:-1], *self.plane_shape)
        return {"planes": planes, "rest": self.floats(cells)}

    def mask(self, state: GameState, seat: int) -> npt.NDArray[np.int8]:
        """1 for each legal action of a seat, else 0."""
        self.encoding.write_mask(state, seat, self._mask)
        return np.frombuffer(bytearray(self._mask), dtype=np.int8)


def as_dict(encoding: Encoding, cells: Bytes) -> dict[str, Bytes]:
    """The cells of an observation by field, in the shape of the field."""
    before = cells.shape[:-1]
    return {
        field.name: cells[..., field.offset : field.offset + field.size].reshape(*before, *field.shape).copy()
        for field in encoding.fields
    }


def tops(encoding: Encoding) -> Bytes:
    """The largest value of each cell."""
    found = np.zeros(encoding.size, dtype=np.uint8)
    for field in encoding.fields:
        found[field.offset : field.offset + field.size] = np.resize(
            np.array([channel.top for channel in field.channels], dtype=np.uint8), field.size
        )
    return found
