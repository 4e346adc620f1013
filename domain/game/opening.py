"""Opening a game: the checks, the commitment, the first entry and what follows at once."""

from typing import Any

import msgspec

from domain.chance import CHAIN_LENGTH, Chain
from domain.game.aggregate import Step, consequences, new_game
from domain.game.model import Opened, OpenGame, ScriptPlan
from domain.kernel import Ruleset, RuleViolation
from domain.registry import find, latest


def open_game(command: OpenGame, chain: Chain) -> tuple[Step, ...]:
    """What opens a game; with bots in every seat it starts at once.

    Raises RuleViolation: unknown-ruleset, invalid-options, invalid-seats, too-many-draws,
    impossible-script.
    """
    ruleset = find(command.ruleset) if "@" in command.ruleset else latest(command.ruleset)
    _check_seats(ruleset, command)
    options = ruleset.complete_options(_options(ruleset, command.options), len(command.seats))
    if ruleset.max_draws(options, len(command.seats)) >= CHAIN_LENGTH:
        raise RuleViolation(
            "too-many-draws",
            "These options need more draws than a game has.",
            code="too-many-draws",
        )
    script, deals = None, ()
    if command.script is not None:
        first, deals = command.script.first_deal, _scripted_deals(ruleset, command.script.deals)
        ruleset.script_draws(options, len(command.seats), first, deals)
        script = ScriptPlan(first_deal=first, deals=len(deals))
    opened = Opened(
        ruleset=ruleset.id,
        options=msgspec.to_builtins(options),
        seats=command.seats,
        opener=command.opener,
        commitment=chain.commitment.hex(),
        links=CHAIN_LENGTH,
        script=script,
        scripted_deals=deals,
        root=chain.root.hex(),
    )
    game = new_game(opened)
    return ((opened, game), *consequences(game, chain))


def _options(ruleset: Ruleset[Any], given: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(given, ruleset.options)
    except msgspec.ValidationError as error:
        raise RuleViolation("options", str(error), code="invalid-options") from None


def _scripted_deals(ruleset: Ruleset[Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        return tuple(msgspec.convert(deal, ruleset.scripted_deal) for deal in given)
    except msgspec.ValidationError as error:
        raise RuleViolation("script", str(error), code="impossible-script") from None


def _check_seats(ruleset: Ruleset[Any], command: OpenGame) -> None:
    if len(command.seats) not in ruleset.seat_counts:
        counts = " or ".join(str(count) for count in ruleset.seat_counts)
        raise RuleViolation("seats", f"This game is for {counts}.", code="invalid-seats")
    if sum(plan.kind == "reserved" for plan in command.seats) > 1:
        raise RuleViolation("one-seat-each", "You can reserve one seat.", code="invalid-seats")
    for plan in command.seats:
        player = command.opener if plan.kind == "reserved" else None
        if plan.player != player or (plan.level is None) == (plan.kind == "bot"):
            raise RuleViolation(
                "seats",
                "A seat is open, reserved for the opener, or of a bot of some level.",
                code="invalid-seats",
            )
