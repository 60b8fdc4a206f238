"""Observations as arrays of numpy, in four forms, and masks of legal actions.

| form | what an observation is |
|---|---|
| `flat` | all cells in one array of unsigned bytes: numbers, and codes as they are |
| `dict` | the same cells as a dictionary of arrays, by field |
| `floats` | one array of floats from 0 to 1: a number is divided by the largest it can be; a code from 1 to k becomes k floats, of which one is 1; code 0 is all zeros |
| `planes` | a dictionary: `planes` has the board, expanded like that, as an array (planes, rows, columns); `rest` has all other fields as floats |

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
    """Which floats some fields become. Cell `cells[i]` becomes the float `first[i]` if it is a number; a code c from 1 on
    becomes the float `first[i] + (c - 1) * step[i]`."""

    def __init__(self, fields: list[Field], as_planes: bool = False) -> None:
        numbers: list[tuple[int, int, float]] = []
        codes: list[tuple[int, int, int]] = []
        self.size = 0
        self.labels: list[str] = []
        """What each float is, in order; for planes, what each plane is."""
        for field in fields:
            places = field.grid[0] * field.grid[1] if as_planes else 1
            first = self._plan(field, places)
            count = len(field.channels)
            for index in range(field.size):
                place, channel = divmod(index, count)
                about = field.channels[channel]
                at = first[channel] + field.where[place] if as_planes else first[index]
                if about.codes:
                    codes.append((field.offset + index, at, places))
                else:
                    numbers.append((field.offset + index, at, 1 / max(about.top, 1)))
        self._code_cells = np.array([each[0] for each in codes], dtype=np.intp)
        self._code_first = np.array([each[1] - each[2] for each in codes], dtype=np.intp)
        self._code_step = np.array([each[2] for each in codes], dtype=np.intp)
        self._number_cells = np.array([each[0] for each in numbers], dtype=np.intp)
        self._number_first = np.array([each[1] for each in numbers], dtype=np.intp)
        self._number_scale = np.array([each[2] for each in numbers], dtype=np.float32)

    def _plan(self, field: Field, places: int) -> list[int]:
        """Where the floats of each channel (for planes) or of each cell begin."""
        found: list[int] = []
        for index in range(len(field.channels) if places > 1 else field.size):
            about = field.channels[index % len(field.channels)]
            label = f"{field.name}: {about.name}" if places > 1 else field.label(field.offset + index)
            found.append(self.size)
            self.labels += [f"{label} = {code}" for code in about.codes] or [label]
            self.size += (len(about.codes) or 1) * places
        return found

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
