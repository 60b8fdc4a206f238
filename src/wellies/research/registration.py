"""The environments of Gymnasium by name: `wellies/Guppies-v0` and so on."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from wellies.games import list_games


def environment_id(game: str) -> str:
    """The name of a game's environment: `wellies/Guppies-v0`."""
    return f"wellies/{game.replace('_', '-').title().replace('-', '')}-v0"


def register_environments() -> None:
    """Make every game on the shelf known to Gymnasium. No game is loaded before it is made."""
    for game in list_games():
        name = environment_id(game)
        if name not in registry:
            register(name, entry_point="wellies.research.gymnasium:GameEnv", kwargs={"game": game})
