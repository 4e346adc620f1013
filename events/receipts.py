"""Receipts: the service's signature under the last entry a command appended (Ed25519)."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from domain.tagged import message


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What the service vouches for: entry `version` of `game` has this digest. Hex throughout."""

    game: str
    version: int
    digest: str
    key: str
    signature: str


class Signer:
    """Signs receipts with one key. `key_id` names it, `public_key` (32 bytes, hex) checks it."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        public = private.public_key().public_bytes_raw()
        self.public_key = public.hex()
        self.key_id = key_id(public)

    @classmethod
    def at(cls, path: Path) -> "Signer":
        """The key kept in `path`, made there (mode 0600) the first time."""
        try:
            return cls(Ed25519PrivateKey.from_private_bytes(path.read_bytes()))
        except FileNotFoundError:
            private = Ed25519PrivateKey.generate()
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
            written, name = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(written, "wb") as file:
                file.write(raw)
            with suppress(FileExistsError):  # made by a process that started with this one
                os.link(name, path)
            Path(name).unlink()
            return cls.at(path)

    def sign(self, game: str, version: int, entry_digest: bytes) -> Receipt:
        signature = self._private.sign(message("receipt", game, version, entry_digest))
        return Receipt(
            game=game,
            version=version,
            digest=entry_digest.hex(),
            key=self.key_id,
            signature=signature.hex(),
        )


def key_id(public: bytes) -> str:
    """The name of a key: the first eight bytes of the SHA-256 of its 32 public bytes, hex."""
    return hashlib.sha256(public).digest()[:8].hex()


def is_signed(receipt: Receipt, keys: Mapping[str, str]) -> bool:
    """Whether one of `keys` (id to public key, hex) signed this receipt."""
    if receipt.key not in keys:
        return False
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(keys[receipt.key]))
    signed = message("receipt", receipt.game, receipt.version, bytes.fromhex(receipt.digest))
    try:
        public.verify(bytes.fromhex(receipt.signature), signed)
    except InvalidSignature:
        return False
    return True
