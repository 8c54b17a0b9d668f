"""What can be copied of a thing: its text, the same as Markdown or JSON, what names it, and the
command that shows it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt

from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint, Item, Note, Session, Space, Task, Turn
from smriti_tui.domain.render.brief import brief
from smriti_tui.domain.render.context_pack import TARGETS, Target, checkpoint_pack, size_words
from smriti_tui.domain.render.context_request import request_json
from smriti_tui.domain.render.context_rows import ContextFacts
from smriti_tui.domain.render.documents import (
    full_checkpoint_document,
    session_document,
    space_document,
    turn_document,
)
from smriti_tui.domain.render.export_state import turn_text

LETTERS = (
    ("D", "decisions", "Decision"), ("A", "assumptions", "Assumption"), ("T", "tasks", "Task"),
    ("Q", "open_questions", "Open question"),
)  # fmt: skip


@dataclass(frozen=True)
class Copyable:
    """One way to take something along."""

    words: str
    text: str
    name: str = "copy.txt"
    """Of the file that is proposed for it."""
    said: str = ""
    """What the note calls it; by default its size."""
    more: Callable[[], Sequence[Copyable]] | None = None
    """The ways to choose from next; nothing is copied of this one itself."""


class Commands:
    """Command lines that show things."""

    def __init__(self, database: str | None = None) -> None:
        """`database` is named where the settings' own one is not meant."""
        self._base = ("smriti",) if database is None else ("smriti", "--db", database)

    def line(self, *words: str) -> str:
        """A line for a shell."""
        return shlex.join((*self._base, *words))


def as_json(document: object) -> str:
    """The document of `--json`, for people."""
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)


def fences(text: str) -> Iterator[tuple[str, str]]:
    """Language and content of each fenced block, also of those in lists and quotes."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence":
            yield token.info.split(" ")[0].strip(), token.content.removesuffix("\n")


def of_text(text: str, stem: str) -> list[Copyable]:
    """A text and its code blocks."""
    found = [Copyable("Text", text, f"{stem}.md")]
    for number, (language, code) in enumerate(fences(text), 1):
        words = f"Code block {number} {language}".rstrip()
        found.append(Copyable(words, code, f"{stem}-code-{number}.txt"))
    return found


def of_turn(turn: Turn, commands: Commands) -> list[Copyable]:
    """A turn as stored."""
    session, number = turn.session, turn.sequence_number
    stem = f"turn-{short(session)}-{number}"
    text, *blocks = of_text(turn.text, stem)
    found = [text, Copyable("Markdown with its facts", turn_text(turn), f"{stem}.md"), *blocks]
    if turn.reasoning:
        found.append(Copyable("The model's thinking", turn.reasoning, f"{stem}-thinking.md"))
    found.append(Copyable("Id", f"{session}:{number}"))
    if turn.context_sha256:
        found.append(Copyable("Hash of its context", turn.context_sha256))
        shows = commands.line("context", "--turn", f"{session}:{number}")
        found.append(Copyable("Command that shows its context", shows))
    shows = commands.line("session", "turns", session, "--after", str(number - 1))
    found.append(Copyable("Command that shows it", shows))
    found.append(Copyable("JSON", as_json(turn_document(turn)), f"{stem}.json"))
    return found


def of_session(session: Session, commands: Commands) -> list[Copyable]:
    """A session by its names."""
    return [
        Copyable("Id", session.id),
        Copyable("Title", session.title),
        Copyable("Command that shows it", commands.line("session", "turns", session.id)),
        Copyable("JSON", as_json(session_document(session)), f"session-{short(session.id)}.json"),
    ]


def of_space(space: Space, commands: Commands) -> list[Copyable]:
    """A Space by its names."""
    return [
        Copyable("Id", space.id),
        Copyable("Name", space.name),
        Copyable("Command that shows it", commands.line("space", "show", space.id)),
        Copyable("JSON", as_json(space_document(space)), f"space-{short(space.id)}.json"),
    ]


def of_checkpoint(
    checkpoint: Checkpoint, space: str, notes: Sequence[Note], commands: Commands
) -> list[Copyable]:
    """A checkpoint, its items and its artifacts."""
    stem = f"checkpoint-{short(checkpoint.id)}"
    document = full_checkpoint_document(checkpoint, space, notes)
    return [
        Copyable("Id", checkpoint.id),
        Copyable("Title", checkpoint.body.title),
        Copyable("Markdown", brief(checkpoint, space, notes), f"{stem}.md"),
        Copyable("Command that shows it", commands.line("checkpoint", "show", checkpoint.id)),
        Copyable("JSON", as_json(document), f"{stem}.json"),
        Copyable(
            "Context pack for",
            ", ".join(TARGETS.values()),
            more=lambda: [_pack(checkpoint, space, target) for target in TARGETS],
        ),
        *_items(checkpoint, stem),
    ]


def _pack(checkpoint: Checkpoint, space: str, target: Target) -> Copyable:
    """The whole checkpoint as a text to paste into another tool."""
    pack, tool = checkpoint_pack(checkpoint, space, target), TARGETS[target]
    ending = "mdc" if target == "cursor" else "md"
    name = f"context-{short(checkpoint.id)}-{target}.{ending}"
    said = f"the context pack for {tool}: {size_words(pack)}"
    return Copyable(f"Context pack for {tool}", pack.text, name, said)


def _items(checkpoint: Checkpoint, stem: str) -> Iterator[Copyable]:
    for letter, field, word in LETTERS:
        items: Sequence[Item | Task] = getattr(checkpoint.body, field)
        for number, item in enumerate(items, 1):
            yield Copyable(f"{word} {letter}{number}", item.text, f"{stem}-{letter}{number}.md")
    for number, artifact in enumerate(checkpoint.body.artifacts, 1):
        name = f"{stem}-artifact-{number}.txt"
        yield Copyable(f"Artifact: {artifact.label}", artifact.content, name)


def of_context(
    facts: ContextFacts, part: tuple[str, str] | None, commands: Commands
) -> list[Copyable]:
    """A request; `part` is the name and text of what stands under the cursor."""
    found = [Copyable("Hash of the context", facts.sha256)]
    if part is not None:
        found.append(Copyable(part[0], part[1], "context-part.txt"))
    if facts.session is not None:
        words = ("context", "--turn", f"{facts.session}:{facts.answer}")
        if facts.answer is None:
            words = ("context", "--session", facts.session)
        found.append(Copyable("Command that shows it", commands.line(*words)))
    found.append(Copyable("JSON", as_json(request_json(facts)), "context.json"))
    return found
