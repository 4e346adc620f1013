"""What is written down of a golden game, beside this module, and read again.

<name>.ndjson         the whole log          <name>.receipts      every receipt, JSON lines
<name>.key            the public key by its id  <name>.txt  the transcript
<name>.verdicts.json  the audit of the log   <name>.views    what all saw: see views.py
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from events.audit.audit import audit, import_log, lines_of
from events.transcript import transcript
from tests.golden.games import Table
from tests.golden.recipes import GAMES

HERE = Path(__file__).parent


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.ndjson"))


def log(name: str) -> list[bytes]:
    return lines_of((HERE / f"{name}.ndjson").read_bytes())


def receipts(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / f"{name}.receipts").read_bytes().splitlines()]


def keys(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((HERE / f"{name}.key").read_bytes())
    return found


def written(name: str) -> Any:
    return json.loads((HERE / name).read_bytes())


def content(table: Table) -> dict[str, bytes]:
    """The files of a golden game by suffix, but for its views."""
    lines = table.log
    report = audit(lines, receipts=table.receipts, keys=table.keys)
    return {
        ".ndjson": b"".join(line + b"\n" for line in lines),
        ".receipts": b"".join(msgspec.json.encode(r) + b"\n" for r in table.receipts),
        ".key": msgspec.json.encode(table.keys) + b"\n",
        ".verdicts.json": _pretty(msgspec.to_builtins(report)),
        ".txt": "".join(f"{line}\n" for line in transcript(import_log(lines))).encode(),
    }


def write() -> None:
    """Plays every golden game and writes its files anew, but for the views."""
    for name, played in GAMES.items():
        for suffix, data in content(played()).items():
            (HERE / f"{name}{suffix}").write_bytes(data)


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
