"""For those who run the service: health, readiness, metrics, the documentation."""

from flask import Response, current_app
from prometheus_client import CONTENT_TYPE_LATEST

from events.health import is_fit
from service.answers import json_answer
from service.asking import Blueprint
from service.documents import described
from service.problems import Problem
from service.services import services

blp = Blueprint("operations", __name__, description="Running the service.")


@blp.route("/healthz", methods=["GET"])
@blp.doc(**described("getHealth", 200, "Health", [], public=True))
def healthz() -> Response:
    """Whether the process answers."""
    return json_answer({"ok": True})


@blp.route("/readyz", methods=["GET"])
@blp.doc(**described("getReadiness", 200, "Readiness", [503], public=True))
def readyz() -> Response:
    """Whether the log's server is fit: reachable, evicting nothing, durable."""
    problems = services().health()
    if services().wakeups.closing or not is_fit(problems):
        raise Problem("not-ready", " ".join(p.detail for p in problems), problems=problems)
    return json_answer({"ready": True, "problems": problems})


@blp.route("/metrics", methods=["GET"])
@blp.doc(**described("getMetrics", 200, None, [], public=True, other={"text/plain": "Text"}))
def metrics() -> Response:
    """Counters of this process, for Prometheus."""
    runtime = services()
    runtime.metrics.streams.set(runtime.limit.total)
    return Response(runtime.metrics.exposition(), content_type=CONTENT_TYPE_LATEST)


@blp.route("/openapi.yaml", methods=["GET"])
@blp.doc(**described("getOpenapi", 200, None, [], public=True, other={"application/yaml": "Text"}))
def openapi() -> Response:
    """This description."""
    text: str = current_app.extensions["elsinore-openapi"]()
    return Response(text, content_type="application/yaml")
