"""Each ruling by its number (HE-1 to HE-7)."""

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.rulesets.hearts.model import (
    CardsPassed,
    DealScored,
    HeartsOptions,
    PassesSwapped,
)
from domain.visibility import SPECTATOR, Viewer, redact, secret_parts
from tests.domain.hearts.given import (
    FOUR_SUITS,
    RULESET,
    at_deal,
    dealt,
    legal,
    pass_first_three,
    passing,
    pick,
    play,
    play_all,
    position,
    refused,
    refused_card,
)
from tests.tables import Table


def moon_by_seat_1(totals: tuple[int, ...]) -> Table:
    """Clubs, all with seat 1, take every trick."""
    clubs, hearts, diamonds, spades = FOUR_SUITS
    table = dealt([spades, clubs, hearts, diamonds], totals=totals)
    discards = [hearts.split(), diamonds.split(), [*spades.split()[:10], "KS", "AS", "QS"]]
    for four in zip(clubs.split(), *discards, strict=True):
        play_all(table, " ".join(four))
    return table


def test_he_1_a_leader_with_only_the_queen_of_spades_and_hearts_leads_the_queen() -> None:
    state = position(hands={0: "QS 2H AH"})
    assert legal(state, 0) == "QS"
    assert refused_card(state, 0, "2H").rule == "hearts-not-broken"


def test_he_1_the_queen_of_spades_does_not_break_hearts() -> None:
    state = position(table="2S", hands={1: "QS"})
    (played,), after = play(state, 1, "QS")
    assert not played.breaks_hearts
    assert not after.broken


def test_he_1_a_leader_with_only_hearts_may_lead_one() -> None:
    assert legal(position(hands={0: "2H AH"}), 0) == "2H AH"


def test_he_2_a_heart_on_trick_1_from_a_hand_of_points_breaks_hearts() -> None:
    clubs, hearts, diamonds, spades = FOUR_SUITS
    table = dealt([clubs, hearts, diamonds, spades])
    play_all(table, "2C")
    assert legal(table.state, 1) == " ".join(FRENCH.listed(FRENCH.suits["H"]))
    play_all(table, "5H")
    assert table.log[-1].breaks_hearts
    assert table.state.broken


def test_he_2_a_hand_of_hearts_and_the_queen_of_spades_may_play_any_of_them_on_trick_1() -> None:
    state = position(trick=1, table="2C", hands={1: "3H 4H QS"})
    assert legal(state, 1) == "3H 4H QS"


def test_he_3_the_shooter_may_lose_and_the_totals_after_the_moon_decide() -> None:
    table = moon_by_seat_1((80, 90, 75, 60))
    scored = table.log[-1]
    assert isinstance(scored, DealScored)
    assert (scored.moon, scored.captured) == (1, (0, 26, 0, 0))
    assert (scored.points, scored.totals) == ((26, 0, 26, 26), (106, 90, 101, 86))
    outcome = RULESET.outcome(table.state)
    assert (outcome.winners, outcome.standings.ranks) == ((3,), (4, 2, 3, 1))


def test_he_4_the_moon_is_written_as_lines_that_add_up_to_the_points() -> None:
    table = moon_by_seat_1((0, 0, 0, 0))
    lines = RULESET.score_lines(table.state)
    by_seat = [sum(line.points for line in lines if line.seat == seat) for seat in range(4)]
    assert by_seat == [26, 0, 26, 26]
    assert [line.points for line in lines if line.ruling == "hearts.moon"] == [26, -26, 26, 26]


@pytest.mark.parametrize("score", [0, 1001, "100"])
def test_he_4_a_target_score_outside_1_to_1000_is_no_option(score: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"target_score": score}, HeartsOptions)


@pytest.mark.parametrize(
    ("target", "draws"), [(1, 1), (7, 1), (8, 2), (14, 3), (100, 16), (1000, 154)]
)
def test_he_4_no_game_needs_more_deals_than_26_points_a_deal_allow(target: int, draws: int) -> None:
    assert RULESET.max_draws(HeartsOptions(target_score=target), 4) == draws


def test_he_5_a_seat_knows_its_own_pick_before_the_swap_and_what_it_got_after() -> None:
    table = at_deal(1)
    picks = [FRENCH.listed(hand)[:3] for hand in table.state.hands]
    passing(table, 0, " ".join(picks[0]))
    own, other = (RULESET.view(table.state, Viewer(seat)) for seat in (0, 1))
    assert (own.passed, own.received, other.passed) == (picks[0], None, None)
    for seat in (1, 2, 3):
        passing(table, seat, " ".join(picks[seat]))
    after = RULESET.view(table.state, Viewer(1))
    assert (after.passed, after.received) == (picks[1], picks[0])


def test_he_5_what_was_passed_and_received_is_sealed_for_all_but_its_seat() -> None:
    table = at_deal(1)
    pass_first_three(table)
    for event in table.log:
        for part in secret_parts(event, 1):
            assert part.until == 1
            assert len(part.to) == 1
            assert redact([part], SPECTATOR) == ()
    swapped = table.log[-1]
    assert isinstance(swapped, PassesSwapped)
    assert [part.path for part in secret_parts(swapped, 1)] == [
        "/received/0", "/received/1", "/received/2", "/received/3"
    ]  # fmt: skip


def test_he_6_that_a_seat_has_picked_is_public_and_what_it_picked_is_not() -> None:
    table = at_deal(1)
    passing(table, 2, " ".join(FRENCH.listed(table.state.hands[2])[:3]))
    picked = table.log[-1]
    assert isinstance(picked, CardsPassed)
    assert [part.path for part in secret_parts(picked, 1)] == ["/cards"]
    view = RULESET.view(table.state, SPECTATOR)
    assert view.picked == (False, False, True, False)
    assert view.hand_counts == (13, 13, 10, 13)


def test_he_6_a_pick_is_final() -> None:
    table = at_deal(1)
    passing(table, 2, " ".join(FRENCH.listed(table.state.hands[2])[:3]))
    assert 2 not in table.waiting_for
    assert RULESET.question(table.state, 2) is None
    assert RULESET.legal_moves(table.state, 2).moves == ()


def test_he_7_points_taken_so_far_are_public() -> None:
    state = position(table="TC KC 3C", hands={3: "QS 7D", 1: "2D"})
    _, after = play(state, 3, "QS")
    view = RULESET.view(after, SPECTATOR)
    assert view.captured_points == (0, 13, 0, 0)
    assert view.last_trick.points == 13
    assert "QS" in view.captured[1]


def test_what_is_asked_for_is_the_only_type_of_move_accepted() -> None:
    table = at_deal(1)
    state = position(hands={0: "2D"})
    assert refused(state, 0, pick(state, "2D 3D 4D")).code == "wrong-move"
    first = FRENCH.listed(table.state.hands[0])[0]
    assert refused_card(table.state, 0, first).code == "wrong-move"
