"""What came onto a branch while something was being written on its older head, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.compare import Comparison, Entry, compare
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.retired import retired_words

MOST_CAME = 3
MOST_ITEMS = 6
TEXT_SIGNS = 70
NOUNS = {
    "decisions": "decision", "assumptions": "assumption", "tasks": "task",
    "open_questions": "question",
}  # fmt: skip


def came_line(came: Sequence[Checkpoint], branch: str) -> str:
    """Who saved what, the newest first: one sentence. Empty where nothing came."""
    if not came:
        return ""
    told = [f'{clean_line(each.body.author)} saved {short(each.id)} "{_cut(each.title)}"'
            for each in came[:MOST_CAME]]  # fmt: skip
    more = f" and {len(came) - MOST_CAME} more" if len(came) > MOST_CAME else ""
    return f"{'; '.join(told)}{more} on {clean_line(branch)}."


def differing_lines(before: Checkpoint | None, after: Checkpoint) -> list[str]:
    """The items in which the new head differs from the one before; of many the first, and a
    number."""
    if before is None:
        return []
    lines = list(_lines(compare(before, after)))
    over = len(lines) - MOST_ITEMS
    return [*lines[:MOST_ITEMS], *([f"and {over} more"] if over > 0 else [])]


def _lines(found: Comparison) -> Iterator[str]:
    for name, pair in (("objective", found.objective), ("summary", found.summary)):
        if pair.changes:
            yield f"~ {name}: {_cut(pair.b)}"
    for kind in KINDS:
        noun, items = NOUNS[kind], found.items[kind]
        yield from (_line("+", noun, item) for item in items.only_b)
        yield from (_line("-", noun, item) for item in items.only_a)
        yield from (_line("~", noun, two.b) for two in items.changed)
    names = [artifact.label for artifact in found.artifacts.only_b]
    names += [pair.b.label for pair in found.artifacts.changed]
    if names:
        yield f"+ artifacts: {_cut(', '.join(names))}"


def _line(sign: str, noun: str, item: Entry) -> str:
    state = f" ({_cut(retired_words(item))})" if item.state == "retired" else ""
    return f"{sign} {noun}: {_cut(item.text)}{state}"


def _cut(text: str) -> str:
    line = clean_line(text)
    return line if len(line) <= TEXT_SIGNS else f"{line[: TEXT_SIGNS - 2]}.."
