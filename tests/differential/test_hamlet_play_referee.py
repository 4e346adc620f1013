"""A literal referee of the rulebook beside every game: legal moves, turns, the board, the winners.

GAMES=2000 in the environment plays more than the default, the games with the set of the house; with
the two small sets it is four times as many. The referee rolls no dice of its own: it is told the
faces that the table's events show.
"""

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.model import DieRolled, HamletPlayOptions, Pack
from events.cardsets import read_card_set
from tests.chances import QuickChance
from tests.differential.judging import compare_decision, compare_end
from tests.differential.referees import hamlet_play as referee
from tests.tables import Table

GAMES = int(os.environ.get("GAMES", "14"))
ROOT = Path(__file__).parents[2]
ELSINORE = ROOT / "domain" / "rulesets" / "hamlet_play" / "cards" / "elsinore"
TINY = ROOT / "tests" / "cardsets" / "tiny"
PACKS: tuple[Pack, ...] = ("regular", "difficult", "mixed")

ALWAYS = {"choices", "ending holds", "needs", "dead-persona", "no-free-box", "once-a-scene"}
SEEN = {
    "elsinore": ALWAYS | {"act-five"},
    "tiny": ALWAYS | {"act-five", "endings", "repeats", "roll", "roll-against"},
    "scarce": ALWAYS | {"no-action", "endings", "repeats", "roll", "roll-against", "duel"},
}
"""What has to come up in the games with a set, lest they agree about nothing."""

STORMS = """
[[actions]]
id = "storm"
name = { en = "A storm", ja = "嵐" }
boxes = 4
requires = [
  { needs = "compare", higher = "hamlet.swordplay", lower = "laertes.swordplay", not = true },
]
results = [
  { does = "check-box" },
  { does = "roll", cases = [
    { faces = [1], results = [{ does = "kill", persona = "ophelia" }] },
    { faces = [2], results = [{ does = "kill", persona = "laertes" }] },
    { faces = [6], results = [{ does = "place-counter", counter = "horatio.dying" }] },
  ] },
  { does = "duel", first = "laertes.swordplay", second = "hamlet.swordplay", first_wins = [
    { does = "move-track", track = "laertes.swordplay", by = -1 },
    { does = "roll-against", track = "laertes.swordplay", otherwise = [
      { does = "kill", persona = "hamlet" },
    ] },
  ], second_wins = [
    { does = "check-box", action = "laertes.unbated-point" },
    { does = "set-track", track = "ophelia.sanity", to = 2 },
  ], tie = [
    { does = "kill", persona = "hamlet" },
    { does = "duel", first = "laertes.swordplay", second = "hamlet.swordplay", tie = [
      { does = "kill", persona = "horatio" },
    ] },
    { does = "roll-against", track = "ophelia.sanity", above = [
      { does = "check-box", action = "ophelia.get-thee" },
    ] },
  ] },
  { does = "when", requires = [
    { needs = "together", personae = ["hamlet", "ophelia"], not = true },
  ], results = [
    { does = "move", place = "laertes.france" },
    { does = "place-counter", counter = "laertes.spying" },
  ], otherwise = [
    { does = "remove-counter", counter = "horatio.dying" },
    { does = "move", place = "ophelia.nunnery" },
  ] },
]

[[actions]]
id = "calm"
name = { en = "A calm", ja = "凪" }
boxes = 3
requires = [
  { needs = "counter", counter = "horatio.dying" },
  { needs = "box", action = "horatio.storm", at_least = 1, at_most = 3 },
]
results = [{ does = "remove-counter", counter = "horatio.dying" }, { does = "check-box" }]

[[actions]]
id = "dirge"
name = { en = "A dirge", ja = "挽歌" }
boxes = 2
requires = [{ needs = "dead", persona = "hamlet" }, { needs = "act", at_most = 4 }]
results = [{ does = "check-box" }, { does = "place-counter", counter = "ophelia.dying" }]
"""

FROST = """
[[end_of_act]]
id = "frost"
name = { en = "A frost", ja = "霜" }
requires = [{ needs = "counter", counter = "laertes.dying", not = true }]
results = [
  { does = "roll", cases = [{ faces = [5], results = [{ does = "kill", persona = "laertes" }] }] },
  { does = "place-counter", counter = "laertes.dying" },
]
"""


def scarce(directory: Path) -> Path:
    """The tiny set in bad weather, with boxes for every action: some are repeated, plays stop."""
    for path in TINY.rglob("*.toml"):
        copy = directory / path.relative_to(TINY)
        copy.parent.mkdir(parents=True, exist_ok=True)
        first, *actions = path.read_text(encoding="utf-8").split("[[actions]]\n")
        text = "[[actions]]\n".join([first.replace('"tiny"', '"scarce"'), *map(boxed, actions)])
        text += {"horatio.toml": STORMS, "effects.toml": FROST}.get(path.name, "")
        copy.write_text(text, encoding="utf-8")
    return directory


def boxed(action: str) -> str:
    own, *choices = action.split("[[actions.choose]]\n")
    if "boxes =" not in own:
        if "results = [" not in own:
            own += "results = []\n"
        own = own.replace("results = [", 'results = [{ does = "check-box" }, ', 1)
        own = "boxes = 2\n" + own
    return "[[actions.choose]]\n".join([own, *choices])


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_every_game_agrees_with_the_referee_at_every_decision(name: str, tmp_path: Path) -> None:
    directory = {"elsinore": ELSINORE, "tiny": TINY}.get(name) or scarce(tmp_path)
    settled = read_card_set(directory)
    cards = referee.load(directory)
    ruleset = hamlet_play(CardSets((settled,)))
    rng = random.Random(name)
    seen: Counter[str] = Counter()
    for game in range(GAMES if name == "elsinore" else 4 * GAMES):
        options = HamletPlayOptions(card_set=settled.id, endings=PACKS[game % len(PACKS)])
        seats = SEAT_COUNTS[game % len(SEAT_COUNTS)]
        table = Table(ruleset, QuickChance(game), options=options, seats=seats)
        compare_game(table, cards, rng, seen)
    assert (+seen).keys() >= SEEN[name]


def compare_game(
    table: Table, cards: referee.CardSet, rng: random.Random, seen: Counter[str]
) -> None:
    state = table.state
    endings = [ending.id for ending in state.endings]
    play = referee.Play(cards, state.seats, state.first_player, endings)
    everything = sorted(play.state()["boxes"])
    dear = set(rng.sample(everything, rng.randrange(len(everything) // 3)))
    while table.waiting_for:
        moves = compare_decision(table.state, play, seen)
        preferred = [move for move in moves if move.action in dear and rng.randrange(2)]
        move = rng.choice(preferred or moves)
        seen["choices"] += move.choice is not None
        seen["repeats"] += move.action in table.state.taken
        events = table.play(table.waiting_for[0], move)
        dice = [event for event in events if isinstance(event, DieRolled)]
        seen.update(die.kind for die in dice)
        faces = [die.face for die in dice]
        play.take(move.action, move.choice, lambda: faces.pop(0))  # noqa: B023 - called at once
        assert faces == []
    compare_end(table.state, play, seen)
