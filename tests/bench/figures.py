"""What a benchmark tells: a figure beside its reference, and whether its budget holds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

How = Literal["ratio", "difference", "itself"]
"""How a figure is judged: ours over the reference, ours less the reference, or ours alone."""


@dataclass(frozen=True)
class Spread:
    """Middle and ends of the rounds."""

    median: float
    low: float
    high: float
    rounds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values), len(values))

    def document(self) -> dict[str, float | int]:
        return {
            "median": rounded(self.median),
            "low": rounded(self.low),
            "high": rounded(self.high),
            "rounds": self.rounds,
        }

    def text(self) -> str:
        if self.low == self.high:
            return shown(self.median)
        return f"{shown(self.median)} ({shown(self.low)}-{shown(self.high)})"


@dataclass(frozen=True)
class Budget:
    """A bound on the median of what is judged; both bounds themselves are within it."""

    limit: float
    at_least: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit

    def text(self) -> str:
        return f"{'>=' if self.at_least else '<='} {shown(self.limit)}"


@dataclass(frozen=True)
class Figure:
    """One line of the report."""

    bench: str
    what: str
    unit: str
    ours: Spread
    reference_name: str = ""
    reference: Spread | None = None
    how: How = "itself"
    judged: Spread | None = None
    """Of the ratios or differences, taken round by round."""
    budget: Budget | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """None where nothing is promised: the figure is told, not judged."""
        if self.budget is None:
            return None
        return self.budget.holds((self.judged or self.ours).median)

    def document(self) -> dict[str, object]:
        return {
            "bench": self.bench,
            "what": self.what,
            "unit": self.unit,
            "ours": self.ours.document(),
            "reference": None
            if self.reference is None
            else {"what": self.reference_name, **self.reference.document()},
            "how": self.how,
            "judged": None if self.judged is None else self.judged.document(),
            "budget": None if self.budget is None else self.budget.text(),
            "met": self.met,
            "note": self.note,
        }


def compared(
    bench: str,
    what: str,
    unit: str,
    ours: Sequence[float],
    reference_name: str,
    reference: Sequence[float],
    *,
    how: How = "ratio",
    budget: Budget | None = None,
    note: str = "",
) -> Figure:
    """A figure beside its reference, both of the same rounds in the same order."""
    pairs = list(zip(ours, reference, strict=True))
    judged = [a / b if how == "ratio" else a - b for a, b in pairs]
    return Figure(
        bench,
        what,
        unit,
        Spread.of(ours),
        reference_name,
        Spread.of(reference),
        how,
        Spread.of(judged),
        budget,
        note,
    )


def told(
    bench: str,
    what: str,
    unit: str,
    values: Sequence[float],
    *,
    budget: Budget | None = None,
    note: str = "",
) -> Figure:
    """A figure without a reference."""
    return Figure(bench, what, unit, Spread.of(values), budget=budget, note=note)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` (0 to 1) of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def rounded(value: float) -> float:
    """Four significant digits."""
    return float(f"{value:.4g}")


def shown(value: float) -> str:
    """A number for people."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"
