"""How often one may ask, and what is told to who asks more often."""

import pytest

from service.app import create_app
from service.problems.problem import Problem
from service.rate_limits import Rates
from service.retries import Retries
from service.settings import InvalidSetting, Settings, parse_limit
from tests.service.tables import Table, memory_services, some_move

AT_ONCE = Retries(lambda: 0.0)
LOBBY = Settings(limit_lobby="6/minute", heartbeat=0.001)


def refused(rates: Rates, name: str, who: str) -> int:
    with pytest.raises(Problem) as problem:
        rates.check(name, who)
    assert problem.value.headers == {"Retry-After": str(problem.value.facts["retry_after"])}
    return int(problem.value.facts["retry_after"])


def test_b25_who_waits_the_stated_seconds_is_let_in() -> None:
    now = [100.0]
    rates = Rates({"moves": "3/10 second", "reads": "off"}, lambda: now[0], AT_ONCE)
    for at in (100.0, 102.5, 104.0):
        now[0] = at
        rates.check("moves", "ann")
    assert refused(rates, "moves", "ann") == 6
    rates.check("moves", "ben")
    now[0] += 6
    rates.check("moves", "ann")
    assert refused(rates, "moves", "ann") == 3
    for _ in range(1000):
        rates.check("reads", "ann")


def test_b25_lobby_calls_are_limited_apart_from_moves_and_reads() -> None:
    table = Table(memory_services(settings=LOBBY)).sit()
    ann = table.people[0]
    body = {"ruleset": "hearts", "seats": ["me", "open", "open", "open"]}
    statuses = [ann.post("/v1/games", body).status_code for _ in range(5)]
    assert statuses == [201] * 4 + [429]
    answer = ann.post("/v1/games", body)
    assert (answer.status_code, answer.json["code"]) == (429, "too-many-requests")
    assert answer.json["limit"] == "lobby"
    assert 1 <= answer.json["retry_after"] == int(answer.headers["Retry-After"]) <= 60
    assert ann.get(table.path).status_code == 200
    assert ann.move(table.game, some_move(table.view(0))).status_code == 201
    assert table.people[1].post("/v1/games", body).status_code == 201


def test_b25_moves_and_reads_have_limits_of_their_own() -> None:
    table = Table(memory_services(settings=Settings(limit_moves="1/hour"))).sit()
    ann = table.people[0]
    move = some_move(table.view(0))
    assert ann.move(table.game, move).status_code == 201
    assert ann.move(table.game, move).json["limit"] == "moves"
    assert ann.post("/v1/tickets").status_code == 201
    reading = Table(memory_services(settings=Settings(limit_reads="2/hour")))
    answers = [reading.spectator.get(reading.path) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json["limit"] == "reads"


def test_b25_registrations_are_limited_by_address() -> None:
    table = Table(memory_services(settings=Settings(limit_registrations="6/hour")))
    first = table.client.post("/v1/players", json={"name": "Fay"})
    second = table.client.post("/v1/players", json={"name": "Guy"})
    assert (first.status_code, second.status_code) == (201, 429)
    assert second.json["limit"] == "registrations"
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    third = table.client.post("/v1/players", json={"name": "Guy"}, environ_base=elsewhere)
    assert third.status_code == 201


def test_a_dear_request_counts_for_more() -> None:
    now = [0.0]
    rates = Rates({"reads": "10/second"}, lambda: now[0], AT_ONCE)
    rates.check("reads", "ann")
    rates.charge("reads", "ann", 8)
    rates.check("reads", "ann")
    now[0] = 0.5
    assert refused(rates, "reads", "ann") == 1
    rates.check("reads", "ben")
    now[0] = 1.0
    rates.charge("reads", "ann", 9999)
    assert refused(rates, "reads", "ann") == 1
    now[0] = 2.0
    rates.check("reads", "ann")


def over(**limits: str) -> Table:
    """A finished game, after which the limits hold."""
    table = Table(memory_services()).sit()
    while table.view(0)["version"] < 200:
        table.step()
    settings = Settings(**limits)  # type: ignore[arg-type]
    services = memory_services(
        store=table.services.store, players=table.services.players, settings=settings
    )
    table.client = create_app(services).test_client()
    for person in (*table.people, table.spectator):
        person.client = table.client
    return table


@pytest.mark.parametrize(
    ("query", "allowed"),
    [("", 9), ("?at=150", 9), ("/events", 1), ("/events?after=195", 9)],
)
def test_what_is_applied_and_sent_counts_against_the_next(query: str, allowed: int) -> None:
    """Of sixteen, the first read takes seven, as it loads 200 entries; 100 kB take eleven."""
    table = over(limit_reads="16/hour")
    table.spectator.get(f"{table.path}/events?after=199")
    statuses = [table.spectator.get(table.path + query).status_code for _ in range(10)]
    assert statuses == [200] * allowed + [429] * (10 - allowed)
    assert table.people[1].get(table.path).status_code == 200


def test_reads_without_a_token_are_limited_by_address() -> None:
    table = Table(memory_services(settings=Settings(limit_open_reads="4/hour")))
    paths = ["/v1/rulesets", "/v1/keys", "/v1/rulesets/nothing", "/docs/index.css"]
    assert [table.client.get(path).status_code for path in paths] == [200, 200, 404, 200]
    for path in (*paths, "/openapi.yaml", "/docs/"):
        answer = table.client.get(path)
        assert (answer.status_code, answer.json["limit"]) == (429, "open-reads")
    for path in ("/healthz", "/readyz", "/metrics"):
        assert table.client.get(path).status_code == 200, "balancers and Prometheus are not refused"
    elsewhere = table.client.get("/v1/keys", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 200
    assert table.spectator.get(table.path).status_code == 200


@pytest.mark.parametrize("path", ["/openapi.yaml", "/docs/swagger-ui.css"])
def test_what_is_long_counts_for_more_unless_it_is_there_already(path: str) -> None:
    table = Table(memory_services(settings=Settings(limit_open_reads="100/hour")))
    etag = table.client.get(path).headers["ETag"]
    held = [table.client.get(path, headers={"If-None-Match": etag}) for _ in range(50)]
    assert {answer.status_code for answer in held} == {304}
    whole = [table.client.get(path).status_code for _ in range(9)]
    assert whole[0] == 200
    assert whole[-1] == 429


def test_a_new_token_is_no_new_start() -> None:
    table = Table(memory_services(settings=Settings(limit_lobby="2/hour")))
    ann = table.spectator
    ann.token = ann.call("POST", f"/v1/players/{ann.id}/token").json["token"]
    assert ann.post("/v1/tickets").status_code == 201
    assert ann.post("/v1/tickets").json["limit"] == "lobby"


@pytest.mark.parametrize(
    ("text", "amount", "seconds"),
    [
        ("200/second", 200, 1),
        ("2000/10 minutes", 2000, 600),
        ("3/10 second", 3, 10),
        ("7/10minutes", 7, 600),
        ("1 / hour", 1, 3600),
        ("1 per hour", 1, 3600),
        ("1per2hours", 1, 7200),
        ("5/day", 5, 86_400),
        ("5/2 days", 5, 172_800),
        ("5 per month", 5, 30 * 86_400),
        ("5 PER 2 Years", 5, 720 * 86_400),
        (" 05/minute ", 5, 60),
    ],
)
def test_a_limit_is_a_number_in_a_time(text: str, amount: int, seconds: int) -> None:
    assert parse_limit(text) == (amount, seconds)
    assert Settings.read({"ELSINORE_LIMIT_READS": text}).limit_reads == text.strip()


WRONG = ["", "many", "OFF", "5", "5/", "/second", "5//second", "-1/minute", "1.5/second",
         "0/second", "5/0 seconds", "5/fortnight", "5/s", "5/secondss", "5 6/second",
         "1/second; 5/minute"]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not like 200/second, or off"):
        parse_limit(text)


def test_limits_come_from_the_environment() -> None:
    settings = Settings.read({"ELSINORE_LIMIT_MOVES": "9/minute", "ELSINORE_LIMIT_READS": "off"})
    assert (settings.limit_moves, settings.limit_reads) == ("9/minute", "off")
    assert Settings.read({}) == Settings()
    for wrong in ("many", "0/second", "5", "-1/minute"):
        with pytest.raises(InvalidSetting, match="ELSINORE_LIMIT_LOBBY"):
            Settings.read({"ELSINORE_LIMIT_LOBBY": wrong})


def test_only_the_latest_players_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.rate_limits.KEYS_KEPT", 2)
    rates = Rates({"moves": "1/hour"}, lambda: 0.0)
    for who in ("ann", "ben", "cid", "ann"):
        rates.check("moves", who)
    refused(rates, "moves", "cid")
