"""What can go wrong between a command and its log, apart from a refusal by the rules.

EventsError
├── UnknownGame          no such game was ever opened
├── UnknownPlayer        no such player
├── UnknownVersion       the game has no such version (yet)
├── LogMissing           the game was opened, its stream is gone: never an empty new game
├── LogBroken            an entry does not follow from the one before it
├── UnknownSchema        an entry newer than this release can read
│   └── UnknownRuleset   the first one, of a game whose rule set is not installed
├── VersionConflict      another writer was first
├── StaleVersion         the caller's If-Match is not the version of the log
├── KeyReused            an idempotency key came back with another move
├── InvalidMove          the body of a move that is none of its rule set's, or no JSON at all
├── NotFinished          asked for what is open to all only when the game is over
└── Busy                 too many conflicts in a row, or the store did not answer; nothing is lost
"""


class EventsError(Exception):
    """Base of everything the event-sourcing runtime raises."""


class UnknownGame(EventsError):
    pass


class UnknownPlayer(EventsError):
    pass


class UnknownVersion(EventsError):
    pass


class LogMissing(EventsError):
    pass


class LogBroken(EventsError):
    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"entry {version}: {reason}")
        self.version = version
        self.reason = reason


class UnknownSchema(EventsError):
    pass


class UnknownRuleset(UnknownSchema):
    pass


class VersionConflict(EventsError):
    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"expected version {expected}, the log is at {actual}")
        self.expected = expected
        self.actual = actual


class StaleVersion(VersionConflict):
    pass


class KeyReused(EventsError):
    pass


class InvalidMove(EventsError):
    """`code` is the problem code; `errors` what is wrong by field, where it is a field."""

    def __init__(
        self, code: str, detail: str = "", errors: dict[str, list[str]] | None = None
    ) -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail
        self.errors = errors


class NotFinished(EventsError):
    pass


class Busy(EventsError):
    pass
