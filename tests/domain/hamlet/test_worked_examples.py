"""The examples of the rules text, one test each."""

import pytest

from domain.rulesets.hamlet import scoring
from domain.rulesets.hamlet.model import DealScored, TrickTaken
from tests.domain.hamlet.given import (
    RULESET,
    bidding,
    legal,
    legal_bids,
    only,
    play,
    position,
    refused_bid,
)


@pytest.mark.parametrize(
    ("bid", "took", "points"),
    [(5, 5, 15), (0, 0, 10), (5, 3, -2), (2, 5, -3), (0, 1, -1), (0, 3, -3), (17, 17, 27)],
)
def test_a_bid_is_worth_itself_and_ten_if_kept_else_minus_what_it_is_missed_by(
    bid: int, took: int, points: int
) -> None:
    assert scoring.points_for(bid, took) == points


def test_after_6_and_7_of_17_the_dealer_may_not_bid_4() -> None:
    state = bidding(size=17, bids="6 7")
    assert legal_bids(state) == [bid for bid in range(18) if bid != 4]
    refusal = refused_bid(state, 4)
    assert (refusal.rule, refusal.code) == ("forbidden-bid", "illegal-move")
    assert refusal.detail == (
        "With 4 the bids would add up to the 17 tricks of this deal, "
        "which the dealer has to prevent."
    )


def test_after_10_and_9_of_17_the_dealer_is_free() -> None:
    assert legal_bids(bidding(size=17, bids="10 9")) == list(range(18))


def test_bids_go_clockwise_from_the_dealers_left_and_the_dealer_bids_last() -> None:
    for bids, seat in (("", 2), ("5", 0), ("5 5", 1)):
        assert RULESET.to_act(bidding(size=17, bids=bids, dealer=1)) == (seat,)


def test_the_dealers_left_leads_first() -> None:
    state = bidding(size=17, bids="5 5 5", dealer=1)
    assert state.phase == "play"
    assert RULESET.to_act(state) == (2,)


def test_a_seat_that_holds_the_led_suit_follows_it() -> None:
    state = position(table="7D", hands={1: "3D AS KH"})
    assert legal(state, 1) == "3D"


def test_a_seat_void_in_the_led_suit_plays_anything_trump_included() -> None:
    state = position(table="7D", hands={1: "3C AS KH"})
    assert legal(state, 1) == "3C KH AS"


@pytest.mark.parametrize(
    ("table", "last", "taker"),
    [
        ("7D AD", "2S", 2),
        ("7D 2S", "3S", 2),
        ("7D 3S", "2S", 1),
        ("7D 9D", "8D", 1),
        ("7D AC", "AH", 0),
        ("2S AD", "AC", 0),
    ],
)
def test_the_highest_trump_takes_a_trick_else_the_highest_of_the_led_suit(
    table: str, last: str, taker: int
) -> None:
    state = position(table=table, hands={0: "4C", 1: "5C", 2: last})
    events, after = play(state, 2, last)
    assert only(events, TrickTaken).seat == taker
    assert RULESET.to_act(after) == (taker,)


def test_the_points_of_a_deal_are_added_to_the_totals() -> None:
    state = position(
        table="7D 8D",
        hands={2: "9D"},
        size=5,
        bids=(2, 0, 3),
        taken=(0, 0, 1, 2),
    )
    events, _ = play(state, 2, "9D")
    scored = only(events, DealScored)
    assert (scored.bids, scored.taken) == ((2, 0, 3), (2, 1, 2))
    assert scored.points == scored.totals == (12, -1, -1)


def test_nobody_is_asked_while_the_table_takes_a_trick_or_scores_the_deal() -> None:
    full = position(table="7D 8D 9D", hands={0: "2C"})
    scoring_next = position(hands={}, size=2, taken=(0, 1))
    assert RULESET.to_act(full) == RULESET.to_act(scoring_next) == ()
