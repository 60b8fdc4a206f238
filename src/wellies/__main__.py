"""The `wellies` command, also as `python -m wellies`."""

from __future__ import annotations

import sys
from typing import NoReturn

from wellies.core.extras import MissingExtra, require


def main() -> NoReturn:
    """Run the command. Without the packages of the extra `cli`: one line on stderr, and exit code 2."""
    try:
        require("cli", "typer", "rich", "platformdirs", needs="the command `wellies`")
    except MissingExtra as error:
        sys.stderr.write(f"wellies: {error}\n")
        sys.exit(2)
    from wellies.cli.app import run

    run()


if __name__ == "__main__":
    main()
