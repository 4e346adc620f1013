"""What the service counts, in Prometheus' words: all API processes together.

Where there are several, prometheus_client adds up what each has written into files: the directory
is PROMETHEUS_MULTIPROC_DIR, which service/server/config.py sets.

No label carries a hidden fact, and each has few values: commands, codes, routes, kinds of work.
"""

import os
from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from events.projections.lag import Lag

disable_created_metrics()  # type: ignore[no-untyped-call]

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
Mode = Literal["livesum", "livemostrecent"]
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""A method that a client has made up is the label `other`."""


class Metrics:
    """One registry per app, so that several apps may live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "elsinore_commands",
            "Commands answered, repeated ones included.",
            ["command"],
            registry=self.registry,
        )
        self.refusals = Counter(
            "elsinore_refusals",
            "Requests answered with a problem, by its code.",
            ["code"],
            registry=self.registry,
        )
        self.requests = Histogram(
            "elsinore_request_seconds",
            "From the request to the beginning of its answer; long polls wait on purpose.",
            ["method", "route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self.streams = self._gauge(
            "streams_open", "Streams and long polls now open.", mode="livesum"
        )
        self.conflicts = self._gauge(
            "conflicts",
            "Appends that another writer was before, since the processes began.",
            mode="livesum",
        )
        self.ready = self._gauge("ready", "1 where the log's server is fit and the process stays.")
        self.due = self._gauge(
            "due", "Games that wait for a bot, or for their projections.", ["work"]
        )
        self.lag = self._gauge(
            "due_oldest_seconds", "How long the first of them has waited.", ["work"]
        )
        self.dead = self._gauge(
            "dead", "Letters and games' projections that were given up: `elsinore dead`.", ["what"]
        )
        self.disagree = self._gauge(
            "scores_disagree", "Scoresheets where the second scorer finds other points."
        )
        self.troubles = self._gauge(
            "worker_troubles", "What workers have met since the log began, by its name.", ["what"]
        )

    def waiting(self, found: Lag) -> None:
        """What the workers have still to do, and what they could not: of all processes."""
        for work, count in found.waiting.items():
            self.due.labels(work).set(count)
            self.lag.labels(work).set(max(0, found.oldest[work]) / 1000)
        self.dead.labels("letter").set(found.health.dead_letters)
        self.dead.labels("projection").set(found.health.dead_projections)
        self.disagree.set(found.health.scores_disagree)
        for name, count in found.health.counts.items():
            self.troubles.labels(name).set(count)

    def exposition(self) -> bytes:
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)

    def _gauge(
        self,
        name: str,
        text: str,
        labels: tuple[str, ...] | list[str] = (),
        mode: Mode = "livemostrecent",
    ) -> Gauge:
        """`mode`: of several processes the sum, or what one of them has found out last."""
        return Gauge(
            f"elsinore_{name}", text, labels, registry=self.registry, multiprocess_mode=mode
        )
