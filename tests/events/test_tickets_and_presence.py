"""What expires: tickets, and when players were last seen. One contract, three back ends."""

from typing import Any

import fakeredis
import pytest
import redis
from redis.crc import key_slot

from events.accounts.presence import KEPT_SECONDS, MemoryPresence, PresenceStore, RedisPresence
from events.accounts.tickets import SECONDS, MemoryTickets, RedisTickets, TicketStore
from events.errors import Busy
from events.redis.keys import partition_of

BACK_ENDS = ["memory", "fakeredis", pytest.param("valkey", marks=pytest.mark.processes)]


def fake() -> redis.Redis:
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


def client_of(request: pytest.FixtureRequest) -> redis.Redis:
    return fake() if request.param == "fakeredis" else request.getfixturevalue("log_redis")


@pytest.fixture(params=BACK_ENDS)
def tickets(request: pytest.FixtureRequest) -> TicketStore:
    return MemoryTickets() if request.param == "memory" else RedisTickets(client_of(request))


@pytest.fixture(params=BACK_ENDS)
def presence(request: pytest.FixtureRequest) -> PresenceStore:
    return MemoryPresence() if request.param == "memory" else RedisPresence(client_of(request))


def test_a_ticket_stands_for_the_token_it_was_issued_for(tickets: TicketStore) -> None:
    first, second = tickets.issue("aa"), tickets.issue("bb")
    assert first != second
    assert (tickets.token_of(first), tickets.token_of(second)) == ("aa", "bb")
    assert tickets.token_of(first) == "aa"


@pytest.mark.parametrize("wrong", ["", "elk_", "aa", "🂡"])
def test_any_other_ticket_is_nobodys(tickets: TicketStore, wrong: str) -> None:
    tickets.issue("aa")
    assert tickets.token_of(wrong) is None


def test_a_ticket_in_memory_lasts_a_minute() -> None:
    now = [0.0]
    tickets = MemoryTickets(lambda: now[0])
    ticket = tickets.issue("aa")
    now[0] = SECONDS - 0.1
    assert tickets.token_of(ticket) == "aa"
    now[0] = SECONDS
    assert tickets.token_of(ticket) is None
    tickets.issue("bb")
    now[0] = 0.0
    assert tickets.token_of(ticket) is None


def test_a_ticket_in_redis_is_a_hash_that_lasts_a_minute() -> None:
    client = fake()
    ticket = RedisTickets(client).issue("aa")
    (key,) = client.keys()
    assert ticket.encode() not in key
    assert SECONDS - 2 <= client.ttl(key) <= SECONDS


def test_who_was_seen_and_when(presence: PresenceStore) -> None:
    presence.note("g", "ann", 5)
    presence.note("g", "ben", 6)
    presence.note("h", "ann", 7)
    presence.note("g", "ann", 8)
    assert presence.last_seen("g", ["ann", "ben", "cid"]) == {"ann": 8, "ben": 6}
    assert presence.last_seen("h", ["ann", "ben"]) == {"ann": 7}
    assert presence.last_seen("h", []) == presence.last_seen("i", ["ann"]) == {}


def test_c20_presence_at_a_game_lies_in_the_slot_of_its_log() -> None:
    client: Any = fake()
    RedisPresence(client).note("g", "ann", 5)
    (key,) = client.keys()
    assert key_slot(key) == key_slot(partition_of("g").log("g").encode())


def test_presence_in_redis_is_forgotten_after_a_day() -> None:
    client = fake()
    RedisPresence(client).note("g", "ann", 5)
    (key,) = client.keys()
    assert KEPT_SECONDS - 2 <= client.ttl(key) <= KEPT_SECONDS


def test_a_store_that_does_not_answer_is_busy() -> None:
    server = fakeredis.FakeServer()
    client = fakeredis.FakeRedis(server=server)
    tickets, presence = RedisTickets(client), RedisPresence(client)
    server.connected = False
    for ask in (
        lambda: tickets.issue("aa"),
        lambda: tickets.token_of("elk_"),
        lambda: presence.note("g", "ann", 1),
        lambda: presence.last_seen("g", ["ann"]),
    ):
        with pytest.raises(Busy):
            ask()
