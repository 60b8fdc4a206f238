"""Structured logs: one JSON object per line, or plain lines on a terminal."""

from __future__ import annotations

import logging
import sys
from typing import Final

import structlog

QUIET: Final = ("uvicorn.access", "alembic", "aiosqlite", "sqlalchemy", "websockets", "httpx", "httpcore")
"""Libraries that log too much: every request, or every query with what is stored, such as seeds and ids of people."""


def without_queries(record: logging.LogRecord) -> bool:
    """A filter that removes queries from lines about sockets: they may contain the invitation to a private table."""
    if "WebSocket" in str(record.msg) and isinstance(record.args, tuple):
        record.args = tuple(str(each).partition("?")[0] if "?" in str(each) else each for each in record.args)
    return True


def set_up(level: str, form: str) -> None:
    """Send all logs, also those of libraries, to stderr in one format."""
    plain = form == "plain" or (form == "auto" and sys.stderr.isatty())
    renderer: structlog.types.Processor = (
        structlog.dev.ConsoleRenderer() if plain else structlog.processors.JSONRenderer()
    )
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in (*QUIET, "uvicorn.error"):
        logging.getLogger(name).setLevel("WARNING" if name in QUIET else level.upper())
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn").handlers = []
    logging.getLogger("uvicorn.error").filters = [without_queries]
