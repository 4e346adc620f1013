"""Each ruling by its number, HA-1 to HA-10."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.chance import Chain
from domain.game.aggregate import decide
from domain.game.model import DealRevealed, Finished, Opened, OpenGame, Play, SeatPlan
from domain.game.opening import open_game
from domain.game.questions import questions
from domain.kernel import RuleViolation
from domain.rulesets.hamlet.model import DealerDrawn, DealScored, Dealt, HamletOptions
from domain.visibility import SPECTATOR, Viewer, redact, secret_parts
from tests.chances import TableChance
from tests.domain.hamlet.given import (
    RULESET,
    UP_DOWN,
    at_table,
    bidding,
    deals,
    legal_bids,
    play,
    position,
    refused_bid,
    scripted,
    whole_game,
)
from tests.tables import Table

FULL = HamletOptions()
FOUR_SUITS = [" ".join(FRENCH.listed(FRENCH.suits[suit])) for suit in "CDHS"]


@pytest.mark.parametrize("seats", [3, 4])
def test_ha_1_the_first_dealer_is_a_public_draw_and_the_deal_passes_to_the_left(
    seats: int, rng: random.Random
) -> None:
    table = whole_game(seats, FULL, rng)
    drawn = table.log[0]
    assert isinstance(drawn, DealerDrawn)
    assert (drawn.draw.purpose, drawn.draw.number) == ("dealer", 1)
    assert drawn.draw.link
    for n, dealt in enumerate(deals(table)):
        assert dealt.dealer == (drawn.dealer + n) % seats
        assert dealt.leader == (dealt.dealer + 1) % seats
        assert dealt.draw.purpose == f"d{n + 1}.deal"


def test_ha_1_every_seat_may_be_drawn() -> None:
    drawn = {at_table(seed=seed).log[0].dealer for seed in range(30)}
    assert drawn == {0, 1, 2}


@pytest.mark.parametrize("seats", [3, 4])
def test_ha_2_cards_go_round_from_the_dealers_left_and_the_next_one_is_turned_up(
    seats: int,
) -> None:
    table = Table(RULESET, TableChance("deal"), options=UP_DOWN, seats=seats)
    drawn, dealt = table.log
    chance = TableChance("deal")
    chance.note(drawn)
    order, _ = chance.next().shuffle("d1.deal", FRENCH.codes)
    for place in range(seats):
        assert dealt.hands[(drawn.dealer + 1 + place) % seats] == (order[place],)
    assert dealt.turned == order[seats]
    assert dealt.trump == order[seats][1]
    assert dealt.source == "turned-card"
    assert set(dealt.stock) == set(order[seats + 1 :])


def test_ha_2_the_turned_card_of_three_full_hands_belongs_to_nobody() -> None:
    (dealt,) = deals(at_table(3))
    assert [len(hand) for hand in dealt.hands] == [17, 17, 17]
    assert dealt.stock == ()
    assert dealt.turned not in {code for hand in dealt.hands for code in hand}


def test_ha_3_with_four_full_hands_the_dealers_last_card_is_shown_and_stays_in_the_hand() -> None:
    table = Table(RULESET, TableChance("deal"), seats=4)
    drawn, dealt = table.log
    chance = TableChance("deal")
    chance.note(drawn)
    order, _ = chance.next().shuffle("d1.deal", FRENCH.codes)
    assert (dealt.turned, dealt.source) == (order[51], "dealers-last-card")
    assert dealt.trump == order[51][1]
    assert dealt.turned in dealt.hands[dealt.dealer]
    assert dealt.stock == ()
    assert RULESET.view(table.state, SPECTATOR).turned == dealt.turned
    assert RULESET.view(table.state, SPECTATOR).hand_counts == (13, 13, 13, 13)


def test_ha_4_a_deal_without_trump_turns_a_card_up_if_one_is_left_and_it_means_nothing() -> None:
    (dealt,) = deals(at_table(3, options=HamletOptions(no_trump_every=1)))
    assert dealt.turned is not None
    assert (dealt.trump, dealt.source) == (None, "none")


def test_ha_4_without_trump_four_full_hands_show_nothing() -> None:
    (dealt,) = deals(at_table(4, options=HamletOptions(no_trump_every=1)))
    assert (dealt.turned, dealt.trump, dealt.source) == (None, None, "none")


def test_ha_4_without_trump_the_highest_card_of_the_led_suit_takes_the_trick() -> None:
    state = position(table="7D AS", trump="", hands={2: "8D", 0: "2C", 1: "3C"})
    events, _ = play(state, 2, "8D")
    assert events[-1].seat == 2


@pytest.mark.parametrize(
    ("size", "bids", "forbidden"),
    [(17, "0 0", 17), (17, "17 0", 0), (17, "17 1", None), (1, "0 0", 1), (1, "1 1", None)],
)
def test_ha_5_the_forbidden_bid_is_what_the_others_leave_where_a_bid_can_be_that(
    size: int, bids: str, forbidden: int | None
) -> None:
    state = bidding(size=size, bids=bids)
    assert legal_bids(state) == [bid for bid in range(size + 1) if bid != forbidden]
    assert RULESET.view(state, SPECTATOR).forbidden_bid == forbidden


def test_ha_5_the_forbidden_bid_is_named_among_the_refused_moves_with_its_reason() -> None:
    state = bidding(size=5, bids="2 3", dealer=2)
    (refusal,) = RULESET.legal_moves(state, 2).refused
    assert msgspec.to_builtins(refusal) == {
        "move": {"type": "place_bid", "answers": "d1.bid", "bid": 0},
        "rule": "forbidden-bid",
        "detail": "With 0 the bids would add up to the 5 tricks of this deal, "
        "which the dealer has to prevent.",
    }


def test_ha_5_only_the_dealer_is_bound() -> None:
    for bids in ("", "5"):
        state = bidding(size=5, bids=bids)
        assert legal_bids(state) == [0, 1, 2, 3, 4, 5]
        assert RULESET.view(state, SPECTATOR).forbidden_bid is None


@pytest.mark.parametrize("bid", [-1, 6, 18, 10**9])
def test_ha_5_a_bid_is_a_number_of_tricks_of_this_deal(bid: int) -> None:
    refusal = refused_bid(bidding(size=5), bid)
    assert (refusal.rule, refusal.detail) == ("bid-out-of-range", "A bid in this deal is 0 to 5.")


def test_ha_6_the_undealt_cards_are_sealed_for_everybody_until_the_deal_is_over() -> None:
    (dealt,) = deals(at_table(3, options=UP_DOWN))
    parts = secret_parts(dealt, 2)
    assert [part.path for part in parts] == ["/hands/0", "/hands/1", "/hands/2", "/stock"]
    stock = parts[-1]
    assert (stock.to, stock.until, len(stock.value)) == ((), 2, 48)
    for viewer in (SPECTATOR, *(Viewer(seat, opener=True) for seat in range(3))):
        assert stock not in redact(parts, viewer)


def test_ha_6_no_view_shows_the_undealt_cards_but_their_number() -> None:
    table = at_table(3, options=UP_DOWN)
    hidden = set(FRENCH.listed(table.state.stock))
    for viewer in (SPECTATOR, Viewer(0), Viewer(1), Viewer(2)):
        view = RULESET.view(table.state, viewer)
        assert view.stock_count == 48
        assert not hidden & set(str(msgspec.to_builtins(view)).replace("'", " ").split())


def test_ha_6_the_undealt_cards_are_opened_to_all_when_the_deal_is_over() -> None:
    chain = Chain.derive("g", b"r" * 32)
    command = OpenGame(
        opener="p_1",
        ruleset="hamlet",
        options={"pattern": "up_down", "deals": 1},
        seats=(SeatPlan(kind="bot", level="normal"),) * 3,
    )
    steps = open_game(command, chain)
    log, state = [event for event, _ in steps], steps[-1][1]
    while asked := questions(state):
        (seat,) = asked
        move: Any = RULESET.legal_moves(state.state, seat).moves[0]
        steps = decide(state, Play(seat=seat, move=move), chain)
        log += [event for event, _ in steps]
        state = steps[-1][1]
    (dealt,) = [event for event in log if isinstance(event, Dealt)]
    scored, revealed, finished = log[-3:]
    assert isinstance(scored, DealScored)
    assert isinstance(revealed, DealRevealed)
    assert isinstance(finished, Finished)
    opened_parts = {part.path: part.value for part in revealed.parts}
    assert opened_parts["/stock"] == dealt.stock
    assert set(opened_parts) == {"/hands/0", "/hands/1", "/hands/2", "/stock"}


def test_ha_7_several_highest_totals_share_the_win_and_a_total_may_be_negative() -> None:
    end = msgspec.structs.replace(
        RULESET.initial(HamletOptions(deals=1), 3), deal=1, dealer=0, totals=(-2, -5, -2)
    )
    outcome = RULESET.outcome(end)
    assert (outcome.winners, outcome.result) == ((0, 2), "draw")
    assert (outcome.standings.better, outcome.standings.ranks) == ("higher", (1, 3, 1))
    assert outcome.standings.totals == (-2, -5, -2)


@pytest.mark.parametrize(("seats", "greatest", "length"), [(3, 17, 33), (4, 13, 25)])
def test_ha_8_up_and_down_has_its_peak_once(
    seats: int, greatest: int, length: int, rng: random.Random
) -> None:
    table = whole_game(seats, UP_DOWN, rng)
    sizes = [dealt.size for dealt in deals(table)]
    assert sizes == [*range(1, greatest + 1), *range(greatest - 1, 0, -1)]
    assert len(sizes) == length


@pytest.mark.parametrize(("seats", "length"), [(3, 33), (4, 25)])
def test_ha_8_more_deals_than_up_and_down_has_are_refused(seats: int, length: int) -> None:
    assert (
        RULESET.complete_options(HamletOptions(pattern="up_down", deals=length), seats).deals
        == length
    )
    too_many = HamletOptions(pattern="up_down", deals=length + 1)
    for refuse in (RULESET.complete_options, RULESET.initial):
        with pytest.raises(RuleViolation) as refusal:
            refuse(too_many, seats)
        assert refusal.value.code == "invalid-options"
    assert RULESET.complete_options(HamletOptions(deals=99), seats).deals == 99


@pytest.mark.parametrize(
    ("options", "seats", "settled"),
    [
        ({}, 3, 9),
        ({}, 4, 12),
        ({"pattern": "up_down"}, 3, 33),
        ({"pattern": "up_down"}, 4, 25),
        ({"pattern": "up_down", "deals": 5}, 4, 5),
        ({"deals": 1}, 3, 1),
    ],
)
def test_ha_8_the_first_entry_states_how_many_deals_are_played(
    options: dict[str, Any], seats: int, settled: int
) -> None:
    opened = opening(options, seats)
    assert opened.options["deals"] == settled
    assert RULESET.max_draws(HamletOptions(deals=settled), seats) == settled + 1
    assert opening(opened.options, seats).options == opened.options


def test_ha_8_a_game_that_is_longer_than_its_sequence_is_not_opened() -> None:
    with pytest.raises(RuleViolation) as refusal:
        opening({"pattern": "up_down", "deals": 26}, 4)
    assert (refusal.value.code, refusal.value.rule) == ("invalid-options", "HA-8")


def test_ha_8_deals_takes_the_first_of_the_sequence(rng: random.Random) -> None:
    table = whole_game(3, HamletOptions(pattern="up_down", deals=4), rng)
    assert [dealt.size for dealt in deals(table)] == [1, 2, 3, 4]
    assert RULESET.outcome(table.state) is not None


@pytest.mark.parametrize(
    "options",
    [{"deals": 0}, {"deals": 100}, {"deals": "9"}, {"no_trump_every": 100}, {"pattern": "down"}],
)
def test_ha_8_options_out_of_bounds_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, HamletOptions)


@pytest.mark.parametrize(("every", "without"), [(0, []), (1, [1, 2, 3, 4, 5, 6]), (3, [3, 6])])
@pytest.mark.parametrize("seats", [3, 4])
def test_ha_9_every_so_many_deals_one_is_without_trump(
    every: int, without: list[int], seats: int, rng: random.Random
) -> None:
    options = HamletOptions(deals=6, no_trump_every=every)
    table = whole_game(seats, options, rng)
    assert [dealt.deal for dealt in deals(table) if dealt.trump is None] == without


def test_ha_9_the_description_warns_of_multiples_of_the_seats(rng: random.Random) -> None:
    properties = msgspec.json.schema(HamletOptions)["$defs"]["HamletOptions"]["properties"]
    assert "one and the same dealer" in properties["no_trump_every"]["description"]
    table = whole_game(3, HamletOptions(deals=9, no_trump_every=3), rng)
    assert len({dealt.dealer for dealt in deals(table) if dealt.trump is None}) == 1


def test_ha_10_with_four_up_and_down_gives_the_first_dealer_seven_deals(
    rng: random.Random,
) -> None:
    table = whole_game(4, UP_DOWN, rng)
    first = table.log[0].dealer
    counts = Counter(dealt.dealer for dealt in deals(table))
    assert counts == {seat: 7 if seat == first else 6 for seat in range(4)}


def test_a_bid_is_refused_while_a_card_is_asked_for_and_a_card_while_a_bid_is() -> None:
    table = scripted(["AS", "3D", "KS"], "2S")
    (seat,) = table.waiting_for
    answers = RULESET.question(table.state, seat)
    assert answers == "d1.bid"
    card = msgspec.convert(
        {"type": "play_card", "answers": answers, "card": "3D"}, RULESET.move_type
    )
    with pytest.raises(RuleViolation) as refusal:
        table.play(seat, card)
    assert refusal.value.code == "wrong-move"
    assert refused_bid(position(hands={0: "2D"}), 0).code == "wrong-move"


def opening(options: dict[str, Any], seats: int) -> Opened:
    command = OpenGame(
        opener="p_1",
        ruleset="hamlet",
        options=options,
        seats=(SeatPlan(kind="open"),) * seats,
    )
    (opened, _), *_ = open_game(command, Chain.derive("g", b"r" * 32))
    assert isinstance(opened, Opened)
    return opened
