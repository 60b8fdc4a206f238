"""Counters of one server process, for Prometheus.

The server adds to plain numbers, which takes no lock. `Metrics` is a collector of prometheus-client: it turns the
numbers into metrics when somebody reads them. Each application has a registry of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from wellies.server.alert_choices import CHANNELS

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper limits of the histograms' buckets, in seconds."""


class Histogram:
    """Counts durations by bucket."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        place = 0
        while place < len(BUCKETS) and seconds > BUCKETS[place]:
            place += 1
        self.counts[place] += 1
        self.total += seconds

    def metric(self, name: str, text: str) -> Metric:
        running = 0
        buckets: list[tuple[str, float]] = []
        for limit, count in zip((*(f"{each:g}" for each in BUCKETS), "+Inf"), self.counts, strict=True):
            running += count
            buckets.append((limit, running))
        return HistogramMetricFamily(name, text, buckets=buckets, sum_value=self.total)


class Metrics(Collector):
    """What one server process has done since it started."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        self.moves = 0
        self.commits = 0
        self.appends = 0
        self.conflicts = 0
        self.storage_errors = 0
        self.sockets = 0
        self.sockets_total = 0
        self.sockets_handed_over = 0
        self.sockets_received = 0
        self.sockets_not_taken = 0
        self.slot: int | None = None
        """The number of this worker among those of its parent, if sockets are handed over between them."""
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
        self.games_found = 0
        self.tables_loaded = 0
        self.tables_in_memory = 0
        self.alerts_sent: dict[str, int] = dict.fromkeys(CHANNELS, 0)
        self.alerts_failed: dict[str, int] = dict.fromkeys(CHANNELS, 0)
        """Alerts by channel, from 0: Prometheus sees no increase in a series that begins with its first alert."""
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
        """All metrics in the Prometheus text format."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterator[Metric]:
        for name, value, text in (
            ("moves", self.moves, "Moves stored, without those of chance."),
            ("commits", self.commits, "Transactions of the group commit."),
            ("appends", self.appends, "Appends to tables in them."),
            ("conflicts", self.conflicts, "Appends that came second and were decided again."),
            ("storage_errors", self.storage_errors, "Commits that the database refused."),
            ("sockets", self.sockets_total, "Sockets opened."),
            ("sockets_handed_over", self.sockets_handed_over, "Sockets given to the worker that owns their table."),
            ("sockets_received", self.sockets_received, "Sockets that other workers have given to this one."),
            ("sockets_not_taken", self.sockets_not_taken, "Sockets that no other worker took; they are served here."),
            ("socket_messages_in", self.messages_in, "Messages from clients."),
            ("socket_messages_out", self.messages_out, "Messages to clients."),
            ("slow_clients", self.slow_clients, "Clients dropped for being slow."),
            ("refused_messages", self.refused_messages, "Malformed or forbidden messages."),
            ("rate_limited", self.rate_limited, "Requests and messages over the limit."),
            ("bot_moves", self.bot_moves, "Moves chosen by bots."),
            ("bot_moves_elsewhere", self.bot_moves_elsewhere, "Those of them chosen on queue workers."),
            ("bot_crashes", self.bot_crashes, "Bot processes that died or took too long."),
            ("analyses", self.analyses, "Finished games that were analysed."),
            ("analysed_moves", self.analysed_moves, "Moves of them that were judged."),
            ("games_found", self.games_found, "Tables made for people who looked for a game."),
            ("tables_loaded", self.tables_loaded, "Tables replayed from the database."),
        ):
            yield CounterMetricFamily(f"wellies_{name}", text, value=value)
        yield GaugeMetricFamily("wellies_sockets", "Open sockets.", value=self.sockets)
        if self.slot is not None:
            worker = InfoMetricFamily("wellies_worker", "Which of its parent's workers this is.")
            worker.add_metric([], {"slot": str(self.slot)})
            yield worker
        yield GaugeMetricFamily("wellies_tables_in_memory", "Tables kept in memory.", value=self.tables_in_memory)
        requests = CounterMetricFamily("wellies_requests", "HTTP requests by status.", labels=["status"])
        for status, count in sorted(self.requests.items()):
            requests.add_metric([str(status)], count)
        yield requests
        for name, counts, text in (
            ("alerts_sent", self.alerts_sent, "Alerts that were taken, by channel."),
            ("alerts_failed", self.alerts_failed, "Alerts that were not taken, by channel."),
        ):
            alerts = CounterMetricFamily(f"wellies_{name}", text, labels=["channel"])
            for channel, count in sorted(counts.items()):
                alerts.add_metric([channel], count)
            yield alerts
        yield self.commit_seconds.metric("wellies_commit_seconds", "Time of one transaction of the group commit.")
        yield self.play_seconds.metric("wellies_play_seconds", "Time from the arrival of a move until it is stored.")
        yield self.bot_seconds.metric("wellies_bot_seconds", "Time a bot took for a move, including waiting.")
