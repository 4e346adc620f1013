"""Names of people: what is one, wherever it comes from."""

import pytest

from events.accounts.names import InvalidName, proper_name

NOTHING_SEEN = ["\u200b", "\ufeff", "\u00ad", "\u3164", "\u200f", "\u061c", "\U000e0041", "\u2800"]


@pytest.mark.parametrize("mark", NOTHING_SEEN, ids=ascii)
def test_a_name_of_which_nothing_is_seen_is_none(mark: str) -> None:
    for name in (mark, mark * 3, f" {mark} "):
        with pytest.raises(InvalidName, match="can be seen"):
            proper_name(name)
    assert proper_name(f"A{mark}") == f"A{mark}"


@pytest.mark.parametrize("name", ["\u0301", "\ufe0f", "\u034f", "\ue000", "\U000f0000"], ids=ascii)
def test_marks_on_nothing_are_no_name(name: str) -> None:
    with pytest.raises(InvalidName):
        proper_name(name)


@pytest.mark.parametrize(
    "name",
    ["a\x00", "Ann\n", "\x1cAnn", "a\x7f", "a\x85b", "a\u2028", "a\u202eb", "\udc80"],
    ids=ascii,
)
def test_a_name_has_no_controls_at_its_ends_either(name: str) -> None:
    with pytest.raises(InvalidName, match="control"):
        proper_name(name)


@pytest.mark.parametrize("name", ["", "  ", "\u3000", "x" * 41], ids=ascii)
def test_a_name_has_1_to_40_characters(name: str) -> None:
    with pytest.raises(InvalidName, match="1 to 40"):
        proper_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "名",
        "\u0639\u0627\u062f\u0644",
        "\u0645\u06cc\u200c\u062e",
        "👩\u200d🚀",
        "O'Neil-3",
        "=^",
    ],
    ids=ascii,
)
def test_names_of_all_the_world_are_names(name: str) -> None:
    assert proper_name(f"  {name} ") == name
