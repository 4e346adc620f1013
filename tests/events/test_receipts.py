"""The key that receipts are signed with, and what its signature vouches for."""

import stat
import threading
from pathlib import Path

import msgspec
import pytest

from events.receipts import Receipt, Signer, is_signed


def test_a_key_is_made_once_and_kept_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "var" / "receipt.key"
    made = Signer.at(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_bytes()) == 32
    again = Signer.at(path)
    assert (again.key_id, again.public_key) == (made.key_id, made.public_key)
    assert Signer.at(tmp_path / "other").public_key != made.public_key


def test_processes_that_start_together_have_one_key(tmp_path: Path) -> None:
    path, start, made = tmp_path / "key", threading.Barrier(8), []

    def begin() -> None:
        start.wait()
        made.append(Signer.at(path).public_key)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [Signer.at(path).public_key] * 8


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.at(tmp_path / "key")


@pytest.fixture
def receipt(signer: Signer) -> Receipt:
    return signer.sign("a-game", 17, bytes(range(32)))


def test_a_receipt_states_what_is_signed_and_by_which_key(signer: Signer, receipt: Receipt) -> None:
    assert (receipt.game, receipt.version) == ("a-game", 17)
    assert receipt.digest == bytes(range(32)).hex()
    assert receipt.key == signer.key_id
    assert is_signed(receipt, {signer.key_id: signer.public_key})


@pytest.mark.parametrize(
    "change",
    [
        {"game": "b-game"},
        {"version": 18},
        {"digest": "00" * 32},
        {"signature": "00" * 64},
        {"key": "ffffffffffffffff"},
    ],
)
def test_a_receipt_that_was_changed_is_not_signed(
    signer: Signer, receipt: Receipt, change: dict[str, object]
) -> None:
    changed = msgspec.structs.replace(receipt, **change)
    assert not is_signed(changed, {signer.key_id: signer.public_key})


def test_a_receipt_of_another_key_is_not_signed(
    tmp_path: Path, signer: Signer, receipt: Receipt
) -> None:
    other = Signer.at(tmp_path / "other")
    assert not is_signed(receipt, {other.key_id: other.public_key})
    assert not is_signed(receipt, {signer.key_id: other.public_key})


def test_public_keys_of_the_past_stay_when_another_key_is_made(tmp_path: Path) -> None:
    path = tmp_path / "receipt.key"
    first = Signer.at(path)
    receipt = first.sign("g", 1, b"d" * 32)
    path.unlink()

    second = Signer.at(path)

    assert second.key_id != first.key_id
    assert list(second.public_keys.items()) == [
        (second.key_id, second.public_key),
        (first.key_id, first.public_key),
    ]
    assert is_signed(receipt, second.public_keys)
    assert Signer.at(path).public_keys == second.public_keys


def test_a_public_key_under_another_ones_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "receipt.key"
    first = Signer.at(path)
    (tmp_path / "public-keys" / f"{first.key_id}.pub").write_text("00" * 32)

    with pytest.raises(ValueError, match=first.key_id):
        Signer.at(path)
