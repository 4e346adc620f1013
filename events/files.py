"""Files written beside, synced, and then put in their place: whole or not at all."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEW_FILE = 0o666
"""The mode of a new file, but for what the umask takes away."""


def put_file(path: Path, content: bytes) -> None:
    """Puts a file of this content in the place of what is at `path`, with the mode of that.

    What is not a file, such as a pipe, is written to. Raises OSError, the file being as before.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    with written_beside(path, content) as beside:
        if path.exists():
            beside.chmod(stat.S_IMODE(path.stat().st_mode))
        beside.replace(path)


@contextmanager
def written_beside(path: Path, content: bytes, mode: int = NEW_FILE) -> Iterator[Path]:
    """A file of this content in the folder of `path`, synced, which is gone afterwards.

    The folder is synced at the end, after what was made of the file.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield beside
        sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """What was written to a file, or which files there are in a folder, is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_all(folder: Path) -> None:
    """The same for a folder and all that is in it."""
    for path in folder.rglob("*"):
        sync(path)
    sync(folder)
