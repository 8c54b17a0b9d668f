"""The turn that an item cites, with its words where they stand; and what a missing quote comes
nearest to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft import Entry
from smriti_tui.domain.draft_source import passage
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Evidence, Turn
from smriti_tui.domain.render.context_rows import ContextFacts, left_rows
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.words import Piece
from smriti_tui.widgets.literal_view import Section

BEFORE = 500
"""Characters of the turn before that are shown, its end."""
CITED = "cited"
"""The look of the lines where the words stand."""
MISSING = "missing"
"""The look of the lines that tell of words which were not said."""
_NAMES = {"user": "you", "assistant": "assistant", "system": "system"}


@dataclass(frozen=True)
class Shown:
    """What stands in the Source pane."""

    title: str
    sections: tuple[Section, ...]


def wanted_turns(entry: Entry) -> tuple[int, ...]:
    """The turns that are shown for an entry: the cited one, the one before, the nearest."""
    cited = _cited(entry)
    found = [] if cited is None or cited.turn is None else [cited.turn - 1, cited.turn]
    if entry.nearest is not None:
        found.append(entry.nearest.turn)
    return tuple(dict.fromkeys(number for number in found if number > 0))


def shown_source(
    entry: Entry, label: str, turns: Mapping[int, Turn], keys: Mapping[str, str]
) -> Shown:
    """The pane for an entry; `turns` are those that could be read, `keys` those of the actions."""
    cited = _cited(entry)
    if cited is None:
        return Shown("", (Section("", _uncited(entry)),))
    sections: list[Section] = []
    if cited.turn is not None:
        sections += _turns(cited, turns)
    if cited.check in ("not_found", "outside_window"):
        sections += _missing(entry, cited, label, keys)
    elif cited.check == "assistant_only":
        sections.append(Section("", f"{label} rests on the assistant's words, not on yours."))
    if not sections:
        sections = [Section("", f'{label} quotes "{cited.quote}".')]
    where = "" if cited.turn is None else f"turn {cited.turn}"
    if cited.session and cited.turn is not None:
        where += f" of {short(cited.session)}"
    return Shown(where, tuple(sections))


def _cited(entry: Entry) -> Evidence | None:
    return entry.evidence[0] if entry.evidence else None


def _uncited(entry: Entry) -> str:
    if entry.origin == "head":
        return "Carried over. It cites nothing that stands in this session."
    return "By hand: it cites nothing. e can add a turn and a quote."


def _turns(cited: Evidence, turns: Mapping[int, Turn]) -> Iterator[Section]:
    number = cited.turn or 0
    before, turn = turns.get(number - 1), turns.get(number)
    if before is not None:
        text = before.content
        more = "... " if len(text) > BEFORE else ""
        yield Section(_heading(before), f"{more}{text[-BEFORE:].lstrip()}\n", "before")
    if turn is None:
        yield Section("", f"Turn {number} is not in this session.")
        return
    yield Section(_heading(turn), "", "turn")
    place = passage(turn.content, cited.quote)
    if place is None:
        yield Section("", f"{turn.content}\n", "turn")
        return
    yield from _around(turn.content, *place)


def _around(text: str, start: int, end: int) -> Iterator[Section]:
    """The text in three parts, so that the lines with the words can be brought into view."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if above := text[:first].rstrip("\n"):
        yield Section("", above, "turn")
    told = (Piece("=", text[first:start]), Piece("+", text[start:end]), Piece("=", text[end:last]))
    yield Section("", word=CITED, pieces=tuple(each for each in told if each.text))
    yield Section("", f"{text[last + 1 :]}\n" if text[last + 1 :].strip() else " ", "turn")


def _heading(turn: Turn) -> str:
    return f"{turn.sequence_number} {_NAMES[turn.role]}   {turn.recorded_at[11:16]}"


def _missing(
    entry: Entry, cited: Evidence, label: str, keys: Mapping[str, str]
) -> Iterator[Section]:
    where = f"turn {cited.turn}" if cited.turn is not None else "the draft's turns"
    quote = clean_line(cited.quote)
    rows = [(f"{label} says", f'"{quote}"' if quote else "no words to look for")]
    if cited.check == "outside_window":
        rows.append((where, "says so, and was not drafted"))
    else:
        rows.append((f"{where} says" if cited.turn is not None else where, "nothing like it"))
    near = entry.nearest
    if near is not None:
        words = counted(near.words, "word")
        rows.append(("nearest", f'"{clean_line(near.text)}"   ({words}, turn {near.turn})'))
    width = max(len(name) for name, _ in rows)
    yield Section("", "\n".join(f"{name:<{width}}   {told}" for name, told in rows), MISSING)
    keep = keys.get("draft.keep", "space")
    edit = keys.get("draft.edit", "e")
    kept = "drops it" if entry.keep == "kept" else "keeps it: it stays marked, kept by you"
    again = "; again drops it" if entry.keep == "asks" else ""
    yield Section("", f"\n{keep}   {kept}{again}\n{edit}   edits the text or the citation")


# ---- what the model got ------------------------------------------------------------------------


def saw_text(facts: Sequence[ContextFacts], first: int | None, last: int | None, key: str) -> str:
    """What was sent for the draft and what was not, with the reasons; `key` shows all of it."""
    if not facts:
        return "Nothing was asked: no model has seen anything for this draft."
    rows = [(_range(first, last), "sent" if len(facts) == 1 else f"sent in {len(facts)} pieces")]
    seen = set(rows)
    for each in facts:
        for left in left_rows(each):
            row = (left.what, _why(left.why))
            if row not in seen and left.why != "another piece":
                seen.add(row)
                rows.append(row)
    width = max(len(what) for what, _ in rows)
    asked, tokens = facts[-1], sum(each.estimate.tokens for each in facts)
    lines = [f"{what:<{width}}   {why}" for what, why in rows]
    lines += ["", f"{asked.model}   {tokens:,} tokens (estimate)"]
    request = short(asked.request or "")
    lines.append(f"prompt {asked.template}   request {request}   {key}: all of it")
    return "\n".join(lines)


def _range(first: int | None, last: int | None) -> str:
    return f"turn {first}" if first == last else f"turns {first} to {last}"


def _why(reason: str) -> str:
    return reason if reason.startswith("not ") else f"stay out: {reason}"
