"""Metrics of a running server in the text format of Prometheus."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from backend.api.observing import Answered
from backend.docsets.counting import Census, census
from backend.store.database import Database
from backend.tasks.pool_port import PoolState

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0, 300.0)


class Metrics:
    """Observes answered requests, and counts the contents of the database."""

    def __init__(self, database: Database, pool: Callable[[], PoolState]) -> None:
        # A separate registry: several servers may run in one process.
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._registry.register(_Stock(database, pool))
        self._requests = Counter(
            "workbench_requests",
            "Answered requests.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "workbench_request_seconds",
            "Time to the last byte of an answer.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )

    def __call__(self, answered: Answered) -> None:
        # Routes, not paths: a label for every id would exhaust the memory of the collector.
        route = answered.route or "none"
        method = answered.method if answered.route else "any"
        self._requests.labels(method, route, str(answered.status)).inc()
        self._seconds.labels(method, route).observe(answered.seconds)

    def text(self) -> bytes:
        """The current metrics, in UTF-8."""
        return generate_latest(self._registry)


class _Stock(Collector):
    """What is stored, counted on demand."""

    def __init__(self, database: Database, pool: Callable[[], PoolState]) -> None:
        self._database = database
        self._pool = pool

    def collect(self) -> Iterable[Metric]:
        counts: Census = census(self._database)
        by_status = GaugeMetricFamily("workbench_tasks", "Tasks by status.", labels=["status"])
        for status, count in counts.tasks.items():
            by_status.add_metric([status], count)
        yield by_status
        pool = self._pool()
        places = GaugeMetricFamily("workbench_places", "Places of this server.", labels=["state"])
        places.add_metric(["busy"], pool.busy)
        places.add_metric(["free"], pool.places - pool.busy)
        places.add_metric(["starting"], pool.starting)
        yield places
        away = pool.shards.count(None)
        shards = GaugeMetricFamily("workbench_shards", "Shards of indexes.", labels=["state"])
        shards.add_metric(["answering"], len(pool.shards) - away)
        shards.add_metric(["away"], away)
        yield shards
        yield GaugeMetricFamily("workbench_nodes", "Nodes of the cluster.", value=len(pool.nodes))
        yield GaugeMetricFamily(
            "workbench_cluster_connected", "Whether places can be reached.", value=pool.connected
        )
        yield GaugeMetricFamily("workbench_docsets", "DocSets.", value=counts.docsets)
        yield GaugeMetricFamily("workbench_documents", "Documents.", value=counts.documents)
        yield GaugeMetricFamily(
            "workbench_oldest_queued_seconds",
            "How long the oldest queued task has waited.",
            value=counts.oldest_queued_seconds,
        )
