"""The games as environments for research: PettingZoo, Gymnasium, OpenSpiel. `docs/research.md` is the guide.

| module | what is in it |
|---|---|
| `pettingzoo` | `env` and `parallel_env`: all seats are agents |
| `gymnasium` | one seat is the agent and bots play the others; `gymnasium.make("wellies/Guppies-v0")` |
| `openspiel` | `register()`, then `pyspiel.load_game("wellies_guppies(seats=2)")` |
| `vector` | thousands of games at once, with arrays in and out, over processes |
| `data` | data sets of games as Parquet: `wellies dataset make`, and reading them |
| `episode` | a game that rolls its own chance from a seed, with actions for moves; what the others are made of |
| `tensors` | observations as arrays: flat, structured, as planes, as floats |
| `rewards` | rewards at the end or by the move |
| `information` | what a seat has seen from the beginning, as a text |
| `rendering` | the table as text or as a picture |

Only `episode`, `rewards` and `information` work without the extra `research`. Importing this package makes its
environments known to Gymnasium, if that is installed.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from wellies.research.registration import register_environments

    register_environments()
