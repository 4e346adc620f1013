"""Chance as an argument: every draw is a pure function of (link, purpose, entropy).

A game's secrets form a hash chain. `links[N]` is the root, `links[0]` the public commitment.
Draw k is keyed by `links[k]`, so revealing it proves draw k and nothing about later ones.
The algorithm, with test vectors, is in docs/fairness.md.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec

from domain.hashing import Field, Tag, keyed, message

T = TypeVar("T")

CHAIN_LENGTH = 1024
LINK_SIZE = 32


class Draw(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which draw of the chain an event records; with its `link` where the result is public."""

    number: int
    purpose: str
    link: str | None = None
    scripted: bool = False


class Chance(Protocol):
    """The next draw of a game. Each call states the same draw: an event records at most one."""

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        """A hidden order of `deck`; its link stays secret until an event ends the draw."""

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:
        """A public number in 0 … n-1, with its link."""

    def die(self, purpose: str) -> tuple[int, Draw]:
        """A public roll of one six-sided die, 1 … 6, with its link."""

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:
        """An order hidden until the game is finished; drawn from the root, consumes no link."""


@dataclass(frozen=True, slots=True)
class Chain:
    """All the secrets of one game. Never part of a state, a view or a job."""

    game: str
    links: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def derive(cls, game: str, root: bytes, length: int = CHAIN_LENGTH) -> "Chain":
        if len(root) != LINK_SIZE:
            raise ValueError(f"a root has {LINK_SIZE} bytes")
        start = message("link", game) + len(root).to_bytes(4, "big")
        links = [root]
        for _ in range(length):
            links.append(hashlib.sha256(start + links[-1]).digest())
        return cls(game, tuple(reversed(links)))

    @property
    def root(self) -> bytes:
        return self.links[-1]

    @property
    def commitment(self) -> bytes:
        return self.links[0]

    def opening_key(self, until: int | str) -> bytes:
        """The key whose release opens a part sealed until draw `until`, or until "game"."""
        return self.root if until == "game" else self.links[int(until)]


@dataclass(frozen=True, slots=True)
class ChainChance:
    """Draw `number` of a chain, mixed with the entropy frozen when the game started.

    `script` gives purposes with results written down beforehand; such a draw still takes its link.
    It is asked when something is drawn: most consequences draw nothing.
    """

    chain: Chain
    number: int
    entropy: tuple[bytes, ...]
    script: Callable[[], Mapping[str, Any]]

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        if purpose in self.script():
            return tuple(self.script()[purpose]), self._draw(purpose, public=False)
        key = self.chain.links[self.number]
        return permuted(deck, self._stream(key, "draw", purpose)), self._draw(purpose, public=False)

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:
        if purpose in self.script():
            return self.script()[purpose], self._draw(purpose, public=True)
        key = self.chain.links[self.number]
        return below(n, self._stream(key, "draw", purpose)), self._draw(purpose, public=True)

    def die(self, purpose: str) -> tuple[int, Draw]:
        if purpose in self.script():
            return self.script()[purpose], self._draw(purpose, public=True)
        face, draw = self.pick(purpose, 6)
        return face + 1, draw

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:
        if purpose in self.script():
            return tuple(self.script()[purpose])
        return permuted(deck, self._stream(self.chain.root, "secret-draw", purpose))

    def _draw(self, purpose: str, *, public: bool) -> Draw:
        return Draw(
            number=self.number,
            purpose=purpose,
            link=self.chain.links[self.number].hex() if public else None,
            scripted=purpose in self.script(),
        )

    def _stream(self, key: bytes, tag: Tag, purpose: str) -> Iterator[int]:
        return words(key, tag, self.chain.game, purpose, *self.entropy)


def words(key: bytes, tag: Tag, *fields: Field) -> Iterator[int]:
    """An endless stream of 32-bit words: HMAC blocks with a counter as the last field."""
    counter = 0
    while True:
        block = keyed(key, tag, *fields, counter)
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def below(n: int, stream: Iterator[int]) -> int:
    """A uniform number in 0 … n-1 by rejection sampling: no residue is favoured."""
    limit = 2**32 - 2**32 % n
    return next(word for word in stream if word < limit) % n


def permuted(deck: Sequence[T], stream: Iterator[int]) -> tuple[T, ...]:
    """Fisher-Yates from the last place down: place i is swapped with one of 0 … i."""
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


class TrialChance:
    """The chance of games that no log keeps: simulations of a card set, trial runs. Not committed.

    Each result is the next of one stream, whatever it is for.
    """

    def __init__(self, seed: bytes) -> None:
        self._stream = words(seed, "draw", "trial")

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        return permuted(deck, self._stream), Draw(number=0, purpose=purpose)

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:
        return below(n, self._stream), Draw(number=0, purpose=purpose)

    def die(self, purpose: str) -> tuple[int, Draw]:
        face, draw = self.pick(purpose, 6)
        return face + 1, draw

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        return permuted(deck, self._stream)
