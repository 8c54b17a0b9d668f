"""Plain transcripts whose messages begin with a label: `Human:`, `ChatGPT said:`, `**User**:`,
`## Assistant`, `<user>`, or a role alone on its line.

No label counts inside fenced code. A fence that never ends is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import Final

from smriti_tui.domain.imported import ImportedTurn, Skipped, Thread, first_words
from smriti_tui.domain.model import Role
from smriti_tui.domain.split_text import Message
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.labels import Label, Styles, label_of
from smriti_tui.importers.plain import Fences, decoded, fence_line
from smriti_tui.importers.records import TOO_LONG, lines

MAX_UNCLOSED: Final = 5
"""Fences without an end that are looked for; behind them the text is read as it stands."""
UNKNOWN: Final = "unknown"
Source = Callable[[], Iterator[str]]


@dataclass(frozen=True)
class Part:
    """A message as it lies in the text."""

    role: Role | None
    """None for text without a label."""
    first: int
    """Number of its first line, that of its label; from 1 on."""
    last: int
    """Number of its last line that is not blank."""
    text: str
    model: str | None = None


@dataclass(frozen=True)
class _Rules:
    """How a text is to be read; known once all of it was seen."""

    styles: Styles = Styles.NONE
    you: bool = False
    """Whether `You:` is a label: in a text that calls the person by another name it is prose."""
    no_fences: frozenset[int] = frozenset()
    """Lines that look like the beginning of a fence that never ends."""


def is_transcript(head: str) -> bool:
    """Whether a file's beginning has two labels or more."""
    source = partial(_text_lines, head)
    rules = _rules(source)
    return sum(label is not None for _, _, label in _marked(source(), rules)) >= 2


def split(text: str) -> list[Part]:
    """The messages of a text, what stands before the first label among them; empty ones are not.
    One part of no role for a text without labels."""
    source = partial(_text_lines, text)
    return [each for each in _parts(source(), _rules(source)) if each.text]


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The one conversation of a file. Raises: SmritiError, Cancelled."""
    skipped: list[Skipped] = []
    source = partial(_file_lines, file)
    rules = _rules(partial(_file_lines, file, skipped))
    skipped = list(dict.fromkeys(skipped))
    count, title, key = 0, "", ""
    models, left_out = Counter[str](), Counter[str]()
    for part in _parts(source(), rules):
        if not part.text:
            left_out["empty messages"] += 1
            continue
        turn = _turn(part, count + 1, rules)
        if count == 0:
            key = _digest(turn.role, turn.text)
        if turn.role == "user":
            title = title or first_words(turn.text)
        if turn.model:
            models[turn.model] += 1
        count += 1
    if count == 0:
        yield from skipped
        yield Skipped(file.name, "no turns in it")
        return
    yield Thread(
        tool="text",
        source_id=key,
        title=title or file.name,
        turns=partial(_turns, file, rules),
        count=count,
        model=models.most_common(1)[0][0] if models else None,
        skipped=tuple(skipped),
        left_out=left_out,
        notes=() if rules.styles else ("It has no labels: all of it is one message.",),
    )


def messages(file: SourceFile) -> list[Message]:
    """How a file is cut, as a person may change it. Raises: SmritiError, Cancelled."""
    rules = _rules(partial(_file_lines, file))
    turns = _turns(file, rules)
    return [Message(turn.role, turn.text) for turn in turns]


def thread_of(file: SourceFile, given: Sequence[Message]) -> Thread:
    """The conversation as a person has cut it; at least one message."""
    spoken = [each.text for each in given if each.role == "user"]
    return Thread(
        tool="text",
        source_id=_digest(given[0].role, given[0].text),
        title=first_words(spoken[0]) if spoken else file.name,
        turns=partial(_given_turns, tuple(given)),
        count=len(given),
    )


def _given_turns(given: tuple[Message, ...]) -> Iterator[ImportedTurn]:
    for number, each in enumerate(given, 1):
        name = f"{number}-{_digest(each.role, each.text)[:12]}"
        yield ImportedTurn(name, each.role, each.text)


def _turns(file: SourceFile, rules: _Rules) -> Iterator[ImportedTurn]:
    number = 0
    for part in _parts(_file_lines(file), rules):
        if part.text:
            number += 1
            yield _turn(part, number, rules)


def _turn(part: Part, number: int, rules: _Rules) -> ImportedTurn:
    """Words of nobody known are a note beside a conversation; alone they are the person's, who
    has brought them."""
    role = part.role or ("system" if rules.styles else "user")
    return ImportedTurn(
        # With its words, since another transcript may begin with the same first turn.
        source_id=f"{number}-{_digest(role, part.text)[:12]}",
        role=role,
        text=part.text,
        model=part.model,
        original_role=None if part.role else UNKNOWN,
    )


def _digest(role: str, text: str) -> str:
    return sha256(f"{role}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


# ---- lines ---------------------------------------------------------------------------------------


def _text_lines(text: str) -> Iterator[str]:
    """Its lines, one at a time, without the ends of either kind."""
    at = 0
    text = text.removeprefix("\ufeff")
    while (end := text.find("\n", at)) >= 0:
        yield text[at:end].removesuffix("\r")
        at = end + 1
    yield text[at:]


def _file_lines(file: SourceFile, skipped: list[Skipped] | None = None) -> Iterator[str]:
    for line in lines(file):
        if line.raw is not None:
            yield decoded(line.raw)
            continue
        yield ""
        if skipped is not None:
            skipped.append(Skipped(f"line {line.number}", TOO_LONG))


def _rules(source: Source) -> _Rules:
    """Reads all of a text, again for each fence that has no end."""
    rules = _Rules()
    for _ in range(MAX_UNCLOSED):
        found, unclosed = _looked_at(source(), rules)
        if not unclosed:
            return found
        rules = replace(rules, no_fences=rules.no_fences | {unclosed})
    return _looked_at(source(), rules)[0]


def _looked_at(found: Iterable[str], rules: _Rules) -> tuple[_Rules, int]:
    """The rules of a text, and the line of the fence that is open at its end."""
    fences = Fences()
    styles: Counter[Styles] = Counter()
    roles: dict[Styles, set[Role]] = {}
    person, first = "", None
    for number, text in enumerate(found, 1):
        label = None if fences.inside else label_of(text, Styles.ALL)
        if text.strip() and first is None:
            first = label.style if label else Styles.NONE
        if label is not None and not (label.begins and styles):
            styles[label.style] += 1
            roles.setdefault(label.style, set()).add(label.role)
            if label.role == "user" and label.style is not Styles.ALONE:
                person = person or label.name
        if number not in rules.no_fences:
            fences.take(fence_line(label.rest if label else text), number)
    chosen = _chosen(styles, roles, first or Styles.NONE)
    rules = replace(rules, styles=chosen, you=person in ("you", ""))
    return rules, fences.since if fences.inside else 0


def _chosen(styles: Counter[Styles], roles: dict[Styles, set[Role]], first: Styles) -> Styles:
    """The plainer a label is, the more of them it takes to believe it."""
    tags = styles[Styles.TAG] >= 2 or first is Styles.TAG
    if styles[Styles.MARKED]:
        # Both in one paste, when each is there more than once.
        return Styles.MARKED | Styles.TAG if styles[Styles.MARKED] >= 2 and tags else Styles.MARKED
    if tags:
        return Styles.TAG
    alone = len(roles.get(Styles.ALONE, set())) >= 2
    return Styles.ALONE if alone else Styles.NONE


def _marked(found: Iterable[str], rules: _Rules) -> Iterator[tuple[int, str, Label | None]]:
    """The lines with their numbers, and the labels that count."""
    fences, labelled = Fences(), False
    for number, text in enumerate(found, 1):
        label = None if fences.inside else label_of(text, rules.styles)
        if label and ((label.begins and labelled) or (label.name == "you" and not rules.you)):
            # Unless the label says more than a word and a colon do.
            label = label if label.certain else None
        labelled = labelled or label is not None
        if number not in rules.no_fences:
            fences.take(fence_line(label.rest if label else text), number)
        yield number, text, label


def _parts(found: Iterable[str], rules: _Rules) -> Iterator[Part]:
    """All messages, empty ones too, but no empty one before the first label."""
    label: Label | None = None
    first, held = 1, list[str]()
    end = (0, "", Label("system", "", Styles.NONE, ""))
    for number, text, new in chain(_marked(found, rules), [end]):
        if new is None:
            held.append(text)
            continue
        if label is not None or any(each.strip() for each in held):
            yield _part(label, first, held)
        label, first, held = new, number, [new.rest]


def _part(label: Label | None, first: int, held: list[str]) -> Part:
    """Blank lines around a message are none of it."""
    if label is not None and label.closed_by:
        last = next((n for n in reversed(range(len(held))) if held[n].strip()), 0)
        held[last] = held[last].rstrip().removesuffix(label.closed_by)
    full = [n for n, each in enumerate(held) if each.strip()]
    if not full:
        return Part(label.role if label else None, first, first, "")
    text = "\n".join(held[full[0] : full[-1] + 1]).rstrip()
    if label is None:
        first += full[0]
        return Part(None, first, first + full[-1] - full[0], text)
    return Part(label.role, first, first + full[-1], text, label.model)
