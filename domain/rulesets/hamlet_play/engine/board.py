"""The cards on the table as they stand: what is checked, where tokens are, who is dead."""

from typing import Any

import msgspec

from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import COUNTERS, persona_of


class Board(msgspec.Struct, frozen=True):
    """`places` are refs by persona, `tracks` and checked `boxes` numbers by ref; boxes of which
    none is checked are left out. Nothing here is ever changed in place."""

    dead: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    places: dict[str, str] = {}
    tracks: dict[str, int] = {}
    boxes: dict[str, int] = {}

    def is_dead(self, ref: str) -> bool:
        """Whether the persona that `ref` is about is dead."""
        return persona_of(ref) in self.dead

    def changed(self, **changes: Any) -> "Board":
        return msgspec.structs.replace(self, **changes)

    def with_status(self, status: str) -> "Board":
        return self.changed(statuses=self.statuses | {status})

    def with_counter(self, counter: str) -> "Board":
        return self.changed(counters=self.counters | {counter})

    def without_counter(self, counter: str) -> "Board":
        return self.changed(counters=self.counters - {counter})

    def with_place(self, place: str) -> "Board":
        return self.changed(places=self.places | {persona_of(place): place})

    def with_track(self, track: str, value: int) -> "Board":
        return self.changed(tracks=self.tracks | {track: value})

    def with_boxes(self, action: str, checked: int) -> "Board":
        return self.changed(boxes=self.boxes | {action: checked})

    def with_death(self, persona: str) -> "Board":
        """Ruling HP-3: death removes both counters."""
        gone = {f"{persona}.{counter}" for counter in COUNTERS}
        return self.changed(dead=self.dead | {persona}, counters=self.counters - gone)

    @property
    def dying(self) -> frozenset[str]:
        """The personae that die when the Act ends (ruling HP-10)."""
        return frozenset(persona_of(ref) for ref in self.counters if ref.endswith(".dying"))

    def at_the_end_of_the_act(self) -> "Board":
        """When the dying are dead; a card set may have more happen then."""
        board = self
        for persona in self.dying:
            board = board.with_death(persona)
        return board


def opening(cards: CardSet) -> Board:
    """Tokens on their starting places, nothing checked."""
    return Board(
        places={p.id: f"{p.id}.{p.start}" for p in cards.personae if p.start is not None},
        tracks={
            f"{p.id}.{name}": track.start
            for p in cards.personae
            for name, track in p.tracks.items()
        },
    )
