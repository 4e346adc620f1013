"""What a game may be opened with."""

import msgspec

from domain.kernel import RuleViolation
from domain.laws.playing import Broken, Played, demand


def options_are_described(game: Played) -> None:
    """Options have a schema that describes each of them, and no others are taken."""
    options = game.ruleset.options
    (definition,) = msgspec.json.schema(options)["$defs"].values()
    for name, option in definition["properties"].items():
        demand("description" in option, f"the option {name} has no description")
    try:
        msgspec.convert({"no_such_option": 1}, options)
    except msgspec.ValidationError:
        return
    raise Broken("an option that there is not is taken")


def settled_options_stay(game: Played) -> None:
    """Options once settled stay as they are, and the same table comes of them."""
    ruleset = game.ruleset
    settled = ruleset.complete_options(game.options, game.seats)
    demand(settled == game.options, f"settled again, options become {settled}")
    same = ruleset.initial(settled, game.seats) == ruleset.initial(ruleset.options(), game.seats)
    demand(same, "the options as given make another table than settled")


def a_script_has_deals(game: Played) -> None:
    """A script without deals is impossible."""
    for first_deal in (0, 1):
        try:
            game.ruleset.script_draws(game.options, game.seats, first_deal, ())
        except RuleViolation as refusal:
            demand(refusal.code == "impossible-script", f"it is refused as {refusal.code}")
        else:
            raise Broken(f"a script of no deals from deal {first_deal} on is taken")
