"""The vectors at the end of docs/fairness.md, by the functions of this checker."""

import base64
import hashlib
import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.games.hamlet_play import cardset
from tests.independent import scheme

PAGE = Path(__file__).parent / "../../docs/fairness.md"
FENCED = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
VECTORS: dict[str, Any] = json.loads(FENCED[-1])
LINKS = 1024


def link(vector: dict[str, Any], number: int) -> bytes:
    root = scheme.unhex(vector["root"])
    return scheme.walk_back(vector["game"], root, LINKS - number)


def stream(vector: dict[str, Any]) -> Any:
    key = link(vector, vector["draw"])
    return scheme.words(key, vector["game"], vector["purpose"], vector["entropy"])


def test_each_vector_has_a_test() -> None:
    assert len(FENCED) == 1
    assert set(VECTORS) == {
        *("encoding", "game_id", "draws", "numbers", "secret_shuffle", "seal", "root_seal"),
        *("endings", "card_set"),
        *("entry", "first_entry", "receipt", "command", "bot"),
    }


def test_encoding() -> None:
    vector = VECTORS["encoding"]
    fields = [bytes.fromhex(f["hex"]) if isinstance(f, dict) else f for f in vector["fields"]]
    assert scheme.message(vector["tag"], *fields).hex() == vector["message"]
    assert scheme.plain_hash(vector["tag"], *fields).hex() == vector["sha256"]


def test_game_id() -> None:
    vector = VECTORS["game_id"]
    first = scheme.plain_hash("game-id", vector["player"], vector["key"])[:16]
    assert base64.b32encode(first).decode().rstrip("=").lower() == vector["game"]


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=lambda v: f"{v['game']}-{v['draw']}")
def test_draw(vector: dict[str, Any]) -> None:
    key = link(vector, vector["draw"])
    assert key.hex() == vector["link"]
    assert link(vector, 0).hex() == vector["commitment"]
    assert scheme.walk_back(vector["game"], key, vector["draw"]).hex() == vector["commitment"]
    assert list(islice(stream(vector), 1)) == [vector["first_word"]]
    assert vector["shuffle"] == "french"
    cards = scheme.shuffle(scheme.FRENCH, stream(vector))
    assert cards[:8] == vector["first_eight"]
    assert hashlib.sha256("".join(cards).encode()).hexdigest() == vector["deck_sha256"]


@pytest.mark.parametrize("vector", VECTORS["numbers"], ids=lambda v: v["purpose"])
def test_number(vector: dict[str, Any]) -> None:
    if vector.get("die"):
        assert scheme.below(6, stream(vector)) + 1 == vector["result"]
    else:
        assert scheme.below(vector["pick_of"], stream(vector)) == vector["result"]


def test_secret_shuffle() -> None:
    vector = VECTORS["secret_shuffle"]
    assert vector["deck"] == "french"
    place = (vector["game"], vector["purpose"], vector["entropy"])
    words = scheme.words(scheme.unhex(vector["root"]), *place, tag="secret-draw")
    assert scheme.shuffle(scheme.FRENCH, words)[:8] == vector["first_eight"]


def test_endings() -> None:
    vector = VECTORS["endings"]
    place = (vector["game"], vector["purpose"], vector["entropy"])
    words = scheme.words(scheme.unhex(vector["root"]), *place, tag="secret-draw")
    assert scheme.shuffle(vector["pack"], words) == vector["order"]


def test_card_set() -> None:
    vector = VECTORS["card_set"]
    cards = cardset.from_answer(vector["given"])
    assert scheme.encode(cards).decode() == vector["hashed"]
    hashed = scheme.message("card-set", vector["hashed"])
    assert hashlib.sha256(hashed).hexdigest() == cardset.digest(cards) == vector["digest"]


@pytest.mark.parametrize("name", ["seal", "root_seal"])
def test_seal(name: str) -> None:
    vector = VECTORS[name]
    key = link(vector, LINKS if vector["until"] == "game" else vector["until"])
    salt = scheme.salt_of(key, vector["game"], vector["version"], vector["path"])
    assert salt.hex() == vector["salt"]
    assert scheme.seal_of(vector["game"], salt, vector["value"]) == vector["sealed"]


@pytest.mark.parametrize("name", ["entry", "first_entry"])
def test_digest(name: str) -> None:
    vector = VECTORS[name]
    public, previous = vector["public"].encode(), bytes.fromhex(vector["previous"])
    assert scheme.encode(json.loads(public)) == public
    digest = scheme.plain_hash("entry", vector["game"], previous, public)
    assert digest.hex() == vector["digest"]


def test_receipt() -> None:
    vector, receipt = VECTORS["receipt"], VECTORS["receipt"]["receipt"]
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private_key"]))
    public = private.public_key().public_bytes_raw()
    assert public.hex() == vector["public_key"]
    assert hashlib.sha256(public).digest()[:8].hex() == receipt["key"]
    digest = scheme.unhex(receipt["digest"])
    signed = scheme.message("receipt", receipt["game"], receipt["version"], digest)
    assert signed.hex() == vector["signed"]
    assert private.sign(signed).hex() == receipt["signature"]
    private.public_key().verify(scheme.unhex(receipt["signature"], 64), signed)
    assert (receipt["game"], receipt["digest"]) == (
        VECTORS["entry"]["game"],
        VECTORS["entry"]["digest"],
    )


def test_command_id() -> None:
    vector = VECTORS["command"]
    fields = (vector["game"], vector["who"], vector["key"])
    digest = scheme.keyed_hash(scheme.unhex(vector["root"]), "command", *fields)
    assert digest[:16].hex() == vector["command"]


def test_seed_of_a_bot() -> None:
    vector = VECTORS["bot"]
    fields = (vector["game"], vector["seat"], vector["question"])
    seed = scheme.keyed_hash(scheme.unhex(vector["root"]), "bot", *fields)
    assert seed.hex() == vector["seed"]
