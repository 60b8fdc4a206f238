"""`python -m wellies` is the `wellies` command."""

from __future__ import annotations

from wellies.cli.app import run

if __name__ == "__main__":
    run()
