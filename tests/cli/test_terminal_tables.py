"""What is drawn on a terminal: in 80 columns, and nothing of a log is obeyed."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from domain.game.model import OpenGame, SeatPlan
from domain.registry import RULESETS
from domain.visibility import Viewer
from events.audit.audit import lines_of
from service.cli.composition import in_memory
from service.cli.main import main
from service.cli.play import play_out
from service.cli.terminal.tables import facts_by_seat, table_at, text
from tests.events.forging import Forgery

HOSTILE = "\x1b[2J\x07\u202e[/x][bold]"
SHOWN = "\\x1b[2J\\x07\\u202e[/x][bold]"
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words: object) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words])

    return run


def drawn(public: dict[str, Any], seats: list[dict[str, Any]]) -> list[str]:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(table_at(public, seats))
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize("at", [12, 40, 200])
def test_a_table_is_whole_in_80_columns(narrow: Any, at: int) -> None:
    done = narrow("replay", GOLDEN / "hearts-default.ndjson", "--at", at, "--table-only")

    assert done.exit_code == 0, done.output
    assert "…" not in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    for heading in ("pass direction", "hand", "captured points", "tricks taken", "target score"):
        assert heading in done.stdout


def test_each_seat_has_its_hand_in_one_line(narrow: Any) -> None:
    done = narrow("replay", GOLDEN / "hearts-bots.ndjson", "--at", "40", "--table-only")
    lines = [line.rstrip() for line in done.stdout.splitlines()]

    asked = next(n for n, line in enumerate(lines) if line.startswith("seat 3"))
    assert lines[asked].endswith("bot hard, is asked d1.t6")
    assert lines[asked + 1].split() == ["hand", "7D", "5H", "8H", "JH", "4S", "5S", "7S", "TS"]
    assert lines[asked + 2].split() == ["passed", "JC", "QH", "AS"]
    assert lines[asked + 4].split() == ["captured", "2C", "4C", "5C", "6C"]


def seats_drawn(output: str) -> list[str]:
    """The block of each seat, white space folded."""
    _, *blocks = output.split("\nseat ")
    return [" ".join(block.split()) for block in blocks]


def test_goals_that_lie_face_down_are_drawn_under_their_seats(narrow: Any) -> None:
    log = GOLDEN / "hearts-and-minds-three.ndjson"
    before = seats_drawn(narrow("replay", log, "--at", 9, "--table-only").stdout)
    assert " goal mindless goals used - " in before[0]
    assert " goal mindless goals used - " in before[1]
    assert " goal " not in before[2]


def test_goals_that_are_revealed_are_drawn_once_under_their_seats(narrow: Any) -> None:
    log = GOLDEN / "hearts-and-minds-three.ndjson"
    done = narrow("replay", log, "--at", 12, "--table-only")
    assert not any(
        line.startswith("goals ") for line in done.stdout.split("seat 0")[0].splitlines()
    )
    for block, goal in zip(
        seats_drawn(done.stdout), ("mindless", "mindless", "heartless"), strict=True
    ):
        assert f" goals used {goal} " in block
        assert f", goals {goal}, " in block
        assert " goal " not in block


def test_what_was_passed_is_drawn_under_its_seat(narrow: Any) -> None:
    done = narrow("replay", GOLDEN / "hearts-default.ndjson", "--at", 12, "--table-only")
    assert " passed TC 8H QS received 6C 6S AS " in seats_drawn(done.stdout)[0]


def test_winners_are_not_by_seat_where_all_have_won() -> None:
    ruleset = RULESETS["hamlet_play@1"]
    options = ruleset.complete_options(ruleset.options(), 2)
    view = msgspec.to_builtins(ruleset.view(ruleset.initial(options, 2), Viewer()))
    view |= {"ruleset": ruleset.id, "options": msgspec.to_builtins(options), "winners": [0, 1]}

    assert facts_by_seat(view | {"seats": [{}, {}]}) == ["totals"]


@pytest.mark.parametrize("number", range(1, 6))
def test_deals_that_happen_to_be_as_many_as_seats_are_not_by_seat(number: int) -> None:
    ruleset = RULESETS["hearts@1"]
    view = msgspec.to_builtins(ruleset.view(ruleset.initial(ruleset.options(), 4), Viewer()))
    view |= {"deal_points": [[26, 0, 0, 0]] * number, "ruleset": "hearts@1", "version": 9}
    view |= {"status": "playing", "options": {}, "to_act": {"2": "d9.t1"}}
    view["seats"] = [{"player": None, "kind": "bot", "level": "easy"}] * 4

    assert "deal_points" not in facts_by_seat(view)
    assert {"hand_counts", "captured", "totals"} <= set(facts_by_seat(view))
    [line] = [line for line in drawn(view, []) if line.startswith("deal points")]
    assert line.endswith(" | ".join(["26 0 0 0"] * number))


@pytest.mark.uncounted
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_a_finished_game_of_every_ruleset_is_drawn_in_80_columns(
    narrow: Any, tmp_path: Path, ruleset: Any
) -> None:
    assert narrow("play", ruleset.name, "--logs", tmp_path).exit_code == 0
    [file] = tmp_path.iterdir()
    entries = len(lines_of(file.read_bytes()))

    for at in (1, entries // 3, entries // 2, entries):
        done = narrow("replay", file, "--at", at, "--table-only")
        assert done.exit_code == 0, done.output
        assert "…" not in done.stdout
        assert "seat 0" in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_hands_of_a_log_that_was_cut_short_are_drawn(
    narrow: Any, log: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(b"\n".join(lines_of(log.read_bytes())[:20]) + b"\n")

    done = narrow("replay", cut)

    assert "version 20, playing" in done.stdout
    assert "hidden" not in done.stdout
    assert "trick  1" in done.stdout


def test_texts_of_a_log_are_shown_and_not_obeyed(narrow: Any, tmp_path: Path) -> None:
    runtime = in_memory()
    seats = (SeatPlan(kind="bot", level="easy"),) * 4
    options = {"target_score": 1}
    game = play_out(
        runtime, OpenGame(opener=HOSTILE, ruleset="hearts", options=options, seats=seats)
    )
    file = tmp_path / "log"
    file.write_bytes(b"\n".join(runtime.reader.log(game)))

    done = narrow("replay", file)

    assert done.exit_code == 0, done.output
    assert f"Opened by {SHOWN}." in done.stdout
    assert obeyed(done.stdout) == set()


@pytest.mark.parametrize(
    "change",
    [
        ('"card":"', '"card":"[/JC]'),
        ('"card":"', '"card":"\\u001b[8m'),
        ('"game":"', '"game":"[/x]'),
        ('"ruleset":"', '"ruleset":"[conceal]\\u001b[2J'),
        ('"type":"', '"type":"[/x]\\u0007'),
        ('"correlation":"', '"correlation":"[conceal]'),
    ],
)
def test_a_hostile_log_is_judged_and_not_obeyed(
    narrow: Any, log: Path, tmp_path: Path, change: tuple[str, str]
) -> None:
    text_of = log.read_text()
    assert change[0] in text_of
    file = tmp_path / "hostile"
    file.write_text(text_of.replace(*change))

    for command in ("verify", "replay"):
        done = narrow(command, file)
        assert not isinstance(done.exception, Exception), done.exception
        assert obeyed(done.output) == set()


def test_found_values_are_shown_as_they_stand(narrow: Any, log: Path, tmp_path: Path) -> None:
    forgery = Forgery(lines_of(log.read_bytes()))
    follows = next(entry for entry in forgery.entries if entry["causation"] is not None)
    follows["correlation"] = "[conceal]\u009b31m"
    file = tmp_path / "hostile"
    file.write_bytes(b"\n".join(forgery.lines()))

    done = narrow("verify", file)

    assert done.exit_code == 1
    assert "[conceal]" in done.stdout
    assert "\\x9b31m" in done.stdout
    assert obeyed(done.stdout) == set()


def test_values_are_told_in_a_few_words() -> None:
    assert text([{"seat": 1, "card": "QS"}, {"seat": 2, "card": "2H"}]) == "1:QS 2:2H"
    assert text([[1, 2], [3, 4]]) == "1 2 | 3 4"
    assert text({"better": "lower", "ranks": [1, 2], "last_place": None}) == (
        "better lower, ranks 1 2, last place -"
    )
    assert text([]) == text({}) == text(None) == "-"
    assert text([True, False, 0]) == "yes no 0"


def obeyed(output: str) -> set[str]:
    """The characters of a text that a terminal would not just show."""
    return {c for c in output if not c.isprintable() and c != "\n"}
