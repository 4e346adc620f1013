"""Hearts, as its rulebook has it: what may be done, and what the table then does."""

from typing import assert_never

from domain.card_games.cards import FRENCH, CardSet, Codes
from domain.card_games.tricks import (
    PlayCard,
    Restriction,
    check_card,
    follow_suit,
    led_suit,
    legal_cards,
    legal_plays,
    taken_cards,
    taker,
    taking_card,
)
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Choice, Legal, RuleViolation, Seat
from domain.rulesets.hearts import scoring
from domain.rulesets.hearts.model import (
    HAND_SIZE,
    HEARTS,
    PASS_SIZE,
    QUEEN_OF_SPADES,
    SEATS,
    TWO_OF_CLUBS,
    CardPlayed,
    CardsPassed,
    DealScored,
    Dealt,
    Direction,
    HeartsEvent,
    HeartsMove,
    HeartsOptions,
    HeartsState,
    PassCards,
    PassesSwapped,
    Phase,
    TrickTaken,
)

DIRECTIONS: tuple[Direction, ...] = ("left", "right", "across", "none")
STEPS: dict[Direction, int] = {"left": 1, "right": 3, "across": 2, "none": 0}
WITHOUT_POINTS: CardSet = FRENCH.all & ~(HEARTS | QUEEN_OF_SPADES)
WITHOUT_HEARTS: CardSet = FRENCH.all & ~HEARTS


def initial(options: HeartsOptions, seats: int) -> HeartsState:
    return HeartsState(options.target_score)


# --- which card may be played


def _opening_lead(state: HeartsState, seat: Seat) -> CardSet | None:
    return None if state.tricks or state.table else TWO_OF_CLUBS


def _harmless_on_first_trick(state: HeartsState, seat: Seat) -> CardSet | None:
    """Ruling HE-2: a hand of nothing but points is left free, and its heart breaks hearts."""
    return None if state.tricks else WITHOUT_POINTS


def _no_heart_lead_before_the_break(state: HeartsState, seat: Seat) -> CardSet | None:
    """Ruling HE-1: from QS and hearts this leaves QS; a hand of hearts is left free."""
    return None if state.table or state.broken else WITHOUT_HEARTS


RESTRICTIONS: tuple[Restriction[HeartsState], ...] = (
    Restriction(
        "lead-two-of-clubs",
        "The two of clubs opens the deal.",
        _opening_lead,
    ),
    follow_suit(lambda state: led_suit(FRENCH, state.table)),
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
        return ((state.leader + len(state.table)) % SEATS,) if len(state.table) < SEATS else ()
    if state.phase == "pass":
        return tuple(seat for seat in range(SEATS) if not state.picks[seat])
    return ()


def question(state: HeartsState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    if state.leader is None:
        return f"d{state.deal}.pass"
    return f"d{state.deal}.t{len(state.tricks) + 1}"


def legal_moves(state: HeartsState, seat: Seat) -> Legal:
    asked = question(state, seat)
    if asked is None:
        return NOTHING_LEGAL
    hand = state.hands[seat]
    if state.leader is None:
        pick = Choice(answers=asked, type="pass_cards", choose=PASS_SIZE, of=FRENCH.listed(hand))
        return Legal((pick,))
    return legal_plays(FRENCH, hand, RESTRICTIONS, state, seat, asked)


# --- what a seat does


ASKED_FOR: dict[Phase, str] = {
    "play": "You are asked for one card to play.",
    "pass": "You are asked for the cards you pass.",
    "dealing": "You are asked for nothing now.",
    "over": "You are asked for nothing more.",
}


def accept(state: HeartsState, seat: Seat, move: HeartsMove) -> CardPlayed | CardsPassed:
    match move:
        case PlayCard() if state.phase == "play":
            return _play(state, seat, move)
        case PassCards() if state.phase == "pass":
            return _pass(state, seat, move)
        case PlayCard() | PassCards():
            raise _refused("wrong-move", ASKED_FOR[state.phase])
        case _:
            assert_never(move)


def _play(state: HeartsState, seat: Seat, move: PlayCard) -> CardPlayed:
    card = check_card(FRENCH, state.hands[seat], move.card, RESTRICTIONS, state, seat)
    return CardPlayed(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=seat,
        answers=move.answers,
        card=move.card,
        breaks_hearts=not state.broken and bool(card & HEARTS),
    )


def _pass(state: HeartsState, seat: Seat, move: PassCards) -> CardsPassed:
    """Ruling HE-6: a pick is final; it is of cards dealt, never of cards received."""
    picked = [FRENCH.card(code) for code in move.cards]
    if len(picked) != PASS_SIZE:
        raise _refused("wrong-number-of-cards", f"You pass {PASS_SIZE} cards.")
    if len(set(picked)) != PASS_SIZE:
        raise _refused("repeated-card", "You pass three different cards.")
    for card in picked:
        if not card & state.hands[seat]:
            raise _refused("card-not-in-hand", f"{FRENCH.code(card)} is not in your hand.")
    return CardsPassed(
        deal=state.deal, seat=seat, answers=move.answers, cards=FRENCH.listed(sum(picked))
    )


def _refused(rule: str, detail: str) -> RuleViolation:
    return RuleViolation(rule, detail, code=rule)


# --- what the table does by itself


def consequence(state: HeartsState, chance: Chance) -> HeartsEvent | None:
    if state.leader is not None:
        if len(state.table) == SEATS:
            return _trick_taken(state, state.leader)
        return _deal_scored(state) if len(state.tricks) == HAND_SIZE else None
    match state.phase:
        case "dealing":
            return _dealt(state, chance)
        case "pass":
            return _passes_swapped(state) if all(state.picks) else None
        case "play" | "over":
            return None


def _dealt(state: HeartsState, chance: Chance) -> Dealt:
    """One card at a time from seat 0; the direction of the pass goes round with the deals."""
    deal = state.deal + 1
    direction = DIRECTIONS[state.deal % len(DIRECTIONS)]
    order, draw = chance.shuffle(f"d{deal}.deal", FRENCH.codes)
    hands = [FRENCH.set_of(order[seat::SEATS]) for seat in range(SEATS)]
    return Dealt(
        deal=deal,
        direction=direction,
        draw=draw,
        hands=_listed(hands),
        leader=_holder_of_two_of_clubs(hands) if direction == "none" else None,
    )


def _passes_swapped(state: HeartsState) -> PassesSwapped:
    step = STEPS[state.direction]
    received = [state.picks[(seat - step) % SEATS] for seat in range(SEATS)]
    hands = [kept | new for kept, new in zip(state.hands, received, strict=True)]
    return PassesSwapped(
        deal=state.deal,
        direction=state.direction,
        received=_listed(received),
        leader=_holder_of_two_of_clubs(hands),
    )


def _trick_taken(state: HeartsState, leader: Seat) -> TrickTaken:
    """The highest card of the led suit takes it; there is no trump."""
    cards = state.table
    taking = taking_card(sum(cards), FRENCH.suit_of(cards[0]))
    return TrickTaken(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=taker(leader, cards, taking),
        cards=tuple(FRENCH.code(card) for card in cards),
        points=scoring.points_of(sum(cards)),
    )


def _deal_scored(state: HeartsState) -> DealScored:
    taken, moon, points = scoring.score(taken_cards(state.tricks, SEATS))
    totals = tuple(total + point for total, point in zip(state.totals, points, strict=True))
    return DealScored(deal=state.deal, captured=taken, moon=moon, points=points, totals=totals)


def _holder_of_two_of_clubs(hands: list[CardSet]) -> Seat:
    return next(seat for seat, hand in enumerate(hands) if hand & TWO_OF_CLUBS)


def _listed(hands: list[CardSet]) -> tuple[Codes, ...]:
    return tuple(FRENCH.listed(hand) for hand in hands)
