"""Hearts, as its rulebook has it: what may be done, and what the table then does."""

from collections.abc import Iterable
from typing import assert_never

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, CardSet, Codes
from domain.card_games.tricks import PlayCard, Restriction, legal_cards, taken_cards
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Choice, Legal, RuleViolation, Seat
from domain.rulesets.hearts import model, scoring
from domain.rulesets.hearts.model import (
    HAND_SIZE,
    HEARTS,
    PASS_SIZE,
    QUEEN_OF_SPADES,
    SEATS,
    TWO_OF_CLUBS,
    HeartsEvent,
    HeartsMove,
    HeartsOptions,
    HeartsState,
)

DIRECTIONS: tuple[model.Direction, ...] = ("left", "right", "across", "none")
STEPS: dict[model.Direction, int] = {"left": 1, "right": 3, "across": 2, "none": 0}
WITHOUT_POINTS: CardSet = FRENCH.all & ~(HEARTS | QUEEN_OF_SPADES)
WITHOUT_HEARTS: CardSet = FRENCH.all & ~HEARTS


def initial(options: HeartsOptions, seats: int) -> HeartsState:
    return HeartsState(options.target_score)


# --- which card may be played


def _opening_lead(state: HeartsState, seat: Seat) -> CardSet | None:
    return None if state.tricks or state.trick_cards else TWO_OF_CLUBS


def _harmless_on_first_trick(state: HeartsState, seat: Seat) -> CardSet | None:
    """Ruling HE-2: a hand of nothing but points is left free, and its heart breaks hearts."""
    return None if state.tricks else WITHOUT_POINTS


def _no_heart_lead_before_the_break(state: HeartsState, seat: Seat) -> CardSet | None:
    """Ruling HE-1: from QS and hearts this leaves QS; a hand of hearts is left free."""
    return None if state.trick_cards or state.broken else WITHOUT_HEARTS


RESTRICTIONS: tuple[Restriction[HeartsState], ...] = (
    Restriction("lead-two-of-clubs", "The two of clubs opens the deal.", _opening_lead),
    trick_play.FOLLOW_SUIT,
    Restriction(
        "no-points-on-first-trick",
        "Hearts and the queen of spades may not be played on the first trick.",
        _harmless_on_first_trick,
    ),
    Restriction(
        "hearts-not-broken",
        "Hearts may not be led until a heart has been played in this deal.",
        _no_heart_lead_before_the_break,
    ),
)


def legal_card_set(state: HeartsState, seat: Seat) -> CardSet:
    """The cards `seat` may play now, it being its turn."""
    return legal_cards(state.hands[seat], RESTRICTIONS, state, seat)


# --- who owes what


def to_act(state: HeartsState) -> tuple[Seat, ...]:
    if state.leader is not None:
        return trick_play.on_turn(state)
    if state.phase == "pass":
        return tuple(seat for seat in range(SEATS) if not state.picks[seat])
    return ()


def question(state: HeartsState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    return f"d{state.deal}.pass" if state.leader is None else trick_play.question(state)


def legal_moves(state: HeartsState, seat: Seat) -> Legal:
    if (asked := question(state, seat)) is None:
        return NOTHING_LEGAL
    if state.leader is None:
        hand = FRENCH.listed(state.hands[seat])
        return Legal((Choice(answers=asked, type="pass_cards", choose=PASS_SIZE, of=hand),))
    return trick_play.legal_plays(state, seat, RESTRICTIONS)


# --- what a seat does


def accept(
    state: HeartsState, seat: Seat, move: HeartsMove
) -> model.CardPlayed | model.CardsPassed:
    match move:
        case PlayCard() if state.leader is not None:
            return _play(state, seat, move)
        case model.PassCards() if state.phase == "pass":
            return _pass(state, seat, move)
        case PlayCard() | model.PassCards():
            raise trick_play.wrong_move(state.phase, {"pass": "the cards you pass"})
        case _:
            assert_never(move)


def _play(state: HeartsState, seat: Seat, move: PlayCard) -> model.CardPlayed:
    breaks = not state.broken and move.card.endswith("H")
    return trick_play.play(model.CardPlayed, state, seat, move, RESTRICTIONS, breaks_hearts=breaks)


def _pass(state: HeartsState, seat: Seat, move: model.PassCards) -> model.CardsPassed:
    """Ruling HE-6: a pick is final; it is of cards dealt, never of cards received."""
    picked = [FRENCH.card(code) for code in move.cards]
    if len(picked) != PASS_SIZE:
        raise _refused("wrong-number-of-cards", f"You pass {PASS_SIZE} cards.")
    if len(set(picked)) != PASS_SIZE:
        raise _refused("repeated-card", "You pass three different cards.")
    for card in picked:
        if not card & state.hands[seat]:
            raise _refused("card-not-in-hand", f"{FRENCH.code(card)} is not in your hand.")
    return model.CardsPassed(
        deal=state.deal, seat=seat, answers=move.answers, cards=FRENCH.listed(sum(picked))
    )


def _refused(rule: str, detail: str) -> RuleViolation:
    return RuleViolation(rule, detail, code=rule)


# --- what the table does by itself


def consequence(state: HeartsState, chance: Chance) -> HeartsEvent | None:
    if state.leader is not None:
        if len(state.trick_cards) == SEATS:
            return _trick_taken(state)
        return _deal_scored(state) if len(state.tricks) == HAND_SIZE else None
    match state.phase:
        case "dealing":
            return _dealt(state, chance)
        case "pass" if all(state.picks):
            return _passes_swapped(state)
        case _:
            return None


def _dealt(state: HeartsState, chance: Chance) -> model.Dealt:
    """One card at a time from seat 0; the direction of the pass goes round with the deals."""
    direction = DIRECTIONS[state.deal % len(DIRECTIONS)]
    hands, draw = trick_play.deal_out(state, chance)
    return model.Dealt(
        deal=state.deal + 1,
        direction=direction,
        draw=draw,
        hands=hands,
        leader=_holder_of_two_of_clubs(hands) if direction == "none" else None,
    )


def _passes_swapped(state: HeartsState) -> model.PassesSwapped:
    step = STEPS[state.direction]
    received = [state.picks[(seat - step) % SEATS] for seat in range(SEATS)]
    hands = [kept | new for kept, new in zip(state.hands, received, strict=True)]
    return model.PassesSwapped(
        deal=state.deal,
        direction=state.direction,
        received=tuple(map(FRENCH.listed, received)),
        leader=_holder_of_two_of_clubs(map(FRENCH.listed, hands)),
    )


def _trick_taken(state: HeartsState) -> model.TrickTaken:
    """The highest card of the led suit takes it; there is no trump."""
    return trick_play.take(
        model.TrickTaken, state, points=scoring.points_of(sum(state.trick_cards))
    )


def _deal_scored(state: HeartsState) -> model.DealScored:
    taken, moon, points = scoring.score(taken_cards(state.tricks, SEATS))
    totals = trick_play.added(state.totals, points)
    return model.DealScored(
        deal=state.deal, captured=taken, moon=moon, points=points, totals=totals
    )


def _holder_of_two_of_clubs(hands: Iterable[Codes]) -> Seat:
    return next(seat for seat, hand in enumerate(hands) if "2C" in hand)
