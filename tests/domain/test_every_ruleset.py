"""What holds of every game. Nothing here names one: a new ruleset is tested as soon as it is
registered, with candidate moves taken from its own games and bent out of shape."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, Union

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import Choice, Event, IntegrityError, Legal, Move, Ruleset, RuleViolation
from domain.registry import RULESETS
from domain.visibility import SPECTATOR, Viewer, undeclared_fields
from tests.chances import TableChance
from tests.tables import Table, filled

GAMES_EACH = 3
LONGEST = 20_000
POOL = 150

Asked = dict[int, str]


class Decision(NamedTuple):
    """A state in which a seat answered, what was asked of whom, and what is asked after it."""

    state: Any
    seat: int
    move: Move
    asked: Asked
    after: Any
    asked_after: Asked


class Game(NamedTuple):
    ruleset: Ruleset[Any]
    seats: int
    table: Table
    decisions: list[Decision]


def tables() -> Iterator[Any]:
    for ruleset in RULESETS.values():
        for seats in ruleset.seat_counts:
            for seed in range(GAMES_EACH):
                yield pytest.param((ruleset.id, seats, seed), id=f"{ruleset.id}-{seats}-{seed}")


@pytest.fixture(params=tables())
def game(request: pytest.FixtureRequest) -> Game:
    return played(*request.param)


@pytest.fixture(params=[pytest.param(r, id=r.id) for r in RULESETS.values()])
def ruleset(request: pytest.FixtureRequest) -> Ruleset[Any]:
    return request.param


@cache
def played(ruleset_id: str, seats: int, seed: int) -> Game:
    """A whole game of random legal moves; of several seats to act, any may be the next."""
    ruleset, rng = RULESETS[ruleset_id], random.Random(seed)
    table = Table(ruleset, TableChance(f"{ruleset_id}{seats}{seed}"), seats=seats)
    decisions: list[Decision] = []
    while table.waiting_for:
        assert len(table.log) < LONGEST, "this game does not end"
        before, asked = table.state, asked_in(ruleset, table.state)
        seat = rng.choice(table.waiting_for)
        move = filled(ruleset, rng.choice(ruleset.legal_moves(before, seat).moves), rng)
        table.play(seat, move)
        after = asked_in(ruleset, table.state)
        decisions.append(Decision(before, seat, move, asked, table.state, after))
    return Game(ruleset, seats, table, decisions)


def asked_in(ruleset: Ruleset[Any], state: Any) -> Asked:
    return {seat: str(ruleset.question(state, seat)) for seat in ruleset.to_act(state)}


# --- moves


def is_legal(move: Move, legal: Legal) -> bool:
    return any(_fits(move, one) if isinstance(one, Choice) else move == one for one in legal.moves)


def _fits(move: Any, choice: Choice) -> bool:
    return (
        move.__struct_config__.tag == choice.type
        and len(move.cards) == len(set(move.cards)) == choice.choose
        and set(move.cards) <= set(choice.of)
    )


def candidates(game: Game) -> list[Move]:
    """One of each move any state of the game allowed, and each of those with a flaw."""
    rng = random.Random(0)
    allowed: dict[bytes, Move] = {}
    for decision in game.decisions:
        for legal in game.ruleset.legal_moves(decision.state, decision.seat).moves:
            move = replace(filled(game.ruleset, legal, rng), answers="")
            allowed.setdefault(msgspec.json.encode(move), move)
    pool = list(allowed.values())
    by_type = [[m for m in pool if type(m) is move_type] for move_type in game.ruleset.moves]
    kept = [m for moves in by_type for m in rng.sample(moves, min(len(moves), POOL))]
    bent = [b for moves in by_type for m in moves[:5] for b in flawed(m)]
    return kept + bent


def flawed(move: Move) -> Iterator[Move]:
    for field in msgspec.structs.fields(move):
        value = getattr(move, field.name)
        for wrong in _wrong(value) if field.name != "answers" else ():
            raw = msgspec.to_builtins(move) | {field.name: wrong}
            try:
                yield msgspec.convert(raw, type(move))
            except msgspec.ValidationError:
                continue


def _wrong(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (-1, value + 1, 10**9)
        case str():
            yield from ("", "1Z", value + value, value.lower())
        case tuple():
            yield from ((), value[:-1], (*value, *value[:1]), (*value[:-1], *value[:1]))
            yield (*value[:-1], "1Z")
        case None:
            yield from (0, "1Z")
        case _:
            return


def accepted(ruleset: Ruleset[Any], state: Any, seat: int, move: Move) -> bool:
    try:
        ruleset.accept(state, seat, move)
    except RuleViolation as violation:
        refusal = violation
    else:
        return True
    assert refusal.rule
    assert refusal.code
    assert refusal.detail.endswith(".")
    return False


def test_a_candidate_move_is_accepted_exactly_where_it_is_legal(game: Game) -> None:
    moves = candidates(game)
    for state, seat, _, asked, *_ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat)
        for candidate in moves:
            move = replace(candidate, answers=asked[seat])
            assert accepted(game.ruleset, state, seat, move) == is_legal(move, legal), (seat, move)


def test_a_seat_that_is_asked_has_a_legal_move_and_every_legal_move_is_accepted(game: Game) -> None:
    rng = random.Random(0)
    for state, seat, _, asked, *_ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat)
        assert legal.moves
        for one in legal.moves:
            assert one.answers == asked[seat]
            assert accepted(game.ruleset, state, seat, filled(game.ruleset, one, rng))


def test_a_seat_that_is_not_asked_has_no_legal_move_and_no_question(game: Game) -> None:
    for state, _, _, asked, *_ in game.decisions:
        for seat in set(range(game.seats)) - set(asked):
            assert game.ruleset.question(state, seat) is None
            assert game.ruleset.legal_moves(state, seat) == Legal(moves=())


def test_a_move_listed_as_refused_is_refused_for_the_reason_given(game: Game) -> None:
    for state, seat, _, asked, *_ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat)
        for refusal in legal.refused:
            assert refusal.move.answers == asked[seat]
            assert getattr(refusal.move, "card", None) == refusal.card
            assert not is_legal(refusal.move, legal)
            with pytest.raises(RuleViolation) as raised:
                game.ruleset.accept(state, seat, refusal.move)
            assert (raised.value.rule, raised.value.detail) == (refusal.rule, refusal.detail)


# --- questions


def test_no_question_is_asked_of_a_seat_twice(game: Game) -> None:
    answered: set[tuple[int, str]] = set()
    for decision in game.decisions:
        assert not answered & set(decision.asked.items())
        answered.add((decision.seat, decision.asked[decision.seat]))


def test_a_question_is_unchanged_by_what_others_do_and_gone_once_answered(game: Game) -> None:
    for _, seat, _, asked, _, asked_after in game.decisions:
        assert asked_after.get(seat) != asked[seat]
        assert all(asked_after[other] == asked[other] for other in asked if other != seat)


def test_an_answering_event_names_its_seat_and_its_question(game: Game) -> None:
    answers = [event for event in game.table.log if hasattr(event, "answers")]
    assert len(answers) == len(game.decisions)
    for event, decision in zip(answers, game.decisions, strict=True):
        assert (event.seat, event.answers) == (decision.seat, decision.move.answers)


# --- the end


def test_every_game_ends_with_an_outcome_and_asks_nothing_more(game: Game) -> None:
    ruleset, end = game.ruleset, game.table.state
    outcome = ruleset.outcome(end)
    assert outcome is not None
    assert ruleset.consequence(end, game.table.chance.next()) is None
    assert ruleset.to_act(end) == ()
    assert set(outcome.winners) <= set(range(game.seats))
    assert all(ruleset.outcome(decision.state) is None for decision in game.decisions)


def test_no_game_needs_more_draws_than_its_ruleset_says(game: Game) -> None:
    bound = game.ruleset.max_draws(game.ruleset.options(), game.seats)
    draws = [e.draw for e in game.table.log if getattr(e, "draw", None) is not None]
    assert [draw.number for draw in draws] == list(range(1, len(draws) + 1))
    assert len({draw.purpose for draw in draws}) == len(draws) <= bound


def test_a_secret_draw_ends_before_the_next_one_begins(game: Game) -> None:
    open_draw = False
    for event in game.table.log:
        draw = getattr(event, "draw", None)
        if draw is not None:
            assert not open_draw
            open_draw = draw.link is None
        open_draw = open_draw and not event.ends_draw


# --- facts


def test_events_moves_and_options_survive_their_codec(game: Game) -> None:
    ruleset = game.ruleset
    any_event, any_move = Union[ruleset.events], Union[ruleset.moves]  # noqa: UP007
    for event in game.table.log:
        raw = msgspec.json.encode(event)
        assert msgspec.json.decode(raw, type=any_event) == event
    for move in [decision.move for decision in game.decisions]:
        assert msgspec.json.decode(msgspec.json.encode(move), type=any_move) == move
    options = ruleset.options()
    assert msgspec.convert(msgspec.to_builtins(options), ruleset.options) == options


def test_every_event_is_declared_by_its_ruleset(game: Game) -> None:
    assert {type(event) for event in game.table.log} <= set(game.ruleset.events)
    assert all(undeclared_fields(event_type) == () for event_type in game.ruleset.events)


def test_the_log_folds_to_the_state_and_no_chance_is_needed_for_it(game: Game) -> None:
    state = game.ruleset.initial(game.ruleset.options(), game.seats)
    for event in game.table.log:
        state = game.ruleset.evolve(state, event)
    assert state == game.table.state


def test_no_fact_can_follow_itself(game: Game) -> None:
    """A card leaves a hand once, a trick is taken once, a deal is scored once."""
    state = game.ruleset.initial(game.ruleset.options(), game.seats)
    for event in game.table.log:
        state = game.ruleset.evolve(state, event)
        with pytest.raises(IntegrityError):
            game.ruleset.evolve(state, event)


def test_a_log_with_an_answer_left_out_is_refused(game: Game) -> None:
    """Tried for some answers; the flaw shows at the next event or a later one, never not at all."""
    log = game.table.log
    places = [place for place, event in enumerate(log) if hasattr(event, "answers")]
    for place in random.Random(0).sample(places, min(10, len(places))):
        with pytest.raises(IntegrityError):
            fold(game, log[:place] + log[place + 1 :])


def fold(game: Game, log: list[Event]) -> Any:
    state = game.ruleset.initial(game.ruleset.options(), game.seats)
    for event in log:
        state = game.ruleset.evolve(state, event)
    return state


def test_both_scorers_agree_on_every_line(game: Game) -> None:
    lines = game.ruleset.score_lines(game.table.state)
    recounted = game.ruleset.recount(game.table.facts)
    assert tuple(replace(line, versions=()) for line in recounted) == lines
    for line in recounted:
        assert set(line.versions) <= set(range(1, len(game.table.log) + 1))


def test_the_second_scorer_passes_over_events_of_other_kinds(game: Game) -> None:
    class Elsewhere(Event, frozen=True, kw_only=True, tag="test.elsewhere"):
        pass

    noisy = [fact for pair in game.table.facts for fact in (pair, (pair[0], Elsewhere()))]
    assert game.ruleset.recount(noisy) == game.ruleset.recount(game.table.facts)


# --- views


def test_all_viewers_see_the_same_keys_and_a_view_can_be_written(game: Game) -> None:
    for state in [decision.state for decision in game.decisions[::7]] + [game.table.state]:
        viewers = [SPECTATOR, *(Viewer(seat) for seat in range(game.seats))]
        views = [msgspec.to_builtins(game.ruleset.view(state, viewer)) for viewer in viewers]
        assert all(view.keys() == views[0].keys() for view in views)
        assert all(msgspec.json.encode(view) for view in views)


def test_being_the_opener_shows_nothing_more_of_the_table(game: Game) -> None:
    for decision in game.decisions[::7]:
        seen = game.ruleset.view(decision.state, Viewer(0))
        assert game.ruleset.view(decision.state, Viewer(0, opener=True)) == seen


# --- options and scripts


def test_options_have_a_schema_that_describes_each_of_them(ruleset: Ruleset[Any]) -> None:
    schema = msgspec.json.schema(ruleset.options)
    (definition,) = schema["$defs"].values()
    assert all("description" in option for option in definition["properties"].values())
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"no_such_option": 1}, ruleset.options)


def test_options_once_settled_stay_as_they_are(ruleset: Ruleset[Any]) -> None:
    for seats in ruleset.seat_counts:
        settled = ruleset.complete_options(ruleset.options(), seats)
        assert ruleset.complete_options(settled, seats) == settled
        assert ruleset.initial(settled, seats) == ruleset.initial(ruleset.options(), seats)


def test_a_script_without_deals_is_impossible(ruleset: Ruleset[Any]) -> None:
    seats = ruleset.seat_counts[0]
    for first_deal in (0, 1):
        with pytest.raises(RuleViolation) as refusal:
            ruleset.script_draws(ruleset.options(), seats, first_deal, ())
        assert refusal.value.code == "impossible-script"
