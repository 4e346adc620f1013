"""Answers and their description come from the same types."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from domain.game.model import Status
from domain.game.views import OF_THE_LOG
from domain.kernel import LegalMove
from events.queries import HeadView
from events.receipts import Receipt
from service.http.schemas.answers import Answer, Feed, Line, Links
from service.http.schemas.derivation import derived
from service.problems.details import ProblemDetails, problem_body
from tests.golden import files

RECEIPT = Receipt(game="g", version=2, digest="00", key="11", signature="22")


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Not published."""

    status: Status
    algorithm: Literal["Ed25519"]


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """What it is."""

    part: Part
    links: Links
    times: Annotated[tuple[int | None, ...], msgspec.Meta(description="Of each.")]
    limit: Annotated[str, msgspec.Meta(description="Which.")] | msgspec.UnsetType = msgspec.UNSET
    legal_moves: tuple[LegalMove, ...]


def test_a_type_is_described_with_its_parts_in_place_and_what_has_a_name_by_it() -> None:
    whole: dict[str, Any] = {
        "description": "What it is.",
        "type": "object",
        "properties": {
            "part": {
                "type": "object",
                "properties": {
                    "status": {"enum": ["open", "playing", "finished"]},
                    "algorithm": {"const": "Ed25519"},
                },
                "required": ["status", "algorithm"],
                "additionalProperties": False,
            },
            "links": {"$ref": "#/components/schemas/Links"},
            "times": {
                "description": "Of each.",
                "type": "array",
                "items": {"type": ["integer", "null"]},
            },
            "limit": {"type": "string", "description": "Which."},
            "legal_moves": {
                "type": "array",
                "items": {
                    "anyOf": [
                        {"$ref": "#/components/schemas/Move"},
                        {"$ref": "#/components/schemas/Choice"},
                    ]
                },
            },
        },
        "required": ["part", "links", "times", "legal_moves"],
        "additionalProperties": True,
    }
    links = {"type": "object", "additionalProperties": {"type": "string"}}
    assert derived([Whole, Links], ()) == {"Whole": whole, "Links": links}


def test_a_part_that_is_described_elsewhere_is_referred_to() -> None:
    assert derived([Whole], {"Part"})["Whole"]["properties"]["part"] == {
        "$ref": "#/components/schemas/Part"
    }


def test_lines_stand_in_a_body_byte_for_byte() -> None:
    lines = [b'{"b":1, "a":"\\u0041"}', b'{"z":[ ]}']
    events = b'"version":2,"events":[{"b":1, "a":"\\u0041"},{"z":[ ]}]'
    stored = tuple(map(msgspec.Raw, lines))
    feed = Feed(version=2, events=stored)
    assert msgspec.json.encode(feed) == b"{%b}" % events
    answer = Answer(version=2, events=stored, receipt=RECEIPT)
    receipt = msgspec.json.encode(RECEIPT)
    assert msgspec.json.encode(answer) == b'{%b,"receipt":%b}' % (events, receipt)


@pytest.mark.parametrize("name", files.names())
def test_every_line_of_a_log_is_as_described(name: str) -> None:
    for line in files.log(name):
        read = msgspec.json.decode(line, type=Line)
        assert msgspec.json.decode(msgspec.json.encode(read)) == msgspec.json.decode(line)


def test_a_line_with_anything_else_in_it_is_not_as_described() -> None:
    line = msgspec.json.decode(files.log(files.names()[0])[0])
    with pytest.raises(msgspec.ValidationError, match="unknown field `name`"):
        msgspec.convert(line | {"name": "Ann"}, Line)
    with pytest.raises(msgspec.ValidationError, match="known"):
        msgspec.convert({key: line[key] for key in line if key != "known"}, Line)


def test_a_view_has_two_fields_of_the_log_beside_those_of_the_game() -> None:
    assert set(HeadView.__struct_fields__) == OF_THE_LOG


def test_a_problem_may_have_facts_that_only_its_rule_set_knows() -> None:
    status, body = problem_body("illegal-move", rule="HE-1", question=None, led="clubs")
    assert status == 409
    assert list(msgspec.json.decode(body))[5:] == ["rule", "led"]
    assert msgspec.json.decode(body, type=ProblemDetails).rule == "HE-1"
