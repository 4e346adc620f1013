"""What the commands are made of: settings, the log's server, and the runtime on it."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.rulesets.hamlet_play.cardset.errors import CardSetError
from domain.rulesets.hamlet_play.cardset.store import CardSets
from events import cardsets
from events.handler import Handler
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import LogStore
from events.queries import Reader
from events.receipts import Signer
from events.redis.client import connect
from service.cli.errors import NoData
from service.cli.ops.embedded_valkey import DataDirectoryInUse, EmbeddedServer
from service.settings import InvalidSetting, Settings

LOG, QUEUE = "log", "queue"
"""The folders under the data directory that the two servers write in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    store: LogStore
    handler: Handler
    reader: Reader


def read_settings() -> Settings:
    try:
        return Settings.read(os.environ)
    except InvalidSetting as error:
        raise click.UsageError(str(error)) from None


def card_sets() -> CardSets:
    """Those of the house, and those of the operator."""
    try:
        return cardsets.load(read_settings().card_sets)
    except (CardSetError, cardsets.CardSetTaken) as error:
        raise click.ClickException(f"ELSINORE_CARDSETS: {error}") from None


def data_directory(given: Path | None) -> Path:
    return given if given is not None else read_settings().data


def key_file(data: Path) -> Path:
    """Where the key is kept that receipts are signed with; the API looks in the same place."""
    return data / "receipt.key"


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where log, queue and keys are kept.  [default: ELSINORE_DATA or var]",
)


@contextmanager
def log_server(data: Path) -> Iterator[str]:
    """The URL of the log: REDIS_URL, else the server that runs on `data`, else one for now.

    Where there is no data yet, this makes a place for it.
    """
    if url := read_settings().redis_url:
        yield url
        return
    server = EmbeddedServer(data / LOG, appendfsync="always")
    try:
        server.start()
    except DataDirectoryInUse:
        running = EmbeddedServer.running_on(data / LOG)
        if running is None:  # it is being started this very moment
            raise
        yield running
        return
    try:
        yield server.url
    finally:
        server.stop()


@contextmanager
def existing_log(data: Path) -> Iterator[str]:
    """The same for commands that only read: where there is no data, none is made. Raises NoData."""
    if not read_settings().redis_url and not (data / LOG / "appendonlydir").is_dir():
        raise NoData(data)
    with log_server(data) as url:
        yield url


def runtime_on(store: LogStore, signer: Signer) -> Runtime:
    loader = Loader(store)
    handler = Handler(
        store,
        signer,
        lambda: time.time_ns() // 1_000_000,
        lambda: secrets.token_bytes(32),
        loader,
    )
    return Runtime(store=store, handler=handler, reader=Reader(store, loader))


def in_memory() -> Runtime:
    """Everything in this process."""
    return runtime_on(MemoryStore(), _nobody())


@contextmanager
def reading(data: Path) -> Iterator[Runtime]:
    """The runtime on the log that is there, to be read only. Raises NoData."""
    with existing_log(data) as url:
        yield runtime_on(RedisStore(connect(url)), _nobody())


@contextmanager
def configured(data: Path) -> Iterator[Runtime]:
    """The runtime on the configured log."""
    with log_server(data) as url:
        yield runtime_on(RedisStore(connect(url)), Signer.at(key_file(data)))


def _nobody() -> Signer:
    """Signs with a key that is not kept, where nobody asks for receipts."""
    return Signer(Ed25519PrivateKey.generate())
