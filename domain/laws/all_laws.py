"""The laws that hold of every game, whatever it is. `elsinore ruleset check` and the tests run
them over games that were played by chance; the same seed finds the same."""

from collections.abc import Callable

from domain.laws import facts, moves, opening, scoring, secrecy
from domain.laws.playing import Broken, Played

Law = Callable[[Played], None]
"""Raises Broken where it does not hold of a game; its docstring is the law."""

LAWS: tuple[Law, ...] = (
    facts.it_ends,
    moves.only_legal_moves_are_accepted,
    moves.every_legal_move_is_accepted,
    moves.who_is_not_asked_may_nothing,
    moves.a_reason_given_is_the_reason,
    moves.no_question_is_asked_twice,
    moves.a_question_stays_until_it_is_answered,
    moves.an_answer_states_its_move,
    facts.draws_are_as_many_as_said,
    facts.one_secret_draw_at_a_time,
    facts.all_survives_its_codec,
    facts.events_are_declared,
    facts.the_log_is_enough,
    facts.no_fact_follows_itself,
    facts.no_answer_can_be_left_out,
    scoring.both_scorers_agree,
    scoring.both_scorers_go_on_after_each_deal,
    scoring.the_second_scorer_keeps_to_its_events,
    scoring.lines_come_to_what_is_recorded,
    scoring.the_outcome_is_what_the_totals_mean,
    secrecy.views_have_the_same_keys,
    secrecy.the_opener_sees_no_more,
    secrecy.what_is_told_alike_looks_alike,
    opening.options_are_described,
    opening.settled_options_stay,
    opening.a_script_has_deals,
)


def name_of(law: Law) -> str:
    return law.__name__.replace("_", "-")


def sentence_of(law: Law) -> str:
    return (law.__doc__ or "").partition("\n")[0]


def verdict(law: Law, game: Played) -> str | None:
    """What breaks the law in this game; None where nothing does."""
    try:
        law(game)
    except Broken as broken:
        return str(broken)
    except Exception as error:  # noqa: BLE001 - a function of the rules that fails breaks a law, too
        return f"{type(error).__name__}: {error}"
    return None
