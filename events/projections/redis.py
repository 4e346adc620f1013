"""Projections in Redis: each game's in its own slot, records by player, one script writes.

What is built anew is a generation beside the live one. Who writes asks before and after which
generations there are, so that none misses what happened while it was built.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from importlib.resources import files
from typing import Any, assert_never, get_args

import msgspec
import redis

from domain.game.model import Status
from events.log.store import Opening
from events.projections.store import (
    FailedProjection,
    GameRecord,
    Health,
    LobbyRow,
    Overtaken,
    ProjectedGame,
    Projection,
    RecordPart,
    Scoresheet,
    Tally,
    name_of,
    tallied,
)
from events.redis.counters import COUNTS
from events.redis.errors import translate_errors
from events.redis.keys import ALL_PARTITIONS, partition_of

GENERATIONS = "el:projections:generations"
DEAD = "el:projections:dead"
DISAGREE = "el:projections:disagree"
STATUSES = get_args(Status)
SHEET = "sheet"
LINGER = 60
"""Seconds that a generation is still there for who has just learned its number."""

_PUT_IF_NEWER = files("events.projections").joinpath("put_if_newer.lua").read_text()
_SWITCH = """
if redis.call('HGET', KEYS[1], ARGV[1] .. ':building') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1] .. ':building')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""


class RedisProjections:
    """A ProjectionStore on a Redis or Valkey server or cluster. `client` must not decode."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client
        self._keep = client.register_script(_PUT_IF_NEWER)
        self._switch = client.register_script(_SWITCH)

    def put(self, kept: ProjectedGame, *, again: bool = False, into: int | None = None) -> bool:
        if isinstance(kept, Scoresheet) and kept.scores_disagree:
            with translate_errors():
                self._client.sadd(DISAGREE, kept.game)
        if into is None:
            written = self._put_everywhere(kept, again=again)
        else:
            written = self._put(kept, into, again=again)
        if isinstance(kept, Scoresheet) and written and not kept.scores_disagree:
            with translate_errors():
                self._client.srem(DISAGREE, kept.game)
        return written

    def sheet(self, game: str) -> Scoresheet | None:
        key = partition_of(game).scoresheet(self._live("scoresheet"), game)
        with translate_errors():
            sheet: Scoresheet | None = _read(self._client.hget(key, SHEET), Scoresheet)
        return sheet

    def record(self, player: str) -> dict[str, Tally]:
        key = _record(self._live("records"), player)
        with translate_errors():
            found = self._client.hvals(key)
        # Thousands of games, and a few different parts: each is read once.
        bodies = Counter(value.partition(b" ")[2] for value in found)
        return tallied(
            (msgspec.json.decode(body, type=RecordPart), times) for body, times in bodies.items()
        )

    def rows(self, games: Iterable[str]) -> dict[str, LobbyRow]:
        by_key: dict[str, list[str]] = {}
        generation = self._live("lobby")
        for game in games:
            by_key.setdefault(partition_of(game).lobby(generation), []).append(game)
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            for key, names in by_key.items():
                pipeline.hmget(key, names)
            values = [value for reply in pipeline.execute() for value in reply]
        rows = (_read(value, LobbyRow) for value in values)
        return {row.game: row for row in rows if row is not None}

    def listed(self, index: Status | str, before: Opening | None, count: int) -> list[Opening]:
        highest = "+inf" if before is None else f"({before.at}"
        generation = self._live("lobby")
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                key = partition.lobby(generation, _index(index))
                pipeline.zrevrangebyscore(key, highest, "-inf", start=0, num=count, withscores=True)
                if before is not None:
                    pipeline.zrangebyscore(key, before.at, before.at, withscores=True)
            found = [row for reply in pipeline.execute() for row in reply]
        openings = sorted((Opening(int(at), name.decode()) for name, at in found), reverse=True)
        return [o for o in openings if before is None or o < before][:count]

    def begin(self, projection: Projection) -> int:
        with translate_errors():
            number = int(self._client.hincrby(GENERATIONS, f"{projection}:last", 1)) + 1
            self._client.hset(GENERATIONS, f"{projection}:building", number)
        keep = {self._live(projection), number}
        for generation, key in self._keys(projection):
            if generation not in keep:
                with translate_errors():
                    self._client.delete(key)
        return number

    def carry(self, projection: Projection, into: int, games: Collection[str]) -> None:
        if projection == "records":
            self._carry_parts(self._live(projection), into, list(games))
            return
        for game in games:
            kept = self.sheet(game) if projection == "scoresheet" else self.rows([game]).get(game)
            if kept is not None:
                self._put(kept, into, again=False)

    def switch(self, projection: Projection, generation: int) -> None:
        before = self._live(projection)
        with translate_errors():
            if not self._switch(keys=[GENERATIONS], args=[projection, generation]):
                raise Overtaken(projection)
        for number, key in self._keys(projection):
            if number == before:
                with translate_errors():
                    self._client.expire(key, LINGER)

    def mark_failed(self, dead: FailedProjection) -> None:
        with translate_errors():
            self._client.hset(DEAD, f"{dead.game}:{dead.projection}", msgspec.json.encode(dead))

    def clear_failed(self, projection: Projection, game: str) -> None:
        with translate_errors():
            self._client.hdel(DEAD, f"{game}:{projection}")

    def dead(self) -> list[FailedProjection]:
        with translate_errors():
            found = self._client.hvals(DEAD)
        dead = [msgspec.json.decode(value, type=FailedProjection) for value in found]
        return sorted(dead, key=lambda one: (one.game, one.projection))

    def health(self) -> Health:
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            pipeline.hlen(DEAD)
            pipeline.scard(DISAGREE)
            pipeline.hgetall(COUNTS)
            for partition in ALL_PARTITIONS:
                pipeline.hlen(partition.dead)
            dead, disagree, counts, *letters = pipeline.execute()
        return Health(
            dead_projections=dead,
            dead_letters=sum(letters),
            scores_disagree=disagree,
            counts={name.decode(): int(count) for name, count in sorted(counts.items())},
        )

    def _live(self, projection: Projection) -> int:
        return self._numbers(projection)[0]

    def _numbers(self, projection: Projection) -> tuple[int, ...]:
        """The live generation, then the one that is being built, if any."""
        with translate_errors():
            live, new = self._client.hmget(GENERATIONS, projection, f"{projection}:building")
        return (int(live or 1),) if new is None else (int(live or 1), int(new))

    def _put_everywhere(self, kept: ProjectedGame, *, again: bool) -> bool:
        written, numbers = False, self._numbers(name_of(kept))
        while True:
            for number in numbers:
                written |= self._put(kept, number, again=again)
            before, numbers = numbers, self._numbers(name_of(kept))
            if numbers == before:
                return written

    def _put(self, kept: ProjectedGame, number: int, *, again: bool) -> bool:
        """Each write is whole by itself; the parts of several players are as many writes."""
        partition = partition_of(kept.game)
        match kept:
            case Scoresheet():
                keys = [partition.scoresheet(number, kept.game)]
                return self._write(keys, SHEET, kept.version, kept, again=again)
            case GameRecord(parts=parts):
                written = [
                    self._write(
                        [_record(number, player)], kept.game, kept.version, part, again=again
                    )
                    for player, part in parts.items()
                ]
                return any(written)
            case LobbyRow():
                left = [partition.lobby(number, s) for s in STATUSES if s != kept.status]
                entered = [_index(name) for name in (kept.status, *sorted(kept.players))]
                keys = [partition.lobby(number), *left]
                keys += [partition.lobby(number, name) for name in entered]
                where = (len(left), kept.opened, kept.game)
                return self._write(keys, kept.game, kept.version, kept, *where, again=again)
            case _:
                assert_never(kept)

    def _carry_parts(self, live: int, into: int, games: list[str]) -> None:
        for number, key in self._keys("records") if games else ():
            if number != live:
                continue
            with translate_errors():
                found = self._client.hmget(key, games)
            player = key.split(":", 3)[3]
            for game, value in zip(games, found, strict=True):
                if (part := _read(value, RecordPart)) is not None:
                    version = int(value.partition(b" ")[0])
                    self._write([_record(into, player)], game, version, part, again=False)

    def _write(
        self,
        keys: list[str],
        field: str,
        version: int,
        body: msgspec.Struct,
        *indexes: Any,
        again: bool,
    ) -> bool:
        args: list[Any] = [field, version, msgspec.json.encode(body), "1" if again else "0"]
        with translate_errors():
            return bool(self._keep(keys=keys, args=args + list(indexes or (0, 0, ""))))

    def _keys(self, projection: Projection) -> Iterator[tuple[int, str]]:
        """Every key of a projection, with its generation."""
        first = {"scoresheet": "el:{p??}:scoresheet:", "lobby": "el:{p??}:lobby:"}
        pattern = first.get(projection, "el:record:")
        place = pattern.count(":")
        with translate_errors():
            for key in self._client.scan_iter(match=f"{pattern}*", count=1000):
                name = key.decode()
                yield int(name.split(":")[place]), name


def _read(value: bytes | None, kind: Any) -> Any:
    """What stands after the version."""
    return None if value is None else msgspec.json.decode(value.partition(b" ")[2], type=kind)


def _record(generation: int, player: str) -> str:
    return f"el:record:{generation}:{player}"


def _index(name: str) -> str:
    """The index of a status, or of a player, whose id is never mistaken for a status."""
    return name if name in STATUSES else f"of:{name}"
