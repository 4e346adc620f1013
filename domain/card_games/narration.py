"""What the transcripts of all card games say in the same words."""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.card_games.cards import Codes, Deck
from domain.card_games.trick_play import TrickPlay, TrickTaken
from domain.chance import Draw


def drawn(draw: Draw) -> str:
    return "written down beforehand" if draw.scripted else f"draw {draw.number}"


def cards(deck: Deck, codes: Iterable[str]) -> str:
    """Cards on a line, a wider gap between the suits."""
    return "  ".join(map(" ".join, deck.by_suit(codes)))


def dealt(deck: Deck, event: Any, how: str) -> tuple[str, ...]:
    """A deal, by the fields `deal`, `draw` and `hands` of its event."""
    head = f"Deal {event.deal} ({drawn(event.draw)}): {how}"
    return ("", head, *hands(deck, event.hands))


def hands(deck: Deck, dealt: Iterable[Codes]) -> tuple[str, ...]:
    """Each seat's hand on a line."""
    return tuple(f"    seat {seat}  {cards(deck, hand)}" for seat, hand in enumerate(dealt))


def trick_played(state: TrickPlay, event: TrickTaken) -> str:
    """Its cards, each with the seat that played it, from the leader on."""
    leader, seats = event.seat if state.leader is None else state.leader, len(event.cards)
    played = (f"{(leader + place) % seats}:{code}" for place, code in enumerate(event.cards))
    return f"  trick {event.trick:2}  {' '.join(played)}"


def points_and_totals(points: Iterable[int], totals: Iterable[int]) -> str:
    return f"points {' '.join(f'{p:+d}' for p in points)}  totals {' '.join(map(str, totals))}"


def told(deck: Deck, state: Any, event: Any) -> tuple[str, ...]:
    """`narrate` of a game of tricks that has no words of its own for it, by the fields of its
    events. A card played is told with its trick; of what has none of these fields nothing is said.
    """
    own = {name: getattr(event, name) for name in event.__struct_fields__ if name not in _SAID}
    if isinstance(event, TrickTaken):
        return (f"{trick_played(state, event)}  seat {event.seat} takes it",)
    if hasattr(event, "hands"):
        return dealt(deck, event, _listed(own))
    if hasattr(event, "draw"):
        return (f"Drawn ({drawn(event.draw)}): {_listed(own)}",)
    if hasattr(event, "totals"):
        return (f"  {points_and_totals(event.points, event.totals)}",)
    return ()


_SAID = {"deal", "draw", "hands"}


def _listed(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in fields.items())
