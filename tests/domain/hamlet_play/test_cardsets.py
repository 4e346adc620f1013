"""What a card set is refused for, and what its digest is taken over (docs/cardsets.md)."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.rulesets.hamlet_play.cardset.errors import CardSetError
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.parsing import parse
from domain.rulesets.hamlet_play.cardset.store import CardSets
from events import cardsets
from tests.domain.hamlet_play.given import FILES, TINY_DIRECTORY, tiny

OPHELIA, HAMLET = "personae/ophelia.toml", "personae/hamlet.toml"


def changed(path: str, old: str, new: str, *, files: dict[str, str] | None = None) -> CardSet:
    texts = dict(FILES if files is None else files)
    assert old in texts[path]
    texts[path] = texts[path].replace(old, new, 1)
    return parse(texts)


def added(path: str, text: str) -> CardSet:
    return parse({**FILES, path: FILES[path] + text})


def one_action(lines: str) -> Callable[[], CardSet]:
    """A set with one more action of Horatio's."""
    text = f'\n[[actions]]\nid = "another"\nname = {{ en = "Another", ja = "別の" }}\n{lines}\n'
    return lambda: added("personae/horatio.toml", text)


def needs(line: str) -> Callable[[], CardSet]:
    return one_action(f"requires = [{{ {line} }}]")


def does(line: str) -> Callable[[], CardSet]:
    return one_action(f"results = [{{ {line} }}]")


def ending(lines: str) -> Callable[[], CardSet]:
    text = f'\n[[endings]]\nid = "one-more"\nname = {{ en = "E", ja = "E" }}\n{lines}\n'
    return lambda: added("endings/regular.toml", text)


ROLL = 'does = "roll", cases = [{ faces = [1], results = [{ does = "kill", persona = "hamlet" }] }]'
WHEN = 'does = "when", requires = [{ needs = "alive", persona = "hamlet" }], results = ['
FLAWS = {
    # words and shapes
    "Invalid value 'happy'": needs('needs = "happy", persona = "ophelia"'),
    "Invalid value 'explode'": does('does = "explode", persona = "ophelia"'),
    "unknown field `persona`": does('does = "check-status", persona = "ophelia"'),
    "matching regex": does('does = "check-status", status = "insane"'),
    "Expected `int` <= 12": one_action("boxes = 13"),
    "Expected `int`, got `str`": does('does = "move-track", track = "ophelia.sanity", by = "1"'),
    "unknown field `colour`": one_action('colour = "red"'),
    # what is not there
    "there is no persona claudius": needs('needs = "dead", persona = "claudius"'),
    "no ophelia.angry among the statuses": needs('needs = "status", status = "ophelia.angry"'),
    "no laertes.spain among the places": does('does = "move", place = "laertes.spain"'),
    "no hamlet.sanity among the tracks": needs(
        'needs = "track", track = "hamlet.sanity", at_least = 2'
    ),
    "there is no action hamlet.sleep": needs(
        'needs = "box", action = "hamlet.sleep", at_least = 1'
    ),
    "ghost is no counter": does('does = "place-counter", counter = "hamlet.ghost"'),
    # impossible values
    "at_least 7 says nothing or never holds": needs(
        'needs = "track", track = "ophelia.sanity", at_least = 7'
    ),
    "at_least 0 says nothing": needs('needs = "track", track = "ophelia.sanity", at_least = 0'),
    "at_most 6 says nothing": needs('needs = "track", track = "ophelia.sanity", at_most = 6'),
    "at_least is above at_most": needs(
        'needs = "track", track = "ophelia.sanity", at_least = 4, at_most = 2'
    ),
    "neither at_least nor at_most": needs('needs = "act"'),
    "at_least 6 says nothing or never": needs('needs = "act", at_least = 6'),
    "has no boxes": does('does = "check-box"'),
    "by 0": does('does = "move-track", track = "ophelia.sanity", by = 0'),
    "by 7": does('does = "move-track", track = "ophelia.sanity", by = 7'),
    "to 9 is off the track": does('does = "set-track", track = "ophelia.sanity", to = 9'),
    "a track beside itself": needs(
        'needs = "compare", higher = "hamlet.swordplay", lower = "hamlet.swordplay"'
    ),
    "two or more different personae": needs('needs = "together", personae = ["hamlet", "hamlet"]'),
    "no place of the same id": needs('needs = "together", personae = ["hamlet", "horatio"]'),
    "said twice": one_action(
        "requires = [" + '{ needs = "alive", persona = "hamlet" }, ' * 2 + "]"
    ),
    "cannot be alive and dead": one_action(
        'requires = [{ needs = "alive", persona = "hamlet" }, '
        '{ needs = "dead", persona = "hamlet" }]'
    ),
    "never possible": needs('needs = "dead", persona = "horatio"'),
    "each face, 1 … 6, once at most": does(ROLL.replace("[1]", "[1, 7]")),
    "a case without faces": does(ROLL.replace("[1]", "[]")),
    "every list inside it is empty": does('does = "roll-against", track = "hamlet.swordplay"'),
    "a duel of a persona with itself": does(
        'does = "duel", first = "hamlet.swordplay", second = "hamlet.swordplay", '
        'tie = [{ does = "kill", persona = "hamlet" }]'
    ),
    "it has no requirement": does(
        'does = "when", requires = [], results = [{ does = "kill", persona = "hamlet" }]'
    ),
    "more than 4 levels deep": does(
        f"{WHEN}{{ " * 4 + f"{WHEN}{{ does = 'kill', persona = 'hamlet' }}]" + " }]" * 4
    ),
    "one choice alone is none": one_action(
        '[[actions.choose]]\nid = "only"\nname = { en = "Only", ja = "唯一" }'
    ),
    "draws, 1024 or more": one_action(f"results = [{f'{{ {ROLL} }}, ' * 13}]"),
    # texts, ids, files
    "wanted in en, ja and in nothing else": lambda: changed(
        OPHELIA, 'name = { en = "Ophelia", ja = "オフィーリア" }', 'name = { en = "Ophelia" }'
    ),
    "empty, or with blanks around it": lambda: changed(OPHELIA, '"Ophelia"', '" Ophelia"'),
    "this id is there twice": lambda: changed(OPHELIA, 'id = "wedding"', 'id = "flowers"'),
    "the first language is English": lambda: changed("set.toml", '["en", "ja"]', '["ja", "en"]'),
    "where there are places, start is one of them": lambda: changed(
        OPHELIA, 'start = "court"', 'start = "attic"'
    ),
    "one place alone is none": lambda: changed(
        HAMLET, '[places.england]\nname = { en = "in England", ja = "イングランドにいる" }\n', ""
    ),
    "and start between them": lambda: changed(OPHELIA, "start = 4", "start = 9"),
    "the file's name is the id": lambda: changed(OPHELIA, 'start = "court"', 'id = "ophelia"'),
    "set.toml does not name it": lambda: changed("set.toml", ', "horatio"', ""),
    "the file is missing": lambda: changed("set.toml", '"horatio"]', '"horatio", "yorick"]'),
    "a persona is named twice": lambda: changed("set.toml", '"horatio"]', '"hamlet"]'),
    "no such file here": lambda: parse({**FILES, "notes.toml": ""}),
    "unknown word": lambda: added("effects.toml", "\n[scene]\n"),
    "a list of tables": lambda: parse({**FILES, "endings/regular.toml": "endings = 3"}),
    "Expected '=' after a key": lambda: parse({**FILES, "effects.toml": "what is this"}),
    # endings and tables
    "an ending without lines": ending("lines = []"),
    "an ending does not say in which Act": ending('lines = [{ needs = "act", at_least = 2 }]'),
    "a pack is at least 8 endings": lambda: parse({**FILES, "endings/regular.toml": ""}),
    "here it names its action": lambda: added(
        "effects.toml",
        '\n[[end_of_act]]\nid = "x"\nname = { en = "x", ja = "x" }\n'
        'results = [{ does = "check-box" }]\n',
    ),
    "a row without results": lambda: added(
        "effects.toml",
        '\n[[end_of_act]]\nid = "x"\nname = { en = "x", ja = "x" }\nresults = []\n',
    ),
}


@pytest.mark.parametrize("reason", FLAWS)
def test_a_flaw_is_refused_with_its_file_and_the_reason(reason: str) -> None:
    with pytest.raises(CardSetError) as refused:
        FLAWS[reason]()
    assert any(reason in flaw.reason for flaw in refused.value.flaws), refused.value
    assert all(flaw.file for flaw in refused.value.flaws)


def test_a_flaw_names_the_action_it_is_in() -> None:
    with pytest.raises(CardSetError) as refused:
        does('does = "kill", persona = "yorick"')()
    assert str(refused.value) == (
        "personae/horatio.toml: actions another: kill: there is no persona yorick"
    )


def test_all_flaws_are_told_at_once() -> None:
    with pytest.raises(CardSetError) as refused:
        one_action(
            'boxes = 2\nresults = [{ does = "kill", persona = "a" }, '
            '{ does = "kill", persona = "b" }]'
        )()
    assert len(refused.value.flaws) == 2


# --- the digest


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (HAMLET, "boxes = 2", "boxes = 3"),
        (HAMLET, 'en = "For England"', 'en = "To England"'),
        (OPHELIA, "at_least = 3", "at_least = 4"),
        (OPHELIA, "by = -2", "by = -1"),
        (OPHELIA, "start = 4", "start = 5"),
        ("endings/difficult.toml", "at_least = 6", "at_least = 5"),
        ("effects.toml", "at_least = 3, at_most = 3", "at_least = 3, at_most = 4"),
        ("set.toml", "version = 1", "version = 2"),
        ("endings/common.toml", '  { needs = "dead", persona = "laertes" },\n', ""),
    ],
)
def test_the_digest_is_taken_over_all_that_decides_a_game(path: str, old: str, new: str) -> None:
    assert changed(path, old, new).digest != tiny().digest


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (HAMLET, 'ja = "イングランドへ"', 'ja = "英国へ"'),
        ("personae/horatio.toml", "Nothing else happens.", "Nothing happens."),
        ("set.toml", 'en = "A tiny set"', 'en = "The tiny set"'),
    ],
)
def test_the_digest_is_not_taken_over_prose_and_translations(path: str, old: str, new: str) -> None:
    assert changed(path, old, new).digest == tiny().digest


def test_names_that_are_words_of_the_schema_count_like_any_other() -> None:
    text = '\n[statuses.text]\nname = { en = "a text", ja = "本" }\n'
    named = changed(HAMLET, "\n[[actions]]", f"{text}\n[[actions]]")
    assert named.digest != tiny().digest


# --- from files


def test_a_set_is_read_from_its_directory() -> None:
    assert cardsets.read_card_set(TINY_DIRECTORY) == tiny()


def test_a_file_that_is_no_text_is_a_flaw(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_bytes(b"\xff")
    with pytest.raises(CardSetError):
        cardsets.read_card_set(tmp_path)


def write(directory: Path, old: str, new: str) -> None:
    """The tiny set's files, with other words in them."""
    for path, text in FILES.items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(old, new), encoding="utf-8")


def test_an_operator_adds_a_set_but_not_another_one_under_the_same_name(tmp_path: Path) -> None:
    write(tmp_path / "mine", 'name = "tiny"', 'name = "mine"')
    shutil.copytree(tmp_path / "mine", tmp_path / "theirs")
    card = tmp_path / "theirs" / HAMLET
    card.write_text(card.read_text(encoding="utf-8").replace("boxes = 2", "boxes = 3"), "utf-8")
    cardsets.load(tmp_path / "mine")
    with pytest.raises(cardsets.CardSetTaken):
        cardsets.load(tmp_path)


def test_the_name_of_the_house_is_not_to_be_had(tmp_path: Path) -> None:
    write(tmp_path, 'name = "tiny"', 'name = "elsinore"')
    with pytest.raises(cardsets.CardSetTaken):
        cardsets.load(tmp_path)


def test_a_set_is_known_for_its_own_games_whatever_else_bears_its_name(tmp_path: Path) -> None:
    write(tmp_path, "boxes = 2", "boxes = 3")
    (other,) = cardsets.all_in(tmp_path)
    sets = CardSets((tiny(), other))
    assert other.id == tiny().id
    for cards in (tiny(), other):
        assert sets.lookup(cards.id, cards.digest) is cards
        assert sets.chosen(cards.id, cards.digest) is cards
    assert sets.lookup(other.id, "00") is None
