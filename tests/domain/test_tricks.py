import pytest

from domain.cards import FRENCH, CardSet
from domain.kernel import RuleViolation
from domain.tricks import (
    PlayCard,
    Restriction,
    check_card,
    legal_cards,
    refused_cards,
    taking_card,
)

CLUBS, SPADES = FRENCH.suits["C"], FRENCH.suits["S"]

FOLLOW: Restriction[None] = Restriction("follow-suit", "Follow clubs.", lambda table, seat: CLUBS)
HIGH: Restriction[None] = Restriction(
    "only-aces", "Play an ace.", lambda table, seat: FRENCH.set_of(["AC", "AD", "AH", "AS"])
)
SILENT: Restriction[None] = Restriction("silent", "Never.", lambda table, seat: None)


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


def legal(hand: str, *restrictions: Restriction[None]) -> str:
    return " ".join(FRENCH.listed(legal_cards(cards(hand), restrictions, None, 0)))


def refused(hand: str, *restrictions: Restriction[None]) -> list[tuple[str, str]]:
    found = refused_cards(FRENCH, cards(hand), restrictions, None, 0, "d1.t5")
    assert all(r.move == PlayCard(answers="d1.t5", card=str(r.card)) for r in found)
    return [(str(refusal.card), refusal.rule) for refusal in found]


@pytest.mark.parametrize(
    ("hand", "left"),
    [("2C 3C 4D", "2C 3C"), ("4D 5S", "4D 5S"), ("2C AC AS", "AC"), ("2C AS", "2C"), ("", "")],
)
def test_a_restriction_binds_only_while_it_leaves_a_card(hand: str, left: str) -> None:
    assert legal(hand, FOLLOW, SILENT, HIGH) == left


def test_a_refused_card_has_the_first_rule_against_it() -> None:
    assert refused("2C AC AS", FOLLOW, HIGH) == [("2C", "only-aces"), ("AS", "follow-suit")]
    assert refused("4D 5S", FOLLOW) == []


def test_legal_and_refused_cards_are_the_hand() -> None:
    hand = "2C AC 4D AS"
    left = legal(hand, FOLLOW, HIGH).split()
    assert set(left) | {card for card, _ in refused(hand, FOLLOW, HIGH)} == set(hand.split())


@pytest.mark.parametrize(
    ("code", "why"),
    [("1Z", "invalid-card"), ("9C", "card-not-in-hand"), ("AS", "illegal-move")],
)
def test_a_card_is_refused_for_what_it_is(code: str, why: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        check_card(FRENCH, cards("2C AS"), code, [FOLLOW], None, 0)
    assert refusal.value.code == why
    if why == "illegal-move":
        assert (refusal.value.rule, refusal.value.detail) == ("follow-suit", "Follow clubs.")


def test_a_card_that_may_be_played_is_given_back() -> None:
    assert check_card(FRENCH, cards("2C AS"), "2C", [FOLLOW], None, 0) == FRENCH.card("2C")


@pytest.mark.parametrize(
    ("played", "trump", "taking"),
    [
        ("TC KC 3C AH", 0, "KC"),
        ("2C AD AH AS", 0, "2C"),
        ("2C AC 2S AH", SPADES, "2S"),
        ("2C AC 2S 3S", SPADES, "3S"),
        ("2C AC AD AH", SPADES, "AC"),
    ],
)
def test_the_highest_trump_takes_a_trick_else_the_highest_of_the_led_suit(
    played: str, trump: CardSet, taking: str
) -> None:
    assert FRENCH.code(taking_card(cards(played), CLUBS, trump)) == taking
