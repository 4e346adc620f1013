"""Elsinore is an application: it does not start among other people's packages of the same name."""

import subprocess
import sys
from pathlib import Path

import pytest

from elsinore import PACKAGES
from tests.cli.running import clean_environment
from tests.docs.shown import typed

ROOT = Path(__file__).parents[2]


def install(directory: Path, distribution: str, package: str) -> None:
    """As pip leaves a distribution with one package, which cannot be imported."""
    (directory / package).mkdir()
    (directory / package / "__init__.py").write_text("raise ImportError('not ours')\n")
    metadata = directory / f"{distribution}-5.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 5.0\n"
    )
    record = f"{package}/__init__.py,,\n{metadata.name}/METADATA,,\n{metadata.name}/RECORD,,\n"
    (metadata / "RECORD").write_text(record)


def started(*places: Path) -> subprocess.CompletedProcess[str]:
    """`elsinore --version`, where modules are looked for in these places first."""
    return subprocess.run(
        [sys.executable, "-m", "elsinore", *typed("elsinore --version")],
        env=clean_environment() | {"PYTHONPATH": ":".join(map(str, places))},
        cwd=sys.prefix,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_elsinore_says_whose_package_stands_in_the_place_of_its_own(
    package: str, tmp_path: Path
) -> None:
    install(tmp_path, "Strangers", package)

    for places in ([tmp_path, ROOT], [ROOT, tmp_path]):
        done = started(*places)

        assert done.returncode == 1
        assert done.stdout == ""
        [sentence] = done.stderr.splitlines()
        assert f"`{package}`" in sentence
        assert "another distribution, Strangers;" in sentence


def test_elsinore_starts_beside_packages_of_other_names(tmp_path: Path) -> None:
    install(tmp_path, "Strangers", "strangers")

    done = started(tmp_path, ROOT)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("elsinore, version ")
