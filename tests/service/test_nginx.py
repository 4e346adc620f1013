"""Behind an nginx that nobody has told anything about us."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import redis

from tests.cli.running import until
from tests.service.serving import Server
from tests.service.tables import some_move
from tests.service.test_processes import events_of, seated

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(NGINX is None, reason="no nginx on PATH; .ci/run installs it"),
]

CONFIG = """
daemon off;
master_process off;
pid {here}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {here}/body;
    proxy_temp_path {here}/proxy;
    fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi;
    scgi_temp_path {here}/scgi;
    {http}
    server {{
        listen unix:{here}/nginx.sock;
        location / {{ proxy_pass http://unix:{api}; }}
    }}
}}
"""
"""HTTP/1.0 towards us, and answers are buffered: that is nginx's default."""

GZIP = "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0;"

Behind = Callable[[str], Path]


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    running = Server(valkey, tmp_path)
    try:
        yield running
    finally:
        running.end()


@pytest.fixture
def behind(server: Server, tmp_path: Path) -> Iterator[Behind]:
    """Starts an nginx before the service, and gives its socket."""
    started: list[subprocess.Popen[bytes]] = []

    def start(http: str) -> Path:
        here = tmp_path / f"nginx{len(started)}"
        here.mkdir()
        config = here / "nginx.conf"
        config.write_text(CONFIG.format(here=here, api=server.socket, http=http))
        command = [str(NGINX), "-p", str(here), "-e", str(here / "error.log"), "-c", str(config)]
        started.append(subprocess.Popen(command))
        socket = here / "nginx.sock"
        until(socket.exists)
        return socket

    yield start
    for process in started:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("http", ["", GZIP], ids=["as it comes", "with gzip"])
def test_e07_an_event_passes_a_default_nginx_at_once(
    server: Server, behind: Behind, http: str
) -> None:
    """Within less than a heartbeat, which would push it on."""
    path, people = seated(server)
    headers = {"Authorization": people[1].headers["Authorization"], "Accept-Encoding": "gzip"}
    with (
        httpx.Client(
            transport=httpx.HTTPTransport(uds=str(behind(http))),
            base_url="http://elsinore",
            headers=headers,
            timeout=10,
        ) as client,
        client.stream("GET", f"{path}/stream") as stream,
    ):
        news = events_of(stream.iter_lines())
        view = json.loads(next(news)["data"])["view"]
        for _ in range(3):
            seat = int(next(iter(view["to_act"])))
            mine = people[seat].get(path).json()["view"]
            moved = people[seat].post(f"{path}/moves", json=some_move(mine)).json()
            while int(next(news)["id"]) < moved["version"]:
                pass
            view = people[0].get(path).json()["view"]
