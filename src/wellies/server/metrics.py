"""Counters for Prometheus, in its text format. Plain numbers: nothing here locks or allocates on the hot path."""

from __future__ import annotations

from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Histogram:
    """Times, sorted into buckets."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        place = 0
        while place < len(BUCKETS) and seconds > BUCKETS[place]:
            place += 1
        self.counts[place] += 1
        self.total += seconds

    def lines(self, name: str) -> list[str]:
        lines = []
        running = 0
        for limit, count in zip(BUCKETS, self.counts, strict=False):
            running += count
            lines.append(f'{name}_bucket{{le="{limit:g}"}} {running}')
        running += self.counts[-1]
        return [
            *lines,
            f'{name}_bucket{{le="+Inf"}} {running}',
            f"{name}_sum {self.total:.6f}",
            f"{name}_count {running}",
        ]


class Metrics:
    """What one worker has done since it started."""

    def __init__(self) -> None:
        self.moves = 0
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.storage_errors = 0
        self.sockets = 0
        self.sockets_total = 0
        self.messages_in = 0
        self.messages_out = 0
        self.slow_clients = 0
        self.refused_messages = 0
        self.rate_limited = 0
        self.bot_moves = 0
        self.bot_moves_elsewhere = 0
        self.bot_crashes = 0
        self.analyses = 0
        self.analysed_moves = 0
        self.tables_loaded = 0
        self.tables_in_memory = 0
        self.requests: dict[int, int] = {}
        self.commit_seconds = Histogram()
        self.play_seconds = Histogram()
        self.bot_seconds = Histogram()

    def commit(self, appends: int, seconds: float) -> None:
        self.commits += 1
        self.appends += appends
        self.commit_seconds.add(seconds)

    def request(self, status: int) -> None:
        self.requests[status] = self.requests.get(status, 0) + 1

    def text(self) -> str:
        """Everything in the Prometheus text format."""
        lines: list[str] = []
        for name, kind, value, about in (
            ("moves_total", "counter", self.moves, "Moves stored, those of chance not counted."),
            ("commits_total", "counter", self.commits, "Transactions of the group commit."),
            ("appends_total", "counter", self.appends, "Appends to tables in them."),
            ("conflicts_total", "counter", self.conflicts, "Appends that came second and were decided again."),
            ("storage_errors_total", "counter", self.storage_errors, "Commits that the database refused."),
            ("sockets", "gauge", self.sockets, "Open sockets."),
            ("sockets_total", "counter", self.sockets_total, "Sockets opened."),
            ("socket_messages_in_total", "counter", self.messages_in, "Messages from clients."),
            ("socket_messages_out_total", "counter", self.messages_out, "Messages to clients."),
            ("slow_clients_total", "counter", self.slow_clients, "Clients dropped for being slow."),
            ("refused_messages_total", "counter", self.refused_messages, "Malformed or forbidden messages."),
            ("rate_limited_total", "counter", self.rate_limited, "Requests and messages over the limit."),
            ("bot_moves_total", "counter", self.bot_moves, "Moves chosen by bots."),
            ("bot_moves_elsewhere_total", "counter", self.bot_moves_elsewhere, "Those of them chosen by thinkers."),
            ("bot_crashes_total", "counter", self.bot_crashes, "Bot processes that died or took too long."),
            ("analyses_total", "counter", self.analyses, "Finished games that were thought about."),
            ("analysed_moves_total", "counter", self.analysed_moves, "Moves of them that were judged."),
            ("tables_loaded_total", "counter", self.tables_loaded, "Tables replayed from the store."),
            ("tables_in_memory", "gauge", self.tables_in_memory, "Tables kept replayed."),
        ):
            lines += [f"# HELP wellies_{name} {about}", f"# TYPE wellies_{name} {kind}", f"wellies_{name} {value}"]
        lines += ["# HELP wellies_requests_total HTTP requests by status.", "# TYPE wellies_requests_total counter"]
        lines += [f'wellies_requests_total{{status="{status}"}} {n}' for status, n in sorted(self.requests.items())]
        for name, histogram, about in (
            ("commit_seconds", self.commit_seconds, "Time of one transaction of the group commit."),
            ("play_seconds", self.play_seconds, "Time from a move's arrival to its being stored."),
            ("bot_seconds", self.bot_seconds, "Time a bot took for a move, waiting included."),
        ):
            lines += [f"# HELP wellies_{name} {about}", f"# TYPE wellies_{name} histogram"]
            lines += histogram.lines(f"wellies_{name}")
        return "\n".join(lines) + "\n"
