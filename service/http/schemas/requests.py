"""What a request may carry. Rules of a game are not here: its rule set judges them."""

import binascii
import re
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validates_schema
from marshmallow.validate import Length, OneOf, Range

from domain.game.model import Level, SeatPlan
from events.accounts.names import InvalidName, proper_name
from events.accounts.tokens import SCOPES
from events.log.store import Opening

LEVELS = get_args(Level)
ENTROPY = "^([0-9a-f]{2}){16,64}$"
LARGEST = 2**53 - 1


class Name(fields.String):
    """A name as `proper_name` has it."""

    def __init__(self, **kwargs: Any) -> None:
        described = "1 to 40 characters, trimmed; no controls, and one at least that can be seen."
        super().__init__(metadata={"minLength": 1, "description": described}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        try:
            return proper_name(super()._deserialize(value, attr, data, **kwargs))
        except InvalidName as error:
            raise ValidationError(str(error)) from None


class Whole(fields.Integer):
    """A whole number in a query: ASCII digits, and nothing that Python would also read as one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if re.fullmatch("[0-9]{1,16}", value) is None:
            raise ValidationError("Not a whole number.")
        return super()._deserialize(value, attr, data, **kwargs)


class Seat(fields.Field[SeatPlan]):
    """`me`, `open` or `{"bot": level}`, as a plan; the resource puts the opener's id to `me`."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> SeatPlan:
        match value:
            case "me":
                return SeatPlan(kind="reserved")
            case "open":
                return SeatPlan(kind="open")
            case {"bot": str() as level, **others} if level in LEVELS and not others:
                return SeatPlan(kind="bot", level=level)  # type: ignore[arg-type]
        raise ValidationError('A seat is "me", "open", or {"bot": "easy" | "normal" | "hard"}.')


class Entropy(fields.String):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **kwargs)
        if re.fullmatch(ENTROPY[1:-1], text) is None:
            raise ValidationError("Entropy is 16 to 64 bytes in lower-case hex.")
        return text


class Cursor(fields.String):
    """Where the next page begins: opaque to clients."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            at, _, game = binascii.unhexlify(text).decode("ascii").partition(":")
            return Opening(int(at), game)
        except ValueError:
            raise ValidationError("This is no cursor of ours.") from None


def cursor_of(opening: Opening) -> str:
    return f"{opening.at}:{opening.game}".encode().hex()


class NewPlayer(Schema):
    name = Name(required=True)


class Rename(Schema):
    name = Name(required=True, allow_none=True)


class Rotation(Schema):
    """Nothing, for the same scopes; or fewer of them."""

    scopes = fields.List(
        fields.String(validate=OneOf(sorted(SCOPES))),
        validate=Length(min=1, max=len(SCOPES)),
    )


class ScriptSchema(Schema):
    class Meta:
        title = "Script"

    first_deal = fields.Integer(strict=True, load_default=1, validate=Range(min=1, max=LARGEST))
    deals = fields.List(
        fields.Dict(keys=fields.String()), required=True, validate=Length(min=1, max=1024)
    )


_SEAT: dict[str, Any] = {
    "anyOf": [
        {"title": "PersonSeat", "enum": ["me", "open"]},
        {
            "title": "BotSeat",
            "type": "object",
            "properties": {"bot": {"enum": list(LEVELS)}},
            "required": ["bot"],
            "additionalProperties": False,
        },
    ]
}


class NewGame(Schema):
    ruleset = fields.String(
        required=True,
        validate=Length(min=1, max=64),
        metadata={"description": "A name, for its newest version, or name@version."},
    )
    options = fields.Dict(keys=fields.String(), load_default=dict)
    seats = fields.List(Seat(metadata=_SEAT), required=True, validate=Length(min=1, max=16))
    script = fields.Nested(ScriptSchema)


class Sitting(Schema):
    """Nothing, or entropy, for oneself; a bot, by the opener."""

    entropy = Entropy(metadata={"pattern": ENTROPY})
    bot = fields.String(validate=OneOf(LEVELS))

    @validates_schema
    def one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) > 1:
            raise ValidationError("A bot brings no entropy.")


class GameQuery(Schema):
    at = Whole(validate=Range(min=1, max=LARGEST))
    seat = Whole(validate=Range(min=0, max=LARGEST))


class LeaveQuery(Schema):
    bot = fields.String(
        validate=OneOf(LEVELS), load_default="normal", metadata={"default": "normal"}
    )


class StreamQuery(Schema):
    ticket = fields.String(metadata={"description": "In place of a token: see `POST /tickets`."})


class LobbyQuery(Schema):
    mine = fields.Boolean(
        truthy={"true"}, falsy={"false"}, load_default=False, metadata={"default": False}
    )
    status = fields.String(validate=OneOf(("open", "playing", "finished")))
    ruleset = fields.String(validate=Length(min=1, max=64))
    cursor = Cursor()
    limit = Whole(load_default=20, validate=Range(min=1, max=100))


class SheetQuery(Schema):
    min_version = Whole(validate=Range(min=1, max=LARGEST))


class FeedQuery(Schema):
    after = Whole(load_default=0, validate=Range(min=0, max=LARGEST))
    wait = Whole(load_default=0, validate=Range(min=0, max=60))
    limit = Whole(load_default=1000, validate=Range(min=1, max=1000))
