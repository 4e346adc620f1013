"""A client of the HTTP API, with nothing but the standard library."""

import http.client
import json
import secrets
from typing import Any, Self
from urllib.parse import urlsplit

TIMEOUT = 60.0


class Refused(Exception):
    """An answer that is a problem."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.problem = problem


class Client:
    """Calls of one player, over one connection."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT)
        self.token = ""
        self.player = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    @classmethod
    def registered(cls, address: str, name: str) -> Self:
        client = cls(address)
        player = client.call("POST", "/v1/players", {"name": name})
        client.player, client.token = player["id"], player["token"]
        return client

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON. Raises Refused."""
        return json.loads(self.fetch(method, path, body))

    def fetch(self, method: str, path: str, body: Any = None) -> bytes:
        headers = {"Accept": "application/json, application/x-ndjson"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method != "GET":
            headers["Idempotency-Key"] = secrets.token_hex(16)
        sent = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            sent = json.dumps(body)
        self._connection.request(method, path, sent, headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= http.HTTPStatus.BAD_REQUEST:
            raise Refused(response.status, json.loads(answer))
        return answer
