"""What a rule set tells of itself: its moves and events with their schemas, its rules as text."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.game.model import LIFECYCLE_EVENTS
from domain.kernel import Event, Ruleset, type_name
from domain.visibility import audiences
from service.http.schemas import answers
from service.problems.locale import LANGUAGES
from service.problems.titles_ja import Language

_RULING = re.compile(
    r"^#+ (?P<id>[A-Z]{2}-[0-9]+)(?:[:.] *(?P<title>.*))?\n(?P<text>(?:(?!#).*\n?)*)", re.MULTILINE
)

_ALONE = re.compile(r" *[#|]")
_BEGINS = re.compile(r" *(?:$|[#|]|[-*] |[0-9]+\. )")
_WIDE = re.compile(r"[^\x00-\u2fff]{2}|[\u3000-\u303f\uff00-\uff0f\uff1a-\uff1f]")
"""Where a line break is no space: between two Japanese characters, and beside a mark of theirs."""


def summary(ruleset: Ruleset[Any], prefix: str = "") -> answers.RulesetSummary:
    """`prefix` is the path below which the service is served."""
    return answers.RulesetSummary(
        name=ruleset.name,
        version=ruleset.version,
        id=ruleset.id,
        title=ruleset.title,
        seats=ruleset.seat_counts,
        links={"self": f"{prefix}/v1/rulesets/{ruleset.name}"},
    )


def description(
    ruleset: Ruleset[Any], language: Language = "en", prefix: str = ""
) -> answers.Ruleset:
    text = rules_text(ruleset, language)
    return answers.Ruleset(
        **msgspec.structs.asdict(summary(ruleset, prefix)),
        options=msgspec.json.schema(ruleset.options),
        moves=tuple(
            answers.MoveType(type=type_name(move), json_schema=msgspec.json.schema(move))
            for move in ruleset.moves
        ),
        events=tuple(_event(kind) for kind in (*LIFECYCLE_EVENTS, *ruleset.events)),
        rules=text,
        rulings=rulings(text),
    )


def languages_of(ruleset: Ruleset[Any]) -> list[Language]:
    """The languages its rules page is written in."""
    return [language for language in LANGUAGES if rules_text(ruleset, language)]


@cache
def rules_text(ruleset: Ruleset[Any], language: Language = "en") -> str:
    """The rules page (Markdown); empty for a rule set that brings none in this language."""
    if not ruleset.package:
        return ""
    try:
        page = files(ruleset.package).joinpath(f"rules.{language}.md")
        text = page.read_text(encoding="utf-8")
    except (FileNotFoundError, ModuleNotFoundError):
        return ""
    return _unwrapped(text) if language == "ja" else text


def rulings(text: str) -> tuple[answers.Ruling, ...]:
    """Every section of a rules page whose heading is a ruling's number, such as `HE-3: the end`."""
    return tuple(
        answers.Ruling(
            id=found["id"], title=found["title"] or "", text=" ".join(found["text"].split())
        )
        for found in _RULING.finditer(text)
    )


def _unwrapped(text: str) -> str:
    """Each paragraph and list item on one line: Markdown makes a space of a line break."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and lines[-1] and not _ALONE.match(lines[-1]) and not _BEGINS.match(line):
            before, after = lines[-1], line.lstrip()
            lines[-1] = f"{before}{'' if _WIDE.search(before[-1] + after[0]) else ' '}{after}"
        else:
            lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _event(kind: type[Event]) -> answers.EventType:
    return answers.EventType(
        type=type_name(kind),
        schema=kind.schema,
        json_schema=msgspec.json.schema(kind),
        visibility={
            name: {"to": audience.to}
            if audience.to == "everyone"
            else {"to": audience.to, "until": audience.until}
            for name, audience in audiences(kind)
        },
    )
