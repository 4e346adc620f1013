"""What the pages show a reader to type: commands, requests and scripts, each with its place.

A test runs it by naming it as a page has it, with what comes in the place of the reader's own:

    elsinore(*typed("elsinore replay FILE", FILE=log))
    client.call(*asked("GET /v1/games/{id}/log", id=game))
    run(script("rm restored/receipt.key"))

`test_shown.py` holds the pages against these calls, in all tests and both ways, so pages need no
marks. What takes long is not left out: its test runs the same recipe or command on less, such as
`make test` on one file and `make run` on a free port.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

PROGRAMS = "elsinore|make|pytest|python|pip|pipx|export"
COMMAND = re.compile(rf"(?:{PROGRAMS}|curl) (?!…$)\S|(?:CONFIG SET|INFO|FLUSHALL)\b")
ALONE = re.compile(rf"(?:{PROGRAMS}) \S")
"""A line that is a command by itself in a block of such lines; otherwise the block is a script."""
REQUEST = re.compile(r"(?:GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS) [/…]\S*$")
SHELLS = {"sh", "bash", "shell", "console"}
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
OF_ELSINORE = re.compile(r"^\| `elsinore` \|.*\n\|[-|: ]+\|\n(?:\|.*\n)+", re.MULTILINE)
"""A table whose commands go without the program's name."""

Kind = Literal["typed", "asked", "script", "walk"]
KINDS: tuple[Kind, ...] = ("typed", "asked", "script", "walk")


class Shown(NamedTuple):
    """On a page, or in a test that names it by the function of its kind."""

    kind: Kind
    text: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text.strip()}"


# --- for the tests that run it


def typed(command: str, /, **places: object) -> list[str]:
    """The words after the program's name."""
    _, *words = shlex.split(command)
    return [_put(word, places) for word in words]


def asked(request: str, /, of: str = "", **places: object) -> tuple[str, str]:
    """Method and path; `of` is the path of a game, which a page leaves out as …"""
    method, path = request.split()
    return method, path.replace("…", of).format(**places)


def script(line: str) -> str:
    """The block that has this line."""
    [found] = [one.text for one in scripts() if line in lines_of(one)]
    return found


def walk(line: str) -> str:
    """All scripts from the one that has this line to the end of its page."""
    return "\n".join(one.text for one in walked(line))


def walked(line: str) -> list[Shown]:
    [first] = [one for one in scripts() if line in lines_of(one)]
    return [one for one in scripts() if one.file == first.file and one.line >= first.line]


def scripts() -> list[Shown]:
    return [one for one in shown() if one.kind == "script"]


def lines_of(one: Shown) -> list[str]:
    return [line.strip() for line in one.text.splitlines()]


def _put(word: str, places: dict[str, object]) -> str:
    for name, value in places.items():
        parts = re.split(rf"(?<![\w-]){re.escape(name)}(?![\w-])", word)
        word = str(value).join(parts)
    return word


# --- on the pages


@cache
def shown() -> tuple[Shown, ...]:
    return tuple(
        one
        for page in PAGES
        for one in shown_in(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)))
    )


def shown_in(text: str, file: str) -> Iterator[Shown]:
    """What a page shows: in blocks, in tables of commands, in its sentences."""

    def at(kind: Kind, words: str, offset: int) -> Shown:
        return Shown(kind, words, file, text.count("\n", 0, offset) + 1)

    for block in BLOCK.finditer(text):
        starts = [line for line in re.finditer(r"\S.*", block[2]) if plain(line[0])]
        if block[1] in {"", *SHELLS} and all(ALONE.match(plain(line[0])) for line in starts):
            yield from (at("typed", plain(li[0]), block.start(2) + li.start()) for li in starts)
        elif block[1] in SHELLS:
            yield at("script", block[2], block.start(2))
    prose = BLOCK.sub(_blank, text)
    for table in OF_ELSINORE.finditer(prose):
        for span in re.finditer(r"`([a-z][^`]*)`", table[0].partition("\n")[2]):
            offset = table.end() - len(table[0].partition("\n")[2]) + span.start()
            yield at("typed", f"elsinore {span[1]}", offset)
    for span in SPAN.finditer(OF_ELSINORE.sub(_blank, prose)):
        words = plain(span[1])
        if COMMAND.match(words):
            yield at("typed", words, span.start())
        elif REQUEST.match(words):
            yield at("asked", words, span.start())


def plain(command: str) -> str:
    """A command in one line, without where its program is and what is remarked beside it."""
    line = re.sub(r"(?:^|\s+)#.*", "", " ".join(command.split()))
    return line.removeprefix(".venv/bin/")


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


# --- in the tests


@cache
def named() -> tuple[Shown, ...]:
    return tuple(one for path in sorted(TESTS.rglob("*.py")) for one in _named_in(path))


def _named_in(path: Path) -> Iterator[Shown]:
    source = path.read_text(encoding="utf-8")
    if not any(f"{kind}(" in source for kind in KINDS):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Name(id="typed" | "asked" | "script" | "walk" as kind),
                args=[ast.Constant(value=str(text)), *_],
            ):
                yield Shown(kind, text, str(path.relative_to(ROOT)), node.lineno)
            case _:
                continue


def is_run(one: Shown) -> bool:
    """Whether some test runs it; a command without what it takes, by a test that adds that."""
    names = [name for name in named() if name.kind == one.kind]
    match one.kind:
        case "typed":
            return any(f"{name.text} ".startswith(f"{one.text} ") for name in names)
        case "asked":
            return any(name.text == one.text for name in names)
        case _:
            walks = [walked(name.text) for name in named() if name.kind == "walk"]
            lines = {name.text for name in names}
            return not lines.isdisjoint(lines_of(one)) or any(one in blocks for blocks in walks)
