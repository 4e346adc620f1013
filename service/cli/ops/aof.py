"""The files that the log's server writes: which there are, and where what can be read of them ends.

A manifest names one base and the commands since, in files that are replayed in order. All but the
end of the last was synced before it was acknowledged; a power cut may leave half a command there,
or zeros where the file had grown already.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

AOF = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
LINE = re.compile(r'file "?([\w.-]+)"? seq (\d+) type ([bih])(?: .*)?')
FILE = re.compile(r"appendonly\.aof\.(\d+)\.(base\.rdb|base\.aof|incr\.aof)")
LONGEST_LINE = 32
"""Bytes of a count, its mark and its line end; no count of ours has so many digits."""

BLOCK = 1 << 20
SECTOR = bytes(512)
"""So many zeros are in nothing that is written here: they stand for what was not."""


def named(manifest: str) -> list[tuple[str, str]]:
    """The files that a manifest names, each with its type: b, i or h (no longer wanted).

    Raises ValueError where it is not whole.
    """
    lines = [LINE.fullmatch(line) for line in manifest.splitlines()]
    if not lines or not manifest.endswith("\n") or None in lines:
        raise ValueError("it is not whole")
    return [(line[1], line[3]) for line in lines if line is not None]


def there(directory: Path) -> list[tuple[int, str]]:
    """The files there are, each with its number, the base first."""
    found = [(FILE.fullmatch(path.name), path) for path in directory.iterdir()]
    return sorted((int(match[1]), path.name) for match, path in found if match is not None)


def flaw(directory: Path) -> str | None:
    """What a server would not see when it starts, and lose the log by: it would begin anew."""
    if not directory.is_dir():
        return None
    files = there(directory)
    if files and not (directory / MANIFEST).exists():
        return f"{directory} has a log without a manifest."
    empty = [name for _, name in files if ".base." in name and is_empty(directory / name)]
    return f"{directory / empty[0]} is empty." if empty else None


def is_empty(path: Path) -> bool:
    return path.stat().st_size == 0


def manifest_of(directory: Path) -> str:
    """A manifest of the files there are: the newest base, and every file of commands in order.

    Where a rewrite was just done, some commands are in the base as well. To replay them is
    harmless: an entry has its number, and is not taken twice.
    """
    files = there(directory)
    bases = [(number, name) for number, name in files if ".base." in name][-1:]
    lines = [f"file {name} seq {number} type b\n" for number, name in bases]
    lines += [f"file {name} seq {number} type i\n" for number, name in files if ".incr." in name]
    return "".join(lines)


def readable(path: Path) -> int:
    """Bytes up to the end of the last whole command before whatever is none."""
    with path.open("rb") as file:
        return max(_ends(file), default=0)


def goes_on(path: Path, after: int) -> bool:
    """Whether a whole command stands anywhere beyond, which no cut of the power leaves."""
    with path.open("rb") as file:
        file.seek(after + 1)
        rest = file.read()
        for found in re.finditer(rb"\*[1-9]\d*\r\n\$", rest):
            file.seek(after + 1 + found.start())
            if next(_ends(file), None) is not None:
                return True
    return False


def _ends(file: IO[bytes]) -> Iterator[int]:
    """The places where each command ends, until one does not."""
    while (count := _count(file, b"*")) is not None:
        for _ in range(count):
            size = _count(file, b"$")
            if size is None or not _skipped(file, size):
                return
        yield file.tell()


def _count(file: IO[bytes], mark: bytes) -> int | None:
    line = file.readline(LONGEST_LINE)
    if mark == b"*" and line.startswith(b"#") and line.endswith(b"\r\n"):
        return _count(file, mark)
    digits = line[1:-2]
    whole = line[:1] == mark and line[-2:] == b"\r\n" and digits.isdigit()
    return int(digits) if whole else None


def _skipped(file: IO[bytes], size: int) -> bool:
    """Whether so many bytes are there, and the line ends after them."""
    while size > 0:
        block = file.read(min(size, BLOCK))
        if not block or SECTOR in block:
            return False
        size -= len(block)
    return file.read(2) == b"\r\n"
