"""Every answer in the tests is held against openapi.yaml, and against the type it is made of."""

import re
from functools import cache
from typing import Any

import msgspec.yaml
from flask import Flask
from jsonschema_rs import Draft202012Validator, Registry
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from service.cli.openapi import openapi_yaml
from service.http.schemas.components import PUBLISHED, RUNTIME
from service.http.schemas.derivation import name_of

TYPES = {name_of(kind): kind for kind in (*PUBLISHED, *RUNTIME)}


@cache
def description() -> dict[str, Any]:
    return msgspec.yaml.decode(openapi_yaml())


def check_answer(app: Flask, method: str, path: str, answer: TestResponse) -> None:
    """Raises where the operation has no such status, or the body does not fit what describes it.

    A problem may say more than its type does; of any other answer the type says all.
    """
    if answer.mimetype == "text/event-stream":
        return
    try:
        bare = path.partition("?")[0]
        rule, _ = app.url_map.bind("").match(bare, method, return_rule=True)
    except HTTPException:
        return
    template = re.sub(r"<(?:[a-z]+:)?([a-z_]+)>", r"{\1}", rule.rule)
    operation = description()["paths"][template][method.lower()]
    status = str(answer.status_code)
    assert status in operation["responses"], f"{method} {template}: {status} is not described"
    if answer.mimetype in {"application/json", "application/problem+json"}:
        reference = _schema(template, method.lower(), status, answer.mimetype)
        _validator(reference).validate(answer.json)
        read = msgspec.json.decode(answer.data, type=TYPES[reference.rsplit("/", 1)[1]])
        if answer.mimetype == "application/json":
            assert msgspec.json.decode(msgspec.json.encode(read)) == answer.json


@cache
def _schema(template: str, method: str, status: str, kind: str) -> str:
    response = description()["paths"][template][method]["responses"][status]
    if "$ref" in response:
        response = description()["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    reference: str = response["content"][kind]["schema"]["$ref"]
    return reference


@cache
def _validator(reference: str) -> Any:
    registry = Registry([("urn:api", description())])
    return Draft202012Validator({"$ref": f"urn:api{reference}"}, registry=registry)
