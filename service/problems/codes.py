"""Problem details (RFC 9457): every code a client may meet, with its status and its title."""

PROBLEM_JSON = "application/problem+json"
REFUSED_BY_RULE = (409, "The rules of the game do not allow this.")

CODES: dict[str, tuple[int, str]] = {
    # what was sent
    "bad-request": (400, "The request is malformed."),
    "not-json": (400, "The body is not JSON."),
    "bad-if-match": (400, 'If-Match is not a version, such as "17".'),
    "bad-idempotency-key": (400, "Idempotency-Key is not 1 to 128 visible ASCII characters."),
    "missing-token": (401, "A bearer token is needed."),
    "invalid-token": (401, "This bearer token is nobody's."),
    "invalid-ticket": (401, "This ticket is nobody's, or its minute is over."),
    "missing-scope": (403, "This token may not be used for that."),
    "not-yourself": (403, "This is another player's record."),
    "not-your-seat": (403, "You do not sit there."),
    "not-the-opener": (403, "Only the opener of the game may do this."),
    "not-found": (404, "There is nothing at this address."),
    "unknown-game": (404, "There is no such game."),
    "unknown-player": (404, "There is no such player."),
    "unknown-seat": (404, "There is no such seat."),
    "unknown-version": (404, "The game has no such version yet."),
    "not-scored": (404, "No deal of this game has been scored and counted again yet."),
    "method-not-allowed": (405, "This method is not for this address."),
    "stale-version": (412, "The game has moved on from that version."),
    "body-too-large": (413, "The body is too large."),
    "uri-too-long": (414, "The address is too long."),
    "unsupported-media-type": (415, "The body is to be application/json."),
    "invalid-body": (422, "The body does not fit."),
    "invalid-query": (422, "The query does not fit."),
    "missing-answers": (422, "A move names the question it answers."),
    "invalid-card": (422, "There is no such card in this deck."),
    "invalid-entropy": (422, "Entropy is 16 to 64 bytes in lower-case hex."),
    "invalid-options": (422, "The options do not fit this rule set."),
    "invalid-seats": (422, "The seats do not fit this rule set."),
    "impossible-script": (422, "The script is impossible under this rule set."),
    "invalid-action": (422, "There is no such action or choice in this card set."),
    "too-many-draws": (422, "These options need more draws than a game has."),
    "unknown-ruleset": (422, "There is no such rule set."),
    "key-reused": (422, "This idempotency key was used for something else."),
    "if-match-required": (428, "If-Match is needed here."),
    "headers-too-large": (431, "The headers are too many or too large."),
    "too-many-streams": (429, "Too many streams are open."),
    "too-many-requests": (429, "Too many requests in too short a time."),
    # what the game says
    "illegal-move": REFUSED_BY_RULE,
    "card-not-in-hand": (409, "This card is not in your hand."),
    "repeated-card": (409, "A card is named twice."),
    "wrong-number-of-cards": (409, "This is not the number of cards asked for."),
    "wrong-move": (409, "You are asked for another kind of move."),
    "already-answered": (409, "You have answered this question."),
    "question-passed": (409, "This question has passed."),
    "not-your-turn": (409, "You are not asked this now."),
    "not-started": (409, "The game has not started."),
    "already-started": (409, "The game has started."),
    "game-over": (409, "The game is over."),
    "game-full": (409, "Every seat is taken."),
    "already-seated": (409, "You sit at this table already."),
    "seat-taken": (409, "This seat is taken."),
    "entropy-frozen": (409, "The list of entropy was frozen when the game started."),
    "seat-reserved": (409, "This seat is reserved for the opener."),
    "not-finished": (409, "This opens when the game is finished."),
    "card-set-missing": (409, "The card set of this game is not loaded here."),
    "version-conflict": (409, "Another command came first."),
    # what has gone wrong here
    "internal-error": (500, "Something went wrong on our side."),
    "log-missing": (500, "The log of this game is missing."),
    "log-broken": (500, "The log of this game is broken."),
    "unknown-schema": (500, "The log of this game is newer than this release."),
    "busy": (503, "The service is busy; nothing was lost."),
    "not-ready": (503, "The service is not ready."),
}


def codes_by_status() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code, (status, _) in CODES.items():
        found.setdefault(status, []).append(code)
    return found
