from collections.abc import Callable

import pytest
from msgspec.structs import fields

from domain import registry
from domain.kernel import RuleViolation
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.model import HamletPlayOptions


def test_each_ruleset_is_registered_under_its_own_id() -> None:
    assert all(ruleset.id == name for name, ruleset in registry.RULESETS.items())


def test_the_latest_version_of_a_name_is_found() -> None:
    assert registry.latest("hearts").id == "hearts@1"
    assert registry.find("hearts@1") is registry.RULESETS["hearts@1"]


def test_a_ruleset_made_of_other_values_is_used_within_a_block_alone() -> None:
    before = registry.find("hamlet_play@1")
    other = hamlet_play(CardSets())
    with registry.using(other):
        assert registry.latest("hamlet_play") is other
    with pytest.raises(RuleViolation), registry.using(other):
        registry.find("hamlet_play@1").complete_options(HamletPlayOptions(), 2)
    assert registry.find("hamlet_play@1") is before


@pytest.mark.parametrize("look_up", [registry.find, registry.latest])
@pytest.mark.parametrize("name", ["", "hearts@0", "poker", "hearts@1 "])
def test_an_unknown_ruleset_is_refused(look_up: Callable[[str], object], name: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        look_up(name)
    assert refusal.value.code == "unknown-ruleset"


def test_every_event_type_has_a_name_and_fields() -> None:
    for name, event_type in registry.event_types().items():
        assert event_type.__struct_config__.tag == name
        assert fields(event_type)
