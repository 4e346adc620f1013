"""What gunicorn runs: `gunicorn -c python:service.server.config 'service.server.wsgi:app()'`."""

import os

from flask import Flask

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from events import cardsets
from events.accounts.players import RedisPlayers
from events.accounts.presence import RedisPresence
from events.accounts.tickets import RedisTickets
from events.log.redis import RedisStore
from events.plugins import load_rulesets
from events.projections.redis import RedisProjections
from events.receipts import Signer
from events.redis.client import connect
from events.redis.health import lasting, log_problems
from service.app import create_app
from service.live.notifier import RedisNotifier
from service.services import build_services
from service.settings import InvalidSetting, Settings
from service.telemetry import logging


class UnfitServer(RuntimeError):
    """The log's server would lose entries, or might; the message says what to change."""


def app(settings: Settings | None = None) -> Flask:
    """The service on the servers that the environment names.

    Raises InvalidSetting, and UnfitServer where the server would never do. One that does not
    answer yet, or is full, is for /readyz to tell.
    """
    settings = Settings.read(os.environ) if settings is None else settings
    if not settings.redis_url:
        raise InvalidSetting("REDIS_URL is not set; `elsinore up` brings a server of its own")
    logging.set_up(settings.log_level)
    registry.replace(hamlet_play(cardsets.load(settings.card_sets)))
    logging.refused(load_rulesets())
    client = connect(settings.redis_url)
    unfit = lasting(log_problems(client, volatile_allowed=settings.volatile_allowed))
    if unfit:
        raise UnfitServer(" ".join(problem.detail for problem in unfit))
    services = build_services(
        RedisStore(client),
        RedisPlayers(client),
        Signer.at(settings.data / "receipt.key"),
        settings,
        RedisNotifier(client),
        tickets=RedisTickets(client),
        presence=RedisPresence(client),
        projections=RedisProjections(client),
        health=lambda: log_problems(client, volatile_allowed=settings.volatile_allowed),
    )
    return create_app(services)
