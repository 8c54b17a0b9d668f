"""What arrives while a model answers, for surfaces that show it."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.model import Turn
from smriti_tui.providers.base import Loading, ReasoningDelta, Retrying, TextDelta
from smriti_tui.services.answers import Begun
from smriti_tui.services.contexts import Prepared

__all__ = ["ChatStep", "Ended", "Loading", "ReasoningDelta", "Retrying", "Started", "TextDelta"]


@dataclass(frozen=True)
class Started:
    """The send is stored: its numbers, and the context that now goes out."""

    begun: Begun
    prepared: Prepared
    model: str


@dataclass(frozen=True)
class Ended:
    """The last thing that is yielded: the answer as it is stored."""

    turn: Turn


ChatStep = Started | TextDelta | ReasoningDelta | Retrying | Loading | Ended
