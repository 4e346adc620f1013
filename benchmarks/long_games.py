"""Figures 9 to 11: what a look back, an audit and a projection cost in a long game of Hearts."""

from collections.abc import Callable, Iterable

import redis

from benchmarks.figure import SLICES, Figure, compared, cpu_of, in_turn
from benchmarks.games import played
from benchmarks.serving import Servers
from events.audit.audit import audit
from events.log.entry import Entry, envelope
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import EMPTY, Head
from events.projections.redis import RedisProjections
from events.queries import Reader
from workers.projections.projector import Projecting

LOOKS = 64
DEALS = 40
GAMES_EACH = 3
AUDITS = 5

Game = tuple[MemoryStore, str]


def figures(servers: Servers) -> Iterable[Figure]:
    """Of games whose seeds give them the lengths that are stated, within a few entries."""
    short = played(2, target_score=100)
    middle = played(0, target_score=300)
    long = played(1, target_score=940)
    yield _looks_back(short, long)
    yield _audits(middle, long)
    yield _projections(servers)


def _looks_back(short: Game, long: Game) -> Figure:
    found = in_turn(_looks(long), _looks(short))
    return Figure(
        figure=9,
        name=f"a view of the past near the end of {_sizes(long, short)}",
        value=found.value / LOOKS * 1e6,
        reference=found.reference / LOOKS * 1e6,
        ratio=found.ratio,
        spread=found.spread,
        target=2.0,
        at_most=True,
        unit="µs CPU/view",
    )


def _looks(played_game: Game) -> Callable[[], float]:
    """CPU of the views at the last versions but one, the game itself being loaded."""
    store, game = played_game
    reader = Reader(store, Loader(store))
    last = reader.current(game).head.version

    def look() -> None:
        for version in range(last - LOOKS, last):
            reader.view(game, "p0", version)

    return lambda: cpu_of(look)


def _audits(middle: Game, long: Game) -> Figure:
    found = in_turn(_audit(long), _audit(middle), AUDITS)
    return Figure(
        figure=10,
        name=f"audit of {_sizes(long, middle)}",
        value=found.value * 1e3,
        reference=found.reference * 1e3,
        ratio=found.ratio,
        spread=found.spread,
        target=4.5,
        at_most=True,
        unit="ms CPU",
    )


def _audit(played_game: Game) -> Callable[[], float]:
    store, game = played_game
    log = Reader(store, Loader(store)).log(game)

    def check() -> None:
        if not audit(log).ok:
            raise RuntimeError("the log is not ok")

    return lambda: cpu_of(check)


def _projections(servers: Servers) -> Figure:
    """Each slice has games of its own, projected deal by deal: the last job and the first."""
    slices = []
    for slice_number in range(SLICES):
        jobs = [_projected(servers, f"{slice_number} {game}") for game in range(GAMES_EACH)]
        slices.append((sum(last for _, last in jobs), sum(first for first, _ in jobs)))
    found = compared(slices)
    return Figure(
        figure=11,
        name=f"projections after deal {DEALS}, against those after deal 1",
        value=found.value / GAMES_EACH * 1e6,
        reference=found.reference / GAMES_EACH * 1e6,
        ratio=found.ratio,
        spread=found.spread,
        target=2.0,
        at_most=True,
        unit="µs CPU/job",
    )


def _projected(servers: Servers, key: str) -> tuple[float, float]:
    """CPU of the jobs after the first deal and after deal number `DEALS` of a new game."""
    memory, game = played(0, key, target_score=400)
    client = redis.from_url(servers.log)
    store, spent = RedisStore(client), list[float]()
    worker = Projecting(store, RedisProjections(client))
    head = EMPTY
    for entries in _by_deal(memory.logs[game])[:DEALS]:
        store.append(game, head, entries, ("score",), 0)
        head = Head(entries[-1].version, entries[-1].digest)
        spent.append(cpu_of(lambda: worker.project(game, head.version)))  # noqa: B023
    return spent[0], spent[-1]


def _by_deal(entries: list[Entry]) -> list[list[Entry]]:
    """A log up to the end of each deal."""
    deals: list[list[Entry]] = [[]]
    for entry in entries:
        deals[-1].append(entry)
        if envelope(entry).type == "game.deal-revealed":
            deals.append([])
    return deals


def _sizes(one: Game, other: Game) -> str:
    sizes = [len(store.logs[game]) for store, game in (one, other)]
    return f"{sizes[0]:,} entries, against {sizes[1]:,}"
