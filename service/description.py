"""The description of the API without a server behind it."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.memory import MemoryStore
from events.players import MemoryPlayers
from events.receipts import Signer
from service.app import create_app
from service.services import wired
from service.settings import Settings
from service.wakeups import Wakeups


def openapi_yaml() -> str:
    """What openapi.yaml is to hold."""
    signer = Signer(Ed25519PrivateKey.generate())
    services = wired(MemoryStore(), MemoryPlayers(), signer, Settings(), Wakeups())
    text: str = create_app(services).extensions["elsinore-openapi"]()
    return text
