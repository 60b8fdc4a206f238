"""The `wellies` command: games, rules, play, replay, simulate, position. `docs/cli.md` shows every command."""
