"""The audit: is this log whole, honest and by the rules? Offline, from the lines alone.

What each verdict means is in docs/fairness.md. A hostile log makes a verdict fail; it never
makes an audit raise.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from events.auditing.entropy import check_entropy
from events.auditing.lines import Line, check_chain, lines_of, read
from events.auditing.replay import check_draws, replay
from events.auditing.report import (
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
from events.auditing.rules import check_rules
from events.auditing.scores import check_scores
from events.auditing.seals import check_seals
from events.auditing.secrets import check_commitment, gather
from events.entry import Entry
from events.receipts import Receipt, is_signed

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
    chain = judged("chain", lambda: check_chain(found, stop))
    if stop is None:
        verdicts = (chain, *_inner_verdicts(found, whole=whole))
    else:
        verdicts = (chain, *(_not_examined(name, stop) for name in NAMES[1:-1]))
    verdicts += (_receipts(found, receipts, keys),)
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


def _inner_verdicts(found: list[Line], *, whole: bool) -> tuple[Verdict, ...]:
    secrets = gather(found)
    played = replay(found, secrets)
    return (
        judged("commitment", lambda: check_commitment(found, secrets)),
        judged("seals", lambda: check_seals(found, secrets, whole=whole)),
        judged("draws", lambda: check_draws(played)),
        judged("entropy", lambda: check_entropy(found)),
        judged("rules", lambda: check_rules(played)),
        judged("scores", lambda: check_scores(played)),
    )


def _not_examined(name: str, stop: Failed | Unsupported) -> Verdict:
    status: Status = "unsupported" if isinstance(stop, Unsupported) else "failed"
    detail = f"not examined: {stop}"
    return Verdict(name=name, status=status, detail=detail, version=stop.version)


def _receipts(
    lines: list[Line], receipts: tuple[Receipt | dict[str, Any], ...], keys: Mapping[str, str]
) -> Verdict:
    if not receipts:
        return Verdict(name="receipts", status="not-given")

    def check() -> str:
        for given in receipts:
            with entry(1):
                receipt = msgspec.convert(msgspec.to_builtins(given), Receipt, strict=True)
                with entry(receipt.version):
                    _check_receipt(lines, receipt, keys)
        return f"{len(receipts)} receipts"

    return judged("receipts", check)


def _check_receipt(lines: list[Line], receipt: Receipt, keys: Mapping[str, str]) -> None:
    version = receipt.version
    if receipt.key not in keys:
        raise Failed(version, "a receipt is signed with an unknown key", found=receipt.key)
    exact = bytes.fromhex(receipt.signature).hex() == receipt.signature
    if not exact or not is_signed(receipt, keys):
        raise Failed(version, "the signature of a receipt is not right", found=receipt.signature)
    if not lines or receipt.game != lines[0].head.game:
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


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
