"""Games from outside: the rule sets that installed distributions bring, by their entry points.

    [project.entry-points."elsinore.rulesets"]
    skat = "elsinore_skat:SKAT"

What cannot be had, or may not stand beside the others, is refused by name, and the rest goes on.
"""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from domain import admission
from domain.kernel import Ruleset
from domain.registry import RULESETS, register

RULESETS_GROUP = "elsinore.rulesets"
BOTS_GROUP = "elsinore.bots"


class Refused(NamedTuple):
    """What an installed distribution brings and is not taken, and why."""

    group: str
    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        return f"{self.group}: {self.name} of {self.distribution} is refused: {self.reason}"


def load_rulesets() -> list[Refused]:
    """Registers every rule set from outside; those that are refused. Again, it changes nothing.

    Of several with one id none is taken: which of them it is would be up to the path.
    """
    found = {point: brought for point, brought in loaded(RULESETS_GROUP) if not _is_here(brought)}
    reasons = {point: _reason(point, brought) for point, brought in found.items()}
    ids = Counter(found[point].id for point, reason in reasons.items() if reason is None)
    for point, brought in found.items():
        if reasons[point] is None and ids[brought.id] > 1:
            reasons[point] = f"{ids[brought.id]} distributions bring {brought.id}"
        elif reasons[point] is None and (flaw := admission.flaw(brought)) is not None:
            reasons[point] = flaw  # beside those from outside that were taken before it
        if reasons[point] is None:
            register(brought)
    return [refused(point, reason) for point, reason in reasons.items() if reason is not None]


def loaded(group: str) -> Iterator[tuple[EntryPoint, Any]]:
    """What each entry point of a group names, in the order of names; an exception in its place."""
    points = sorted(entry_points(group=group), key=lambda point: (point.name, _distribution(point)))
    for point in points:
        try:
            yield point, point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's module may raise anything
            yield point, error


def refused(point: EntryPoint, reason: str) -> Refused:
    return Refused(point.group, point.name, _distribution(point), " ".join(reason.split()))


def could_not_load(error: BaseException) -> str:
    return f"{type(error).__name__} while it was loaded: {error}"


def _is_here(brought: Any) -> bool:
    return isinstance(brought, Ruleset) and RULESETS.get(brought.id) is brought


def _reason(point: EntryPoint, brought: Any) -> str | None:
    if isinstance(brought, BaseException):
        return could_not_load(brought)
    if isinstance(brought, Ruleset) and point.name not in {brought.name, brought.id}:
        return f"it is the rule set {brought.id}, and its entry point has another name"
    return admission.flaw(brought)


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "?"
