"""What must be true of the log, whatever has happened to the processes around it."""

from collections import Counter

import msgspec

from domain.game.model import Actor, Game
from domain.game.questions import questions
from events.audit.audit import audit, lines_of
from events.handler import _command_id
from events.log.entry import Entry, Envelope, envelope
from events.log.loader import Loaded, fold
from events.log.redis import RedisStore
from events.projections.redis import RedisProjections
from events.redis.client import connect
from tests.cli.running import until
from tests.faults.clients import Crowd, Played, Player
from tests.faults.processes import allowed_seconds
from tests.workers.test_projector import check_equal_to_the_fold
from workers.sweep import ALL


class Counts(msgspec.Struct):
    """What a crowd has done, for those who read the tests' output."""

    games: int = 0
    commands: int = 0
    asked_again: int = 0
    bots_moves: int = 0
    fallbacks: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{value} {name}" for name, value in msgspec.structs.asdict(self).items())


def verify(crowd: Crowd, log_url: str) -> Counts:
    """Everything the crowd has seen is in the log, once; and nothing that nobody sent."""
    store = RedisStore(connect(log_url))
    projections = RedisProjections(store.client)
    games = crowd.games
    assert games
    ids = {game.id for game in games}
    until(lambda: not {game for game, _, _ in store.due(ALL)} & ids, allowed_seconds())
    check_equal_to_the_fold(store, projections, sorted(ids))
    assert projections.health().scores_disagree == 0
    counts = Counts(games=len(games))
    for table in crowd.tables:
        for game in table.games:
            entries = store.read(game.id)
            _check_commands(game, entries, fold(game.id, entries), counts)
            _check_bots(game.id, entries, counts)
            _check_audit(game, table.players[0])
    store.client.close()
    return counts


def _check_commands(game: Played, entries: list[Entry], loaded: Loaded, counts: Counts) -> None:
    """Each command of a person: its entries, once and together, are the ones it was answered."""
    envelopes = [envelope(entry) for entry in entries]
    assert _pieces(envelopes) == len(loaded.commands), "the entries of a command are apart"
    expected = set()
    for sent in game.sent:
        command = _command_id(loaded.chain, Actor(kind="player", id=sent.player), sent.key)
        first, last = loaded.commands[command]
        assert envelopes[first - 1].actor.id == sent.player
        assert sent.receipt["version"] == last
        assert sent.receipt["digest"] == entries[last - 1].digest.hex()
        expected.add(command)
        counts.commands += 1
        counts.asked_again += sent.tries > 1
    by_people = {head.command for head in envelopes if head.actor.kind == "player"}
    assert by_people == expected, "somebody's command is there that was never sent"


def _pieces(envelopes: list[Envelope]) -> int:
    before = ["", *(head.command for head in envelopes)]
    return sum(head.command != last for head, last in zip(envelopes, before, strict=False))


def _check_bots(game: str, entries: list[Entry], counts: Counts) -> None:
    """Each move of a bot is its answer to the question that was open to it: it has one of each."""
    loaded: Loaded | None = None
    moves: Counter[tuple[int, str]] = Counter()
    for entry in entries:
        actor = envelope(entry).actor
        if actor.kind == "bot":
            assert loaded is not None
            assert actor.seat is not None
            question = questions(loaded.game)[actor.seat]
            command = _command_id(loaded.chain, actor, f"bot:{actor.seat}:{question}")
            assert command == envelope(entry).command
            moves[actor.seat, question] += 1
            counts.fallbacks += bool(actor.fallback)
        loaded = fold(game, [entry], loaded)
    assert loaded is not None
    assert set(moves.values()) <= {1}
    assert len(moves) == _owed(loaded.game)
    counts.bots_moves += len(moves)


def _owed(game: Game) -> int:
    """Moves that bots make in one deal: thirteen cards each, and a pass."""
    return sum(14 for seat in game.seats if seat.kind == "bot")


def _check_audit(game: Played, player: Player) -> None:
    keys = {key["id"]: key["public_key"] for key in player.get("/v1/keys")["keys"]}
    receipts = [sent.receipt for sent in game.sent]
    lines = lines_of(player.fetch(f"/v1/games/{game.id}/log"))
    report = audit(lines, receipts=receipts, keys=keys)
    assert report.status == "ok", report
