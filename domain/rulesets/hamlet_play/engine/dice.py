"""How many dice a card set can ask for at most."""

from collections.abc import Iterable

from domain.rulesets.hamlet_play.cardset.model import CardSet, Does, Duel, Roll, RollAgainst, When
from domain.rulesets.hamlet_play.cardset.requirements import ACTS
from domain.rulesets.hamlet_play.constants import actions_in_a_game


def most_draws(cards: CardSet, seats: int) -> int:
    """First Player, and every die if each action and each table rolls as many as it can."""
    per_action = max((_action_dice(cards, ref) for ref in cards.actions), default=0)
    per_scene = sum(most_dice(row.results) for row in cards.end_of_scene)
    per_act = sum(most_dice(row.results) for row in cards.end_of_act)
    return 1 + actions_in_a_game(seats) * per_action + ACTS * (seats * per_scene + per_act)


def most_dice_in_a_scene(cards: CardSet, actions: int) -> int:
    per_action = max((_action_dice(cards, ref) for ref in cards.actions), default=0)
    return actions * per_action + sum(most_dice(row.results) for row in cards.end_of_scene)


def most_dice(results: Iterable[Does]) -> int:
    return sum(_dice_of(result) for result in results)


def _action_dice(cards: CardSet, ref: str) -> int:
    action = cards.actions[ref]
    chosen = max((most_dice(option.results) for option in action.choose), default=0)
    return most_dice(action.results) + chosen


def _dice_of(result: Does) -> int:
    match result:
        case Roll():
            return 1 + max((most_dice(case.results) for case in result.cases), default=0)
        case RollAgainst():
            return 1 + max(most_dice(result.above), most_dice(result.otherwise))
        case Duel():
            inner = (result.first_wins, result.second_wins, result.tie)
            return 2 + max(most_dice(results) for results in inner)
        case When():
            return max(most_dice(result.results), most_dice(result.otherwise))
        case _:
            return 0
