"""What the commands are made of: settings, the log's server, and the runtime on it."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar
from urllib.parse import quote

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.connecting import connect
from events.errors import EventsError
from events.handler import Handler
from events.loading import Loader
from events.memory import MemoryStore
from events.reading import Reader
from events.receipts import Signer
from events.redis_store import RedisStore
from events.store import LogStore
from service.cli.embedded import DataDirectoryInUse, EmbeddedServer, EmbeddedServerError
from service.settings import InvalidSetting, Settings

P = ParamSpec("P")
R = TypeVar("R")

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
    """The URL of the log: REDIS_URL, else the server that runs on `data`, else one for now."""
    if url := read_settings().redis_url:
        yield url
        return
    server = EmbeddedServer(data / LOG, appendfsync="always")
    try:
        server.start()
    except DataDirectoryInUse:
        yield f"unix://{quote((data / LOG / 'lock').read_text())}"
        return
    try:
        yield server.url
    finally:
        server.stop()


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
    """Everything in this process, signed with a key that nobody keeps."""
    return runtime_on(MemoryStore(), Signer(Ed25519PrivateKey.generate()))


@contextmanager
def configured(data: Path) -> Iterator[Runtime]:
    """The runtime on the configured log."""
    with log_server(data) as url:
        yield runtime_on(RedisStore(connect(url)), Signer.at(key_file(data)))


def honest(command: Callable[P, R]) -> Callable[P, R]:
    """What goes wrong is said in a sentence, with a status that is not 0."""

    @wraps(command)
    def said(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except EmbeddedServerError as error:
            raise click.ClickException(str(error)) from None
        except EventsError as error:
            name = type(error).__name__
            raise click.ClickException(f"{name}: {error}" if str(error) else name) from None

    return said
