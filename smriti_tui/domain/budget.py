"""A text of parts that is made to fit a number of tokens: what matters least is shortened first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.tokens import text_tokens


@dataclass(frozen=True)
class Part:
    """A part of a text in its versions, from the fullest to the shortest."""

    versions: tuple[str, ...]
    rank: int = 0
    """The higher, the sooner it is shortened. 0 stays as it is."""
    left_out: tuple[str, ...] = ()
    """What each version but the first leaves out, in words."""


@dataclass(frozen=True)
class Fitted:
    text: str
    tokens: int
    left_out: tuple[str, ...] = ()
    fits: bool = True


def fitted(parts: Sequence[Part], budget: int | None) -> Fitted:
    """The parts below each other, within `budget` tokens if that can be.

    One step at a time: the part of the highest rank that can still be shortened, the later one of
    equals.
    """
    chosen = [0] * len(parts)
    sizes = [[_cost(version) for version in part.versions] for part in parts]
    total = sum(size[0] for size in sizes)
    order = sorted(range(len(parts)), key=lambda each: (-parts[each].rank, -each))
    steps = [
        (number, version)
        for number in order
        if parts[number].rank
        for version in range(1, len(parts[number].versions))
    ]
    for number, version in steps:
        if budget is None or total <= budget:
            break
        total += sizes[number][version] - sizes[number][chosen[number]]
        chosen[number] = version
    shown = [part.versions[version] for part, version in zip(parts, chosen, strict=True)]
    text = "\n\n".join(each for each in shown if each)
    left = tuple(
        part.left_out[version - 1]
        for part, version in zip(parts, chosen, strict=True)
        if version and part.left_out
    )
    tokens = text_tokens(text)
    return Fitted(text, tokens, left, budget is None or tokens <= budget)


def _cost(version: str) -> int:
    """With the empty line behind it, so that the sum is never less than the whole."""
    return text_tokens(f"{version}\n\n") if version else 0
