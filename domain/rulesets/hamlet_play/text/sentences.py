"""Sentences about the table, in the names of the card set; in English, or in Japanese.

Without the card set its ids stand for the names.
"""

from typing import Any, assert_never

from domain.rulesets.hamlet_play.cardset.model import Card, CardSet, Effect, Ending
from domain.rulesets.hamlet_play.cardset.requirements import (
    Alive,
    BoxesChecked,
    Dead,
    HasCounter,
    HasStatus,
    Higher,
    InAct,
    IsAt,
    Needs,
    OnTrack,
    Together,
    persona_of,
)
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import subjects

Language = str
ENGLISH, JAPANESE = "en", "ja"


class Names:
    """What things are called: in one language of a card set, or by their ids without it."""

    def __init__(self, cards: CardSet | None, language: Language = ENGLISH) -> None:
        self.cards = cards
        self.japanese = language == JAPANESE
        self._language = language

    def persona(self, ref: str) -> str:
        card = self._persona(ref)
        return self._called(card, persona_of(ref).replace("-", " ").title())

    def thing(self, kind: str, ref: str) -> str:
        """A status, place or track by its ref."""
        own = ref.partition(".")[2]
        card = self._persona(ref)
        things: dict[str, Card] = {} if card is None else getattr(card, kind)
        return self._called(things.get(own), own.replace("-", " "))

    def action(self, ref: str) -> str:
        card = None if self.cards is None else self.cards.actions.get(ref)
        return self._called(card, ref)

    def choice(self, ref: str, choice: str) -> str:
        action = None if self.cards is None else self.cards.actions.get(ref)
        offered = () if action is None else action.choose
        return self._called(next((o for o in offered if o.id == choice), None), choice)

    def row(self, table: str, row: str) -> str:
        """A row of a table, `end-of-scene` or `end-of-act`."""
        rows: tuple[Effect, ...] = ()
        if self.cards is not None:
            rows = self.cards.end_of_scene if table == "end-of-scene" else self.cards.end_of_act
        return self._called(next((r for r in rows if r.id == row), None), row)

    def ending(self, ending: str) -> str:
        every: tuple[Ending, ...] = ()
        if self.cards is not None:
            packs = self.cards.endings
            every = (packs.common, *packs.regular, *packs.difficult)
        return self._called(next((e for e in every if e.id == ending), None), ending)

    def are(self, ref: str) -> str:
        card = self._persona(ref)
        return "are" if card is not None and card.plural else "is"

    def whose(self, ref: str) -> str:
        name = self.persona(ref)
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    def obstacle(self, rule: str, ref: str) -> str:
        """Why an action cannot be taken, where no requirement is the reason."""
        says = OBSTACLES[rule][self.japanese]
        return says.format(action=self.action(ref), persona=self.persona(ref), are=self.are(ref))

    def _persona(self, ref: str) -> Any:
        return None if self.cards is None else self.cards.by_id.get(persona_of(ref))

    def _called(self, card: Card | None, otherwise: str) -> str:
        if card is None:
            return otherwise
        return card.name.get(self._language) or card.name[ENGLISH]


def as_it_is(need: Needs, board: Board, act: int, names: Names) -> str:
    """How the table stands in what a requirement is about: "Laertes is in France."."""
    if not isinstance(need, Dead | Alive | InAct):
        dead = next((p for p in subjects(need) if p in board.dead), None)
        if dead is not None:
            return _says(names, dead, "死んでいる" if names.japanese else "dead")
    return (_in_japanese if names.japanese else _in_english)(need, board, act, names)


def _in_english(need: Needs, board: Board, act: int, names: Names) -> str:
    match need:
        case Alive(persona=persona) | Dead(persona=persona):
            return _says(names, persona, "dead" if persona in board.dead else "alive")
        case HasStatus(status=status):
            no = "" if status in board.statuses else "not "
            return _says(names, status, no + names.thing("statuses", status))
        case IsAt(place=place):
            now = board.places[persona_of(place)]
            return _says(names, place, names.thing("places", now))
        case OnTrack(track=track):
            return f"{names.whose(track)} {names.thing('tracks', track)} is {board.tracks[track]}."
        case HasCounter(counter=counter):
            no = "" if counter in board.counters else "not "
            return _says(names, counter, no + COUNTERS[counter.partition(".")[2]])
        case BoxesChecked(action=action):
            count = board.boxes.get(action, 0)
            boxes = "1 box" if count == 1 else f"{count} boxes"
            are = "is" if count == 1 else "are"
            return f"{boxes} of “{names.action(action)}” {are} checked."
        case Higher(higher=higher, lower=lower):
            one, other = (
                f"{names.whose(ref)} {names.thing('tracks', ref)} is {board.tracks[ref]}"
                for ref in (higher, lower)
            )
            return f"{one}, and {other}."
        case Together(personae=personae):
            at = (
                f"{names.persona(p)} {names.are(p)} {names.thing('places', board.places[p])}"
                for p in personae
            )
            return f"{', '.join(at)}."
        case InAct():
            return f"This is Act {act}."
        case _:
            assert_never(need)


def _in_japanese(  # noqa: C901 - one case for each kind
    need: Needs, board: Board, act: int, names: Names
) -> str:
    match need:
        case Alive(persona=persona) | Dead(persona=persona):
            return _says(names, persona, "死んでいる" if persona in board.dead else "生きている")
        case HasStatus(status=status):
            what = names.thing("statuses", status)
            if status in board.statuses:
                return _says(names, status, what)
            return f"{names.persona(status)}は「{what}」ではない。"
        case IsAt(place=place):
            now = board.places[persona_of(place)]
            return _says(names, place, names.thing("places", now))
        case OnTrack(track=track):
            return f"{_track(names, board, track)}。"
        case HasCounter(counter=counter):
            does, does_not = COUNTERS_JA[counter.partition(".")[2]]
            return _says(names, counter, does if counter in board.counters else does_not)
        case BoxesChecked(action=action):
            return f"「{names.action(action)}」の印は{board.boxes.get(action, 0)}個。"
        case Higher(higher=higher, lower=lower):
            return f"{_track(names, board, higher)}、{_track(names, board, lower)}。"
        case Together(personae=personae):
            at = (f"{names.persona(p)}は{names.thing('places', board.places[p])}" for p in personae)
            return f"{'、'.join(at)}。"
        case InAct():
            return f"今は第{act}幕。"
        case _:
            assert_never(need)


OBSTACLES = {
    "dead-persona": ("{persona} {are} dead.", "{persona}は死んでいる。"),
    "no-free-box": (
        "Every box of “{action}” is checked.",
        "「{action}」の印はすべて付いている。",
    ),
    "once-a-scene": (
        "“{action}” has been taken in this Scene, and something else is possible.",
        "「{action}」はこの場ですでに行われ、ほかにできることがある。",
    ),
}
COUNTERS = {"spying": "spying on Hamlet", "dying": "dying"}
COUNTERS_JA = {
    "spying": ("ハムレットを探っている", "ハムレットを探っていない"),
    "dying": ("死にかけている", "死にかけてはいない"),
}


def _track(names: Names, board: Board, track: str) -> str:
    return f"{names.persona(track)}の{names.thing('tracks', track)}は{board.tracks[track]}"


def _says(names: Names, ref: str, what: str) -> str:
    if names.japanese:
        return f"{names.persona(ref)}は{what}。"
    return f"{names.persona(ref)} {names.are(ref)} {what}."
