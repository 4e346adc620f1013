"""Games that installed distributions bring: taken or refused by name, each for itself."""

import pytest
from structlog.testing import capture_logs

from domain import registry
from events.plugins import Refused, load_rulesets
from service.cli.plugins import load_plugins, load_plugins_logged
from tests.outside.installing import PAIRS, Shelf
from workers.bot_registry import bot_of, load_bots
from workers.bots import hearts, uniform

BOT = """
VERSION = "best-1"
def choose(view, legal, seed):
    return legal[0]
"""
BROKEN = {
    "no_module": ("none_such:GAME", "No module named 'none_such'"),
    "no_name": ("outside_broken:NOTHING", "has no attribute 'NOTHING'"),
    "no_import": ("outside_raising", "RuntimeError while it was loaded: not today"),
    "leaving": ("outside_leaving", "SystemExit while it was loaded: 3"),
    "text": ("outside_broken:TEXT", "it is of the type str, and not a Ruleset"),
    "other_name": (PAIRS["pairs"], "it is the rule set pairs@1, and its entry point has another"),
    "no_reference": ("what is this", "while it was loaded"),
    "hearts": ("outside_broken:HEARTS", "the name hearts is the house's own"),
}
MODULES = {
    "outside_broken": (
        "import dataclasses\nfrom domain.rulesets.hearts import HEARTS as OURS\n"
        "TEXT = 'hearts'\nHEARTS = dataclasses.replace(OURS, version=2)\n"
    ),
    "outside_raising": "raise RuntimeError('not\\ntoday')",
    "outside_leaving": "import sys\nsys.exit(3)",
}


def test_a_rule_set_that_a_distribution_brings_is_registered(shelf: Shelf) -> None:
    shelf.install("elsinore-pairs", PAIRS)
    assert load_rulesets() == []
    assert registry.latest("pairs") is registry.find("pairs@1")
    assert registry.event_types()["pairs.dealt"]


def test_loading_again_changes_nothing_and_refuses_nothing(shelf: Shelf) -> None:
    shelf.install("elsinore-pairs", PAIRS)
    assert load_rulesets() == load_rulesets() == []


def test_an_entry_point_may_bear_the_version(shelf: Shelf) -> None:
    shelf.install("elsinore-pairs", {"pairs@1": PAIRS["pairs"]})
    assert load_rulesets() == []
    assert "pairs@1" in registry.RULESETS


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_refused_by_name_and_the_others_are_taken(shelf: Shelf, name: str) -> None:
    target, reason = BROKEN[name]
    shelf.install("broken-game", {name: target}, modules=MODULES)
    shelf.install("elsinore-pairs", PAIRS)
    (refused,) = load_rulesets()
    assert (refused.name, refused.distribution) == (name, "broken-game")
    assert reason in refused.reason
    assert "\n" not in str(refused)
    assert "pairs@1" in registry.RULESETS
    assert registry.latest("hearts").id == "hearts@1"


def test_of_two_with_one_id_none_is_taken_and_both_are_named(shelf: Shelf) -> None:
    other = "import dataclasses\nfrom tests.outside.pairs import PAIRS\n"
    other += "GAME = dataclasses.replace(PAIRS, title='Pears')\n"
    shelf.install("elsinore-pairs", PAIRS)
    shelf.install("pears", {"pairs": "outside_pears:GAME"}, modules={"outside_pears": other})
    found = load_rulesets()
    assert {refused.distribution for refused in found} == {"elsinore-pairs", "pears"}
    assert {refused.reason for refused in found} == {"2 distributions bring pairs@1"}
    assert "pairs@1" not in registry.RULESETS


def test_a_bot_from_outside_plays_its_game_and_no_other(shelf: Shelf) -> None:
    shelf.install("p", PAIRS, {"pairs": "outside_bot"}, {"outside_bot": BOT})
    assert load_rulesets() == load_bots() == []
    assert bot_of("pairs@1").VERSION == "best-1"
    assert bot_of("hearts@1").VERSION == hearts.VERSION


def test_without_a_bot_the_uniform_one_plays(shelf: Shelf) -> None:
    shelf.install("elsinore-pairs", PAIRS)
    assert load_rulesets() == load_bots() == []
    assert bot_of("pairs@1").VERSION == uniform.VERSION


@pytest.mark.parametrize(
    ("name", "target", "reason"),
    [
        ("pairs", "none_such", "No module named 'none_such'"),
        ("pairs", "outside_without:NAMELESS", "it has no VERSION"),
        ("pairs", "outside_without:MUTE", "it has no choose(view, legal, seed)"),
        ("pairs", "outside_without:SHORT", "it has no choose(view, legal, seed)"),
        ("hearts", "outside_bot", "hearts has a bot of the house"),
        ("poker", "outside_bot", "there is no game poker"),
    ],
)
def test_a_broken_bot_is_refused_by_name(shelf: Shelf, name: str, target: str, reason: str) -> None:
    without = (
        "class NAMELESS:\n def choose(view, legal, seed): ...\n"
        "class MUTE:\n VERSION = '1'\n"
        "class SHORT:\n VERSION = '1'\n def choose(view): ...\n"
    )
    shelf.install("p", PAIRS)
    shelf.install("b", None, {name: target}, {"outside_bot": BOT, "outside_without": without})
    assert load_rulesets() == []
    assert load_bots() == [Refused("elsinore.bots", name, "b", refused_for(reason))]
    assert bot_of("pairs@1").VERSION == uniform.VERSION


def refused_for(reason: str) -> str:
    return f"ModuleNotFoundError while it was loaded: {reason}" if "module" in reason else reason


def test_two_bots_for_one_game_are_both_refused(shelf: Shelf) -> None:
    shelf.install("p", PAIRS, {"pairs": "outside_bot"}, {"outside_bot": BOT})
    shelf.install("q", None, {"pairs": "outside_bot"})
    assert load_rulesets() == []
    assert [refused.distribution for refused in load_bots()] == ["p", "q"]
    assert bot_of("pairs@1").VERSION == uniform.VERSION


def test_commands_tell_of_each_refused_one_in_a_line(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.install("broken-game", {"poker": "none_such:GAME"})
    load_plugins()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "elsinore.rulesets: poker of broken-game is refused: "
        "ModuleNotFoundError while it was loaded: No module named 'none_such'\n"
    )


def test_processes_log_each_refused_one_in_a_line(shelf: Shelf) -> None:
    shelf.install("broken-game", {"poker": "none_such:GAME"})
    with capture_logs() as lines:
        load_plugins_logged()
    assert lines == [
        {
            "event": "plugin-refused",
            "log_level": "error",
            "group": "elsinore.rulesets",
            "name": "poker",
            "distribution": "broken-game",
            "reason": "ModuleNotFoundError while it was loaded: No module named 'none_such'",
        }
    ]
