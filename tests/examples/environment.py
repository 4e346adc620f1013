"""Environments of their own for what a page says to install, from a copy of this checkout."""

import fcntl
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.cli.running import Up, clean_environment
from tests.docs.shown import typed

ROOT = Path(__file__).parents[2]
BUILT = ("pyproject.toml", "README.md", "LICENSE", "elsinore.py")
PACKAGES = ("domain", "events", "workers", "service")
WITHOUT_A_NETWORK = {
    "PYTHONPATH": sysconfig.get_path("purelib"),
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round
    "PIP_IGNORE_INSTALLED": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
"""What is to be built is built by, and leans on, what is installed for these tests."""


class Environment:
    """In `folder`, which is or becomes a copy of this checkout, with its programs in `programs`."""

    def __init__(self, folder: Path, programs: str) -> None:
        self.folder = folder
        self.programs = folder / programs

    def make(self, recipe: str) -> None:
        """By a script of the shell; once for all processes of a run of tests."""
        with self.folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.programs.exists():
                copy_checkout(self.folder)
                self.run("bash", "-eo", "pipefail", "-c", recipe)

    @property
    def environment(self) -> dict[str, str]:
        path = [str(self.programs), str(Path(sys.executable).parent)]
        own = {"PATH": ":".join([*path, "/usr/bin", "/bin"]), "COLUMNS": "200"}
        return clean_environment() | WITHOUT_A_NETWORK | own

    def program(self, name: str) -> str:
        found = shutil.which(name, path=str(self.programs))
        assert found, f"{name} is not in {self.programs}"
        return found

    def run(self, *words: str | Path) -> str:
        """What a command says that ends well."""
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def elsinore(self, *words: str | Path) -> str:
        return self.run(self.program("elsinore"), *words)

    def up(self, data: Path) -> Up:
        """The service, from this environment."""
        elsinore = self.program("elsinore")

        class Installed(Up):
            @staticmethod
            def command(data: Path, port: int, workers: int) -> list[str]:
                places = {"8000": port, "whist-data": data}
                words = typed("elsinore up --port 8000 --data whist-data", **places)
                return [elsinore, *words, "--workers", str(workers)]

        return Installed(data, **self.environment)


def copy_checkout(folder: Path) -> None:
    """What is built, and the examples; pip leaves things where it builds."""
    folder.mkdir(exist_ok=True)
    for name in BUILT:
        shutil.copy(ROOT / name, folder / name)
    left = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    for name in (*PACKAGES, "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=left, dirs_exist_ok=True)
