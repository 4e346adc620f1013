"""Faults reported of other software, by number; each is kept out here."""

import itertools
import random
from typing import Any

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.kernel import IntegrityError
from domain.rulesets.hearts import scoring
from domain.rulesets.hearts.model import (
    CardPlayed,
    CardsPassed,
    DealScored,
    Dealt,
    HeartsState,
    TrickTaken,
)
from domain.scores import outcome
from domain.visibility import SPECTATOR, Viewer
from tests.domain.hearts.given import (
    FOUR_SUITS,
    RULESET,
    all_tricks_taken,
    at_deal,
    cards,
    deals,
    legal,
    pass_first_three,
    passing,
    pick,
    play,
    position,
    refused,
    refused_card,
)
from tests.tables import Table, some_move


def play_out(table: Table, rng: random.Random, deals_wanted: int) -> Table:
    while len(deals(table)) <= deals_wanted and table.waiting_for:
        for seat in table.waiting_for:
            table.play(seat, some_move(RULESET, table.state, seat, rng))
    return table


def replay(log: list[Any], state: HeartsState) -> HeartsState:
    for event in log:
        state = RULESET.evolve(state, event)
    return state


def test_a01_a_seat_void_in_clubs_plays_its_one_harmless_card_on_trick_1() -> None:
    hand = "QS 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 7D"
    state = position(trick=1, table="2C", hands={1: hand})
    assert legal(state, 1) == "7D"
    assert refused_card(state, 1, "QS").rule == "no-points-on-first-trick"
    assert {r.rule for r in RULESET.legal_moves(state, 1).refused} == {"no-points-on-first-trick"}


def test_a03_three_hearts_and_the_queen_are_16_points_and_no_moon() -> None:
    taken = (0, cards("2H 3H 4H 5H 6H 7H 8H 9H TH"), cards("JH QH KH QS"), cards("AH"))
    assert scoring.score(taken) == ((0, 9, 16, 1), None, (0, 9, 16, 1))


def test_a03_thirteen_hearts_without_the_queen_are_13_points_and_no_moon() -> None:
    taken = (cards(FOUR_SUITS[1]), cards("QS"), 0, 0)
    assert scoring.score(taken) == ((13, 13, 0, 0), None, (13, 13, 0, 0))


def test_a03_the_moon_needs_no_card_without_points() -> None:
    taken = (0, 0, cards(FOUR_SUITS[1]) | cards("QS"), cards("2C"))
    assert scoring.score(taken)[1:] == (2, (26, 26, 0, 26))


@pytest.mark.parametrize("seed", range(20))
def test_a05_in_a_deal_without_a_pass_the_holder_of_2c_leads_it_at_once(seed: int) -> None:
    table = at_deal(4, seed)
    (leader,) = table.waiting_for
    assert table.state.hands[leader] & FRENCH.card("2C")
    assert table.log[-1].leader == leader
    assert legal(table.state, leader) == "2C"
    assert refused(table.state, leader, pick(table.state, "2C 3C 4C")).code == "wrong-move"


@pytest.mark.parametrize("seed", range(20))
def test_a05_after_a_pass_whoever_then_holds_2c_leads_it(seed: int) -> None:
    table = at_deal(1, seed)
    pass_first_three(table)
    (leader,) = table.waiting_for
    assert table.state.hands[leader] & FRENCH.card("2C")
    assert legal(table.state, leader) == "2C"


def test_a05_two_of_clubs_is_forced_on_the_first_lead_only() -> None:
    state = position(trick=1, table="2C", hands={1: "3C 4C"})
    assert legal(state, 1) == "3C 4C"


@pytest.mark.parametrize(
    ("three", "code"),
    [
        ("2C 3C", "wrong-number-of-cards"),
        ("2C 3C 4C 5C", "wrong-number-of-cards"),
        ("2C 2C 3C", "repeated-card"),
        ("2C 3C AH", "card-not-in-hand"),
        ("2C 3C 1Z", "invalid-card"),
        ("", "wrong-number-of-cards"),
    ],
)
def test_a06_exactly_three_different_cards_of_ones_own_are_passed(three: str, code: str) -> None:
    table = at_deal(1)
    own = dict(zip(("2C", "3C", "4C", "5C"), FRENCH.listed(table.state.hands[0]), strict=False))
    foreign = FRENCH.listed(table.state.hands[1])[0]
    named = " ".join(own.get(card, foreign if card == "AH" else card) for card in three.split())
    refusal = refused(table.state, 0, pick(table.state, named))
    assert (refusal.code, refusal.rule) == (code, code)


def test_a06_a_seat_that_has_passed_owes_nothing_and_holds_nothing_it_received() -> None:
    table = at_deal(1)
    given = FRENCH.listed(table.state.hands[0])[:3]
    passing(table, 0, " ".join(given))
    assert RULESET.question(table.state, 0) is None
    refusal = refused(table.state, 1, pick(table.state, " ".join(given)))
    assert refusal.code == "card-not-in-hand"


def test_a07_a_card_not_held_and_a_card_that_does_not_exist_are_two_refusals() -> None:
    state = position(table="TC", hands={1: "3C 9S"})
    assert refused_card(state, 1, "3H").code == "card-not-in-hand"
    for nonsense in ("1Z", "", "qs", "10H", "QS ", "💥"):
        assert refused_card(state, 1, nonsense).code == "invalid-card"


@pytest.mark.parametrize(
    ("deal", "direction", "receiver"),
    [(1, "left", 1), (2, "right", 3), (3, "across", 2), (5, "left", 1)],
)
def test_a08_the_cards_go_where_the_direction_says(
    deal: int, direction: str, receiver: int
) -> None:
    table = at_deal(deal)
    given = pass_first_three(table)
    assert RULESET.view(table.state, SPECTATOR).pass_direction == direction
    assert RULESET.view(table.state, Viewer(receiver)).received == given[0]
    assert cards(" ".join(given[0])) & ~table.state.hands[receiver] == 0
    assert {event.direction for event in table.log if hasattr(event, "direction")} == {direction}


def test_a08_in_deal_4_nothing_is_passed() -> None:
    table = at_deal(4)
    assert RULESET.view(table.state, SPECTATOR).pass_direction == "none"
    assert RULESET.view(table.state, Viewer(0)).passed is None


def test_a10_a_total_of_exactly_100_ends_the_game() -> None:
    state = all_tricks_taken({1: "2H 3H", 0: "4H 5H 6H"}, (24, 35, 40, 98))
    scored = RULESET.consequence(state, None)
    exact = msgspec.structs.replace(scored, points=(0, 0, 0, 2), totals=(24, 35, 40, 100))
    short = msgspec.structs.replace(scored, points=(0, 0, 0, 1), totals=(24, 35, 40, 99))
    assert RULESET.outcome(RULESET.evolve(state, exact)).winners == (0,)
    assert RULESET.outcome(RULESET.evolve(state, short)) is None


def test_a10_crossing_100_within_a_deal_does_not_stop_it() -> None:
    state = msgspec.structs.replace(
        position(table="TC KC 3C", hands={3: "QS 7D", 1: "2D"}), totals=(0, 99, 0, 0)
    )
    _, after = play(state, 3, "QS")
    assert RULESET.outcome(after) is None
    assert RULESET.to_act(after) == (1,)


def test_a11_all_seats_with_the_lowest_total_win_wherever_they_sit() -> None:
    totals = {"ann": 44, "bob": 44, "cyd": 96, "dan": 102}
    for seated in itertools.permutations(totals):
        result = outcome([totals[name] for name in seated], "lower")
        assert {seated[seat] for seat in result.winners} == {"ann", "bob"}
        assert result.result == "draw"
    assert outcome([44, 44, 96, 102], "lower").standings.ranks == (1, 1, 3, 4)


def test_a19_a_deal_is_scored_once_and_directly_after_its_13th_trick(rng: random.Random) -> None:
    log = play_out(at_deal(1), rng, 3).log
    for event, following in itertools.pairwise(log):
        if isinstance(event, TrickTaken):
            assert isinstance(following, DealScored) == (event.trick == 13)
    scored = [event for event in log if isinstance(event, DealScored)]
    assert [event.deal for event in scored] == list(range(1, len(scored) + 1))
    assert all(sum(event.captured) == 26 for event in scored)


def test_a21_a_log_in_which_a_card_is_played_twice_is_refused(rng: random.Random) -> None:
    table = at_deal(4)
    start = msgspec.structs.replace(table.state, deal=3, hands=(0, 0, 0, 0), leader=None)
    play_out(table, rng, 1)
    plays = [n for n, event in enumerate(table.log) if isinstance(event, CardPlayed)]
    log = list(table.log)
    log[plays[9]] = msgspec.structs.replace(log[plays[9]], card=log[plays[2]].card)
    with pytest.raises(IntegrityError):
        replay(log, start)


@pytest.mark.parametrize("flaw", ["14 cards", "12 cards", "twice", "unknown", "three hands"])
def test_a21_a_deal_that_is_not_the_whole_deck_is_refused(flaw: str) -> None:
    dealing = at_deal(4).log[0]
    assert isinstance(dealing, Dealt)
    first, second, *others = dealing.hands
    hands = {
        "14 cards": ((*first, second[0]), second[1:], *others),
        "12 cards": (first[:12], second, *others),
        "twice": ((*first[:12], second[0]), second, *others),
        "unknown": ((*first[:12], "1Z"), second, *others),
        "three hands": (first, second, others[0]),
    }[flaw]
    start = RULESET.initial(RULESET.options(), 4)
    start = msgspec.structs.replace(start, deal=3)
    with pytest.raises(IntegrityError):
        RULESET.evolve(start, msgspec.structs.replace(dealing, hands=hands))


@pytest.mark.parametrize("card", ["9S", "3H", "TC"])
def test_a21_a_card_that_is_not_in_the_hand_cannot_have_been_played(card: str) -> None:
    state = position(table="TC", hands={1: "3C", 2: "9S"})
    fact = CardPlayed(deal=1, trick=5, seat=1, answers="d1.t5", card=card, breaks_hearts=False)
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, fact)


@pytest.mark.parametrize(("deal", "trick", "seat"), [(2, 5, 1), (1, 6, 1), (1, 5, 2)])
def test_a21_a_card_played_out_of_turn_is_refused(deal: int, trick: int, seat: int) -> None:
    state = position(table="TC", hands={1: "3C", 2: "9S"})
    card = "3C" if seat == 1 else "9S"
    fact = CardPlayed(
        deal=deal, trick=trick, seat=seat, answers="d1.t5", card=card, breaks_hearts=False
    )
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, fact)


def test_a21_a_trick_of_other_cards_than_were_played_is_refused() -> None:
    state = position(table="TC KC 3C 5C", hands={0: "2D"})
    taken = RULESET.consequence(state, None)
    for cards_stated in (("TC", "KC", "3C", "6C"), ("KC", "TC", "3C", "5C")):
        with pytest.raises(IntegrityError):
            RULESET.evolve(state, msgspec.structs.replace(taken, cards=cards_stated))


@pytest.mark.parametrize("field", ["cards", "seat", "trick", "deal"])
def test_a21_a_trick_that_was_not_played_so_is_refused(field: str) -> None:
    state = position(table="TC KC 3C 5C", hands={0: "2D"})
    taken = RULESET.consequence(state, None)
    wrong = {"cards": taken.cards[:3], "seat": 4, "trick": 6, "deal": 2}[field]
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, msgspec.structs.replace(taken, **{field: wrong}))


@pytest.mark.parametrize("field", ["captured", "points", "totals", "deal"])
def test_a21_points_that_do_not_follow_from_the_tricks_are_refused(field: str) -> None:
    state = all_tricks_taken({0: FOUR_SUITS[1]}, (0, 0, 0, 0))
    scored = RULESET.consequence(state, None)
    wrong = 9 if field == "deal" else (1, *getattr(scored, field)[1:])
    with pytest.raises(IntegrityError):
        RULESET.evolve(state, msgspec.structs.replace(scored, **{field: wrong}))


def test_a21_cards_passed_that_are_not_held_or_received_from_nowhere_are_refused() -> None:
    table = at_deal(1)
    foreign = FRENCH.listed(table.state.hands[1])[:3]
    stolen = CardsPassed(deal=1, seat=0, answers="d1.pass", cards=foreign)
    with pytest.raises(IntegrityError):
        RULESET.evolve(table.state, stolen)
    before = at_deal(1)
    pass_first_three(before)
    swapped = before.log[-1]
    replayed = at_deal(1).state
    for event in before.log[1:-1]:
        replayed = RULESET.evolve(replayed, event)
    wrong = (swapped.received[1], *swapped.received[1:])
    with pytest.raises(IntegrityError):
        RULESET.evolve(replayed, msgspec.structs.replace(swapped, received=wrong))


def test_a23_the_standings_say_that_the_lower_total_is_better() -> None:
    standings = RULESET.view(at_deal(1).state, SPECTATOR).standings
    assert (standings.better, standings.ranks) == ("lower", (1, 1, 1, 1))


@pytest.mark.parametrize("card", FRENCH.codes)
@pytest.mark.parametrize("table", ["", "5C", "5D 6D", "5H 5S 6H"])
def test_a28_the_last_card_of_a_hand_can_always_be_played(card: str, table: str) -> None:
    if card in table.split():
        return
    seat = len(table.split())
    state = position(trick=12, table=table, hands={seat: card})
    assert legal(state, seat) == card
