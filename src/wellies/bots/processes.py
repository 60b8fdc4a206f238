"""What every process of ours does first."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def deaf() -> None:
    """In a worker: Ctrl-C and a closed terminal are the parent's to handle, and without a parent there is nothing left
    to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_mourn, daemon=True).start()


def _mourn() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
