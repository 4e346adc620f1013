"""openapi.yaml, made from the app: the routes, their schemas, and every problem they have."""

import http
from typing import Any

import yaml

from service.http.caching import Document, prepared
from service.http.error_handlers import Api
from service.http.schemas.components import schemas
from service.http.schemas.derivation import ref
from service.openapi.operations import IF_NONE_MATCH, IN_A_LANGUAGE, PARAMETERS
from service.problems.codes import CODES, PROBLEM_JSON, codes_by_status

YAML = "application/yaml"
READING_ORDER = ("operationId", "tags", "summary", "description", "security", "parameters")

DESCRIPTION = """\
An event-sourced table service. Every command becomes immutable entries of a log; a game can be
looked at as of any version; every deal is provably honest. Commands take an `Idempotency-Key`.
Problems are RFC 9457 problem details with a stable `code`, their titles in English or Japanese by
`Accept-Language`."""


def complete(api: Api) -> None:
    """Adds to the routes' own description what they refer to."""
    components = api.spec.components
    components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    components.security_scheme("ticket", {"type": "apiKey", "in": "query", "name": "ticket"})
    for name, parameter in PARAMETERS.items():
        components.parameter(name, parameter["in"], parameter)
    for name, schema in schemas().items():
        components.schema(name, schema)
    for status, codes in sorted(codes_by_status().items()):
        components.response(f"Problem{status}", _problem_response(status, codes))


def described(api: Api, prefix: str) -> Document:
    """The description as YAML, the same bytes for the same code; `prefix` is where it is served."""
    told: dict[str, Any] = api.spec.to_dict()
    for path in told["paths"].values():
        for method in path:
            path[method] = _ordered(path[method]) if method != "parameters" else path[method]
    servers = {"servers": [{"url": prefix}]} if prefix else {}
    ordered = {"openapi": told.pop("openapi"), "info": told.pop("info"), **servers, **told}
    text = yaml.dump(ordered, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return prepared(text.encode(), YAML)


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as they read; no anchors."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    )


_Dumper.add_representer(str, _text)


def _problem_response(status: int, codes: list[str]) -> dict[str, Any]:
    titles = "\n".join(f"- `{code}`: {CODES[code][1]}" for code in codes)
    response: dict[str, Any] = {
        "description": f"{http.HTTPStatus(status).phrase}.\n\n{titles}",
        "headers": dict(IN_A_LANGUAGE),
        "content": {PROBLEM_JSON: {"schema": ref("Problem")}},
    }
    if status in {429, 503}:
        response["headers"]["Retry-After"] = {
            "description": "Seconds.",
            "schema": {"type": "string"},
        }
    if status == 401:
        response["headers"]["WWW-Authenticate"] = {"schema": {"type": "string"}}
    return response


def _ordered(operation: dict[str, Any]) -> dict[str, Any]:
    """As one reads it; flask-smorest's own error body, which no route answers with, left out."""
    responses = operation["responses"]
    responses.pop("default", None)
    operation["responses"] = dict(sorted(responses.items()))
    if "304" in responses:
        kept = {"$ref": f"#/components/parameters/{IF_NONE_MATCH}"}
        operation["parameters"] = [*operation.get("parameters", ()), kept]
    first = {name: operation[name] for name in READING_ORDER if name in operation}
    return first | operation
