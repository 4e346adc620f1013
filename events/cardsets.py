"""Card sets from their files: the ones that come with the house, and those of an operator."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from domain.rulesets.hamlet_play.cardset.errors import CardSetError, Flaw
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.parsing import parse
from domain.rulesets.hamlet_play.cardset.store import HOUSE_SET, know, loaded, register


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


def load(directory: Path | None = None) -> None:
    """Make the sets of the house known, and those in `directory`: one set, or a folder for each.

    Raises CardSetError, and CardSetTaken where a set would take the name of another one.
    """
    for cards in packaged():
        register(cards)
    for found in _folders(directory):
        _add(read_card_set(found))


def know_all(directory: Path) -> tuple[CardSet, ...]:
    """The sets in `directory`, for the games that were played with them; none may be opened.

    Raises CardSetError.
    """
    found = tuple(read_card_set(folder) for folder in _folders(directory))
    for cards in found:
        know(cards)
    return found


def _add(cards: CardSet) -> None:
    if cards.name == HOUSE_SET:
        raise CardSetTaken(f"{cards.name} is the set of the house; give yours another name")
    known = {other.id: other.digest for other in loaded()}
    if known.get(cards.id, cards.digest) != cards.digest:
        raise CardSetTaken(f"there is another card set {cards.id}; give yours another name")
    register(cards)


def _folders(directory: Path | None) -> list[Path]:
    if directory is None:
        return []
    if (directory / "set.toml").is_file():
        return [directory]
    return sorted(found for found in directory.iterdir() if (found / "set.toml").is_file())


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
