"""`elsinore openapi`: the description of the API."""

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.memory import MemoryStore
from events.players import MemoryPlayers
from events.receipts import Signer
from service.app import create_app
from service.services import wired
from service.settings import Settings
from service.wakeups import Wakeups


@click.command()
def openapi() -> None:
    """Print openapi.yaml."""
    services = wired(
        MemoryStore(),
        MemoryPlayers(),
        Signer(Ed25519PrivateKey.generate()),
        Settings(),
        Wakeups(),
    )
    click.echo(create_app(services).extensions["elsinore-openapi"](), nl=False)
