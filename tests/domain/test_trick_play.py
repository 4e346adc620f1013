"""A game of three seats that is nothing but tricks: what every trick-taking game builds on."""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
import pytest
from msgspec.structs import replace

from domain.card_games import narration, trick_play, trick_views
from domain.card_games.cards import FRENCH, Card, CardSet, Codes, Deck
from domain.card_games.scripts import ScriptedHands, whole_deals
from domain.card_games.trick_play import FOLLOW_SUIT
from domain.card_games.trick_views import PlayedTrickView, TrickView
from domain.card_games.tricks import PlayCard, Restriction, Trick
from domain.chance import Draw
from domain.kernel import NOTHING_LEGAL, Event, IntegrityError, RuleViolation
from domain.visibility import Public, secret_fields
from tests.chances import QuickChance, TableChance

NO_ACE_LEADS: Restriction["State"] = Restriction(
    "no-ace-leads",
    "An ace is not led.",
    lambda state, _: None if state.trick_cards else FRENCH.all & ~cards("AC AD AH AS"),
)
RULES = (FOLLOW_SUIT, NO_ACE_LEADS)


class CardPlayed(trick_play.CardPlayed, frozen=True, kw_only=True, tag="tricks.card-played"):
    loud: Public[bool]


class TrickTaken(trick_play.TrickTaken, frozen=True, kw_only=True, tag="tricks.trick-taken"):
    aces: Public[int]


class OwnTrick(Trick, frozen=True):
    aces: int


class OwnTrickView(PlayedTrickView, frozen=True, kw_only=True):
    aces: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    deck: ClassVar[Deck] = FRENCH
    seats: ClassVar[int] = 3

    deal: int = 2
    hands: tuple[CardSet, ...]
    leader: int | None = 1
    trick_cards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    loud: bool = False


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


def position(*hands: str, table: str = "", leader: int | None = 1) -> State:
    """The second trick of deal 2. The first was led by seat 0 and taken by seat 2."""
    first = OwnTrick(0, tuple(map(FRENCH.card, ("KS", "2H", "AS"))), 2, 1)
    lying = tuple(map(FRENCH.card, table.split()))
    return State(hands=tuple(map(cards, hands)), leader=leader, trick_cards=lying, tricks=(first,))


def played(seat: int, card: str, *, deal: int = 2, trick: int = 2) -> CardPlayed:
    return CardPlayed(deal=deal, trick=trick, seat=seat, answers="d2.t2", card=card, loud=True)


def taken(seat: int, codes: str, *, deal: int = 2, trick: int = 2) -> TrickTaken:
    return TrickTaken(deal=deal, trick=trick, seat=seat, cards=tuple(codes.split()), aces=1)


THREE = ("2C AC", "3C 3D", "4C AD")
FULL = position("2C", "", "AD", table="3C 4C AC")


def test_all_that_the_shared_events_say_is_public() -> None:
    assert secret_fields(CardPlayed) == secret_fields(TrickTaken) == ()
    assert CardPlayed.__struct_fields__ == ("deal", "trick", "seat", "answers", "card", "loud")
    assert TrickTaken.__struct_fields__ == ("deal", "trick", "seat", "cards", "aces")


# --- who owes a card, and which


@pytest.mark.parametrize(
    ("table", "leader", "seats"),
    [("", 1, (1,)), ("3C", 1, (2,)), ("3C 4C", 1, (0,)), ("3C 4C AC", 1, ()), ("", None, ())],
)
def test_cards_are_played_in_turn_from_the_leader_to_the_left(
    table: str, leader: int | None, seats: tuple[int, ...]
) -> None:
    assert trick_play.on_turn(position(*THREE, table=table, leader=leader)) == seats


def test_a_question_names_the_deal_and_the_trick() -> None:
    assert trick_play.question(position(*THREE)) == "d2.t2"
    assert trick_play.question(replace(position(*THREE), tricks=(), deal=7)) == "d7.t1"


def test_who_can_follow_must_and_is_told_why() -> None:
    legal = trick_play.legal_plays(position(*THREE, table="3C"), 2, RULES)
    assert legal.moves == (PlayCard(answers="d2.t2", card="4C"),)
    assert [(refusal.card, refusal.rule) for refusal in legal.refused] == [("AD", "follow-suit")]


def test_a_rule_of_the_games_own_stands_beside_the_shared_one() -> None:
    legal = trick_play.legal_plays(position("2C AC", "", "", leader=0), 0, RULES)
    assert legal.moves == (PlayCard(answers="d2.t2", card="2C"),)
    assert [(refusal.card, refusal.rule) for refusal in legal.refused] == [("AC", "no-ace-leads")]


def test_who_is_not_on_turn_may_play_nothing() -> None:
    assert trick_play.legal_plays(position(*THREE, table="3C"), 0, RULES) == NOTHING_LEGAL
    assert trick_play.legal_plays(FULL, 1, RULES) == NOTHING_LEGAL


@pytest.mark.parametrize(
    ("phase", "sentence"),
    [
        ("play", "You are asked for one card to play."),
        ("bid", "You are asked for your bid."),
        ("dealing", "You are asked for nothing now."),
        ("over", "You are asked for nothing more."),
    ],
)
def test_a_move_of_the_wrong_kind_is_told_what_is_asked_for(phase: str, sentence: str) -> None:
    refusal = trick_play.wrong_move(phase, {"bid": "your bid"})
    assert (refusal.code, refusal.rule, refusal.detail) == ("wrong-move", "wrong-move", sentence)


# --- what happens


def test_a_card_that_may_be_played_becomes_the_games_own_event() -> None:
    move = PlayCard(answers="d2.t2", card="4C")
    state = position(*THREE, table="3C")
    assert trick_play.play(CardPlayed, state, 2, move, RULES, loud=True) == played(2, "4C")


@pytest.mark.parametrize(
    ("card", "code", "rule"),
    [
        ("AD", "illegal-move", "follow-suit"),
        ("2C", "card-not-in-hand", "card-not-in-hand"),
        ("1C", "invalid-card", "invalid-card"),
    ],
)
def test_a_card_that_may_not_be_played_is_refused(card: str, code: str, rule: str) -> None:
    move = PlayCard(answers="d2.t2", card=card)
    with pytest.raises(RuleViolation) as refusal:
        trick_play.play(CardPlayed, position(*THREE, table="3C"), 2, move, RULES, loud=True)
    assert (refusal.value.code, refusal.value.rule) == (code, rule)


@pytest.mark.parametrize(
    ("table", "trumps", "seat"),
    [
        ("3C 4C AC", "", 0),
        ("3C AD 2C", "", 1),  # a high card of another suit takes nothing
        ("3C 4C 2D", "D", 0),
        ("3C 4D 2D", "D", 2),
    ],
)
def test_the_highest_trump_takes_the_trick_else_the_highest_card_of_the_led_suit(
    table: str, trumps: str, seat: int
) -> None:
    suit = FRENCH.suits.get(trumps, 0)
    state = position("", "", "", table=table)
    assert trick_play.take(TrickTaken, state, suit, aces=1) == taken(seat, table)


def test_the_deck_is_dealt_out_one_card_at_a_time_from_seat_0() -> None:
    state = State(hands=(0, 0, 0), leader=None)
    order, _ = QuickChance(5).shuffle("d3.deal", FRENCH.codes)
    hands, draw = trick_play.deal_out(state, QuickChance(5))
    assert draw.purpose == "d3.deal"
    assert hands == tuple(FRENCH.in_order(order[seat::3]) for seat in range(3))


# --- what events change


def test_a_card_played_goes_from_the_hand_to_the_table() -> None:
    after = trick_play.card_played(position(*THREE, table="3C"), played(2, "4C"), loud=True)
    assert after == replace(position("2C AC", "3C 3D", "AD", table="3C 4C"), loud=True)


@pytest.mark.parametrize(
    "event",
    [
        played(0, "2C"),  # it is the turn of seat 2
        played(7, "4C"),
        played(2, "2C"),  # seat 0 holds it
        played(2, "1C"),
        played(2, "4C", deal=1),
        played(2, "4C", trick=1),
    ],
)
def test_a_card_that_cannot_have_been_played_is_an_impossible_fact(event: CardPlayed) -> None:
    with pytest.raises(IntegrityError):
        trick_play.card_played(position(*THREE, table="3C"), event)


@pytest.mark.parametrize("state", [FULL, replace(FULL, trick_cards=(), leader=None)])
def test_no_card_is_played_to_a_full_trick_nor_before_a_lead(state: State) -> None:
    with pytest.raises(IntegrityError):
        trick_play.card_played(state, played(1, "2C"))


def test_who_takes_a_trick_leads_the_next_one() -> None:
    after = trick_play.trick_taken(FULL, taken(0, "3C 4C AC"), OwnTrick, aces=1)
    assert (after.leader, after.trick_cards, after.hands) == (0, (), FULL.hands)
    assert after.tricks == (*FULL.tricks, OwnTrick(1, FULL.trick_cards, 0, 1))
    assert trick_play.on_turn(after) == (0,)


@pytest.mark.parametrize(
    "event",
    [
        taken(0, "3C 4C KC"),
        taken(0, "4C 3C AC"),
        taken(0, "3C 4C"),
        taken(3, "3C 4C AC"),
        taken(0, "3C 4C AC", deal=3),
        taken(0, "3C 4C AC", trick=3),
    ],
)
def test_a_trick_that_cannot_have_been_taken_is_an_impossible_fact(event: TrickTaken) -> None:
    with pytest.raises(IntegrityError):
        trick_play.trick_taken(FULL, event)


def test_a_trick_is_not_taken_before_it_is_full() -> None:
    with pytest.raises(IntegrityError):
        trick_play.trick_taken(position(*THREE, table="3C 4C"), taken(2, "3C 4C"))


def test_a_deal_is_scored_once_its_tricks_are_taken_and_no_card_is_left() -> None:
    over = position("", "", "")
    trick_play.check_played_out(over, 2, 1)
    for state, deal, size in [
        (over, 1, 1),
        (over, 2, 2),
        (position("2C", "", ""), 2, 1),
        (State(hands=(0, 0, 0), leader=None), 2, 0),  # scored already
    ]:
        with pytest.raises(IntegrityError):
            trick_play.check_played_out(state, deal, size)


@pytest.mark.parametrize(
    ("hands", "size"),
    [
        (("2C 3C", "4C 5C", "6C"), 2),
        (("2C", "3C"), 1),
        (("", "", ""), 0),
        (("2C 2C", "3C 4C", "5C 6C"), 2),
        (("1C", "3C", "4C"), 1),
    ],
)
def test_hands_of_another_size_or_of_other_cards_are_an_impossible_fact(
    hands: tuple[str, ...], size: int
) -> None:
    with pytest.raises(IntegrityError):
        trick_play.stated_hands(FULL, [tuple(hand.split()) for hand in hands], size)


def test_stated_hands_are_sets_of_cards_by_seat() -> None:
    stated: list[Codes] = [("3C", "2C"), ("AS", "KS"), ("4D", "5D")]
    assert trick_play.stated_hands(FULL, stated, 2) == tuple(
        map(cards, ("2C 3C", "KS AS", "4D 5D"))
    )


def test_points_are_added_to_the_totals_seat_by_seat() -> None:
    assert trick_play.added((1, 2, 3), (0, -4, 26)) == (1, -2, 29)
    with pytest.raises(IntegrityError):
        trick_play.added((1, 2, 3), (0, 26))


# --- what is seen of it


def test_a_view_shows_who_played_what_to_the_trick_on_the_table() -> None:
    seen = trick_views.on_table(TrickView, position(*THREE, table="3C 4C"))
    assert (seen.number, seen.leader) == (2, 1)
    assert [(one.seat, one.card) for one in seen.cards] == [(1, "3C"), (2, "4C")]


def test_a_view_shows_no_trick_before_a_lead() -> None:
    seen = trick_views.on_table(TrickView, position(*THREE, leader=None))
    assert seen == TrickView(number=0, leader=None, cards=())


def test_a_view_shows_the_tricks_taken_with_what_a_game_keeps_of_them() -> None:
    (seen,) = trick_views.all_tricks(OwnTrickView, FULL, "aces")
    assert (seen.number, seen.leader, seen.taker, seen.aces) == (1, 0, 2, 1)
    assert [(one.seat, one.card) for one in seen.cards] == [(0, "KS"), (1, "2H"), (2, "AS")]
    assert trick_views.last_trick(OwnTrickView, FULL, "aces") == seen
    assert trick_views.last_trick(PlayedTrickView, replace(FULL, tricks=())) is None


def test_a_transcript_tells_a_trick_from_its_leader_on() -> None:
    told = narration.trick_played(FULL, taken(0, "3C 4C AC"))
    assert told == "  trick  2  1:3C 2:4C 0:AC"


def test_a_game_without_words_of_its_own_is_told_by_the_fields_of_its_events() -> None:
    class LeaderDrawn(Event, frozen=True, kw_only=True, tag="tricks.leader-drawn"):
        draw: Draw
        leader: int

    class Dealt(Event, frozen=True, kw_only=True, tag="tricks.dealt"):
        deal: int
        draw: Draw
        hands: tuple[Codes, ...]
        turned: str

    class DealScored(Event, frozen=True, kw_only=True, tag="tricks.deal-scored"):
        deal: int
        points: tuple[int, ...]
        totals: tuple[int, ...]

    hands = (("2C", "3C"), ("AD",), ("4H",))
    draws = [Draw(number=number, purpose="") for number in (1, 2)]
    for event, said in (
        (LeaderDrawn(draw=draws[0], leader=2), ["Drawn (draw 1): leader 2"]),
        (
            Dealt(deal=1, draw=draws[1], hands=hands, turned="4H"),
            [
                "",
                "Deal 1 (draw 2): turned 4H",
                "    seat 0  2C 3C",
                "    seat 1  AD",
                "    seat 2  4H",
            ],
        ),
        (played(1, "3C"), []),
        (taken(0, "3C 4C AC"), ["  trick  2  1:3C 2:4C 0:AC  seat 0 takes it"]),
        (
            DealScored(deal=1, points=(0, 2, 1), totals=(3, 2, 1)),
            ["  points +0 +2 +1  totals 3 2 1"],
        ),
    ):
        assert list(narration.told(FRENCH, FULL, event)) == said


# --- deals written down beforehand


SUITS = tuple(FRENCH.listed(FRENCH.suits[suit]) for suit in "CDHS")
SCRIPT: Callable[[Any, int, int, Any], dict[str, Codes]] = whole_deals(FRENCH, lambda *_: 5)


def test_a_scripted_deal_is_the_one_that_is_dealt_out() -> None:
    class FourSeats(State, frozen=True, kw_only=True):
        seats: ClassVar[int] = 4

    written = ScriptedHands(hands=tuple(tuple(reversed(suit)) for suit in SUITS))
    draws = SCRIPT(None, 4, 3, [written])
    chance = TableChance("script", draws).next()
    hands, draw = trick_play.deal_out(FourSeats(hands=(0,) * 4, leader=None), chance)
    assert draw.scripted
    assert hands == written.hands == SUITS


@pytest.mark.parametrize(("first_deal", "deals"), [(0, 1), (1, 0), (6, 1), (5, 2)])
def test_a_script_of_deals_that_a_game_does_not_reach_is_refused(
    first_deal: int, deals: int
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        SCRIPT(None, 4, first_deal, [ScriptedHands(hands=SUITS)] * deals)
    assert refusal.value.code == "impossible-script"


class NamingALeader(ScriptedHands, frozen=True, kw_only=True):
    leader: int | None = None


LED: Callable[[Any, int, int, Any], dict[str, Any]] = whole_deals(FRENCH, lambda *_: 5, "leader")


def test_the_first_deal_of_a_game_may_name_who_is_otherwise_drawn() -> None:
    deals = [NamingALeader(hands=SUITS, leader=3), NamingALeader(hands=SUITS)]
    assert LED(None, 4, 1, deals)["leader"] == 3
    assert "leader" not in LED(None, 4, 1, deals[1:])
    assert "leader" not in LED(None, 4, 2, deals[1:])


@pytest.mark.parametrize(("first_deal", "leaders"), [(1, [4]), (1, [-1]), (1, [None, 0]), (2, [0])])
def test_another_deal_names_nobody_and_the_first_one_a_seat(
    first_deal: int, leaders: list[int | None]
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        LED(None, 4, first_deal, [NamingALeader(hands=SUITS, leader=seat) for seat in leaders])
    assert refusal.value.code == "impossible-script"
    assert "leader" in refusal.value.detail


@pytest.mark.parametrize("hands", [SUITS[:3], (*SUITS[:3], SUITS[0]), (*SUITS[:3], SUITS[3][:12])])
def test_a_script_that_is_not_the_whole_deck_is_refused(hands: tuple[Codes, ...]) -> None:
    with pytest.raises(RuleViolation) as refusal:
        SCRIPT(None, 4, 1, [ScriptedHands(hands=hands)])
    assert refusal.value.code == "impossible-script"
