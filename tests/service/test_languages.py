"""English and Japanese, by Accept-Language."""

import re
from importlib.resources import files

import pytest

from domain.registry import RULESETS
from domain.rulesets.hearts import HEARTS
from service.openapi.rulesets import description, languages_of
from service.problems.codes import CODES
from service.problems.locale import LANGUAGES
from service.problems.titles_ja import JAPANESE
from tests.service.tables import ORIGIN, Table

KANA = re.compile(r"[\u3041-\u30ff]")


def test_every_problem_code_has_a_title_in_both_languages() -> None:
    assert list(JAPANESE) == list(CODES), "the same codes in the same order"
    assert all(KANA.search(title) and title.endswith("。") for title in JAPANESE.values())
    assert len(set(JAPANESE.values())) == len(JAPANESE)


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9,en;q=0.5", "ja"),
        ("en;q=0.3, ja;q=0.7", "ja"),
        ("en-GB, ja;q=0.7", "en"),
        ("fr", "en"),
        ("fr, ja;q=0.1", "ja"),
        ("*", "en"),
        ("ja;q=0", "en"),
        (";;;q=x", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_a_problem_has_its_title_in_the_language_asked_for(
    table: Table, asked: str | None, language: str
) -> None:
    headers = {} if asked is None else {"Accept-Language": asked}
    answer = table.spectator.get("/v1/nothing", headers=headers)
    titles = {"en": CODES["not-found"][1], "ja": JAPANESE["not-found"]}
    assert answer.json["title"] == answer.json["detail"] == titles[language]
    assert answer.json["code"] == "not-found"
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_detail_of_the_rules_stays_english_and_says_so(table: Table) -> None:
    table.sit()
    move = {"answers": "d1.pass", "type": "pass_cards", "cards": []}
    answer = table.people[0].post(
        f"{table.path}/moves", move, headers={"Accept-Language": "ja", "Origin": ORIGIN}
    )
    assert (answer.status_code, answer.json["code"]) == (409, "wrong-number-of-cards")
    assert answer.json["title"] == JAPANESE["wrong-number-of-cards"]
    assert answer.json["detail"] == "You pass 3 cards."
    assert answer.headers["Content-Language"] == "ja, en"
    assert set(answer.headers["Vary"].split(", ")) == {"Accept-Language", "Origin"}


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_rules_and_rulings_are_served_in_both_languages(table: Table, ruleset_id: str) -> None:
    assert languages_of(RULESETS[ruleset_id]) == list(LANGUAGES)
    pages = {}
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        answer = table.client.get(f"/v1/rulesets/{ruleset_id}", headers=headers)
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
        pages[language] = answer.json
    english, japanese = pages["en"], pages["ja"]
    assert [r["id"] for r in english["rulings"]] == [r["id"] for r in japanese["rulings"]]
    for page, japanese_text in ((english, False), (japanese, True)):
        assert bool(KANA.search(page["rules"])) == japanese_text
        for ruling in page["rulings"]:
            assert ruling["title"]
            assert ruling["text"]
            assert bool(KANA.search(ruling["text"])) == japanese_text
    assert english | {"rules": "", "rulings": []} == japanese | {"rules": "", "rulings": []}


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_a_japanese_page_has_each_paragraph_and_item_on_one_line(ruleset_id: str) -> None:
    ruleset = RULESETS[ruleset_id]
    page = files(ruleset.package).joinpath("rules.ja.md").read_text("utf-8")
    served = description(ruleset, "ja").rules

    assert "".join(served.split()) == "".join(page.split())
    begins = re.compile(r"^ *(?:#+ |\||[-*] |[0-9]+\. )", re.MULTILINE)
    assert begins.findall(served) == begins.findall(page)
    for paragraph in served.split("\n\n"):
        plain = [line for line in paragraph.splitlines() if not begins.match(line)]
        assert len(plain) <= 1, paragraph


def test_a_line_break_in_japanese_is_no_space() -> None:
    page = description(HEARTS, "ja").rules
    assert "80、90、75、60から2番目の人が達成すると106、90、101、86となり" in page
    assert "`no-points-on-first-trick`、`hearts-not-broken` のいずれか" in page
    texts = [r.text for one in RULESETS.values() for r in description(one, "ja").rulings]
    assert not any(re.search(r"[\u3041-\u9fff。、] [\u3041-\u9fff]", text) for text in texts)
