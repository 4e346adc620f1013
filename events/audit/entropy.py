"""What each person brought to the chance of a game, and whether the draws used exactly that."""

import re

from events.audit.parsing import Line
from events.audit.report import Failed, NotRevealed, entry

_ENTROPY = re.compile(r"([0-9a-f]{2}){16,64}")


def check_entropy(lines: list[Line]) -> str:
    """`all`, `some` or `none` of the persons seated at the start brought entropy."""
    brought: dict[int, str | None] = {}
    persons: set[int] = set()
    share: str | None = None
    for line in lines:
        with entry(line.version):
            match line.head.type:
                case "game.opened":
                    brought = dict.fromkeys(range(len(line.data["seats"])))
                case "game.seat-taken" | "game.started" if share is not None:
                    raise Failed(line.version, "the list was frozen before")
                case "game.seat-taken":
                    _take(line, brought, persons)
                case "game.seat-left" if share is None:
                    brought[_seat(line, brought)] = None
                    persons.discard(line.data["seat"])
                case "game.started":
                    _check_frozen(line, list(brought.values()))
                    share = _share([brought[seat] for seat in persons])
                case _:
                    pass
    if share is not None:
        return share
    if lines[-1].head.type == "game.finished":
        return "none"
    raise NotRevealed("the list is frozen when the game starts")


def _take(line: Line, brought: dict[int, str | None], persons: set[int]) -> None:
    seat, given = _seat(line, brought), line.data["entropy"]
    if given is not None and not _ENTROPY.fullmatch(given):
        raise Failed(line.version, "entropy is 16 to 64 bytes in lower-case hex", found=given)
    if line.data["player"] is None and given is not None:
        raise Failed(line.version, "a bot brings no entropy", found=given)
    brought[seat] = given
    if line.data["player"] is not None:
        persons.add(seat)


def _seat(line: Line, brought: dict[int, str | None]) -> int:
    seat = line.data["seat"]
    if type(seat) is not int or seat not in brought:
        raise Failed(line.version, "there is no such seat", found=seat)
    return seat


def _check_frozen(line: Line, brought: list[str | None]) -> None:
    if line.data["entropy"] != brought:
        raise Failed(
            line.version,
            "the frozen entropy is not what those who sit brought",
            expected=brought,
            found=line.data["entropy"],
        )


def _share(brought: list[str | None]) -> str:
    given = sum(entropy is not None for entropy in brought)
    if not given:
        return "none"
    return "all" if given == len(brought) else "some"
