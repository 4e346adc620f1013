"""Given, when, then for Hamlet!, in the refs of the tiny card set, with lines added."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain import kernel
from domain.chance import Draw
from domain.kernel import RuleViolation
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.parsing import parse
from domain.rulesets.hamlet_play.cardset.requirements import Alive, Dead, Needs, persona_of
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.engine.board import Board, opening
from domain.rulesets.hamlet_play.engine.consequences import consequence
from domain.rulesets.hamlet_play.model import (
    ActionTaken,
    HamletPlayOptions,
    HamletPlayState,
    HeldEnding,
    TakeAction,
)
from events.cardsets import packaged
from tests.chances import QuickChance
from tests.tables import Table

TINY_DIRECTORY = Path(__file__).parents[2] / "cardsets" / "tiny"
FILES: Mapping[str, str] = {
    path.relative_to(TINY_DIRECTORY).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(TINY_DIRECTORY.rglob("*.toml"))
}

NEVER: tuple[Needs, ...] = (Alive(persona="horatio"), Dead(persona="horatio"))


# --- given: cards


@cache
def house() -> CardSet:
    (cards,) = packaged()
    return cards


def tiny() -> CardSet:
    return written({})


def written(added: Mapping[str, str], name: str = "tiny") -> CardSet:
    """The tiny set with lines added at the end of some files."""
    return _parsed(name, tuple(sorted(added.items())))


@cache
def _parsed(name: str, added: tuple[tuple[str, str], ...]) -> CardSet:
    files = dict(FILES)
    files["set.toml"] = files["set.toml"].replace('"tiny"', f'"{name}"')
    for path, text in added:
        files[path] += text
    return parse(files)


def action(persona: str, ident: str, lines: str = "", name: str = "another") -> CardSet:
    """The tiny set with one more action on a card."""
    text = f'\n[[actions]]\nid = "{ident}"\nname = {{ en = "{ident}", ja = "{ident}" }}\n{lines}\n'
    return written({f"personae/{persona}.toml": text}, f"{name}-{persona}-{ident}")


def row(table: str, ident: str, lines: str) -> CardSet:
    """The tiny set with one more row of a table."""
    text = f'\n[[{table}]]\nid = "{ident}"\nname = {{ en = "{ident}", ja = "{ident}" }}\n{lines}\n'
    return written({"effects.toml": text}, f"row-{ident}")


# --- given: the table


def playing(*cards: CardSet) -> Any:
    """The rule set with these card sets."""
    return hamlet_play(CardSets(cards))


RULESET: Any = playing(house(), tiny())


def position(
    cards: CardSet | None = None,
    *,
    seats: int = 2,
    act: int = 1,
    scene: int = 1,
    taken: Iterable[str] = (),
    first_player: int = 0,
    dead: str = "",
    marks: str = "",
    at: str = "",
    tracks: Mapping[str, int] | None = None,
    boxes: Mapping[str, int] | None = None,
    endings: Mapping[int, tuple[Needs, ...]] | None = None,
) -> HamletPlayState:
    """A table in a Scene. `marks` are statuses and counters, `at` places, all as refs.

    Endings not given are such as cannot hold.
    """
    cards = cards or tiny()
    table = Table(playing(cards), QuickChance(0), options=options(cards), seats=seats)
    counters = {ref for ref in marks.split() if ref.endswith((".spying", ".dying"))}
    board = opening(cards)
    board = Board(
        dead=frozenset(dead.split()),
        statuses=frozenset(marks.split()) - counters,
        counters=frozenset(counters),
        places=board.places | {persona_of(ref): ref for ref in at.split()},
        tracks=board.tracks | dict(tracks or {}),
        boxes=dict(boxes or {}),
    )
    held = [HeldEnding(id=f"of-{seat}", lines=NEVER) for seat in range(seats)]
    for seat, lines in (endings or {}).items():
        held[seat] = HeldEnding(id=f"of-{seat}", lines=lines)
    return replace(
        table.state,
        board=board,
        act=act,
        scene=scene,
        taken=tuple(taken),
        first_player=first_player,
        endings=tuple(held),
    )


def options(cards: CardSet, **more: Any) -> HamletPlayOptions:
    return HamletPlayOptions(card_set=cards.id, card_set_digest=cards.digest, **more)


class Dice(QuickChance):
    """Dice that show these faces, one after the other; nothing else may be asked of chance."""

    def __init__(self, *faces: int) -> None:
        super().__init__(seed=0)
        self.faces = list(faces)
        self.purposes: list[str] = []

    def die(self, purpose: str) -> tuple[int, Draw]:
        self.purposes.append(purpose)
        return self.faces.pop(0), self._draw(purpose, link="00")


# --- when


def take(
    state: HamletPlayState, ref: str, choice: str | None = None, *, dice: Dice | None = None
) -> tuple[tuple[Any, ...], HamletPlayState]:
    """The current player takes an action. What follows from it, without it, and the table then."""
    chance = dice or Dice()

    def table_goes_on(after: HamletPlayState) -> Any:
        event = consequence(after, chance)
        chance.note(event)
        return event

    (taken, *following), after = kernel.decide(
        state, accepted(state, ref, choice), RULESET.evolve, table_goes_on
    )
    assert isinstance(taken, ActionTaken)
    return tuple(following), after


def accepted(state: HamletPlayState, ref: str, choice: str | None = None) -> Any:
    asked = RULESET.question(state, state.current)
    move = TakeAction(answers=asked, action=ref, choice=choice)
    return RULESET.accept(state, state.current, move)


# --- then


def legal(state: HamletPlayState) -> list[str]:
    """The actions that may be taken, each once, in the order of the cards."""
    moves = RULESET.legal_moves(state, state.current).moves
    return list(dict.fromkeys(move.action for move in moves))


def refused(state: HamletPlayState, ref: str, choice: str | None = None) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        accepted(state, ref, choice)
    return refusal.value


def told(events: Iterable[Any]) -> list[str]:
    """The kinds of some events, in order: `track-moved`, `scene-ended`."""
    return [str(event.__struct_config__.tag).partition(".")[2] for event in events]


def only(events: Iterable[Any], kind: type) -> Any:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found
