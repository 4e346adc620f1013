"""A figure: what was measured, against what, in the same run on the same machine."""

import msgspec


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """`ratio` is what counts; `value` and `reference` are in `unit`. `target` None: stated only."""

    figure: int
    name: str
    value: float
    reference: float | None = None
    ratio: float | None = None
    target: float | None = None
    at_most: bool = False
    unit: str

    @property
    def reached(self) -> bool | None:
        """Whether the ratio is on the right side of the target; None where there is none."""
        if self.target is None or self.ratio is None:
            return None
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target
