"""The session-start hook in an agent host's settings: what is ours is renewed, the rest is left as
it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smriti_tui.domain.errors import Invalid

EVENT = "SessionStart"
MATCHERS = ("startup", "compact", "resume")
MARK = "state --compact --hook"
"""Stands in every hook command of ours, whatever program path it begins with."""


def with_hook(settings: Mapping[str, object], command: str) -> dict[str, object]:
    """The settings with our hook for each of `MATCHERS`, behind those of others.

    Raises:
        Invalid: the part that would change has another shape than a host writes.
    """
    hooks = settings.get("hooks", {})
    entries = hooks.get(EVENT, []) if isinstance(hooks, Mapping) else None
    if not isinstance(hooks, Mapping) or not isinstance(entries, list):
        raise Invalid(
            f"Its `hooks.{EVENT}` is not a list.", "Mend the file, or use --no-hooks.",
            code="settings_shape",
        )  # fmt: skip
    kept = [left for entry in entries if (left := _without_ours(entry)) is not None]
    ours = [
        {"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": 5}]}
        for matcher in MATCHERS
    ]
    return {**settings, "hooks": {**hooks, EVENT: [*kept, *ours]}}


def _without_ours(entry: object) -> object:
    """An entry without our commands; None where nothing else was in it."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("hooks"), Sequence):
        return entry
    kept = [hook for hook in entry["hooks"] if not _is_ours(hook)]
    if len(kept) == len(entry["hooks"]):
        return entry
    return {**entry, "hooks": kept} if kept else None


def _is_ours(hook: object) -> bool:
    command = hook.get("command") if isinstance(hook, Mapping) else None
    return isinstance(command, str) and MARK in command
