"""Receipts: the service's signature under the last entry a command appended (Ed25519)."""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from domain.hashing import message
from events.files import written_beside

PUBLIC_KEYS = "public-keys"
"""The folder beside the private key."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What the service vouches for: entry `version` of `game` has this digest. Hex throughout."""

    game: str
    version: int
    digest: str
    key: str
    signature: str


class Signer:
    """Signs receipts with one key. `key_id` names it, `public_key` (32 bytes, hex) checks it.

    `earlier` are the public keys by id that receipts of the past were signed with.
    """

    def __init__(
        self, private: Ed25519PrivateKey, earlier: Mapping[str, str] | None = None
    ) -> None:
        self._private = private
        public = private.public_key().public_bytes_raw()
        self.public_key = public.hex()
        self.key_id = key_id(public)
        self.earlier = {name: key for name, key in (earlier or {}).items() if name != self.key_id}

    @classmethod
    def at(cls, path: Path) -> "Signer":
        """The key kept in `path`, made there (mode 0600) the first time.

        Its public key is written into the folder beside it, and stays there when `path` is taken
        away for another key to be made.
        """
        folder = path.parent / PUBLIC_KEYS
        if not path.exists():
            _make_private(path)
        private = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
        signer = cls(private, _public_keys(folder))
        _keep_public(folder, signer)
        return signer

    @property
    def public_keys(self) -> dict[str, str]:
        """Every public key by its id, the one that signs first."""
        return {self.key_id: self.public_key} | self.earlier

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


def _make_private(path: Path) -> None:
    private = Ed25519PrivateKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    with written_beside(path, raw, 0o600) as beside, suppress(FileExistsError):
        os.link(beside, path)  # unless a process that started with this one has made it


def _public_keys(folder: Path) -> dict[str, str]:
    """The keys kept in `folder`. Raises ValueError where one is not what its name says."""
    found = {}
    for file in sorted(folder.glob("*.pub")):
        public = bytes.fromhex(file.read_text())
        if key_id(public) != file.stem:
            raise ValueError(f"{file} does not hold the key that its name says")
        found[file.stem] = public.hex()
    return found


def _keep_public(folder: Path, signer: Signer) -> None:
    """A folder that is read only has no other key made in it either."""
    file = folder / f"{signer.key_id}.pub"
    if not file.exists():
        with suppress(PermissionError):
            folder.mkdir(exist_ok=True)
            with written_beside(file, signer.public_key.encode()) as beside:
                beside.chmod(0o644)
                beside.replace(file)


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
