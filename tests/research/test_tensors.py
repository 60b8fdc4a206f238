"""Observations as arrays, in all their forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import Case
from research_cases import FEWEST, play_on

from wellies import BadOption, Stream
from wellies.core.encoding import Encoding
from wellies.research.tensors import Expansion, Observer, check_form, tops

every_game = pytest.mark.parametrize("case", FEWEST, ids=repr)


def encoding_of(case: Case) -> Encoding:
    encoding = case.spec.encoding(case.seats, case.options)
    assert encoding is not None
    return encoding


def cells_of(case: Case, count: int) -> Any:
    """Flat observations from some moments of a game."""
    observer = Observer(encoding_of(case))
    state = case.start()
    rng = Stream(f"{case} cells")
    found = []
    for _ in range(count):
        play_on(state, rng, 7)
        found.append(observer.observe(state, 0))
    return np.stack(found)


@every_game
def test_flat_observations_are_the_cells_and_keep_to_their_tops(case: Case) -> None:
    encoding = encoding_of(case)
    cells = cells_of(case, 4)
    assert cells.dtype == np.uint8
    assert (cells <= tops(encoding)).all()
    state = case.start()
    play_on(state, Stream(1), 5)
    flat = Observer(encoding).observe(state, 1)
    raw = bytearray(encoding.size)
    encoding.observe(state, 1, raw)
    assert flat.tobytes() == bytes(raw)
    flat[0] += 1
    assert Observer(encoding).observe(state, 1)[0] == raw[0], "an observation may be kept and changed"


@every_game
def test_the_dictionary_has_every_field_in_its_shape(case: Case) -> None:
    encoding = encoding_of(case)
    cells = cells_of(case, 3)
    found = Observer(encoding, "dict").convert(cells)
    assert list(found) == [field.name for field in encoding.fields]
    for field in encoding.fields:
        assert found[field.name].shape == (3, *field.shape)
    joined = np.concatenate([each.reshape(3, -1) for each in found.values()], axis=1)
    assert (joined == cells).all()


@every_game
def test_floats_have_one_of_each_code_and_scaled_numbers(case: Case) -> None:
    encoding = encoding_of(case)
    cells = cells_of(case, 3)
    expansion = Expansion(encoding.fields)
    floats = expansion(cells)
    assert floats.shape == (3, expansion.size)
    assert len(expansion.labels) == expansion.size
    assert floats.min() >= 0
    assert floats.max() <= 1
    # Recomputed cell by cell, the slow way.
    for row, found in zip(cells, floats, strict=True):
        wanted: list[float] = []
        for field in encoding.fields:
            for index in range(field.offset, field.offset + field.size):
                channel = field.channel(index)
                if channel.codes:
                    wanted += [float(row[index] == code + 1) for code in range(len(channel.codes))]
                else:
                    wanted.append(row[index] / channel.top)
        assert found == pytest.approx(wanted)


@pytest.mark.parametrize("case", [case for case in FEWEST if case.game != "puppies"], ids=repr)
def test_planes_show_each_place_where_the_field_says(case: Case) -> None:
    encoding = encoding_of(case)
    cells = cells_of(case, 2)
    observer = Observer(encoding, "planes")
    found = observer.convert(cells)
    (board,) = [field for field in encoding.fields if field.is_board]
    rows, columns = board.grid
    assert found["planes"].shape == (2, *observer.plane_shape)
    assert observer.plane_shape[1:] == (rows, columns)
    assert observer.planes is not None
    names = observer.planes.labels
    for row in range(2):
        for place in range(board.shape[0]):
            at = (board.where[place] // columns, board.where[place] % columns)
            for index, channel in enumerate(board.channels):
                value = cells[row][board.offset + place * len(board.channels) + index]
                if channel.codes and value:
                    plane = names.index(f"{board.name}: {channel.name} = {channel.codes[value - 1]}")
                    assert found["planes"][row][plane][at] == 1
    assert found["planes"].sum() > 0
    single = observer.convert(cells[0])
    assert (single["planes"] == found["planes"][0]).all()
    assert (single["rest"] == found["rest"][0]).all()


def test_unknown_forms_are_refused_in_words() -> None:
    encoding = encoding_of(FEWEST[0])
    with pytest.raises(BadOption, match="flat, dict, floats, planes"):
        check_form("plane", encoding)
