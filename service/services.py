"""What the resources need, put together once by whoever starts the app."""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from flask import current_app

from events.accounts.players import PlayerStore
from events.accounts.presence import MemoryPresence, PresenceStore
from events.accounts.tickets import MemoryTickets, TicketStore
from events.handler import Handler
from events.log.loader import Loader
from events.log.store import LogStore
from events.projections.lobby import Lobby
from events.projections.memory import MemoryProjections
from events.projections.store import ProjectionStore
from events.queries import Reader
from events.receipts import Signer
from events.redis.health import HealthIssue
from service.live.notifier import Notifier
from service.live.presence import Presence
from service.live.sse import Openings, StreamLimit
from service.rate_limits import ENTRIES_A_HIT, Rates, add_cost
from service.retries import Retries
from service.settings import Settings
from service.telemetry.metrics import Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The runtime behind one app. `health` says what is wrong with the log's server."""

    store: LogStore
    handler: Handler
    reader: Reader
    players: PlayerStore
    tickets: TicketStore
    presence: Presence
    projections: ProjectionStore
    lobby: Lobby
    signer: Signer
    settings: Settings
    notifier: Notifier
    health: Callable[[], Sequence[HealthIssue]]
    limit: StreamLimit
    openings: Openings
    rates: Rates
    retries: Retries
    now: Callable[[], int]
    metrics: Metrics

    @property
    def loader(self) -> Loader:
        return self.reader.loader


def build_services(  # noqa: PLR0913
    store: LogStore,
    players: PlayerStore,
    signer: Signer,
    settings: Settings,
    notifier: Notifier,
    *,
    tickets: TicketStore | None = None,
    presence: PresenceStore | None = None,
    projections: ProjectionStore | None = None,
    health: Callable[[], Sequence[HealthIssue]] = tuple,
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    root: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    retries: Retries | None = None,
) -> Services:
    """Services on one store, with one cache of games for commands and views alike.

    Without stores for tickets, presence and projections they are kept in this process, and known
    to it alone.
    """
    loader = Loader(store, applied=lambda entries: add_cost(entries // ENTRIES_A_HIT))
    metrics, retries = Metrics(), retries or Retries()
    projections = projections or MemoryProjections()
    return Services(
        store=store,
        handler=Handler(store, signer, now, root, loader),
        reader=Reader(store, loader),
        players=players,
        tickets=tickets or MemoryTickets(),
        presence=Presence(presence or MemoryPresence(), loader, now, settings.presence_window),
        projections=projections,
        lobby=Lobby(store, projections, loader),
        signer=signer,
        settings=settings,
        notifier=notifier,
        health=health,
        limit=StreamLimit(
            settings.streams, settings.streams_per_player, metrics.streams.set, retries
        ),
        openings=Openings(),
        metrics=metrics,
        rates=Rates(
            {
                "moves": settings.limit_moves,
                "lobby": settings.limit_lobby,
                "reads": settings.limit_reads,
                "open-reads": settings.limit_open_reads,
                "registrations": settings.limit_registrations,
            },
            retries=retries,
        ),
        retries=retries,
        now=now,
    )


def current_services() -> Services:
    """The services of the app that handles the current request."""
    return cast("Services", current_app.extensions["elsinore"])
