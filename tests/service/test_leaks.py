"""What a viewer cannot know is in no answer, no stream and no error."""

import json
import re
from typing import Any

import pytest

from service.services import Services
from tests.service.tables import (
    Person,
    Table,
    answers_of,
    frames,
    memory_services,
    suits_script,
)

CARD = re.compile(r'"([2-9TJQKA][CDHS])"')


def hidden_from(table: Table, viewer: int | None) -> set[str]:
    """The cards in other hands, apart from those the viewer has passed there."""
    views = [table.view(seat) for seat in range(4)]
    hidden = {card for seat, view in enumerate(views) if seat != viewer for card in view["hand"]}
    for seat, view in enumerate(views):
        if seat != viewer and view["passed"] and view["phase"] == "pass":
            hidden |= set(view["passed"])
    return hidden - set(views[viewer]["passed"] or ()) if viewer is not None else hidden


@pytest.mark.parametrize("steps", [0, 2, 4, 9], ids=["dealt", "two passed", "swapped", "trick 2"])
def test_b01_b03_no_answer_has_a_hidden_card(table: Table, steps: int) -> None:
    table.sit()
    for _ in range(steps):
        table.step()
    for person, seat in ((table.people[1], 1), (table.spectator, None)):
        hidden = hidden_from(table, seat)
        assert len(hidden) >= 30
        for text in answers_of(table, person, seat):
            assert not hidden & set(CARD.findall(text))


def test_b01_the_root_of_chance_is_in_no_answer_before_the_end() -> None:
    root = bytes(range(32))
    table = Table(memory_services(root=lambda: root)).sit().pass_all()
    for person, seat in ((table.people[0], 0), (table.people[1], 1), (table.spectator, None)):
        assert not any(root.hex() in text for text in answers_of(table, person, seat))


def test_b03_a_spectator_sees_the_keys_of_a_seat_and_no_values_of_its_own(table: Table) -> None:
    table.sit()
    seat, nobody = table.view(1), table.spectator.view(table.game)
    assert nobody.keys() <= seat.keys()
    assert (nobody["hand"], nobody["seat"], nobody["question"]) == (None, None, None)
    assert nobody["legal_moves"] == []
    assert nobody["hand_counts"] == [13] * 4


def test_b06_a_second_account_at_the_table_is_a_spectator(table: Table) -> None:
    table.sit()
    second = Person(table.client, "Ben")
    feed = second.get(f"{table.path}/events").json["events"]
    assert all(event["known"] == [] for event in feed)
    assert second.view(table.game)["hand"] is None


def test_the_opener_alone_reads_the_script() -> None:
    script = suits_script()
    table = Table(memory_services(), script=script).sit()

    def known(person: Person) -> list[Any]:
        return person.get(f"{table.path}/events").json["events"][0]["known"]

    hands = known(table.people[0])[0]["value"]["hands"]
    assert [set(hand) for hand in hands] == [set(hand) for hand in script["deals"][0]["hands"]]
    assert known(table.people[1]) == known(table.spectator) == []
    assert table.view(1)["chance"] == "scripted"


def test_logs_have_no_token_and_no_card(
    services: Services, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(services).sit().pass_all()
    table.people[0].move(table.game, {"answers": "d1.t1", "type": "play_card", "card": "1Z"})
    said = "".join(capsys.readouterr())
    assert not re.findall(r"elt_|\b[2-9TJQKA][CDHS]\b", said)


def test_a_stream_of_a_seat_has_its_own_parts_and_no_others(table: Table) -> None:
    table.sit()
    stream = table.people[1].get(f"{table.path}/stream", headers={"Last-Event-ID": "1"})
    lines = [json.loads(f["data"]) for f in frames(stream.iter_encoded(), 7)[1:]]
    stream.close()
    dealt = next(line for line in lines if line["type"] == "hearts.dealt")
    assert [part["path"] for part in dealt["known"]] == ["/hands/1"]
    assert dealt["known"][0]["value"] == table.view(1)["hand"]
