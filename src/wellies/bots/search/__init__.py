"""Search: see `docs/bots.md`."""
