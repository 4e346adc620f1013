import pytest

from domain.card_games.cards import FRENCH, Deck, members, moved
from domain.kernel import IntegrityError, RuleViolation

TINY = Deck(("1", "2", "10"), "HM")


def test_a_deck_has_every_card_once_by_suit_and_then_by_rank() -> None:
    assert len(set(FRENCH.codes)) == len(FRENCH.codes) == 52
    assert FRENCH.codes[:2] == ("2C", "3C")
    assert FRENCH.codes[-1] == "AS"
    assert TINY.codes == ("1H", "2H", "10H", "1M", "2M", "10M")


def test_every_code_is_the_code_of_its_card() -> None:
    for deck in (FRENCH, TINY):
        assert [deck.code(deck.card(code)) for code in deck.codes] == list(deck.codes)
        assert [deck.stated(code) for code in deck.codes] == [deck.card(c) for c in deck.codes]


def test_a_card_belongs_to_its_suit_and_a_higher_one_is_a_higher_bit() -> None:
    for code in FRENCH.codes:
        suit = FRENCH.suit_of(FRENCH.card(code))
        assert suit == FRENCH.suits[code[-1]]
    assert FRENCH.card("KS") < FRENCH.card("AS")


def test_a_set_is_listed_in_card_order_whatever_order_it_was_stated_in() -> None:
    assert FRENCH.listed(FRENCH.set_of(["AS", "2H", "TC"])) == ("TC", "2H", "AS")
    assert FRENCH.listed(0) == ()
    assert [FRENCH.code(card) for card in members(FRENCH.set_of(["AS", "2C"]))] == ["2C", "AS"]


@pytest.mark.parametrize("code", ["1Z", "", "qs", "10H", "QSQS"])
def test_a_client_who_names_no_card_is_refused_and_a_log_that_does_is_broken(code: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        FRENCH.card(code)
    assert refusal.value.code == "invalid-card"
    with pytest.raises(IntegrityError):
        FRENCH.stated(code)
    with pytest.raises(IntegrityError) as broken:
        FRENCH.set_of([code])
    assert not code or code not in str(broken.value)


def test_a_set_with_a_card_stated_twice_is_no_set() -> None:
    with pytest.raises(IntegrityError) as broken:
        FRENCH.set_of(["QS", "2C", "QS"])
    assert "QS" not in str(broken.value)


def test_a_card_leaves_a_hand_once() -> None:
    hand = FRENCH.set_of(["QS", "2C"])
    after = moved(hand, FRENCH.card("QS"))
    assert FRENCH.listed(after) == ("2C",)
    with pytest.raises(IntegrityError):
        moved(after, FRENCH.card("QS"))


def test_codes_are_put_suit_by_suit_in_the_order_they_stand_in() -> None:
    assert FRENCH.by_suit(["AS", "TC", "2S", "9C"]) == (("TC", "9C"), ("AS", "2S"))
    assert FRENCH.by_suit([]) == ()


def test_a_deal_is_whole_where_every_card_is_in_one_place() -> None:
    clubs, *others = FRENCH.suits.values()
    FRENCH.check_whole([clubs, *others, 0])
    for places in (others, [clubs, clubs, *others], [clubs, *others, FRENCH.card("QS")], []):
        with pytest.raises(IntegrityError):
            FRENCH.check_whole(places)
