"""E18: the servers behind a fixed address change places, and nobody is started again."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.redis.client import connect
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.cli.up import is_ready
from tests.cli.running import Up, until
from tests.faults.conftest import LIMITS, Play, end
from tests.faults.processes import PARTS, Service, check_goes_on, wait_until_moved
from tests.faults.proxy import Proxy

pytestmark = pytest.mark.timeout(120)


class Pair:
    """Two servers, the second a replica of the first until they change places."""

    def __init__(self, first: EmbeddedServer, second: EmbeddedServer) -> None:
        self.old, self.new = connect(first.url), connect(second.url)
        self.old_url, self.new_url = first.url, second.url
        self.ports = [_listen(client) for client in (self.old, self.new)]
        self.new.replicaof("127.0.0.1", str(self.ports[0]))
        until(lambda: _info(self.new)["master_link_status"] == "up")

    def change_places(self) -> None:
        """All that the first has acknowledged is on the second before that takes over."""
        self.old.execute_command("FAILOVER", "TO", "127.0.0.1", self.ports[1])
        until(lambda: _info(self.old)["role"] == "slave" and _info(self.new)["role"] == "master")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    with EmbeddedServer(tmp_path / "a") as first, EmbeddedServer(tmp_path / "b") as second:
        yield Pair(first, second)


def test_e18_all_go_on_with_the_new_primary_behind_the_same_address(
    pair: Pair, play: Play, tmp_path: Path
) -> None:
    with (
        Proxy(tmp_path, pair.old_url) as proxy,
        Up(
            tmp_path / "data",
            0,
            2,
            REDIS_URL=proxy.url,
            QUEUE_REDIS_URL=proxy.url,
            **LIMITS,
        ) as up,
    ):
        service = Service(up, pair.new_url, pair.new_url)
        crowd = play(service)
        wait_until_moved(crowd)
        processes = {part: service.pids(part) for part in PARTS}
        pair.change_places()
        until(lambda: not is_ready("127.0.0.1", up.port), 5)
        proxy.switch(pair.new_url)
        check_goes_on(crowd)
        until(lambda: is_ready("127.0.0.1", up.port), 5)
        end(crowd, service)
        assert {part: service.pids(part) for part in PARTS} == processes


def _listen(client: Any) -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    client.config_set("bind", "127.0.0.1")
    client.config_set("port", port)
    return port


def _info(client: Any) -> Any:
    return client.info("replication")
