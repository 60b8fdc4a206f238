"""The store: SQLite by default, PostgreSQL by an address. All SQL of the server is in this package."""

from wellies.server.storage.batch import Listing, NewTable, TableChange
from wellies.server.storage.database import Row
from wellies.server.storage.errors import NameTaken, NoIdentity
from wellies.server.storage.interface import Store
from wellies.server.storage.store import Storage
from wellies.table.errors import Conflict, RowRefused, StorageTrouble

__all__ = [
    "Conflict",
    "Listing",
    "NameTaken",
    "NewTable",
    "NoIdentity",
    "Row",
    "RowRefused",
    "Storage",
    "StorageTrouble",
    "Store",
    "TableChange",
]
