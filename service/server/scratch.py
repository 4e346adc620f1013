"""Where API processes count together: in memory, where the system has a place for files there.

They count in mapped files. One that cannot grow ends its process, so a full disk would end the API.
"""

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 - made for us alone, and checked to be


def counts_directory(data: Path) -> Path:
    """The place of one data directory and one user, made where it is in memory."""
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    place = MEMORY / f"elsinore-{os.getuid()}-{name}"
    with suppress(OSError):
        place.mkdir(mode=0o700, exist_ok=True)
        if not place.is_symlink() and place.stat().st_uid == os.getuid():
            return place
    return data / "metrics"


def remove_left(place: Path) -> None:
    """What killed processes of this machine left there: the names end with a process's id."""
    for left in place.parent.glob(f"{place.name.rpartition('-')[0]}-*"):
        try:
            os.kill(int(left.name.rpartition("-")[2]), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (ValueError, PermissionError):
            continue
