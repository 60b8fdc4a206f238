"""The cable between a browser and the server, which a test can cut and mend."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading


class Wire:
    """A port that passes every byte on to the server, until it is cut or goes silent."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._whole = True
        self._silent = False
        self._open = True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Every connection breaks at once, and new ones are refused a word."""
        with self._lock:
            self._whole = False
            for end in list(self._pairs):
                self._drop(end)

    def hush(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        with self._lock:
            self._silent = True

    def mend(self) -> None:
        with self._lock:
            self._whole, self._silent = True, False

    def close(self) -> None:
        self._open = False
        self._thread.join(5)
        with self._lock:
            for end in list(self._pairs):
                self._drop(end)
        self._listener.close()

    def _carry(self) -> None:
        while self._open:
            for key, _ in self._selector.select(0.05):
                end = key.fileobj
                assert isinstance(end, socket.socket)
                with self._lock:
                    if end is self._listener:
                        self._accept()
                    elif end in self._pairs:
                        self._pass_on(end)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            near, _ = self._listener.accept()
            if not self._whole:
                near.close()
                return
            far = socket.create_connection(self._to, 5)
            self._pairs[near], self._pairs[far] = far, near
            for end in (near, far):
                self._selector.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            data = end.recv(65_536)
            if data and not self._silent:
                self._pairs[end].sendall(data)
        except OSError:
            data = b""
        if not data:
            self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self._pairs.pop(end, None)
        for each in (end, other):
            if each is None:
                continue
            self._pairs.pop(each, None)
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(each)
            each.close()
