"""E14: who is cut off or refused together is told different times to come back."""

import itertools
from collections.abc import Iterator

import pytest

from events.errors import Busy
from events.log.entry import Entry
from events.log.memory import MemoryStore
from events.log.store import LogStore
from service.problems.problem import Problem
from service.rate_limits import Rates
from service.retries import Retries
from service.services import Services
from service.settings import Settings
from tests.service.tables import SETTINGS, Answer, Table, memory_services

MANY = 50


def in_turn() -> Iterator[float]:
    """Chances that come by in turn, from one end to the other."""
    return itertools.cycle([0.0, 0.3, 0.6, 0.99])


def spread(store: LogStore | None = None, settings: Settings = SETTINGS) -> Services:
    """Services whose times come in turn."""
    return memory_services(store=store, settings=settings, retries=Retries(in_turn().__next__))


def test_e14_streams_are_told_times_from_one_to_five_seconds() -> None:
    settings = Settings(streams_per_player=MANY, heartbeat=0.001)
    table = Table(spread(settings=settings))
    told = []
    for _ in range(MANY):
        answer = table.spectator.get(f"{table.path}/stream")
        first = next(answer.iter_encoded()).decode()
        told.append(int(first.partition("retry: ")[2].partition("\n")[0]))
        answer.close()
    assert told[:4] == [1000, 2200, 3400, 4960]
    assert len(set(told)) == 4


def test_e14_the_system_s_own_chance_is_spread() -> None:
    """That 200 of 4,001 times are all within one second is less likely than 10^-100."""
    retries = Retries()
    milliseconds = [retries.milliseconds() for _ in range(200)]
    assert 1000 <= min(milliseconds) < max(milliseconds) - 1000 < max(milliseconds) <= 5000
    assert {retries.seconds() for _ in range(200)} == {1, 2, 3, 4, 5}


def test_e14_who_has_to_wait_longer_is_told_so() -> None:
    assert Retries(lambda: 0.99).seconds(60) == 60
    assert Retries(lambda: 0.0).seconds(3) == 3
    assert Retries(lambda: 0.99).seconds(3) == 5


class Away(MemoryStore):
    """A store that sometimes does not answer."""

    away = False

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        if self.away:
            raise Busy("away")
        return super().read(game, first, last)


def told(answers: list[Answer], code: str) -> list[str]:
    assert {answer.json["code"] for answer in answers} == {code}
    return [answer.headers["Retry-After"] for answer in answers]


def test_e14_every_retry_after_is_spread() -> None:
    store = Away()
    table = Table(spread(store))
    person = table.people[0]
    sheets = [person.get(f"{table.path}/scoresheet") for _ in range(4)]
    assert told(sheets, "not-scored") == ["1", "2", "4", "5"]
    store.away = True
    busy = [person.get(table.path) for _ in range(4)]
    assert told(busy, "busy") == ["1", "2", "4", "5"]
    store.away = False
    table.services.notifier.close()
    going = [person.get(f"{table.path}/stream") for _ in range(4)]
    assert told(going, "not-ready") == ["1", "2", "4", "5"]


def test_e14_limits_are_spread_too() -> None:
    rates = Rates({"reads": "1/second"}, lambda: 0.0, Retries(in_turn().__next__))
    rates.check("reads", "ann")
    for seconds in (1, 2, 4, 5):
        with pytest.raises(Problem) as refused:
            rates.check("reads", "ann")
        assert refused.value.facts["retry_after"] == seconds
        assert refused.value.headers == {"Retry-After": str(seconds)}
