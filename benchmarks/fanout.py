"""The reference of figure 5: server-sent events as bare as gevent has them, one frame for all."""

from collections.abc import Callable, Iterator
from typing import Any

from gevent.queue import SimpleQueue

FIRST = b"event: view\nid: 0\ndata: {}\n\n"

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


def create_app() -> Callable[[dict[str, Any], StartResponse], Any]:
    """`GET` opens a stream; `POST` sends its body to all of them."""
    queues: list[SimpleQueue[bytes]] = []

    def stream() -> Iterator[bytes]:
        queue: SimpleQueue[bytes] = SimpleQueue()
        queues.append(queue)
        yield FIRST
        while True:
            yield queue.get()

    def app(environ: dict[str, Any], start_response: StartResponse) -> Any:
        if environ["REQUEST_METHOD"] == "GET":
            start_response("200 OK", [("Content-Type", "text/event-stream")])
            return stream()
        frame = environ["wsgi.input"].read()
        for queue in queues:
            queue.put(frame)
        start_response("201 Created", [("Content-Length", "0")])
        return []

    return app
