"""Seats: who may have one, leave it, have it again, and what is refused."""

import pytest

from domain.chance import Chain
from domain.game.aggregate import accept, already_done_by, decide, evolve
from domain.game.model import (
    CloseGame,
    Command,
    Finished,
    Game,
    Leave,
    Occupant,
    Opened,
    OpenGame,
    SeatBot,
    SeatLeft,
    SeatPlan,
    SeatResumed,
    Sit,
    Started,
)
from domain.game.opening import open_game
from domain.game.questions import questions
from domain.kernel import IntegrityError, RuleViolation

CHAIN = Chain.derive("seating", bytes(32))
OPEN = SeatPlan(kind="open")
MINE = SeatPlan(kind="reserved", player="ann")
BOT = SeatPlan(kind="bot", level="easy")


def opened(*seats: SeatPlan) -> Game:
    plan = OpenGame(opener="ann", ruleset="hearts", options={}, seats=seats)
    (_, game), *_ = open_game(plan, CHAIN)
    return game


def after(game: Game, *commands: Command) -> Game:
    for command in commands:
        game = decide(game, command, CHAIN)[-1][1]
    return game


def refusal(game: Game, command: Command) -> str:
    with pytest.raises(RuleViolation) as refused:
        accept(game, command, CHAIN)
    return refused.value.code


def test_the_opener_sits_in_the_reserved_seat_and_in_no_other() -> None:
    game = opened(MINE, OPEN, BOT, BOT)
    assert refusal(game, Sit(player="ann", seat=1)) == "seat-reserved"
    assert refusal(game, Sit(player="bob", seat=0)) == "seat-reserved"
    assert after(game, Sit(player="ann", seat=0)).seat_of("ann") == 0


def test_sitting_again_stands_with_the_same_entropy_or_none_and_with_no_other() -> None:
    given, other = "ab" * 16, "cd" * 16
    game = after(opened(OPEN, OPEN, BOT, BOT), Sit(player="bob", seat=1, entropy=given))
    assert already_done_by(game, Sit(player="bob", seat=1)) == 2
    assert already_done_by(game, Sit(player="bob", seat=1, entropy=given)) == 2
    again = Sit(player="bob", seat=1, entropy=other)
    assert already_done_by(game, again) is None
    assert refusal(game, again) == "already-seated"
    game = after(game, Sit(player="ann", seat=0))
    late = Sit(player="ann", seat=0, entropy=given)
    assert already_done_by(game, late) is None
    assert refusal(game, late) == "already-seated"


def test_a_person_has_one_seat() -> None:
    game = after(opened(OPEN, OPEN, BOT, BOT), Sit(player="bob", seat=1))
    assert refusal(game, Sit(player="bob", seat=0)) == "already-seated"


def test_b15_the_fifth_to_sit_at_a_full_table_is_told_so() -> None:
    sits = [Sit(player=f"p{seat}", seat=seat) for seat in range(4)]
    game = after(opened(OPEN, OPEN, OPEN, OPEN), *sits)
    assert game.status == "playing"
    assert refusal(game, Sit(player="p4", seat=2)) == "game-full"


def test_a_taken_seat_and_a_seat_that_is_not_there_are_refused() -> None:
    game = after(opened(OPEN, OPEN, OPEN, BOT), Sit(player="bob", seat=1))
    assert refusal(game, Sit(player="cat", seat=1)) == "seat-taken"
    assert refusal(game, Sit(player="cat", seat=3)) == "seat-taken"
    assert refusal(game, Sit(player="cat", seat=4)) == "unknown-seat"
    assert refusal(game, Sit(player="cat", seat=-1)) == "unknown-seat"


@pytest.mark.parametrize("entropy", ["", "ab" * 15, "ab" * 65, "AB" * 16, "zz" * 16, "a" * 33])
def test_entropy_is_16_to_64_bytes_of_lower_case_hex(entropy: str) -> None:
    sit = Sit(player="bob", seat=1, entropy=entropy)
    assert refusal(opened(OPEN, OPEN, BOT, BOT), sit) == "invalid-entropy"


def test_the_last_seat_starts_the_game_with_everybodys_entropy() -> None:
    game = after(opened(OPEN, OPEN, BOT, BOT), Sit(player="bob", seat=1, entropy="ab" * 16))
    _, (started, _), *_ = decide(game, Sit(player="ann", seat=0), CHAIN)
    assert started == Started(entropy=(None, "ab" * 16, None, None))


def test_only_the_opener_seats_a_bot_or_closes_the_table() -> None:
    game = opened(OPEN, OPEN, OPEN, OPEN)
    assert refusal(game, SeatBot(player="bob", seat=1, level="easy")) == "not-the-opener"
    assert refusal(game, CloseGame(player="bob")) == "not-the-opener"
    assert after(game, SeatBot(player="ann", seat=1, level="easy")).seats[1].kind == "bot"


def test_who_leaves_frees_the_seat_for_another() -> None:
    game = after(opened(OPEN, OPEN, BOT, BOT), Sit(player="bob", seat=1))
    assert refusal(game, Leave(player="cat", seat=1)) == "not-your-seat"
    game = after(game, Leave(player="bob", seat=1), Sit(player="cat", seat=1))
    assert game.seat_of("cat") == 1


def started() -> Game:
    return after(opened(OPEN, OPEN, BOT, BOT), *(Sit(player=p, seat=s) for s, p in enumerate("ab")))


def test_b29_a_bot_takes_over_from_who_leaves_a_started_game() -> None:
    game = started()
    left = accept(game, Leave(player="b", seat=1, level="hard"), CHAIN)
    assert left == SeatLeft(seat=1, player="b", level="hard")
    game = evolve(game, left)
    assert game.seats[1] == Occupant(kind="bot", level="hard", former="b", since=game.version)
    assert (game.status, game.seat_of("b")) == ("playing", None)
    assert game.entropy == started().entropy


def test_b29_the_former_player_alone_resumes_and_adds_no_entropy() -> None:
    game = after(started(), Leave(player="b", seat=1))
    assert refusal(game, Sit(player="c", seat=1)) == "game-full"
    assert refusal(game, Sit(player="b", seat=2)) == "game-full"
    assert refusal(game, Sit(player="a", seat=1)) == "already-seated"
    assert refusal(game, SeatBot(player="ann", seat=1, level="easy")) == "already-started"
    assert refusal(game, Leave(player="b", seat=1)) == "not-your-seat"
    assert refusal(game, Sit(player="b", seat=1, entropy="ab" * 16)) == "entropy-frozen"
    ((back, game),) = decide(game, Sit(player="b", seat=1), CHAIN)
    assert back == SeatResumed(seat=1, player="b")
    assert game.seats[1] == Occupant(kind="player", player="b", since=game.version)
    assert refusal(game, Sit(player="c", seat=1)) == "game-full"


def test_b29_leaving_and_resuming_ask_nobody_anything_new() -> None:
    game = started()
    asked = questions(game)
    game = after(game, Leave(player="b", seat=1))
    assert questions(game) == asked
    assert questions(after(game, Sit(player="b", seat=1))) == asked


def test_b29_before_the_start_no_bot_takes_over() -> None:
    game = after(opened(OPEN, OPEN, BOT, BOT), Sit(player="bob", seat=1))
    left = accept(game, Leave(player="bob", seat=1, level="hard"), CHAIN)
    assert left == SeatLeft(seat=1, player="bob")
    assert evolve(game, left).seats[1].former is None


def test_ta5_a_closed_table_is_finished_and_its_root_revealed() -> None:
    game = opened(OPEN, OPEN, BOT, BOT)
    closed = accept(game, CloseGame(player="ann"), CHAIN)
    assert isinstance(closed, Finished)
    assert (closed.reason, closed.outcome, closed.root) == ("closed", None, bytes(32).hex())
    finished = evolve(game, closed)
    assert refusal(finished, Sit(player="bob", seat=1)) == "game-over"
    with pytest.raises(IntegrityError):
        evolve(finished, closed)


def test_ta3_a_table_of_bots_starts_as_it_is_opened() -> None:
    plan = OpenGame(opener="ann", ruleset="hearts", options={}, seats=(BOT,) * 4)
    assert [type(event) for event, _ in open_game(plan, CHAIN)][:2] == [Opened, Started]


@pytest.mark.parametrize(
    ("seats", "options", "ruleset", "code"),
    [
        ((OPEN,) * 3, {}, "hearts", "invalid-seats"),
        ((MINE, MINE, OPEN, OPEN), {}, "hearts", "invalid-seats"),
        ((OPEN,) * 4, {"target_score": 0}, "hearts", "invalid-options"),
        ((OPEN,) * 4, {"moon": "old"}, "hearts", "invalid-options"),
        ((OPEN,) * 4, {}, "bridge", "unknown-ruleset"),
        ((OPEN,) * 4, {}, "hearts@99", "unknown-ruleset"),
    ],
)
def test_a_game_that_cannot_be_is_refused_at_opening(
    seats: tuple[SeatPlan, ...], options: dict[str, object], ruleset: str, code: str
) -> None:
    plan = OpenGame(opener="ann", ruleset=ruleset, options=options, seats=seats)
    with pytest.raises(RuleViolation) as refused:
        open_game(plan, CHAIN)
    assert refused.value.code == code
