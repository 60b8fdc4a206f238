"""A Wellies server from Python: make and join tables, watch, play, and seat a bot of one's own over the network.

>>> async with Client("http://127.0.0.1:8000") as client:
...     await client.guest("Ann")
...     table = await client.create_table("guppies", ["me", "greedy"], start=True)
...     async with client.table(table["id"], seat=0) as seat:
...         await seat.play(seat.legal[0]["move"])
...         async for message in seat: ...
"""

from wellies.core.extras import require

require("client", "httpx", "websockets", needs="wellies.client")

from wellies.client.bots import run_bot  # noqa: E402
from wellies.client.client import Client, ServerRefused  # noqa: E402
from wellies.client.seat import Disconnected, TableView  # noqa: E402

__all__ = ["Client", "Disconnected", "ServerRefused", "TableView", "run_bot"]
