"""The vectors of docs/fairness.md, recomputed: the page and the code say the same bytes."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.card_games.cards import FRENCH
from domain.chance import Chain, ChainChance, words
from domain.hashing import Field, digest, keyed, message
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.visibility import Part
from events.handler import game_id_of
from events.log.entry import canonical, entry_digest, salt_of, sealed
from events.receipts import Receipt, Signer, is_signed

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


def vectors() -> dict[str, Any]:
    found = re.search(r"^```json\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert found
    read: dict[str, Any] = json.loads(found[1])
    return read


VECTORS = vectors()
DECKS = {"french": FRENCH.codes}


def chain_of(vector: dict[str, Any]) -> Chain:
    return Chain.derive(vector["game"], bytes.fromhex(vector["root"]))


def chance_of(vector: dict[str, Any], number: int = 1) -> ChainChance:
    entropy = tuple(bytes.fromhex(given or "") for given in vector["entropy"])
    return ChainChance(chain_of(vector), number, entropy, dict)


def test_d15_every_vector_of_the_page_is_tested_here() -> None:
    assert set(VECTORS) == {
        "encoding", "game_id", "command", "draws", "numbers", "secret_shuffle",
        "endings", "card_set", "seal", "root_seal", "entry", "first_entry", "receipt", "bot",
    }  # fmt: skip
    assert len(VECTORS["draws"]) == 5


def test_d15_a_message_is_its_fields_each_after_its_length() -> None:
    vector = VECTORS["encoding"]
    fields: list[Field] = [
        bytes.fromhex(f["hex"]) if isinstance(f, dict) else f for f in vector["fields"]
    ]
    assert message(vector["tag"], *fields).hex() == vector["message"]
    assert digest(vector["tag"], *fields).hex() == vector["sha256"]


def test_d15_game_and_command_ids() -> None:
    vector = VECTORS["game_id"]
    assert game_id_of(vector["player"], vector["key"]) == vector["game"]
    vector = VECTORS["command"]
    root = chain_of(vector).root
    command = keyed(root, "command", vector["game"], vector["who"], vector["key"])
    assert command[:16].hex() == vector["command"]


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=lambda vector: str(vector["purpose"]))
def test_d15_a_shuffle_from_root_and_entropy(vector: dict[str, Any]) -> None:
    chance = chance_of(vector, vector["draw"])
    assert chance.chain.commitment.hex() == vector["commitment"]
    assert chance.chain.links[vector["draw"]].hex() == vector["link"]
    key = chance.chain.links[vector["draw"]]
    stream = words(key, "draw", vector["game"], vector["purpose"], *chance.entropy)
    assert next(stream) == vector["first_word"]
    order, _ = chance.shuffle(vector["purpose"], DECKS[vector["shuffle"]])
    assert list(order[:8]) == vector["first_eight"]
    assert hashlib.sha256("".join(order).encode()).hexdigest() == vector["deck_sha256"]


@pytest.mark.parametrize("vector", VECTORS["numbers"], ids=lambda vector: str(vector["purpose"]))
def test_d15_a_pick_and_a_die(vector: dict[str, Any]) -> None:
    chance = chance_of(vector, vector["draw"])
    if vector.get("die"):
        assert chance.die(vector["purpose"])[0] == vector["result"]
    else:
        assert chance.pick(vector["purpose"], vector["pick_of"])[0] == vector["result"]


def test_d15_a_secret_shuffle() -> None:
    vector = VECTORS["secret_shuffle"]
    order = chance_of(vector).secret_shuffle(vector["purpose"], DECKS[vector["deck"]])
    assert list(order[:8]) == vector["first_eight"]


def test_d15_endings() -> None:
    vector = VECTORS["endings"]
    order = chance_of(vector).secret_shuffle(vector["purpose"], vector["pack"])
    assert list(order) == vector["order"]


def test_d15_the_digest_of_a_card_set() -> None:
    vector = VECTORS["card_set"]
    given = {"end_of_act": []} | vector["given"]
    cards = msgspec.convert(given, CardSet)
    assert cards.digest == vector["digest"]
    assert digest("card-set", vector["hashed"]).hex() == vector["digest"]


@pytest.mark.parametrize("name", ["seal", "root_seal"])
def test_d15_a_seal(name: str) -> None:
    vector = VECTORS[name]
    part = Part(vector["path"], vector["value"], (), vector["until"])
    salt = salt_of(chain_of(vector), vector["version"], part)
    assert salt.hex() == vector["salt"]
    assert sealed(vector["game"], salt, vector["value"]) == vector["sealed"]


@pytest.mark.parametrize("name", ["entry", "first_entry"])
def test_d15_an_entry_digest(name: str) -> None:
    vector = VECTORS[name]
    public = vector["public"].encode()
    assert canonical(msgspec.json.decode(public)) == public
    previous = bytes.fromhex(vector["previous"])
    assert entry_digest(vector["game"], previous, public).hex() == vector["digest"]


def test_d15_a_receipt() -> None:
    vector = VECTORS["receipt"]
    receipt = msgspec.convert(vector["receipt"], Receipt)
    entry = bytes.fromhex(receipt.digest)
    assert message("receipt", receipt.game, receipt.version, entry).hex() == vector["signed"]
    private = bytes.fromhex(vector["private_key"])
    signer = Signer(Ed25519PrivateKey.from_private_bytes(private))
    assert signer.public_key == vector["public_key"]
    assert signer.sign(receipt.game, receipt.version, entry) == receipt
    assert is_signed(receipt, {signer.key_id: vector["public_key"]})
    assert not is_signed(receipt, {})


def test_d15_the_seed_of_a_bot() -> None:
    vector = VECTORS["bot"]
    seed = keyed(chain_of(vector).root, "bot", vector["game"], vector["seat"], vector["question"])
    assert seed.hex() == vector["seed"]
