"""The audit: is this log whole, honest and by the rules? Offline, from the lines alone.

What each verdict means is in docs/fairness.md. A hostile log makes a verdict fail; it never
makes an audit raise.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from events.audit.entropy import check_entropy
from events.audit.keys import check_commitment, gather
from events.audit.parsing import Line, check_chain, lines_of, read, unknown_in
from events.audit.replay import check_draws, replay
from events.audit.report import (
    NAMES,
    Failed,
    Report,
    Status,
    Unsupported,
    Verdict,
    entry,
    judged,
    overall,
)
from events.audit.rules import check_rules
from events.audit.scores import check_scores
from events.audit.seals import check_seals
from events.log.entry import Entry
from events.receipts import Receipt, is_signed, key_id

__all__ = ["Report", "Verdict", "audit", "audit_feed", "import_log", "lines_of"]


def audit(
    lines: Iterable[bytes],
    *,
    receipts: Iterable[Receipt | dict[str, Any]] = (),
    keys: Mapping[str, str] | None = None,
) -> Report:
    """The verdicts on a whole log, as `Reader.log` exports it: one line per entry.

    `keys` are the public keys by their ids, hex, that `receipts` may be signed with.
    """
    return _examined(lines, tuple(receipts), keys or {}, whole=True)


def audit_feed(
    lines: Iterable[bytes],
    *,
    receipts: Iterable[Receipt | dict[str, Any]] = (),
    keys: Mapping[str, str] | None = None,
) -> Report:
    """The verdicts on what one reader was sent, from the first entry on, of a game still played."""
    return _examined(lines, tuple(receipts), keys or {}, whole=False)


def import_log(lines: Iterable[bytes]) -> list[Entry]:
    """The entries of an exported log as they were stored. Raises ValueError, naming the line."""
    found, stop = read(lines)
    if stop is not None:
        raise ValueError(f"line {stop.version}: {stop}")
    return [line.entry for line in found]


def _examined(
    lines: Iterable[bytes],
    receipts: tuple[Receipt | dict[str, Any], ...],
    keys: Mapping[str, str],
    *,
    whole: bool,
) -> Report:
    found, stop = read(lines)
    if stop is not None:
        verdicts = tuple(_not_examined(name, stop) for name in NAMES[:-1])
    elif (unknown := unknown_in(found)) is not None:
        chain = judged("chain", lambda: check_chain(found))
        verdicts = (chain, *(_not_examined(name, unknown) for name in NAMES[1:-1]))
    else:
        verdicts = _examined_in_full(found, whole=whole)
    if not receipts:
        verdicts += (Verdict(name="receipts", status="not-given"),)
    elif stop is not None:
        verdicts += (_not_examined("receipts", stop),)
    else:
        verdicts += (judged("receipts", lambda: _check_receipts(found, receipts, keys)),)
    opening = found[0].data if found else {}
    return Report(
        ok=all(verdict.status in {"ok", "not-given"} for verdict in verdicts),
        status=overall(verdicts),
        game=found[0].head.game if found else None,
        ruleset=_text(opening.get("ruleset")),
        chance=("scripted" if opening["script"] else "chain") if "script" in opening else None,
        entries=len(found),
        verdicts=verdicts,
    )


def _examined_in_full(found: list[Line], *, whole: bool) -> tuple[Verdict, ...]:
    secrets = gather(found)
    played = replay(found, secrets)
    return (
        judged("chain", lambda: check_chain(found)),
        judged("commitment", lambda: check_commitment(found, secrets)),
        judged("seals", lambda: check_seals(found, secrets, whole=whole)),
        judged("draws", lambda: check_draws(played)),
        judged("entropy", lambda: check_entropy(found)),
        judged("rules", lambda: check_rules(played)),
        judged("scores", lambda: check_scores(played)),
    )


def _not_examined(name: str, stop: Failed | Unsupported) -> Verdict:
    status: Status = "unsupported" if isinstance(stop, Unsupported) else "failed"
    detail = str(stop) if name == "chain" else f"not examined: {stop}"
    return Verdict(name=name, status=status, detail=detail, version=stop.version)


def _check_receipts(
    lines: list[Line], receipts: tuple[Receipt | dict[str, Any], ...], keys: Mapping[str, str]
) -> str:
    for given in receipts:
        with entry(1):
            stated = msgspec.to_builtins(given)
            if stated.keys() != set(Receipt.__struct_fields__):
                raise Failed(1, "a receipt has not the members it must have", found=sorted(stated))
            receipt = msgspec.convert(stated, Receipt, strict=True)
            with entry(receipt.version):
                _check_receipt(lines, receipt, keys)
    return f"{len(receipts)} receipts"


def _check_receipt(lines: list[Line], receipt: Receipt, keys: Mapping[str, str]) -> None:
    version = receipt.version
    if receipt.key not in keys or key_id(_bytes(keys[receipt.key])) != receipt.key:
        raise Failed(version, "a receipt is signed with an unknown key", found=receipt.key)
    if not _bytes(receipt.signature) or not is_signed(receipt, keys):
        raise Failed(version, "the signature of a receipt is not right", found=receipt.signature)
    if receipt.game != lines[0].head.game:
        raise Failed(version, "a receipt is for another game", found=receipt.game)
    if not 1 <= version <= len(lines):
        raise Failed(version, "a receipt is for an entry that the log does not have")
    digest = lines[version - 1].digest.hex()
    if receipt.digest != digest:
        raise Failed(
            version,
            "the log has another entry than the one the receipt is for",
            expected=receipt.digest,
            found=digest,
        )


def _bytes(text: str) -> bytes:
    """Of lower-case hex, two digits a byte."""
    found = bytes.fromhex(text)
    if found.hex() != text:
        raise ValueError("not lower-case hex")
    return found


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
