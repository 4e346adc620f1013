"""From the text of its files to a card set; what is wrong is said with file, place and reason."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from domain.rulesets.hamlet_play.cardset.errors import CardSetError, Flaw
from domain.rulesets.hamlet_play.cardset.model import (
    Action,
    CardSet,
    Effect,
    Ending,
    Endings,
    Persona,
)
from domain.rulesets.hamlet_play.cardset.requirements import Id, Text
from domain.rulesets.hamlet_play.cardset.validation import validate

T = TypeVar("T")

SET, EFFECTS = "set.toml", "effects.toml"
COMMON, REGULAR, DIFFICULT = (f"endings/{pack}.toml" for pack in ("common", "regular", "difficult"))
PERSONA = re.compile(r"personae/(?P<id>[^/]+)\.toml")


class _SetFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Id
    version: Annotated[int, Meta(ge=1, lt=2**31)]
    languages: Annotated[tuple[Annotated[str, Meta(pattern="^[a-z]{2}$")], ...], Meta(min_length=1)]
    title: Text
    text: Text = {}
    personae: Annotated[tuple[Id, ...], Meta(min_length=1)]


def parse(files: Mapping[str, str]) -> CardSet:
    """The set whose files these are, by their paths from its directory, with forward slashes.

    Raises CardSetError with every flaw found, those of words and shapes before those of meaning.
    """
    return _Parser(files).card_set()


class _Parser:
    """Collects flaws while there is something left to read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = {path: text for path, text in files.items() if not path.endswith(".md")}
        self.flaws: list[Flaw] = []

    def card_set(self) -> CardSet:
        head = self._struct(_SetFile, SET, "", self._toml(SET))
        if head is None:
            raise CardSetError(self.flaws)
        self._check_paths(head.personae)
        personae = [self._persona(persona) for persona in head.personae]
        effects = self._toml(EFFECTS)
        rows = {
            name: self._listed(Effect, EFFECTS, name, effects)
            for name in ("end_of_scene", "end_of_act")
        }
        self._check_keys(EFFECTS, effects, set(rows))
        endings = self._endings()
        if self.flaws or endings is None:
            raise CardSetError(self.flaws)
        found = CardSet(
            name=head.name,
            version=head.version,
            title=head.title,
            text=head.text,
            languages=head.languages,
            personae=tuple(persona for persona in personae if persona is not None),
            end_of_scene=rows["end_of_scene"],
            end_of_act=rows["end_of_act"],
            endings=endings,
        )
        if flaws := validate(found):
            raise CardSetError(flaws)
        return found

    def _check_paths(self, personae: tuple[str, ...]) -> None:
        wanted = {f"personae/{persona}.toml" for persona in personae}
        if len(wanted) < len(personae):
            self._flaw(SET, "personae", "a persona is named twice")
        for path in sorted(set(self.files) - wanted - {SET, EFFECTS, COMMON, REGULAR, DIFFICULT}):
            reason = "set.toml does not name it" if PERSONA.fullmatch(path) else "no such file here"
            self._flaw(path, "", reason)

    def _persona(self, persona: str) -> Persona | None:
        path = f"personae/{persona}.toml"
        raw = self._toml(path)
        if raw is None:
            return None
        if "id" in raw:
            self._flaw(path, "id", "the file's name is the id")
            return None
        actions = self._listed(Action, path, "actions", raw)
        card = self._struct(Persona, path, "", raw | {"id": persona, "actions": []})
        return None if card is None else msgspec.structs.replace(card, actions=actions)

    def _endings(self) -> Endings | None:
        common = self._struct(Ending, COMMON, "", self._toml(COMMON))
        packs = []
        for path in (REGULAR, DIFFICULT):
            raw = self._toml(path)
            packs.append(self._listed(Ending, path, "endings", raw))
            self._check_keys(path, raw, {"endings"})
        if common is None:
            return None
        return Endings(common=common, regular=packs[0], difficult=packs[1])

    def _listed(
        self, kind: Callable[..., T], path: str, key: str, raw: dict[str, Any] | None
    ) -> tuple[T, ...]:
        """Each table of a list by itself, so that a flaw is told with the id of its table."""
        tables = (raw or {}).get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._flaw(path, key, f"[[{key}]] is a list of tables")
            return ()
        found = []
        for number, table in enumerate(tables, start=1):
            where = table.get("id", f"number {number}")
            found.append(self._struct(kind, path, f"{key} {where}", table))
        return tuple(one for one in found if one is not None)

    def _struct(
        self, kind: Callable[..., T], path: str, where: str, raw: dict[str, Any] | None
    ) -> T | None:
        if raw is None:
            return None
        with self._noting(path, where):
            found: T = msgspec.convert(raw, kind)
            return found
        return None

    def _toml(self, path: str) -> dict[str, Any] | None:
        if path not in self.files:
            self._flaw(path, "", "the file is missing")
            return None
        with self._noting(path, ""):
            return tomllib.loads(self.files[path])
        return None

    def _check_keys(self, path: str, raw: dict[str, Any] | None, known: set[str]) -> None:
        for key in (raw or {}).keys() - known:
            self._flaw(path, key, "unknown word")

    @contextmanager
    def _noting(self, path: str, where: str) -> Iterator[None]:
        try:
            yield
        except (msgspec.ValidationError, tomllib.TOMLDecodeError, RecursionError) as error:
            self._flaw(path, where, str(error) or "nested too deeply")

    def _flaw(self, path: str, where: str, reason: str) -> None:
        self.flaws.append(Flaw(path, where, reason))
