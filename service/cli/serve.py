"""`elsinore serve`: the HTTP API alone."""

import os

import click

from service.cli.errors import errors_in_sentences
from service.cli.ops.processes import GUNICORN, check_fit, on_servers


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@errors_in_sentences
def serve(host: str, port: int) -> None:
    """Serve the HTTP API on the log at REDIS_URL; without workers, no bot plays."""
    settings, log, _ = on_servers()
    check_fit(settings, log)
    settings.data.mkdir(parents=True, exist_ok=True)
    os.environ["ELSINORE_BIND"] = f"{host}:{port}"
    os.execv(GUNICORN[0], GUNICORN)  # noqa: S606
