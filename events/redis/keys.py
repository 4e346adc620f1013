"""The names of every Redis key. A game, its partition's outbox and indexes share one slot."""

import hashlib
from typing import NamedTuple

PARTITIONS = 16


class Partition(NamedTuple):
    """One of the fixed partitions; the braces are Redis Cluster's hash tag."""

    number: int

    @property
    def tag(self) -> str:
        return f"el:{{p{self.number:02d}}}"

    @property
    def outbox(self) -> str:
        return f"{self.tag}:outbox"

    @property
    def games(self) -> str:
        return f"{self.tag}:games"

    @property
    def due(self) -> str:
        return f"{self.tag}:due"

    @property
    def due_versions(self) -> str:
        """The version that last made each work due."""
        return f"{self.tag}:due-versions"

    @property
    def dead(self) -> str:
        """Letters that nobody could do."""
        return f"{self.tag}:dead"

    @property
    def probe(self) -> str:
        """Never there: what would be written to it tells whether anything may be."""
        return f"{self.tag}:probe"

    def log(self, game: str) -> str:
        return f"{self.tag}:game:{game}"

    def scoresheet(self, generation: int, game: str) -> str:
        return f"{self.tag}:scoresheet:{generation}:{game}"

    def presence(self, game: str) -> str:
        return f"{self.tag}:presence:{game}"

    def lobby(self, generation: int, index: str = "") -> str:
        """The lines of the lobby; with a name, one of its indexes."""
        return f"{self.tag}:lobby:{generation}{index and ':' + index}"


ALL_PARTITIONS = tuple(Partition(number) for number in range(PARTITIONS))


def partition_of(game: str) -> Partition:
    return ALL_PARTITIONS[hashlib.sha256(game.encode()).digest()[0] % PARTITIONS]
