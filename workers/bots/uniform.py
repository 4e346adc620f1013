"""Any legal move, each as likely: the bot of a game that has none of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.chance import below, permuted, words

VERSION = "uniform-1"

Body = dict[str, Any]


def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:  # noqa: ARG001
    """One of `legal`, as the body of a move; `view` is not looked at."""
    return one_of(legal, words(seed, "bot", "uniform"))


def one_of(legal: Sequence[Body], stream: Iterator[int]) -> Body:
    """A legal move by chance; where moves are described, one of those described."""
    move = legal[below(len(legal), stream)]
    if "choose" not in move:
        return move
    picked = set(permuted(move["of"], stream)[: move["choose"]])
    return filled(move, [card for card in move["of"] if card in picked])


def filled(description: Body, cards: Sequence[str]) -> Body:
    """The move that a description becomes with these cards."""
    return {
        "answers": description["answers"],
        "type": description["type"],
        "cards": list(cards),
    }
