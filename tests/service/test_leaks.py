"""What a viewer cannot know is in no answer, no stream and no error."""

import itertools
import json
import re
from typing import Any

import pytest

from service.services import Services
from service.settings import Settings
from tests.service.tables import Person, Table, frames, memory_services, some_move

CARD = re.compile(r'"([2-9TJQKA][CDHS])"')


def answers_of(table: Table, person: Person, seat: int | None) -> list[str]:
    """The text of every GET, of the stream from its beginning, and of errors of many kinds."""
    paths = ["", "?at=3", "?at=7", "?seat=0", "?seat=9", "/events", "/events?after=5", "/log"]
    texts = [person.get(table.path + path).text for path in paths]
    texts += [person.get(p).text for p in ("/v1/games", "/v1/rulesets", "/metrics", "/readyz")]
    texts.append(
        person.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).text
    )
    for resume in (None, "1", "bad"):
        headers = {} if resume is None else {"Last-Event-ID": resume}
        stream = person.get(f"{table.path}/stream", headers=headers)
        chunks = stream.iter_encoded()
        texts += [frame["data"] for frame in frames(chunks, 3 if resume == "1" else 1)]
        stream.close()
    moves: list[Any] = [None, {}, {"answers": "d1.t1", "type": "play_card", "card": "1Z"}]
    if seat is not None:
        view = table.view(seat)
        refused = [refusal["card"] for refusal in view["refused"]]
        moves += [{"answers": view["question"], "type": "play_card", "card": c} for c in refused]
    texts += [person.move(table.game, move).text for move in moves]
    return texts


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
    script = pair_script(swapped=False)
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


# --- pairs: two games that differ only in what the viewer cannot know


def pair_script(*, swapped: bool) -> dict[str, Any]:
    """Mixed hands; `swapped` exchanges two spades and two hearts between seats 2 and 3."""
    ranks = "23456789TJQKA"
    deck = [rank + suit for rank in ranks for suit in "CDHS"]
    hands: list[list[str]] = [[], [], [], []]
    for number, card in enumerate(sorted(deck, key=lambda c: ("CDHS".index(c[1]), c[0]))):
        hands[number % 4].append(card)
    if swapped:
        for suit in "SH":
            two = next(c for c in reversed(hands[2]) if c[1] == suit)
            three = next(c for c in reversed(hands[3]) if c[1] == suit)
            hands[2][hands[2].index(two)] = three
            hands[3][hands[3].index(three)] = two
    return {"deals": [{"hands": hands}]}


def normal(text: str, table: Table) -> str:
    """Seals, salts, digests, receipts, ids and times replaced by constants of their length."""
    text = text.replace(table.game, "g" * 26)
    text = re.sub(r"(elsinore_request_seconds.*) [0-9.e+-]+\n", r"\1\n", text)
    text = re.sub(r"p_[a-z2-7]{16}", "p" * 18, text)
    text = re.sub(r"[0-9a-f]{16,}", lambda found: "0" * len(found[0]), text)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "T" * 24, text)


def test_leak_pairs_are_byte_equal_for_who_cannot_tell_them_apart() -> None:
    root = bytes(range(1, 33))
    pair = [
        Table(
            memory_services(root=lambda: root, settings=Settings()),  # no heartbeat ticks the clock
            script=pair_script(swapped=swapped),
        ).sit()
        for swapped in (False, True)
    ]
    first, second = pair
    assert first.view(2)["hand"] != second.view(2)["hand"]
    for step in itertools.count():
        for seat in (1, None):
            texts = []
            for table in pair:
                person = table.spectator if seat is None else table.people[seat]
                texts.append([normal(t, table) for t in answers_of(table, person, seat)])
            assert texts[0] == texts[1]
        if step == 10:
            break
        seat = first.waiting_for[0]
        assert second.waiting_for[0] == seat
        move = common_move(first.view(seat), second.view(seat))
        for table in pair:
            assert table.people[seat].move(table.game, move).status_code == 201


def common_move(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The first move that is legal in both games."""
    move = some_move(one)
    if "cards" in move:
        both = [card for card in one["hand"] if card in other["hand"]]
        return move | {"cards": both[:3]}
    return next(m for m in one["legal_moves"] if m in other["legal_moves"])


def test_a_stream_of_a_seat_has_its_own_parts_and_no_others(table: Table) -> None:
    table.sit()
    stream = table.people[1].get(f"{table.path}/stream", headers={"Last-Event-ID": "1"})
    lines = [json.loads(f["data"]) for f in frames(stream.iter_encoded(), 7)[1:]]
    stream.close()
    dealt = next(line for line in lines if line["type"] == "hearts.dealt")
    assert [part["path"] for part in dealt["known"]] == ["/hands/1"]
    assert dealt["known"][0]["value"] == table.view(1)["hand"]
