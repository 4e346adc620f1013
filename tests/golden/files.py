"""What is written down of a golden game, beside this module, and read again.

<name>.ndjson         the whole log          <name>.receipts      every receipt, JSON lines
<name>.key            the public key by its id  <name>.views.json  views at some versions
<name>.verdicts.json  the audit of the log   <name>.txt           the transcript
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from domain.visibility import Viewer
from events.audit.audit import audit, import_log, lines_of
from events.log.loader import fold
from events.queries import shown
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


def views(lines: list[bytes]) -> dict[str, dict[str, Any]]:
    """Some versions of a game as each seat, a spectator and the opener see them."""
    entries = import_log(lines)
    found = {}
    for version in _versions(len(entries)):
        loaded = fold(_game(lines), entries[:version])
        viewers = {str(seat): Viewer(seat) for seat in range(len(loaded.game.seats))}
        viewers |= {"spectator": Viewer(), "opener": Viewer(opener=True)}
        found[str(version)] = {
            name: msgspec.to_builtins(shown(loaded, viewer)) for name, viewer in viewers.items()
        }
    return found


def content(table: Table) -> dict[str, bytes]:
    """Every file of a golden game by its suffix."""
    lines = table.log
    report = audit(lines, receipts=table.receipts, keys=table.keys)
    return {
        ".ndjson": b"".join(line + b"\n" for line in lines),
        ".receipts": b"".join(msgspec.json.encode(r) + b"\n" for r in table.receipts),
        ".key": msgspec.json.encode(table.keys) + b"\n",
        ".views.json": _pretty(views(lines)),
        ".verdicts.json": _pretty(msgspec.to_builtins(report)),
        ".txt": "".join(f"{line}\n" for line in transcript(import_log(lines))).encode(),
    }


def write() -> None:
    """Plays every golden game and writes its files anew."""
    for name, played in GAMES.items():
        for suffix, data in content(played()).items():
            (HERE / f"{name}{suffix}").write_bytes(data)


def _versions(last: int) -> list[int]:
    """The first, the last, and a few between."""
    return sorted({1, last} | {max(1, last * part // 7) for part in (1, 3, 5)} | {min(last, 12)})


def _game(lines: list[bytes]) -> str:
    found: str = json.loads(lines[0])["game"]
    return found


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
