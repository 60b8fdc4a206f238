"""The spaces of observations and actions, as Gymnasium describes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from wellies.research.tensors import Observer, as_dict, tops


def observation_space(observer: Observer) -> spaces.Space[Any]:
    """The space of what `observer.observe` returns."""
    highest = tops(observer.encoding)
    if observer.form == "flat":
        return spaces.Box(0, highest, dtype=np.uint8)
    if observer.form == "dict":
        by_field = as_dict(observer.encoding, highest)
        return spaces.Dict(
            {name: spaces.Box(np.zeros_like(high), high, dtype=np.uint8) for name, high in by_field.items()}
        )
    assert observer.floats is not None
    floats = spaces.Box(0, 1, (observer.floats.size,), dtype=np.float32)
    if observer.form == "floats":
        return floats
    return spaces.Dict({"planes": spaces.Box(0, 1, observer.plane_shape, dtype=np.float32), "rest": floats})


def with_mask(observation: spaces.Space[Any], actions: int) -> spaces.Space[Any]:
    """The space of an observation with the mask of legal actions beside it."""
    mask = spaces.Box(0, 1, (actions,), dtype=np.int8)
    return spaces.Dict({"observation": observation, "action_mask": mask})
