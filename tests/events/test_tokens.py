"""Tokens are issued, replaced and revoked; nothing is lost by a loss in between."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fakeredis
import pytest

from events.accounts.redis_tokens import RedisTokens
from events.accounts.tokens import SCOPES, Identity, MemoryTokens, TokenRecords, Tokens, token_hash
from events.errors import Busy

ANN = "p_ann"
AUDIT = frozenset({"audit"})
WHOLE = Identity(ANN, SCOPES)


@pytest.fixture(
    params=["memory", "fakeredis", *(pytest.param(name, marks=pytest.mark.processes)
                                     for name in ("valkey", "cluster"))]
)  # fmt: skip
def records(request: pytest.FixtureRequest) -> TokenRecords:
    match request.param:
        case "memory":
            return MemoryTokens()
        case "fakeredis":
            return RedisTokens(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
        case "valkey":
            return RedisTokens(request.getfixturevalue("log_redis"))
        case _:
            return RedisTokens(request.getfixturevalue("cluster_client"))


@pytest.fixture
def tokens(records: TokenRecords) -> Tokens:
    return Tokens(records)


class Failing:
    """The same records; the call after `steps` of them is done, or not, and never answered."""

    def __init__(self, records: TokenRecords, steps: int, *, done: bool) -> None:
        self._records, self._steps, self._done = records, steps, done

    def __getattr__(self, name: str) -> Callable[..., Any]:
        step = getattr(self._records, name)

        def asked(*args: Any) -> Any:
            self._steps -= 1
            if self._steps >= 0:
                return step(*args)
            if self._steps == -1 and self._done:
                step(*args)
            raise Busy

        return asked


def interrupted(records: TokenRecords, act: Callable[[Tokens], object]) -> Iterator[None]:
    """`act` on a store that answers no step of it, then one, then two, until it is done."""
    for number in itertools.count():
        failing: Any = Failing(records, number // 2, done=number % 2 == 1)
        try:
            act(Tokens(failing))
        except Busy:
            yield
        else:
            yield
            return


def test_a_token_is_good_until_the_one_that_replaces_it_is_used(tokens: Tokens) -> None:
    first = tokens.issue(ANN)
    second = tokens.replace(first)
    assert second is not None
    assert second != first
    assert tokens.identify(first) == WHOLE
    assert tokens.identify(second) == WHOLE
    assert tokens.identify(first) is None
    assert tokens.replace(first) is None
    assert tokens.identify(second) == WHOLE


def test_who_asks_again_is_given_the_same(tokens: Tokens) -> None:
    first = tokens.issue(ANN)
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: tokens.replace(first), range(8)))
    assert len(made) == 1
    assert made == {tokens.replace(first, SCOPES)}


def test_with_other_scopes_the_last_counts(tokens: Tokens) -> None:
    first = tokens.issue(ANN)
    whole, narrow = tokens.replace(first), tokens.replace(first, AUDIT)
    assert whole is not None
    assert narrow is not None
    assert tokens.identify(whole) is None
    assert tokens.identify(first) == WHOLE
    assert tokens.identify(narrow) == Identity(ANN, AUDIT)
    assert tokens.identify(first) is tokens.identify(whole) is None
    third = tokens.replace(narrow)
    assert third is not None
    assert tokens.identify(third) == Identity(ANN, AUDIT)


def test_a_revoked_token_takes_the_one_along_that_was_to_replace_it(tokens: Tokens) -> None:
    first, other = tokens.issue(ANN), tokens.issue("p_ben")
    second = tokens.replace(first)
    assert second is not None
    for _ in range(2):
        tokens.revoke(first)
        assert tokens.identify(first) is tokens.identify(second) is None
        assert tokens.replace(first) is None
    assert tokens.identify(other) is not None


def test_a_token_that_is_issued_again_ends_whatever_was_before(tokens: Tokens) -> None:
    first = tokens.issue(ANN)
    second = tokens.replace(first)
    third = tokens.issue(ANN, AUDIT)
    assert second is not None
    assert tokens.identify(third) == Identity(ANN, AUDIT)
    assert tokens.identify(first) is tokens.identify(second) is None
    fourth = tokens.replace(third)
    assert fourth is not None
    assert tokens.identify(fourth) is not None
    tokens.issue(ANN)
    assert tokens.identify(fourth) is None


def test_a_replacement_interrupted_anywhere_loses_no_token(
    records: TokenRecords, tokens: Tokens
) -> None:
    first = tokens.issue(ANN)
    for _ in interrupted(records, lambda failing: failing.replace(first)):
        assert tokens.identify(first) == WHOLE
    second = tokens.replace(first)
    assert second is not None
    assert tokens.replace(first) == second
    assert tokens.identify(second) == WHOLE
    assert tokens.identify(first) is None


def test_a_first_use_interrupted_anywhere_is_made_good_by_the_next(
    records: TokenRecords,
) -> None:
    tokens = Tokens(records)
    for steps, done in itertools.product(range(6), (False, True)):
        first = tokens.issue(ANN)
        second = tokens.replace(first)
        assert second is not None
        failing: Any = Failing(records, steps, done=done)
        with contextlib.suppress(Busy):
            assert Tokens(failing).identify(second) == WHOLE
        assert WHOLE in {tokens.identify(first), tokens.identify(second)}
        assert tokens.identify(second) == WHOLE
        assert tokens.identify(first) is None
        tokens.issue(ANN)
        assert tokens.identify(second) is None


def test_a_revocation_interrupted_anywhere_is_done_by_the_next(
    records: TokenRecords, tokens: Tokens
) -> None:
    for steps, done in itertools.product(range(5), (False, True)):
        first = tokens.issue(ANN)
        second = tokens.replace(first)
        assert second is not None
        failing: Any = Failing(records, steps, done=done)
        with contextlib.suppress(Busy):
            Tokens(failing).revoke(first)
        if tokens.identify(first) is None:
            assert tokens.identify(second) is None
        tokens.revoke(first)
        assert tokens.identify(first) is tokens.identify(second) is None


def test_a_token_issued_again_with_interruptions_leaves_one(
    records: TokenRecords, tokens: Tokens
) -> None:
    first = tokens.issue(ANN)
    made = [first]

    def issue(failing: Tokens) -> None:
        made.append(failing.issue(ANN))

    for _ in interrupted(records, issue):
        pass
    assert [token for token in made if tokens.identify(token)] == [made[-1]]
    assert len(made) == 2


def test_what_is_stored_does_not_make_the_next_token() -> None:
    client: Any = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    tokens = Tokens(RedisTokens(client))
    first = tokens.issue(ANN)
    second = tokens.replace(first)
    assert second is not None
    stored = repr([client.hgetall(key) for key in client.scan_iter()])
    assert token_hash(first) in stored
    assert token_hash(second) in stored
    for token in (first, second):
        assert token.removeprefix("elt_") not in stored


def test_of_an_ended_token_nothing_stays() -> None:
    client: Any = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    tokens = Tokens(RedisTokens(client))
    first = tokens.issue(ANN)
    second = tokens.replace(first)
    assert second is not None
    tokens.identify(second)
    tokens.revoke(tokens.issue("p_ben"))
    lasting = {key for key in client.scan_iter("el:token:*") if client.ttl(key) < 0}
    assert lasting == {b"el:token:" + token_hash(second).encode()}
