"""Card sets from their files: those that come with the house, and those of an operator."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from domain.rulesets.hamlet_play.cardset.errors import CardSetError, Flaw
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.parsing import parse
from domain.rulesets.hamlet_play.cardset.store import HOUSE_SET, CardSets


class CardSetTaken(ValueError):
    """Two different card sets under one name and version."""


LARGEST_FILE = 1_000_000


def read_card_set(directory: Traversable | Path) -> CardSet:
    """Raises CardSetError with every flaw found."""
    texts, flaws = {}, []
    for path, file in _files(directory):
        try:
            texts[path] = _text(file)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            flaws.append(Flaw(path, "", str(error)))
    if flaws:
        raise CardSetError(flaws)
    return parse(texts)


def packaged() -> Iterator[CardSet]:
    """The card sets that come with the house."""
    shelf = files("domain.rulesets.hamlet_play").joinpath("cards")
    if shelf.is_dir():
        for directory in sorted(shelf.iterdir(), key=lambda found: found.name):
            if directory.is_dir() and directory.joinpath("set.toml").is_file():
                yield read_card_set(directory)


def load(directory: Path | None = None) -> CardSets:
    """Those of the house, then those of an operator in `directory`: one set, or a folder for each.

    Raises CardSetError, and CardSetTaken where a set would take the name of another one.
    """
    sets = {cards.id: cards for cards in packaged()}
    for cards in all_in(directory) if directory is not None else ():
        if cards.name == HOUSE_SET:
            raise CardSetTaken(f"{cards.name} is the set of the house; give yours another name")
        if cards.id in sets and sets[cards.id].digest != cards.digest:
            raise CardSetTaken(f"there is another card set {cards.id}; give yours another name")
        sets[cards.id] = cards
    return CardSets(tuple(sets.values()))


def all_in(directory: Path) -> Iterator[CardSet]:
    """The set in `directory`, or one from each folder in it; raises CardSetError."""
    if (directory / "set.toml").is_file():
        yield read_card_set(directory)
        return
    for found in sorted(directory.iterdir()):
        if (found / "set.toml").is_file():
            yield read_card_set(found)


def _files(directory: Traversable | Path, before: str = "") -> Iterator[tuple[str, Traversable]]:
    for found in sorted(directory.iterdir(), key=lambda entry: entry.name):
        if found.name.startswith((".", "__")):
            continue
        if found.is_dir():
            yield from _files(found, f"{before}{found.name}/")
        else:
            yield f"{before}{found.name}", found


def _text(file: Traversable) -> str:
    with file.open("rb") as opened:
        content = opened.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError("the file is too large")
    return content.decode()
