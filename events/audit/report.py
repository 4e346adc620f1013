"""Verdicts: what an audit answers, and how a check stops at the first entry that fails it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from domain.kernel import IntegrityError, RuleViolation
from domain.visibility import NotKnown
from events.errors import LogBroken, UnknownSchema

Status = Literal["ok", "failed", "not-revealed", "unsupported", "not-given"]

NAMES = ("chain", "commitment", "seals", "draws", "entropy", "rules", "scores", "receipts")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question. `version` is the first entry where it fails, with both values."""

    name: str
    status: Status
    detail: str = ""
    version: int | None = None
    expected: Any = None
    found: Any = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All verdicts on one log. `chance` is `chain` or `scripted`; null where it cannot be read."""

    ok: bool
    status: Status
    game: str | None
    ruleset: str | None
    chance: str | None
    entries: int
    verdicts: tuple[Verdict, ...]

    def verdict(self, name: str) -> Verdict:
        return next(verdict for verdict in self.verdicts if verdict.name == name)


class Failed(Exception):
    """The log is not what it has to be, from entry `version` on."""

    def __init__(
        self, version: int, detail: str, *, expected: Any = None, found: Any = None
    ) -> None:
        super().__init__(detail)
        self.version = version
        self.detail = detail
        self.expected = expected
        self.found = found


class NotRevealed(Exception):
    """Nothing is wrong so far, and something is still secret."""


class Unsupported(Exception):
    """Written by rules or in a form that this release does not know. Never taken for ok."""

    def __init__(self, version: int, detail: str) -> None:
        super().__init__(detail)
        self.version = version


def judged(name: str, check: Callable[[], str]) -> Verdict:
    """The verdict of one check, which returns a detail where all is well and raises otherwise."""
    try:
        return Verdict(name=name, status="ok", detail=check())
    except Failed as failed:
        return Verdict(
            name=name,
            status="failed",
            detail=failed.detail,
            version=failed.version,
            expected=failed.expected,
            found=failed.found,
        )
    except NotRevealed as hidden:
        return Verdict(name=name, status="not-revealed", detail=str(hidden))
    except Unsupported as unknown:
        return Verdict(
            name=name, status="unsupported", detail=str(unknown), version=unknown.version
        )


@contextmanager
def entry(version: int) -> Iterator[None]:
    """Whatever goes wrong inside is the fault of entry `version`: a log may be hostile."""
    try:
        yield
    except (Failed, NotRevealed, Unsupported):
        raise
    except NotKnown as hidden:
        raise NotRevealed(f"entry {version}: {hidden}") from None
    except UnknownSchema as error:
        raise Unsupported(version, str(error)) from None
    except LogBroken as error:
        raise Failed(version, error.reason) from None
    except IntegrityError as error:
        raise Failed(version, f"integrity-error: {error}") from None
    except RuleViolation as refusal:
        if refusal.code in {"unknown-ruleset", "card-set-missing"}:
            raise Unsupported(version, f"{refusal.code}: {refusal.detail}") from None
        raise Failed(version, f"refused by {refusal.rule}: {refusal.detail}") from None
    except Exception as error:  # noqa: BLE001 - a hostile log may break anything that reads it
        raise Failed(version, f"cannot be read: {type(error).__name__}: {error}"[:300]) from None


def overall(verdicts: tuple[Verdict, ...]) -> Status:
    """The worst of several answers; a game that is not finished is not ok, and not failed."""
    found = {verdict.status for verdict in verdicts}
    worst: tuple[Status, ...] = ("failed", "unsupported", "not-revealed")
    return next((status for status in worst if status in found), "ok")
