"""For those who run the service: health, readiness, metrics, the documentation."""

from collections.abc import Sequence
from contextlib import suppress

from flask import Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST

from events.errors import Busy
from events.projections.lag import lag
from events.redis.health import HealthIssue, is_fit
from service.http.auth import anybody
from service.http.caching import Document, public_document
from service.http.requests import Blueprint
from service.http.responses import json_answer
from service.http.schemas.answers import Health, Readiness, Text
from service.openapi.operations import described
from service.problems.problem import Problem
from service.services import current_services

blp = Blueprint("operations", __name__, description="Running the service.")


@blp.route("/healthz", methods=["GET"])
@blp.doc(**described("getHealth", 200, Health, [], public=True))
def healthz() -> Response:
    """Whether the process answers."""
    return json_answer(Health(ok=True))


@blp.route("/readyz", methods=["GET"])
@blp.doc(**described("getReadiness", 200, Readiness, [503], public=True))
def readyz() -> Response:
    """Whether the log's server is fit: reachable, evicting nothing, durable."""
    problems = current_services().health()
    if not _ready(problems):
        raise Problem("not-ready", " ".join(p.detail for p in problems), problems=problems)
    return json_answer(Readiness(ready=True, problems=tuple(problems)))


def _ready(problems: Sequence[HealthIssue]) -> bool:
    return is_fit(problems) and not current_services().notifier.closing


@blp.route("/metrics", methods=["GET"])
@blp.doc(**described("getMetrics", 200, None, [], public=True, other={"text/plain": Text}))
def metrics() -> Response:
    """What all API processes have counted, and what they wait for, for Prometheus."""
    runtime, now = current_services(), current_services().now()
    runtime.metrics.conflicts.set(runtime.handler.conflicts)
    runtime.metrics.ready.set(_ready(runtime.health()))
    with suppress(Busy):  # `ready` tells it
        runtime.metrics.waiting(lag(runtime.store, runtime.projections, now))
    return Response(runtime.metrics.exposition(), content_type=CONTENT_TYPE_LATEST)


@blp.route("/openapi.yaml", methods=["GET"])
@blp.doc(**described("getOpenapi", 200, None, [429], public=True, other={"application/yaml": Text}))
def openapi() -> Response:
    """This description."""
    anybody()
    description: Document = current_app.extensions["elsinore-openapi"](request.script_root)
    return public_document(description)
