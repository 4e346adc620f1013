"""Each ruling of whist by its number (WH-1 to WH-7)."""

import random
from functools import reduce
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.card_games.cards import FRENCH
from domain.card_games.tricks import PlayCard
from domain.kernel import IntegrityError, RuleViolation
from domain.visibility import SPECTATOR, Viewer, redact, secret_parts
from elsinore_whist.model import DealerDrawn, DealScored, Dealt, TrickTaken, WhistDeal, WhistOptions
from tests.chances import TableChance
from tests.examples.whist.given import (
    FOUR_SUITS,
    RULESET,
    at_table,
    dealt,
    legal,
    only,
    play,
    play_all,
    play_out,
    play_tricks,
    position,
)
from tests.tables import Table

CLUBS, HEARTS, DIAMONDS, SPADES = FOUR_SUITS
SEVEN_SIX = (  # with seat 3 as dealer spades are trump; each plays from the front
    "8S 9S TS JS QS KS AS 2C 3C 4C 5C 6C 7C",
    "3S 4S 5S 6S 7S AD 8C 9C TC JC QC KC AC",
    HEARTS,
    "2S 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD",
)
DEALT = (*SEVEN_SIX[:3], "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2S")


# --- WH-1: who deals


def test_wh_1_the_first_dealer_is_drawn() -> None:
    drawn = {only(at_table(seed).log, DealerDrawn).dealer for seed in range(40)}
    assert drawn == {0, 1, 2, 3}
    with pytest.raises(IntegrityError):
        RULESET.evolve(at_table().state, at_table().log[0])


def test_wh_1_the_deal_passes_to_the_left(rng: random.Random) -> None:
    table = play_out(at_table(3), rng)
    drawn = only(table.log, DealerDrawn).dealer
    dealers = [event.dealer for event in table.log if isinstance(event, Dealt)]
    assert len(dealers) > 1
    assert dealers == [(drawn + n) % 4 for n in range(len(dealers))]


# --- WH-2: how the cards are dealt, and the card turned up


@pytest.mark.parametrize("seed", range(4))
def test_wh_2_cards_go_round_from_the_dealers_left_and_the_last_one_is_turned_up(
    seed: int,
) -> None:
    chance = TableChance(seed)
    dealer, draw = chance.next().pick("dealer", 4)
    chance.note(DealerDrawn(draw=draw, dealer=dealer))
    order, _ = chance.next().shuffle("d1.deal", FRENCH.codes)
    first = only(Table(RULESET, TableChance(seed)).log, Dealt)
    assert first.dealer == dealer
    assert all(card in first.hands[(dealer + 1 + n) % 4] for n, card in enumerate(order))
    assert first.turned == order[-1]
    assert first.turned in first.hands[dealer]


def test_wh_2_the_suit_turned_up_is_trump_and_takes_a_trick_with_its_lowest_card() -> None:
    events, _ = play(position(table="AH KH 2S", hands={3: "QH"}, turned="9S"), "QH")
    assert only(events, TrickTaken).seat == 2
    events, _ = play(position(table="AH 3S 2S", hands={3: "4S"}, turned="9S"), "4S")
    assert only(events, TrickTaken).seat == 3
    events, _ = play(position(table="TH KH 2S", hands={3: "AC"}, turned="9D"), "AC")
    assert only(events, TrickTaken).seat == 1


def test_wh_2_the_card_turned_up_stays_in_the_dealers_hand_and_is_played_like_any_other() -> None:
    table = dealt([CLUBS, HEARTS, DIAMONDS, SPADES], dealer=3)
    assert "AS" in RULESET.view(table.state, Viewer(3)).hand
    play_all(table, "2C 2H 2D AS")
    assert "AS" not in RULESET.view(table.state, Viewer(3)).hand
    assert RULESET.view(table.state, SPECTATOR).turned == "AS"


# --- WH-3: the first lead, and following


def test_wh_3_the_player_on_the_dealers_left_leads_any_card() -> None:
    for dealer in range(4):
        table = dealt(DEALT, dealer=dealer)
        assert table.waiting_for == ((dealer + 1) % 4,)
    assert legal(dealt(DEALT, dealer=3).state).split() == list(
        FRENCH.in_order(SEVEN_SIX[0].split())
    )


def test_who_holds_the_suit_led_follows_it_and_need_not_win() -> None:
    state = position(table="TH", hands={1: "2H AH 3S 4C"})
    assert legal(state) == "2H AH"
    (refused, _) = RULESET.legal_moves(state, 1).refused
    assert (refused.rule, refused.card) == ("follow-suit", "4C")
    with pytest.raises(RuleViolation) as refusal:
        RULESET.accept(state, 1, PlayCard(answers="d1.t1", card="3S"))
    assert refusal.value.rule == "follow-suit"


def test_who_cannot_follow_plays_what_they_like() -> None:
    assert legal(position(table="TH", hands={1: "4C 9D 3S"})) == "4C 9D 3S"


def test_whoever_took_the_trick_leads_to_the_next() -> None:
    _, after = play(position(table="TH KH 2H", hands={1: "2C", 3: "QH"}), "QH")
    assert RULESET.to_act(after) == (1,)


# --- WH-4: looking back


def test_wh_4_a_view_shows_the_last_trick_and_none_before_it() -> None:
    table = dealt(DEALT, dealer=3)
    play_tricks(table, SEVEN_SIX, tricks=2)
    view = RULESET.view(table.state, SPECTATOR)
    assert [one.card for one in view.last_trick.cards] == ["9S", "4S", "3H", "2D"]
    assert (view.last_trick.number, view.last_trick.taker) == (2, 0)
    assert view.tricks_taken == (2, 0, 0, 0)
    assert b"8S" not in msgspec.json.encode(view)


# --- WH-5: partners


def test_wh_5_partners_have_every_point_together_and_win_together(rng: random.Random) -> None:
    table = play_out(at_table(1), rng)
    for scored in (event for event in table.log if isinstance(event, DealScored)):
        assert scored.points[:2] == scored.points[2:]
        assert scored.totals[:2] == scored.totals[2:]
    outcome = RULESET.outcome(table.state)
    assert outcome.result == "win"
    assert outcome.teams in {((0, 2),), ((1, 3),)}
    assert outcome.winners == outcome.teams[0]


@pytest.mark.parametrize("seat", range(4))
def test_wh_5_nobody_sees_their_partners_hand(seat: int) -> None:
    table = at_table()
    known = redact(secret_parts(only(table.log, Dealt), 1), Viewer(seat))
    assert [part.path for part in known] == [f"/hands/{seat}"]
    own = msgspec.to_builtins(RULESET.view(table.state, Viewer(seat)))
    public = msgspec.to_builtins(RULESET.view(table.state, SPECTATOR))
    assert {name for name in own if own[name] != public[name]} == {"hand"}
    assert public["hand"] is None


# --- WH-6: odd tricks


def test_wh_6_from_the_seventh_trick_on_each_is_a_point_for_both_partners() -> None:
    table = dealt(DEALT, dealer=3)
    play_tricks(table, SEVEN_SIX)
    scored = only(table.log, DealScored)
    assert scored.points == scored.totals == (1, 0, 1, 0)
    lines = RULESET.score_lines(table.state)
    assert [(line.seat, line.points, line.trick, line.card) for line in lines] == [
        (0, 1, 7, "AS"),
        (2, 1, 7, "AS"),
    ]
    assert {line.ruling for line in lines} == {"WH-6"}


def test_wh_6_all_thirteen_tricks_are_seven_points() -> None:
    hands = [SPADES, HEARTS, DIAMONDS, CLUBS]
    table = dealt(hands, dealer=0, target=9)
    play_all(table, "2H 2D 2C 2S")
    play_tricks(table, [hand[3:] for hand in hands], tricks=12)
    assert only(table.log, DealScored).points == (7, 0, 7, 0)


@pytest.mark.parametrize("seed", range(3))
def test_wh_6_a_second_count_from_the_cards_alone_names_the_deal_and_the_trick(seed: int) -> None:
    table = play_out(at_table(seed), random.Random(seed))
    log: dict[int, Any] = dict(table.facts)
    lines = RULESET.recount(table.facts)
    assert [replace(line, versions=()) for line in lines] == list(RULESET.score_lines(table.state))
    for line in lines:
        turned, *trick = (log[version] for version in line.versions)
        assert (turned.deal, len(trick)) == (line.deal, 4)
        assert {card.trick for card in trick} == {line.trick}
        assert line.card in {card.card for card in trick}


def test_the_second_count_believes_the_cards_and_not_who_is_said_to_have_taken_them() -> None:
    table = dealt(DEALT, dealer=3)
    play_tricks(table, SEVEN_SIX)
    lied = [
        (version, replace(event, seat=1) if isinstance(event, TrickTaken) else event)
        for version, event in table.facts
    ]
    assert RULESET.recount(lied) == RULESET.recount(table.facts)


# --- WH-7: the end


@pytest.mark.parametrize(
    ("totals", "won"),
    [((4, 4, 4, 4), None), ((5, 4, 5, 4), ((0, 2),)), ((2, 8, 2, 8), ((1, 3),))],
)
def test_wh_7_the_first_pair_with_five_points_has_won(totals: tuple[int, ...], won: Any) -> None:
    outcome = RULESET.outcome(replace(RULESET.initial(WhistOptions(), 4), totals=totals))
    assert (None if outcome is None else outcome.teams) == won


def test_wh_7_honours_are_not_counted() -> None:
    table = dealt(DEALT, dealer=3)  # seat 0 has been dealt all four
    play_tricks(table, SEVEN_SIX)
    assert only(table.log, DealScored).points == (1, 0, 1, 0)


def test_wh_7_no_game_needs_more_deals_than_both_pairs_one_short_of_the_target_and_one() -> None:
    assert RULESET.max_draws(WhistOptions(target=5), 4) == 1 + 4 + 4 + 1
    deal = WhistDeal(hands=tuple(tuple(hand.split()) for hand in FOUR_SUITS))
    assert "d9.deal" in RULESET.script_draws(WhistOptions(), 4, 9, [deal])
    with pytest.raises(RuleViolation):
        RULESET.script_draws(WhistOptions(), 4, 10, [deal])


# --- scripts, facts


def test_a_script_gives_each_seat_its_hand_and_turns_up_the_dealers_last_card() -> None:
    for dealer in range(4):
        first = only(dealt(DEALT, dealer=dealer).log, Dealt)
        assert first.hands == tuple(FRENCH.in_order(hand.split()) for hand in DEALT)
        assert first.turned == DEALT[dealer].split()[-1]
        assert first.draw.scripted


@pytest.mark.parametrize("totals", [(1, 0, 0, 0), (0, 1, 0, 1), (2, 0, 2, 0)])
def test_other_totals_than_the_points_make_cannot_follow(totals: tuple[int, ...]) -> None:
    table = dealt(DEALT, dealer=3)
    play_tricks(table, SEVEN_SIX)
    scored = only(table.log, DealScored)
    before = reduce(
        RULESET.evolve,
        table.log[: table.log.index(scored)],
        RULESET.initial(WhistOptions(), 4),
    )
    assert RULESET.evolve(before, scored).totals == (1, 0, 1, 0)
    with pytest.raises(IntegrityError):
        RULESET.evolve(before, replace(scored, totals=totals))


def test_nobody_is_asked_between_the_last_trick_and_the_score() -> None:
    state = replace(position(hands={}), tricks=position(hands={}, taken=[0] * 12).tricks)
    assert RULESET.to_act(state) == ()
    assert [RULESET.question(state, seat) for seat in range(4)] == [None] * 4
