"""Whist as it lies here, and the environment that docs/a-game-of-your-own.md makes with it."""

import os
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from tests.cli.running import Up
from tests.docs.shown import script
from tests.examples.environment import ROOT, Environment


def _import_from_where_it_lies(package: str) -> None:
    """Not by the path: an install leaves metadata there, by which all tests would find the game."""
    found = ROOT / "examples" / "whist" / package / "__init__.py"
    spec = spec_from_file_location(package, found)
    assert spec
    assert spec.loader
    sys.modules[package] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[package])


_import_from_where_it_lies("elsinore_whist")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.getbasetemp()
    of_all_processes = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    made = Environment(of_all_processes / "whist-environment", programs="table/bin")
    made.make(script("pip install . ./examples/whist"))
    return made


@pytest.fixture(scope="session")
def service(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with environment.up(tmp_path_factory.mktemp("whist-service") / "data") as up:
        yield up
