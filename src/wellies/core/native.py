"""What only the compiler needs to be told; in plain Python it means nothing. This module itself is never compiled.

`mypyc_attr(allow_interpreted_subclasses=True)` lets games from outside inherit a compiled class, and lets its instances
be pickled. (mypyc's own `serializable=True` promises the latter alone, but leaves what Python makes uninitialised.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes):
        return lambda decorated: decorated
