"""The page's types are made from the server's schemas: the stored schemas are those of today."""

from __future__ import annotations

from pathlib import Path

from wellies.server.schemas import write_schemas

STORED = Path(__file__).parent.parent.parent / "web" / "schemas"


def test_the_stored_schemas_are_current(tmp_path: Path) -> None:
    made = {path.name: path.read_text(encoding="utf-8") for path in map(Path, write_schemas(tmp_path))}
    stored = {path.name: path.read_text(encoding="utf-8") for path in STORED.glob("*.json")}
    assert made == stored, "run: make schemas"
