"""What the transcripts of all card games say in the same words."""

from collections.abc import Iterable, Sequence

from domain.card_games.cards import Codes, Deck
from domain.chance import Draw
from domain.kernel import Seat


def drawn(draw: Draw) -> str:
    return "written down beforehand" if draw.scripted else f"draw {draw.number}"


def cards(deck: Deck, codes: Iterable[str]) -> str:
    """Cards on a line, a wider gap between the suits."""
    return "  ".join(map(" ".join, deck.by_suit(codes)))


def hands(deck: Deck, dealt: Iterable[Codes]) -> tuple[str, ...]:
    """Each seat's hand on a line."""
    return tuple(f"    seat {seat}  {cards(deck, hand)}" for seat, hand in enumerate(dealt))


def trick_played(number: int, leader: Seat, codes: Sequence[str]) -> str:
    """Its cards, each with the seat that played it, from the leader on."""
    seats = len(codes)
    played = (f"{(leader + place) % seats}:{code}" for place, code in enumerate(codes))
    return f"  trick {number:2}  {' '.join(played)}"


def points_and_totals(points: Iterable[int], totals: Iterable[int]) -> str:
    return f"points {' '.join(f'{p:+d}' for p in points)}  totals {' '.join(map(str, totals))}"
