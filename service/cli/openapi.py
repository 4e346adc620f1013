"""`elsinore openapi`: the description of the API without a server behind it."""

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.accounts.players import MemoryPlayers
from events.log.memory import MemoryStore
from events.receipts import Signer
from service.app import create_app
from service.http.caching import Document
from service.live.notifier import Notifier
from service.services import build_services
from service.settings import Settings


@click.command()
def openapi() -> None:
    """Print openapi.yaml."""
    click.echo(openapi_yaml(), nl=False)


def openapi_yaml() -> str:
    """What openapi.yaml is to hold."""
    signer = Signer(Ed25519PrivateKey.generate())
    services = build_services(MemoryStore(), MemoryPlayers(), signer, Settings(), Notifier())
    description: Document = create_app(services).extensions["elsinore-openapi"]("")
    return description.body.decode()
