"""`elsinore openapi`: the description of the API."""

import click

from service.description import openapi_yaml


@click.command()
def openapi() -> None:
    """Print openapi.yaml."""
    click.echo(openapi_yaml(), nl=False)
