"""Fits the weights of the bot of Hamlet on games that it plays with itself.

`python -m tests.workers.hamlet_weights [rounds] [games]` prints them. Each round plays with the
weights of the one before, and moves half the way to what it finds: the chance of a card to take a
trick depends on how all seats play, so a full step goes to and fro.
"""

import random
import sys
from typing import Any

import numpy as np

from domain.card_games.cards import FRENCH, CardSet, members
from domain.rulesets.hamlet.model import HamletOptions
from tests.workers.hamlet_strength import Seen, play_game
from workers.bots import hamlet
from workers.bots.hamlet import Table, Weights

Row = tuple[Weights, bool]
Rows = dict[str, list[Row]]

PLAYED = (
    *[HamletOptions(deals=1)] * 6,
    *[HamletOptions(deals=1, no_trump_every=1)] * 2,
    *[HamletOptions(pattern="up_down", deals=14)] * 2,
)


def observed(games: int, first_seed: int) -> Rows:
    """What became of the cards: whether each took a trick, by the weights that foretell it."""
    rows: Rows = {name: [] for name in ("LATER_PLAIN", "LATER_TRUMP", "NOW_PLAIN", "NOW_TRUMP")}
    rng = random.Random(first_seed)
    for seed in range(first_seed, first_seed + games):
        seats, notes = (3 if seed % 3 else 4), list[Seen]()
        players = [hamlet.choose] * seats
        end = play_game(seed, players, PLAYED[seed % len(PLAYED)], note=notes.append)
        took = {
            (scored.deal, trick.cards[(trick.taker - trick.leader) % seats])
            for scored in end.scored
            for trick in scored.tricks
        }
        for note in notes:
            table, deal = hamlet.table_of(note.view), note.state.deal
            hand = table.hand
            if "card" in note.body:
                card = FRENCH.card(note.body["card"])
                hand ^= card
                if table.beats(card) and table.needs and not _is_sure(table, card):
                    row = (hamlet.now_features(table, card), (deal, card) in took)
                    rows[_name("NOW", table, card)].append(row)
            if "bid" in note.body or rng.random() < 0.15:
                for card in members(hand):
                    if not _is_sure(table, card):
                        row = (hamlet.later_features(table, hand, card), (deal, card) in took)
                        rows[_name("LATER", table, card)].append(row)
    return rows


def _is_sure(table: Table, card: CardSet) -> bool:
    return bool(card & table.trump) and not table.unseen & table.trump & -card


def _name(when: str, table: Table, card: CardSet) -> str:
    return f"{when}_{'TRUMP' if card & table.trump else 'PLAIN'}"


def fitted(rows: list[Row], ridge: float = 1.0) -> Any:
    """Logistic regression by Newton's method."""
    features = np.array([row[0] for row in rows])
    took = np.array([float(row[1]) for row in rows])
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (took - chance) - ridge * weights
        bend = (features * (chance * (1 - chance))[:, None]).T @ features
        weights += np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
    return weights


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    for number in range(1, rounds + 1):
        for name, found in observed(games, 1000 * number).items():
            halfway = (np.array(getattr(hamlet, name)) + fitted(found)) / 2
            setattr(hamlet, name, tuple(round(float(weight), 3) for weight in halfway))
            print(f"{name}: Weights = {getattr(hamlet, name)}  # round {number}")
