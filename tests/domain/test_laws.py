"""Each law finds the fault that it is for, planted in a small game that keeps all of them."""

import dataclasses
import itertools
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.card_games.tricks import PlayCard
from domain.kernel import IntegrityError, Legal, Ruleset, RuleViolation
from domain.laws import facts, moves, opening, playing, scoring, secrecy
from domain.laws.all_laws import LAWS, Law, name_of, sentence_of, verdict
from domain.laws.playing import play
from domain.scores import Outcome
from domain.visibility import Public, Viewer
from tests.outside.pairs import PAIRS
from tests.outside.pairs.model import (
    DECK,
    EVENTS,
    CardPlayed,
    DealScored,
    PairsView,
    PairsWish,
    TrickTaken,
)

SEEDS = range(3)


def found(law: Law, ruleset: Ruleset[Any]) -> str | None:
    verdicts = (verdict(law, play(ruleset, 4, seed)) for seed in SEEDS)
    return next(filter(None, verdicts), None)


@pytest.mark.parametrize("law", LAWS, ids=name_of)
def test_a_game_that_is_right_keeps_every_law(law: Law) -> None:
    assert found(law, PAIRS) is None
    assert sentence_of(law).endswith(".")


# --- faults, by the law that finds them


def without_suit(state: Any, seat: int, move: Any) -> Any:
    if isinstance(move, PlayCard) and DECK.card(move.card) & state.hands[seat]:
        return CardPlayed(deal=state.deal, seat=seat, answers=move.answers, card=move.card)
    return PAIRS.accept(state, seat, move)


def all_of_the_hand(state: Any, seat: int) -> Legal:
    legal = PAIRS.legal_moves(state, seat)
    cards = DECK.listed(state.hands[seat]) if legal.refused else ()
    asked = str(PAIRS.question(state, seat))
    return Legal(tuple(PlayCard(answers=asked, card=card) for card in cards) or legal.moves)


def out_of_turn(state: Any, seat: int) -> Legal:
    legal = PAIRS.legal_moves(state, seat)
    return legal if legal.moves else Legal((PairsWish(answers="d1.wish", tricks=0),))


def for_another_reason(state: Any, seat: int) -> Legal:
    legal = PAIRS.legal_moves(state, seat)
    return Legal(legal.moves, tuple(replace(one, detail="No.") for one in legal.refused))


def without_the_deal(state: Any, seat: int) -> str | None:
    asked = PAIRS.question(state, seat)
    return asked and asked.partition(".")[2]


def with_those_who_wished(state: Any, seat: int) -> str | None:
    asked = PAIRS.question(state, seat)
    return asked and f"{asked}.n{4 - state.wishes.count(None)}"


def always_asked(state: Any, seat: int) -> str | None:
    return PAIRS.question(state, seat) or "d9.wish"


def answering_nothing(state: Any, seat: int, move: Any) -> Any:
    return replace(PAIRS.accept(state, seat, move), answers="d0")


def wishing_otherwise(state: Any, seat: int, move: Any) -> Any:
    event = PAIRS.accept(state, seat, move)
    return event if isinstance(event, CardPlayed) else replace(event, tricks=(move.tricks + 1) % 4)


class Endless(DealScored, frozen=True, kw_only=True, tag="pairs.endless"):
    ends_draw = False


def never_revealed(state: Any, chance: Any) -> Any:
    event = PAIRS.consequence(state, chance)
    if isinstance(event, DealScored):
        return Endless(deal=event.deal, points=event.points, totals=event.totals)
    return event


def one_purpose(state: Any, chance: Any) -> Any:
    event: Any = PAIRS.consequence(state, chance)
    draw = getattr(event, "draw", None)
    return event if draw is None else replace(event, draw=replace(draw, purpose="deal"))


class Loose(TrickTaken, frozen=True, kw_only=True, tag="pairs.loose"):
    extra: Public[Any] = (1, 2)


def of_no_type(state: Any, chance: Any) -> Any:
    event = PAIRS.consequence(state, chance)
    if isinstance(event, TrickTaken):
        return Loose(deal=event.deal, trick=event.trick, seat=event.seat)
    return event


def not_knowing_the_end(state: Any, chance: Any) -> Any:
    return PAIRS.consequence(replace(state, deals=state.deals + 1), chance)


def over_with_a_trick_left(state: Any) -> Outcome | None:
    return PAIRS.won_by(state.totals, "higher", None) if len(state.tricks) == 2 else None


def failing(state: Any, chance: Any) -> Any:
    if state.deal == 2:
        raise KeyError("second deal")
    return PAIRS.consequence(state, chance)


CALLS = itertools.count()


def counting_calls(state: Any, event: Any) -> Any:
    after = PAIRS.evolve(state, event)
    return replace(after, deals=2 + next(CALLS)) if after.dealing and after.deal == 2 else after


def forgiving(state: Any, event: Any) -> Any:
    try:
        return PAIRS.evolve(state, event)
    except IntegrityError:
        return state


def with_a_point_more(state: Any, after: int = 0) -> Any:
    lines = PAIRS.score_lines(state, after)
    return tuple(replace(line, points=line.points + 1) for line in lines)


def one_winner(state: Any) -> Outcome | None:
    outcome = PAIRS.outcome(state)
    return outcome and replace(outcome, winners=outcome.winners[:1])


def without_teams(totals: Sequence[int], better: Any, tie_break: Any = None) -> Outcome:
    return replace(PAIRS.won_by(totals, better, tie_break), teams=None)


class Bare(msgspec.Struct):
    deal: int


def short_for_spectators(state: Any, viewer: Viewer) -> Any:
    return Bare(state.deal) if viewer.seat is None else PAIRS.view(state, viewer)


def open_to_the_opener(state: Any, viewer: Viewer) -> PairsView:
    view = PAIRS.view(state, viewer)
    return replace(view, hand=DECK.codes) if viewer.opener else view  # type: ignore[return-value]


def hand_of_the_next(state: Any, viewer: Viewer) -> Any:
    seat = 0 if viewer.seat is None else viewer.seat
    return replace(PAIRS.view(state, viewer), hand=DECK.listed(state.hands[(seat + 1) % 4]))


def wishes_at_once(state: Any, viewer: Viewer) -> Any:
    return replace(PAIRS.view(state, viewer), wishes=tuple(w or 0 for w in state.wishes))


def who_holds_the_highest(state: Any, viewer: Viewer) -> Any:
    """A seat is told who holds 6A, by a field that looks like nothing of the kind."""
    highest = [bool(hand & DECK.card("6A")) for hand in state.hands]
    counts = PAIRS.view(state, viewer).hand_counts  # type: ignore[attr-defined]
    told = tuple(n + held for n, held in zip(counts, highest, strict=True))
    return replace(PAIRS.view(state, viewer), hand_counts=told)


def asking_by_the_hand(state: Any, seat: int) -> str | None:
    asked = PAIRS.question(state, seat)
    return asked and f"{asked}.h{state.hands[seat] % 7}"


def telling_the_partners_hand(state: Any, seat: int, move: Any) -> Any:
    try:
        return PAIRS.accept(state, seat, move)
    except RuleViolation as violation:
        held = " ".join(DECK.listed(state.hands[(seat + 2) % 4]))
        raise RuleViolation(violation.rule, f"Your partner holds {held}.") from None


def wishing_by_the_partners_hand(state: Any, seat: int) -> Legal:
    legal = PAIRS.legal_moves(state, seat)
    wishing = isinstance(legal.moves[0] if legal.moves else None, PairsWish)
    strong = bool(state.hands[(seat + 2) % 4] & DECK.card("6A"))
    return Legal(legal.moves[1:]) if wishing and strong else legal


class Silent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deals: int = 2


class Lenient(msgspec.Struct, frozen=True):
    deals: int = 2


FAULTS: list[tuple[Law, dict[str, Any], str]] = [
    (facts.it_ends, {"outcome": lambda _: None}, "nobody is asked, and there is no outcome"),
    (facts.it_ends, {"consequence": failing}, r"after event \d+: KeyError: 'second deal'"),
    (
        facts.it_ends,
        {"outcome": lambda s: PAIRS.won_by(s.totals, "higher", None)},
        "the table goes on",
    ),
    (facts.it_ends, {"consequence": not_knowing_the_end}, "the table goes on after the"),
    (facts.it_ends, {"outcome": over_with_a_trick_left}, r"seats \(\d,\) are asked after the"),
    (moves.only_legal_moves_are_accepted, {"accept": without_suit}, "is accepted, not legal"),
    (moves.only_legal_moves_are_accepted, {"legal_moves": all_of_the_hand}, "legal, and refused"),
    (moves.every_legal_move_is_accepted, {"legal_moves": all_of_the_hand}, "is legal, and refused"),
    (moves.who_is_not_asked_may_nothing, {"legal_moves": out_of_turn}, "need not act, and may"),
    (moves.who_is_not_asked_may_nothing, {"question": always_asked}, "need not act, and is asked"),
    (moves.a_reason_given_is_the_reason, {"legal_moves": for_another_reason}, "is listed as .*No"),
    (moves.no_question_is_asked_twice, {"question": without_the_deal}, "asked again: .*wish"),
    (moves.a_question_stays_until_it_is_answered, {"question": with_those_who_wished}, "was asked"),
    (moves.an_answer_states_its_move, {"accept": answering_nothing}, "is not by seat"),
    (moves.an_answer_states_its_move, {"accept": wishing_otherwise}, "state the whole move"),
    (facts.draws_are_as_many_as_said, {"max_draws": lambda *_: 1}, "2 draws, where max_draws says"),
    (facts.draws_are_as_many_as_said, {"consequence": one_purpose}, "two draws are for one"),
    (facts.one_secret_draw_at_a_time, {"consequence": never_revealed}, "d2.deal is drawn while"),
    (facts.all_survives_its_codec, {"consequence": of_no_type, "events": (*EVENTS, Loose)}, "beco"),
    (facts.events_are_declared, {"events": EVENTS[:-1]}, "DealScored is not among the events"),
    (facts.the_log_is_enough, {"evolve": counting_calls}, "the log folds to another state"),
    (facts.no_fact_follows_itself, {"evolve": forgiving}, "Dealt can follow itself"),
    (facts.no_answer_can_be_left_out, {"evolve": forgiving}, "is left out, and nobody notices"),
    (
        scoring.both_scorers_agree,
        {"recount": lambda f, *_: PAIRS.recount(f)[1:]},
        "the scorers differ",
    ),
    (scoring.both_scorers_agree, {"recount": lambda f, *_: PAIRS.recount(f)[:-1]}, "recounted"),
    (
        scoring.both_scorers_go_on_after_each_deal,
        {"recount": lambda f, *_: PAIRS.recount(f)},
        "does not go on",
    ),
    (
        scoring.both_scorers_go_on_after_each_deal,
        {"score_lines": lambda state, *_: PAIRS.score_lines(state)},
        "later deals are others",
    ),
    (
        scoring.the_second_scorer_keeps_to_its_events,
        {"recount": lambda f, *_: PAIRS.recount(list(f)[:30])},
        "counts otherwise",
    ),
    (scoring.lines_come_to_what_is_recorded, {"score_lines": with_a_point_more}, "totals .* make"),
    (scoring.the_outcome_is_what_the_totals_mean, {"outcome": one_winner}, "won_by says"),
    (scoring.the_outcome_is_what_the_totals_mean, {"won_by": without_teams}, "won_by says"),
    (
        scoring.the_outcome_is_what_the_totals_mean,
        {"teams": lambda *_: ((0, 1), (2, 3))},
        "are not all teams of the game",
    ),
    (secrecy.views_have_the_same_keys, {"view": short_for_spectators}, "seat 0 sees other keys"),
    (secrecy.the_opener_sees_no_more, {"view": open_to_the_opener}, "the opener sees more"),
    (secrecy.what_is_told_alike_looks_alike, {"view": hand_of_the_next}, "the view: hand$"),
    (secrecy.what_is_told_alike_looks_alike, {"view": wishes_at_once}, "the view: wishes$"),
    (secrecy.what_is_told_alike_looks_alike, {"view": who_holds_the_highest}, "view: hand_counts$"),
    (secrecy.what_is_told_alike_looks_alike, {"question": asking_by_the_hand}, "what is asked$"),
    (secrecy.what_is_told_alike_looks_alike, {"accept": telling_the_partners_hand}, "is refused$"),
    (
        secrecy.what_is_told_alike_looks_alike,
        {"legal_moves": wishing_by_the_partners_hand},
        "the legal moves$",
    ),
    (opening.options_are_described, {"options": Silent}, "the option deals has no description"),
    (opening.options_are_described, {"options": Lenient}, "has no description|is taken"),
    (
        opening.settled_options_stay,
        {"complete_options": lambda o, _: replace(o, deals=o.deals + 1)},
        "become",
    ),
    (opening.a_script_has_deals, {"script_draws": lambda *_: {}}, "a script of no deals .* taken"),
]


@pytest.mark.parametrize(
    ("law", "fault", "said"),
    FAULTS,
    ids=[f"{name_of(law)}: {said}" for law, _, said in FAULTS],
)
def test_a_planted_fault_is_found(law: Law, fault: dict[str, Any], said: str) -> None:
    broken = found(law, dataclasses.replace(PAIRS, **fault))
    assert broken is not None
    assert re.search(said, broken), broken


def test_every_law_has_a_planted_fault() -> None:
    assert {law for law, _, _ in FAULTS} == set(LAWS)


def test_a_game_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "LONGEST", 20)
    assert "it has not ended after 20 events" in str(found(facts.it_ends, PAIRS))


def test_the_same_seed_is_the_same_game_and_another_one_another() -> None:
    assert play(PAIRS, 4, 1).log == play(PAIRS, 4, 1).log != play(PAIRS, 4, 2).log
