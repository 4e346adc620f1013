"""Players, names and tokens: one contract, three back ends."""

import re

import fakeredis
import pytest
import redis

from events.accounts.players import MemoryPlayers, Player, PlayerStore, RedisPlayers
from events.accounts.tokens import SCOPES, Identity, token_hash
from events.errors import Busy, UnknownPlayer


def fake() -> redis.Redis:
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture(params=["memory", "fakeredis", pytest.param("valkey", marks=pytest.mark.processes)])
def players(request: pytest.FixtureRequest) -> PlayerStore:
    match request.param:
        case "memory":
            return MemoryPlayers()
        case "fakeredis":
            return RedisPlayers(fake())
        case _:
            return RedisPlayers(request.getfixturevalue("log_redis"))


def test_a_new_player_has_an_id_a_name_and_a_token(players: PlayerStore) -> None:
    player, token = players.create("Ann")
    assert re.fullmatch(r"p_[a-z2-7]{16}", player.id)
    assert re.fullmatch(r"elt_[A-Za-z0-9_-]{43}", token)
    assert player.name == "Ann"
    assert players.get(player.id) == player


def test_no_two_players_share_anything_but_a_name(players: PlayerStore) -> None:
    made = [players.create("Ann") for _ in range(50)]
    assert len({player.id for player, _ in made}) == len({token for _, token in made}) == 50


def test_a_token_stands_for_its_player(players: PlayerStore) -> None:
    ann, ann_token = players.create("Ann")
    ben, ben_token = players.create("Ben")
    assert players.tokens.identify(ann_token) == Identity(ann.id, SCOPES)
    assert players.tokens.identify(ben_token) == Identity(ben.id, SCOPES)


@pytest.mark.parametrize("wrong", ["", "elt_", "elt_" + "A" * 43, "Ann", "🂡", "é"])
def test_any_other_token_is_nobodys(players: PlayerStore, wrong: str) -> None:
    ann, token = players.create("Ann")
    for text in (wrong, token[:-1], token + "x", token.upper(), token_hash(token), ann.id):
        assert players.tokens.identify(text) is None


def test_a_name_is_changed_and_erased(players: PlayerStore) -> None:
    ann, token = players.create("Ann")
    assert players.rename(ann.id, "Änne 🂡") == Player(ann.id, "Änne 🂡")
    assert players.get(ann.id).name == "Änne 🂡"
    assert players.rename(ann.id, None) == Player(ann.id, None)
    assert players.get(ann.id) == Player(ann.id, None)
    assert players.tokens.identify(token) is not None
    assert players.rename(ann.id, "Ann").name == "Ann"


def test_who_is_not_there_is_unknown(players: PlayerStore) -> None:
    with pytest.raises(UnknownPlayer):
        players.get("p_nobody")
    for name in ("Ann", None):
        with pytest.raises(UnknownPlayer):
            players.rename("p_nobody", name)
    with pytest.raises(UnknownPlayer):
        players.get("p_nobody")


def test_names_are_looked_up_together(players: PlayerStore) -> None:
    ann, _ = players.create("Ann")
    ben, _ = players.create("Ben")
    players.rename(ben.id, None)
    asked = [ann.id, ben.id, "p_nobody", ann.id]
    assert players.names(asked) == {ann.id: "Ann", ben.id: None, "p_nobody": None}
    assert players.names([]) == {}


def test_only_the_hash_of_a_token_is_stored() -> None:
    client = fake()
    _, token = RedisPlayers(client).create("Ann")
    keys = sorted(key.decode() for key in client.scan_iter())
    assert [key.rpartition(":")[0] for key in keys] == ["el:player", "el:token"]
    stored = repr([(key, client.hgetall(key)) for key in keys])
    assert token not in stored
    assert token.removeprefix("elt_") not in stored
    assert token_hash(token) in stored


def test_an_erased_name_is_gone_from_the_store() -> None:
    client = fake()
    players = RedisPlayers(client)
    ann, _ = players.create("Annabella")
    players.rename(ann.id, None)
    assert not any(b"Annabella" in client.hgetall(key).values() for key in client.scan_iter())


def test_d04_ids_and_tokens_are_of_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every random byte known, both are; so nothing else went into them."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"\x00" * size)
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: "0" * size)
    player, token = MemoryPlayers().create("Ann")
    assert (player.id, token) == ("p_" + "a" * 16, "elt_" + "0" * 32)


def test_a_store_that_does_not_answer_is_busy() -> None:
    server = fakeredis.FakeServer()
    players = RedisPlayers(fakeredis.FakeRedis(server=server))
    ann, token = players.create("Ann")
    server.connected = False
    for ask in (
        lambda: players.create("Ben"),
        lambda: players.get(ann.id),
        lambda: players.rename(ann.id, None),
        lambda: players.tokens.identify(token),
        lambda: players.names([ann.id]),
    ):
        with pytest.raises(Busy):
            ask()
