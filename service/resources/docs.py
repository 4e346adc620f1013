"""The documentation to look at: Swagger UI, which calls nobody but us."""

import mimetypes
from functools import cache
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, request

from service.http.auth import anybody
from service.http.caching import Document, prepared, public_document

CONFIG = {"validatorUrl": None, "oauth2RedirectUrl": "oauth2-redirect.html"}
ASSETS = {
    path.name: path
    for path in Path(flask_swagger_ui.__file__).with_name("dist").iterdir()
    if path.suffix in {".css", ".html", ".js", ".png"}
}


def pages() -> Blueprint:
    """Every address in them is relative, so that they may be served below any path."""
    made: Blueprint = flask_swagger_ui.get_swaggerui_blueprint(
        ".", "../openapi.yaml", config=CONFIG
    )
    made.before_request(_asset)
    made.after_request(_page)
    return made


def _asset() -> Response | None:
    anybody()
    path = (request.view_args or {}).get("path")
    return public_document(_prepared(path)) if path in ASSETS else None


def _page(response: Response) -> Response:
    """The page itself is made from a template."""
    if response.mimetype != "text/html" or "ETag" in response.headers:
        return response
    return public_document(prepared(response.get_data(), response.content_type))


@cache
def _prepared(name: str) -> Document:
    kind, _ = mimetypes.guess_type(name)
    return prepared(ASSETS[name].read_bytes(), kind or "application/octet-stream")
