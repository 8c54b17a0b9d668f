"""The demo models' explanation of a conflict: which words only one version has, and no more."""

from __future__ import annotations

import re

from smriti_tui.domain.words import word_changes
from smriti_tui.providers.demo_reading import quote

_VERSION = re.compile(r"^Version (base|ours|theirs) \(.*\):$", re.MULTILINE)
SHOWN = 160
"""Characters of a version that are quoted."""


def explained(system: str) -> str:
    """What differs between the versions in the request's system message (template explain/1)."""
    parts = _VERSION.split(system)[1:]
    found: dict[str, str] = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        found.setdefault(name, text.strip())  # A version may hold such a line itself.
    ours, theirs = found.get("ours", ""), found.get("theirs", "")
    lines = ["I compare words and understand nothing of them; a real model would.", ""]
    for name, mine, other in (("Ours", ours, theirs), ("Theirs", theirs, ours)):
        alone = [each.text.strip() for each in word_changes(other, mine) if each.sign == "+"]
        said = ", ".join(quote(text, SHOWN) for text in alone if text) or "nothing"
        lines.append(f"{name} alone says {said}.")
    lines += ["", "Which of them holds I cannot tell: that is yours to choose."]
    return "\n".join(lines)
