"""Faults reported of other software, by number; each is kept out here."""

import itertools
import random
from typing import Any

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.kernel import IntegrityError
from domain.rulesets.hamlet.model import (
    BidMade,
    CardPlayed,
    DealScored,
    Dealt,
    HamletOptions,
    HamletState,
    TrickTaken,
)
from domain.scores import standings
from domain.visibility import SPECTATOR, Viewer
from tests.domain.hamlet.given import (
    RULESET,
    UP_DOWN,
    at_table,
    bid_all,
    bidding,
    deals,
    legal,
    legal_bids,
    only,
    play,
    play_all,
    position,
    refused_bid,
    refused_card,
    scores,
    scripted,
    whole_game,
)

SOURCES = {"turned-card", "dealers-last-card", "none"}
EVERY_GAME = [
    pytest.param(seats, HamletOptions(deals=6, pattern=pattern, no_trump_every=every))
    for seats in (3, 4)
    for pattern in ("full", "up_down")
    for every in (0, 2)
]


def replay(log: list[Any], state: HamletState) -> HamletState:
    for event in log:
        state = RULESET.evolve(state, event)
    return state


def test_a12_a_trump_is_refused_to_a_seat_that_holds_the_led_suit() -> None:
    state = position(table="7D", hands={1: "3D AS"})
    assert legal(state, 1) == "3D"
    refusal = refused_card(state, 1, "AS")
    assert (refusal.rule, refusal.code) == ("follow-suit", "illegal-move")
    (refused,) = RULESET.legal_moves(state, 1).refused
    assert (refused.card, refused.rule, refused.move.card) == ("AS", "follow-suit", "AS")


def test_a12_a_seat_void_in_the_led_suit_may_discard_or_trump() -> None:
    state = position(table="7D", hands={1: "KH AS"})
    assert legal(state, 1) == "KH AS"


@pytest.mark.parametrize("high", ["AD", "KD", "AC", "AH"])
def test_a14_the_lowest_trump_beats_any_card_that_is_none(high: str) -> None:
    state = position(table=f"7D {high}", hands={2: "2S", 0: "2C", 1: "3C"})
    events, _ = play(state, 2, "2S")
    assert only(events, TrickTaken).seat == 2


@pytest.mark.parametrize(
    ("seats", "size", "bids", "legal_ones"),
    [
        (3, 17, "8 6", [bid for bid in range(18) if bid != 3]),
        (3, 17, "10 9", list(range(18))),
        (3, 1, "0 0", [0]),
        (3, 1, "1 0", [1]),
        (3, 1, "0 1", [1]),
        (3, 1, "1 1", [0, 1]),
        (4, 13, "4 4 4", [bid for bid in range(14) if bid != 1]),
    ],
)
def test_a16_the_forbidden_bid_is_what_is_left_and_only_if_it_is_a_bid(
    seats: int, size: int, bids: str, legal_ones: list[int]
) -> None:
    state = bidding(seats=seats, size=size, bids=bids)
    assert legal_bids(state) == legal_ones
    for bid in set(range(size + 1)) - set(legal_ones):
        assert refused_bid(state, bid).rule == "forbidden-bid"


def test_a18_the_only_trick_of_a_deal_is_counted_and_the_deal_scored_at_once() -> None:
    table = scripted(["KS", "AS", "3D"], "2S", dealer=0)
    bid_all(table, "1 0")
    assert legal_bids(table.state) == [1]
    bid_all(table, "1")
    events = play_all(table, "AS 3D KS")
    assert [type(event) for event in events] == [CardPlayed, TrickTaken, DealScored, Dealt]
    scored = events[2]
    assert (scored.bids, scored.taken) == ((1, 1, 0), (0, 1, 0))
    assert scored.points == (-1, 11, 10)


@pytest.mark.parametrize(("seats", "options"), EVERY_GAME)
def test_a19_a_deal_is_scored_once_and_directly_after_its_last_trick(
    seats: int, options: HamletOptions, rng: random.Random
) -> None:
    table = whole_game(seats, options, rng)
    sizes = {dealt.deal: dealt.size for dealt in deals(table)}
    for event, following in itertools.pairwise([*table.log, None]):
        if isinstance(event, TrickTaken):
            last = event.trick == sizes[event.deal]
            assert isinstance(following, DealScored) == last
    assert [scored.deal for scored in scores(table)] == [1, 2, 3, 4, 5, 6]
    assert all(sum(s.taken) == sizes[s.deal] != sum(s.bids) for s in scores(table))


def test_a19_a_full_deal_has_17_tricks_with_three_seats_and_13_with_four(
    rng: random.Random,
) -> None:
    for seats, size in ((3, 17), (4, 13)):
        table = whole_game(seats, HamletOptions(deals=1), rng)
        assert sum(isinstance(event, TrickTaken) for event in table.log) == size


@pytest.mark.parametrize(
    "flaw", ["more cards", "fewer", "twice", "unknown", "in no hand", "turned"]
)
def test_a21_a_deal_that_is_not_the_whole_deck_is_refused(flaw: str) -> None:
    drawn, dealt = at_table(4).log
    first, second, *others = dealt.hands
    owner = dealt.hands[(dealt.dealer + 1) % 4]
    wrong: dict[str, Any] = {
        "more cards": {"hands": ((*first, second[0]), second[1:], *others)},
        "fewer": {"hands": (first[:12], second, *others), "stock": (first[12],)},
        "twice": {"hands": ((*first[:12], second[0]), second, *others)},
        "unknown": {"hands": ((*first[:12], "1Z"), second, *others)},
        "in no hand": {"hands": (first, second, others[0])},
        "turned": {"turned": owner[0]},
    }
    start = RULESET.evolve(RULESET.initial(HamletOptions(), 4), drawn)
    with pytest.raises(IntegrityError):
        RULESET.evolve(start, msgspec.structs.replace(dealt, **wrong[flaw]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"trump": "X"},
        {"trump": None},
        {"source": "none"},
        {"source": "dealers-last-card"},
        {"dealer": 3},
        {"leader": -1},
        {"deal": 2},
        {"size": 2},
        {"stock": ()},
    ],
)
def test_a21_a_deal_that_contradicts_itself_is_refused(wrong: dict[str, Any]) -> None:
    drawn, dealt = at_table(3, options=UP_DOWN).log
    start = RULESET.evolve(RULESET.initial(UP_DOWN, 3), drawn)
    with pytest.raises(IntegrityError):
        RULESET.evolve(start, msgspec.structs.replace(dealt, **wrong))


def test_a21_a_dealer_who_is_no_seat_is_refused() -> None:
    drawn = msgspec.structs.replace(at_table().log[0], dealer=3)
    with pytest.raises(IntegrityError):
        RULESET.evolve(RULESET.initial(HamletOptions(), 3), drawn)


@pytest.mark.parametrize("card", ["9S", "3H", "7D"])
def test_a21_a_card_that_is_not_in_the_hand_cannot_have_been_played(card: str) -> None:
    state = position(table="7D", hands={1: "3C", 2: "9S"})
    fact = CardPlayed(deal=1, trick=1, seat=1, answers="d1.t1", card=card)
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, fact)


@pytest.mark.parametrize(("deal", "trick", "seat"), [(2, 1, 1), (1, 2, 1), (1, 1, 2)])
def test_a21_a_card_played_out_of_turn_is_refused(deal: int, trick: int, seat: int) -> None:
    state = position(table="7D", hands={1: "3C", 2: "9S"})
    card = "3C" if seat == 1 else "9S"
    fact = CardPlayed(deal=deal, trick=trick, seat=seat, answers="d1.t1", card=card)
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, fact)


@pytest.mark.parametrize(("deal", "seat", "bid"), [(2, 1, 3), (1, 2, 3), (1, 1, 18), (1, 1, -1)])
def test_a21_a_bid_out_of_turn_or_of_no_tricks_is_refused(deal: int, seat: int, bid: int) -> None:
    fact = BidMade(deal=deal, seat=seat, answers="d1.bid", bid=bid)
    with pytest.raises(IntegrityError):
        RULESET.evolve(bidding(size=17), fact)


@pytest.mark.parametrize("field", ["cards", "seat", "trick", "deal"])
def test_a21_a_trick_that_was_not_played_so_is_refused(field: str) -> None:
    state = position(table="7D 8D 9D", hands={0: "2D"})
    taken = RULESET.consequence(state, None)
    wrong = {"cards": ("8D", "7D", "9D"), "seat": 3, "trick": 6, "deal": 2}[field]
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, msgspec.structs.replace(taken, **{field: wrong}))


@pytest.mark.parametrize("field", ["bids", "taken", "points", "totals", "deal"])
def test_a21_points_that_do_not_follow_from_the_tricks_are_refused(field: str) -> None:
    state = position(hands={}, size=2, taken=(0, 1), bids=(1, 0, 0))
    scored = RULESET.consequence(state, None)
    wrong = 9 if field == "deal" else (7, *getattr(scored, field)[1:])
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, msgspec.structs.replace(scored, **{field: wrong}))


def test_a21_a_log_in_which_a_card_is_played_twice_is_refused(rng: random.Random) -> None:
    log = list(whole_game(3, HamletOptions(deals=1), rng).log)
    plays = [n for n, event in enumerate(log) if isinstance(event, CardPlayed)]
    log[plays[9]] = msgspec.structs.replace(log[plays[9]], card=log[plays[2]].card)
    with pytest.raises(IntegrityError):
        replay(log, RULESET.initial(HamletOptions(deals=1), 3))


def test_a23_the_standings_say_that_the_higher_total_is_better_and_keep_negative_ones() -> None:
    found = standings([-3, 4, -1], "higher")
    assert (found.better, found.totals, found.ranks) == ("higher", (-3, 4, -1), (3, 1, 2))
    assert RULESET.view(at_table().state, SPECTATOR).standings.better == "higher"
    state = position(table="7D 8D", hands={2: "9D"}, size=1, bids=(1, 1, 0))
    _, after = play(state, 2, "9D")
    assert RULESET.view(after, SPECTATOR).standings.totals == (-1, -1, -1)


@pytest.mark.parametrize(("seats", "options"), EVERY_GAME)
def test_a27_every_deal_records_where_its_trump_comes_from(
    seats: int, options: HamletOptions, rng: random.Random
) -> None:
    for dealt in deals(whole_game(seats, options, rng)):
        assert dealt.source in SOURCES
        assert (dealt.trump is None) == (dealt.source == "none")
        in_hands = {code for hand in dealt.hands for code in hand}
        if dealt.source == "dealers-last-card":
            assert dealt.turned in dealt.hands[dealt.dealer]
        elif dealt.turned is not None:
            assert dealt.turned not in in_hands
        else:
            assert dealt.size * seats == 52


def test_a27_the_turned_card_is_public_in_no_hand_and_cannot_be_played() -> None:
    table = scripted(["KS", "AS", "3D"], "2S", dealer=2)
    bid_all(table, "0 0 0")
    assert RULESET.view(table.state, SPECTATOR).turned == "2S"
    assert refused_card(table.state, 0, "2S").code == "card-not-in-hand"


def test_a27_in_a_deal_of_one_trick_48_undealt_cards_stay_hidden() -> None:
    state = at_table(3, options=UP_DOWN).state
    assert state.stock.bit_count() == 48
    own = RULESET.view(state, Viewer(1))
    assert (own.stock_count, own.hand) == (48, FRENCH.listed(state.hands[1]))


@pytest.mark.parametrize("card", FRENCH.codes)
@pytest.mark.parametrize("table", ["", "5C", "5D 6D"])
def test_a28_the_last_card_of_a_hand_can_always_be_played(card: str, table: str) -> None:
    if card in table.split():
        return
    seat = len(table.split())
    state = position(table=table, hands={seat: card}, size=1)
    assert legal(state, seat) == card
