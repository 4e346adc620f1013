"""What the service counts, per process, in Prometheus' words. No label carries a hidden fact."""

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    disable_created_metrics,
    generate_latest,
)

disable_created_metrics()  # type: ignore[no-untyped-call]


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
        self.streams = Gauge(
            "elsinore_streams_open", "Streams and long polls now open.", registry=self.registry
        )

    def exposition(self) -> bytes:
        return generate_latest(self.registry)
