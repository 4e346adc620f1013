"""Who is at the table: in `live`, beside the view, never in the log."""

import json
from typing import Any

from events.accounts.presence import MemoryPresence
from events.errors import Busy
from service.live.presence import Presence
from service.services import Services
from service.settings import Settings
from tests.service.tables import Table, frames, memory_services


def connected(table: Table) -> list[bool]:
    seats = table.spectator.get(table.path).json["live"]["seats"]
    return [seat["connected"] for seat in seats]


def test_b20_live_says_of_each_seat_whether_its_player_is_there(table: Table) -> None:
    seats = table.spectator.get(table.path).json["live"]["seats"]
    assert seats == [{"seat": n, "connected": False, "last_seen": None} for n in range(4)]
    table.sit()
    seats = table.spectator.get(table.path).json["live"]["seats"]
    assert [seat["connected"] for seat in seats] == [True] * 4
    assert all(seat["last_seen"].startswith("2027-01-15T08:") for seat in seats)


def test_b20_who_makes_no_call_for_a_while_is_gone() -> None:
    table = Table(memory_services(settings=Settings(presence_window=30, heartbeat=0.001))).sit()
    for _ in range(60):  # the clock ticks at least once for each
        table.people[2].get(table.path)
    assert connected(table) == [False, False, True, False]
    table.people[0].get(f"{table.path}/events")
    assert connected(table) == [True, False, True, False]


def test_b20_an_open_stream_is_presence() -> None:
    table = Table(memory_services(settings=Settings(presence_window=30, heartbeat=0.001))).sit()
    answer = table.people[1].get(f"{table.path}/stream")
    chunks = answer.iter_encoded()
    next(chunks)
    for _ in range(80):
        next(chunks)
        table.spectator.get(table.path)
    assert connected(table) == [False, True, False, False]
    answer.close()


def test_b20_the_first_frame_has_it_and_a_resumed_stream_too(table: Table) -> None:
    table.sit()
    for resume in (None, "3"):
        headers = {} if resume is None else {"Last-Event-ID": resume}
        answer = table.people[0].get(f"{table.path}/stream", headers=headers)
        first = frames(answer.iter_encoded(), 1)[0]
        answer.close()
        assert first["event"] == ("view" if resume is None else "live")
        data = json.loads(first["data"])
        live = data["live"] if resume is None else data
        assert [seat["connected"] for seat in live["seats"]] == [True] * 4
        assert ("id" in first) == (resume is None)


def test_b20_bots_are_always_there_and_spectators_never_listed(table: Table) -> None:
    table.people[0].call("PUT", f"{table.path}/seats/3", json={"bot": "easy"})
    for _ in range(3):
        table.spectator.get(table.path)
    assert connected(table) == [False, False, False, True]


def test_b20_presence_is_in_no_log_and_no_view(services: Services) -> None:
    table = Table(services).sit()
    before = len(services.store.read(table.game))
    for person in table.people:
        person.get(table.path)
    assert len(services.store.read(table.game)) == before
    view = table.people[0].get(table.path).json["view"]
    assert "connected" not in json.dumps(view)


def test_a_store_that_does_not_answer_refuses_nobody() -> None:
    class Away(MemoryPresence):
        def note(self, *_: Any) -> None:
            raise Busy("away")

    services = memory_services()
    object.__setattr__(services, "presence", Presence(Away(), services.loader, services.now, 45))
    table = Table(services).sit().pass_all()
    assert connected(table) == [False] * 4


def test_the_same_player_is_not_noted_at_every_call() -> None:
    notes: list[tuple[str, str, int]] = []

    class Noting(MemoryPresence):
        def note(self, game: str, player: str, at: int) -> None:
            notes.append((game, player, at))

    at, table = [0], Table(memory_services()).sit()
    presence = Presence(Noting(), table.services.loader, lambda: at[0], window=45)
    for now in (0, 100, 4_999, 5_000, 5_001, 20_000, 3_000):
        at[0] = now
        presence.note(table.game, table.people[0].id)
        presence.note(table.game, table.spectator.id)
    assert [note[2] for note in notes] == [0, 5_000, 20_000, 3_000]
