"""The app factory: resources, refusals, and what every answer carries."""

import secrets
import time
from functools import lru_cache, partial
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from werkzeug.routing import IntegerConverter

from service.http import cors, error_handlers
from service.http.error_handlers import Api
from service.http.proxies import behind_proxies
from service.openapi.document import DESCRIPTION, complete, described
from service.rate_limits import BYTES_A_HIT, add_cost
from service.release import VERSION
from service.resources import (
    docs,
    events,
    games,
    log,
    moves,
    operations,
    players,
    rulesets,
    scoresheet,
    seats,
)
from service.services import Services
from service.telemetry.metrics import METHODS

RESOURCES = (players, rulesets, games, seats, moves, events, scoresheet, log)


def create_app(services: Services) -> Flask:
    """An app on these services. Nothing is read from the environment, nothing is started."""
    app = Flask("service", static_folder=None)
    app.config |= {
        "API_TITLE": "Elsinore",
        "API_VERSION": VERSION,
        "OPENAPI_VERSION": "3.1.0",
        "API_SPEC_OPTIONS": {"info": {"description": DESCRIPTION, "license": {"name": "MIT"}}},
        "MAX_CONTENT_LENGTH": services.settings.body_limit,
        "PROPAGATE_EXCEPTIONS": False,
    }
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.converters["int"] = Whole
    app.extensions["elsinore"] = services
    api = Api(app)
    error_handlers.register(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blp, url_prefix="/v1")
    api.register_blueprint(operations.blp)
    app.register_blueprint(docs.pages(), url_prefix="/docs")
    complete(api)
    app.extensions["elsinore-openapi"] = lru_cache(maxsize=8)(partial(described, api))
    _around_requests(app, services)
    prefix, proxies = services.settings.path_prefix, services.settings.trusted_proxies
    if prefix or proxies:
        app.wsgi_app = behind_proxies(app.wsgi_app, prefix, proxies)  # type: ignore[assignment, method-assign]
    return app


class Whole(IntegerConverter):
    """A number in a path: ASCII digits."""

    regex = "[0-9]+"


def _within(location: str) -> str:
    """Where a redirect leads, without the host, which is what the client has written as Host."""
    path, query = urlsplit(location)[2:4]
    return "/" + path.lstrip("/") + (f"?{query}" if query else "")


def _around_requests(app: Flask, services: Services) -> None:
    origins = services.settings.cors_origins

    @app.before_request
    def begin() -> Response | None:
        g.correlation, g.started = secrets.token_hex(8), time.perf_counter()
        return cors.preflight(origins) if request.method == "OPTIONS" else None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["X-Correlation-Id"] = g.correlation
        response.headers["X-Content-Type-Options"] = "nosniff"
        if 300 <= response.status_code < 400 and response.location is not None:
            response.location = _within(response.location)
        if origins:
            cors.add_headers(response, origins)
        size = 0 if response.is_streamed else response.calculate_content_length() or 0
        if size >= BYTES_A_HIT:
            add_cost(size // BYTES_A_HIT)
        if "cost" in g:
            services.rates.charge_request()
        route = request.url_rule.rule if request.url_rule is not None else "none"
        method = request.method if request.method in METHODS else "other"
        seconds = time.perf_counter() - g.started
        services.metrics.requests.labels(method, route).observe(seconds)
        return response
