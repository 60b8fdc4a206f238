"""Which engine is running: the sources as they are, or what mypyc compiled from them (see docs/compiled.md)."""

from __future__ import annotations

import platform

from wellies.core import state


def compiled() -> bool:
    """Whether the engine was compiled."""
    return not str(state.__file__).endswith((".py", ".pyc"))


def engine_words() -> str:
    """The engine and the Python that runs it: "compiled engine, Python 3.11.7"."""
    return f"{'compiled' if compiled() else 'interpreted'} engine, Python {platform.python_version()}"
