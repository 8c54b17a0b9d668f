"""What arrives while a model answers, for surfaces that show it."""

from __future__ import annotations

from smriti_tui.providers.base import Loading, ReasoningDelta, Retrying, TextDelta
from smriti_tui.services.chat import ChatStep, Ended, Started

__all__ = ["ChatStep", "Ended", "Loading", "ReasoningDelta", "Retrying", "Started", "TextDelta"]
