"""The whole log of a finished game, and the keys its receipts are signed with."""

from flask import Response

from service.http.auth import anybody, caller
from service.http.caching import open_answer, versioned_tag
from service.http.requests import Blueprint
from service.http.responses import NDJSON, json_answer, lines_body
from service.http.schemas.answers import Key, Keys, Line
from service.openapi.operations import described
from service.release import VERSION
from service.services import current_services

blp = Blueprint("log", __name__, description="What can be verified.")


@blp.route("/games/<game_id>/log", methods=["GET"])
@blp.doc(**described("getLog", 200, None, [401, 404, 409, 500, 503], other={NDJSON: Line}))
def get_log(game_id: str) -> Response:
    """Download the whole log with every part opened, once the game is finished."""
    me, services = caller().player, current_services()
    head = services.reader.finished(game_id).head
    services.presence.note(game_id, me)
    response = open_answer(
        versioned_tag(head.version, VERSION.encode(), head.digest),
        lambda: lines_body(services.reader.log(game_id)),
        NDJSON,
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{game_id}.ndjson"'
    return response


@blp.route("/keys", methods=["GET"])
@blp.doc(**described("getKeys", 200, Keys, [429], public=True))
def get_keys() -> Response:
    """The public keys that check receipts: the one now in use first, then those of the past."""
    anybody()
    keys = current_services().signer.public_keys.items()
    return json_answer(
        Keys(
            keys=tuple(Key(id=key_id, algorithm="Ed25519", public_key=key) for key_id, key in keys)
        )
    )
