"""Games of Hamlet! written down beforehand, as the draws that give them."""

import re
from collections.abc import Sequence
from typing import Any

from domain.card_games.scripts import impossible
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import ACTS
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.constants import actions_owed
from domain.rulesets.hamlet_play.engine import dice
from domain.rulesets.hamlet_play.engine.consequences import pack_of
from domain.rulesets.hamlet_play.model import HamletPlayOptions, ScriptedDeal

PURPOSE = re.compile(r"a(?P<act>[1-9])\.(?:s(?P<scene>[1-9])|end)\.die(?P<die>[1-9][0-9]{0,3})")


def script_draws(
    card_sets: CardSets,
    options: HamletPlayOptions,
    seats: int,
    first_deal: int,
    deals: Sequence[ScriptedDeal],
) -> dict[str, Any]:
    """First Player, the endings by seat, and any dice; a game is one deal."""
    if first_deal != 1 or len(deals) != 1:
        raise impossible("A game of Hamlet! is one deal, the first.")
    deal = deals[0]
    cards = card_sets.chosen(options.card_set, options.card_set_digest)
    if not 0 <= deal.first_player < seats:
        raise impossible("First Player is one of the seats.")
    pack = tuple(ending.id for ending in pack_of(cards, options.endings))
    given = deal.endings
    if len(given) != seats or len(set(given)) != seats or not set(given) <= set(pack):
        raise impossible("There is one ending for each seat, all different, all of the pack.")
    for purpose, face in deal.dice.items():
        if not _can_fall(cards, seats, purpose) or not 1 <= face <= 6:
            raise impossible(f"There is no die {purpose} that shows {face}.")
    rest = tuple(ending for ending in pack if ending not in given)
    return {"first-player": deal.first_player, "endings": (*given, *rest)} | deal.dice


def _can_fall(cards: CardSet, seats: int, purpose: str) -> bool:
    named = PURPOSE.fullmatch(purpose)
    if named is None or int(named["act"]) > ACTS:
        return False
    if named["scene"] is None:
        return int(named["die"]) <= sum(dice.most_dice(row.results) for row in cards.end_of_act)
    owed = actions_owed(int(named["act"]), seats)
    return int(named["scene"]) <= seats and int(named["die"]) <= dice.most_dice_in_a_scene(
        cards, owed
    )
