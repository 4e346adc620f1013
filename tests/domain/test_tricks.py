import pytest

from domain.card_games.cards import FRENCH, Card, CardSet
from domain.card_games.trick_views import cards_played
from domain.card_games.tricks import (
    PlayCard,
    Restriction,
    Trick,
    check_card,
    follow_suit,
    legal_cards,
    legal_plays,
    taken_cards,
    taker,
    taking_card,
    tricks_taken,
)
from domain.kernel import RuleViolation

CLUBS, SPADES = FRENCH.suits["C"], FRENCH.suits["S"]

FOLLOW: Restriction[None] = Restriction("follow-suit", "Follow clubs.", lambda table, seat: CLUBS)
HIGH: Restriction[None] = Restriction(
    "only-aces", "Play an ace.", lambda table, seat: FRENCH.set_of(["AC", "AD", "AH", "AS"])
)
SILENT: Restriction[None] = Restriction("silent", "Never.", lambda table, seat: None)


def led_suit(table: tuple[Card, ...]) -> CardSet | None:
    return FRENCH.suit_of(table[0]) if table else None


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


def legal(hand: str, *restrictions: Restriction[None]) -> str:
    return " ".join(FRENCH.listed(legal_cards(cards(hand), restrictions, None, 0)))


def refused(hand: str, *restrictions: Restriction[None]) -> list[tuple[str, str]]:
    found = legal_plays(FRENCH, cards(hand), restrictions, None, 0, "d1.t5").refused
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


def test_the_suit_led_is_that_of_the_first_card_and_must_be_followed() -> None:
    follow: Restriction[tuple[Card, ...]] = follow_suit(led_suit)
    table = tuple(map(FRENCH.card, ("2C", "AS")))
    assert follow.allows(table, 3) == CLUBS
    assert follow.allows((), 3) is None


def test_what_each_seat_took_is_counted_from_the_tricks() -> None:
    tricks = [
        Trick(leader, tuple(map(FRENCH.card, played.split())), taker)
        for leader, played, taker in ((1, "2C AC 3C", 2), (2, "4C 5S 6C", 1), (1, "7C KC 8C", 2))
    ]
    assert tricks_taken(tricks, 3) == (0, 1, 2)
    assert taken_cards(tricks, 3) == (0, cards("4C 5S 6C"), cards("2C AC 3C 7C KC 8C"))


@pytest.mark.parametrize(("leader", "seat"), [(0, 2), (1, 0), (2, 1)])
def test_cards_lie_before_the_seats_from_the_leader_on(leader: int, seat: int) -> None:
    table = tuple(map(FRENCH.card, ("2C", "AS", "3C")))
    assert taker(leader, table, FRENCH.card("3C")) == seat
    played = cards_played(FRENCH, leader, table, 3)
    assert [(one.seat, one.card) for one in played][2] == (seat, "3C")
