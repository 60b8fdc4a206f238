"""Optional parts of Wellies, and the packages that they need.

The engine needs no other package. The terminal, the server and others are extras: `pip install "wellies[server]"`.
"""

from __future__ import annotations

from importlib.util import find_spec

from wellies.core.errors import WelliesError


class MissingExtra(WelliesError, ImportError):
    """Packages of an extra are not installed; the message has the command that installs them."""


def require(extra: str, *modules: str, needs: str) -> None:
    """MissingExtra unless all these modules are installed. `needs` is what they are needed for, such as `a cluster`."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f'{needs} needs packages that are not installed ({", ".join(missing)}); pip install "wellies[{extra}]"'
        )
