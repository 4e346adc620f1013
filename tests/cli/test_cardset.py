"""`elsinore cardset`: what is said of a card set, and how its games among bots are counted."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets.hamlet_play.analysis.soundness import every_ending
from events.cardsets import read_card_set
from service.cli.cardset.measure import Setting, play
from service.cli.cardset.prove import Found, Task, prove, tasks
from tests.docs.shown import typed
from tests.domain.hamlet_play.given import TINY_DIRECTORY, house, written

FEW = ("--seats", "2", "--scenes", "100")


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """The tiny set, with a use for the lower end of Ophelia's Sanity."""
    directory = tmp_path / "sound"
    shutil.copytree(TINY_DIRECTORY, directory)
    card = directory / "personae" / "ophelia.toml"
    text = card.read_text(encoding="utf-8")
    assert text.count("at_most = 1") == 1
    card.write_text(text.replace("at_most = 1", "at_most = 0"), encoding="utf-8")
    return directory


def test_a_sound_set_is_proven_and_its_lines_are_written_down(
    elsinore: Any, sound: Path, tmp_path: Path
) -> None:
    check = typed("elsinore cardset check DIR", DIR=sound)
    done = elsinore(*check, *FEW, "--lines", tmp_path / "lines.json")

    assert (done.exit_code, done.stderr) == (0, "")
    cards = read_card_set(sound)
    assert cards.digest in done.stdout
    assert "17 of 17 endings reached" in done.stdout
    assert "12 of 12 actions" in done.stdout
    written = json.loads((tmp_path / "lines.json").read_bytes())
    assert written["digest"] == cards.digest
    assert {line[0] for line in written["lines"]} == {one.id for one in every_ending(cards)}


def test_what_is_wrong_is_told_and_ends_with_1(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task("ending", 2, "revenge")
    monkeypatch.setattr(
        "service.cli.cardset.prove.proofs", lambda *_: [Found(task, flaw="no line was found")]
    )
    done = elsinore("cardset", "check", TINY_DIRECTORY)

    assert done.exit_code == 1
    assert "0 of 1 endings reached" in done.stdout
    assert done.stderr.splitlines() == [
        "the lower end of ophelia.sanity, 0, is needed by nothing",
        "no line was found",
    ]


def test_an_ending_that_nothing_leads_to_has_no_line() -> None:
    ghost = '\n[[endings]]\nid = "ghost"\nname = { en = "Ghost", ja = "亡霊" }\n'
    lines = 'lines = [{ needs = "dead", persona = "horatio" }]\n'
    cards = written({"endings/regular.toml": ghost + lines}, "haunted")
    found = prove(cards, Task("ending", 5, "ghost"))
    assert found.flaw == "no line was found to the ending ghost with 5 seats"


def test_what_cannot_be_read_is_told_with_file_and_place(elsinore: Any, tmp_path: Path) -> None:
    done = elsinore("cardset", "check", tmp_path)

    assert done.exit_code == 1
    assert "set.toml: the file is missing" in done.stderr


@pytest.mark.slow
def test_every_action_of_the_house_is_reached() -> None:
    actions = [task for task in tasks(house(), (2,)) if task.kind == "action"]
    assert len(actions) == 80
    assert [prove(house(), task).flaw for task in actions if prove(house(), task).flaw] == []


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["the-readiness-is-all", "the-comedy-of-elsinore"])
def test_a_line_to_an_ending_of_the_house_is_found_anew(ending: str) -> None:
    found = prove(house(), Task("ending", 3, ending))
    assert found.flaw == ""
    assert found.line is not None


def test_games_at_random_that_stop_the_engine_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> int:
        raise KeyError("ophelia.sanity")

    monkeypatch.setattr("service.cli.cardset.prove.wander", stumble)
    found = prove(house(), Task("game", 3, "17"))
    assert found.flaw == "game 17 with 3 seats: KeyError('ophelia.sanity')"


# --- balance


def test_the_same_trial_goes_the_same_way_and_fits_together() -> None:
    cards = read_card_set(TINY_DIRECTORY)
    trial = play(cards, Setting(3, "difficult", 5))
    assert trial == play(cards, Setting(3, "difficult", 5))
    assert len(set(trial.endings)) == 3
    assert set(trial.winners) <= {0, 1, 2}
    assert [len(trial.legal[act]) for act in range(1, trial.act)] == [6, 9, 9, 9][: trial.act - 1]


def test_act_one_offers_eight_actions_at_every_move() -> None:
    for number in range(3):
        trial = play(house(), Setting(2 + number, ("regular", "difficult")[number % 2], number))
        assert min(trial.legal[1]) >= 8


def test_balance_counts_games_and_endings(elsinore: Any, sound: Path) -> None:
    balance = typed("elsinore cardset balance DIR", DIR=sound)
    done = elsinore(*balance, "--games", "4", "--seats", "2")

    assert done.exit_code == 0
    assert "regular" in done.stdout
    rows = [line for line in done.stdout.splitlines() if line.startswith("│")]
    assert [row.split("│")[3].strip() for row in rows[:2]] == ["2", "2"]
    assert sum("Wedding bells" in row for row in rows) == 1
