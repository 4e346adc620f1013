"""What `elsinore cardset balance` measures: games of the sensible player with itself."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import msgspec
from rich.table import Table

from domain.chance import TrialChance, words
from domain.rulesets.hamlet_play.analysis.trials import after, begun, moves_of
from domain.rulesets.hamlet_play.cardset.model import CardSet, Ending
from domain.rulesets.hamlet_play.cardset.requirements import ACTS
from domain.rulesets.hamlet_play.engine.consequences import pack_of
from domain.rulesets.hamlet_play.model import HamletPlayState, Pack
from service.cli.cardset.cores import on_all_cores
from workers.bots.hamlet_play import Seen, best

GAMES = {2: 2000, 3: 2000, 4: 2000, 5: 2000, 6: 500, 7: 500, 8: 500}
PACKS: tuple[Pack, ...] = ("regular", "difficult")
"""Half of the games with each."""


WIDTH = 150
"""Columns of a table, on a terminal or in a file."""


class Setting(msgspec.Struct, frozen=True):
    seats: int
    pack: Pack
    number: int


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """How one game went. `legal` are the numbers of legal actions, by Act, at each move."""

    setting: Setting
    endings: tuple[str, ...]
    winners: tuple[int, ...]
    together: bool
    act: int
    legal: dict[int, tuple[int, ...]]


def settings(games: dict[int, int]) -> list[Setting]:
    return [
        Setting(seats, PACKS[number % len(PACKS)], number)
        for seats, count in games.items()
        for number in range(count)
    ]


def trials(directory: Path, games: dict[int, int]) -> list[Trial]:
    """On all cores; the same games give the same trials."""
    return list(on_all_cores(play, directory, settings(games), "playing"))


def play(cards: CardSet, setting: Setting) -> Trial:
    """One game, all seats played by the watchful level of the sensible player."""
    seed = f"{setting.seats} {setting.pack} {setting.number}".encode()
    chance, stream = TrialChance(seed), words(seed, "bot", "balance")
    state = begun(cards, setting.seats, setting.pack, chance)
    legal: dict[int, list[int]] = {act: [] for act in range(1, ACTS + 1)}
    while moves := moves_of(cards, state):
        legal[state.act].append(len({move.action for move in moves}))
        move = best(seen(cards, state), moves, stream, watchful=True)
        state = after(state, move, chance)
    return Trial(
        setting=setting,
        endings=tuple(ending.id for ending in state.endings),
        winners=state.winners or (),
        together=state.won_together,
        act=state.act,
        legal={act: tuple(counts) for act, counts in legal.items()},
    )


def seen(cards: CardSet, state: HamletPlayState) -> Seen:
    """What the current player knows, as `workers.bots.hamlet_play.seen_in` reads it in a view."""
    own = state.endings[state.current]
    return Seen.of(
        cards,
        state.board,
        act=state.act,
        seats=state.seats,
        left=state.seats - state.scene,
        own=own.id,
        pack=pack_of(cards, state.pack),
    )


# --- tables


def by_seats(found: Sequence[Trial]) -> Table:
    table = Table(
        "seats",
        "deck",
        "games",
        "won",
        "drawn",
        "together",
        "won in Act",
        *(f"legal in Act {act}" for act in range(1, ACTS + 1)),
        title="Games (legal actions: fewest, mean)",
    )
    for (seats, pack), group in _grouped(found):
        won = [trial for trial in group if trial.winners]
        table.add_row(
            str(seats),
            pack,
            str(len(group)),
            _share(len(won), len(group)),
            _share(len(group) - len(won), len(group)),
            _share(sum(trial.together for trial in group), len(group)),
            f"{mean([trial.act for trial in won]):.1f}" if won else "-",
            *(_legal(group, act) for act in range(1, ACTS + 1)),
        )
    return table


def by_ending(cards: CardSet, found: Sequence[Trial]) -> Table:
    """Wins of each ending by itself in the games in which somebody held it."""
    counts = sorted({trial.setting.seats for trial in found})
    table = Table("ending", "deck", "all", *(f"{seats} seats" for seats in counts), title="Endings")
    for pack in PACKS:
        for ending in pack_of(cards, pack):
            groups = [[t for t in found if t.setting.seats == seats] for seats in counts]
            shares = [_wins(ending, group) for group in (list(found), *groups)]
            table.add_row(ending.name["en"], pack, *shares)
    return table


def _grouped(found: Iterable[Trial]) -> Iterator[tuple[tuple[int, Pack], list[Trial]]]:
    groups: dict[tuple[int, Pack], list[Trial]] = {}
    for trial in found:
        groups.setdefault((trial.setting.seats, trial.setting.pack), []).append(trial)
    yield from groups.items()


def _wins(ending: Ending, group: Sequence[Trial]) -> str:
    held = [trial for trial in group if ending.id in trial.endings]
    won = sum(
        not trial.together and trial.endings.index(ending.id) in trial.winners for trial in held
    )
    return _share(won, len(held))


def _legal(group: Sequence[Trial], act: int) -> str:
    counts = [count for trial in group for count in trial.legal[act]]
    return f"{min(counts)}, {mean(counts):.0f}" if counts else "-"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"
