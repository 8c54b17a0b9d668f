"""The rows of a draft: texts, the four lists, artifacts, and what is carried over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft import ASKING, Attachment, Entry
from smriti_tui.domain.form import NOUNS
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, LETTERS
from smriti_tui.domain.render.brief import HEADINGS
from smriti_tui.domain.render.drafts import WORDS
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.draft.place import DraftView
from smriti_tui.widgets.row_list import Piece, Row, RowLine

BOXES = {"kept": "[x]", "dropped": "[ ]", "asks": "[?]"}
LABEL = 12
"""Cells of the label before a text."""
MOST_LINES = 4
"""Lines of an item or text that are shown; e shows all of it."""
LEAST = 20
_TITLES = (("title", "Title"), ("objective", "Objective"), ("summary", "Summary"))
ARTIFACTS = "artifacts"


def rows_of(view: DraftView, width: int, *, wide: bool) -> tuple[Row, ...]:
    """All rows; on a narrow screen an item has one line, and one more where it asks."""
    return tuple(_Rows(view, width, wide).all())


def kind_at(key: str | None, view: DraftView) -> str:
    """The list that a row belongs to; empty for none."""
    what, _, owner = (key or "").partition(":")
    if what == "none":
        return owner
    if what == "artifact":
        return ARTIFACTS
    entry = view.state.entry(owner) if what == "item" else None
    return entry.kind if entry is not None else ""


class _Rows:
    def __init__(self, view: DraftView, width: int, wide: bool) -> None:
        self._view = view
        self._width = width
        self._wide = wide

    def all(self) -> Iterator[Row]:
        view, state = self._view, self._view.state
        edit = view.key("draft.edit")
        if view.needs_branch:
            yield self._text("branch", "New branch", state.branch, f"none yet: {edit} names it")
        for name, label in _TITLES:
            yield self._text(name, label, getattr(state, name), f"none yet: {edit} writes it")
        for kind in KINDS:
            yield from self._list(kind, HEADINGS[kind], state.of(kind))
        names = ", ".join(state.entities)
        yield from self._gap("entities")
        yield self._text("entities", "Entities", names, f"none: {edit} writes them")
        yield from self._artifacts()
        yield from self._carried()

    # ---- texts ---------------------------------------------------------------------------------

    def _text(self, key: str, label: str, text: str, empty: str) -> Row:
        words = clean_line(text)
        most = MOST_LINES if self._wide else 1
        lines = _folded(words, self._width - LABEL - 2, most) if words else [empty]
        tone = "plain" if words else "muted"
        first = RowLine((Piece(f" {label:<{LABEL - 1}}", "muted"), Piece(lines[0], tone)))
        rest = [RowLine((Piece(f"{'':{LABEL}}{line}", tone),)) for line in lines[1:]]
        return Row(key, (first, *rest))

    def _gap(self, key: str) -> Iterator[Row]:
        if self._wide:
            yield Row(f"gap:{key}", (RowLine(()),), rests=False)

    def _heading(self, key: str, words: str, right: str = "") -> Iterator[Row]:
        yield from self._gap(key)
        yield Row(f"kind:{key}", (RowLine((Piece(f" {words}", "strong"),), right),), rests=False)

    # ---- items ---------------------------------------------------------------------------------

    def _list(self, kind: str, heading: str, entries: Sequence[Entry]) -> Iterator[Row]:
        yield from self._heading(kind, heading)
        if not entries:
            words = f" none drafted: {self._view.key('draft.new')} writes {_a(NOUNS[kind])}"
            yield Row(f"none:{kind}", (RowLine((Piece(words, "muted"),)),))
        for entry in entries:
            yield self._item(entry)

    def _item(self, entry: Entry) -> Row:
        label = self._view.labels.get(entry.uid, LETTERS[entry.kind])
        right = self._right(entry)
        tone = "muted" if entry.keep == "dropped" else "plain"
        box = Piece(f" {BOXES[entry.keep]} ", "strong" if entry.keep == "asks" else tone)
        indent = 6 + max(cell_len(label), 2)
        words = clean_line(entry.text)
        if not self._wide:
            words = "  ".join(filter(None, (words, self._beside(entry))))
        room = self._width - indent - (cell_len(right) + 2 if right else 0) - 1
        lines = _folded(words, max(room, LEAST), MOST_LINES if self._wide else 1)
        first = RowLine((box, Piece(f"{label:<2} ", "accent"), Piece(lines[0], tone)), right)
        below = [*lines[1:], *self._below(entry, indent)]
        rest = [RowLine((Piece(f"{'':{indent}}{line}", tone),)) for line in below]
        return Row(f"item:{entry.uid}", (first, *rest))

    def _right(self, entry: Entry) -> str:
        """The class of its quote in words."""
        if entry.origin == "head":
            return "left out" if entry.keep == "dropped" else ""
        if entry.keep == "dropped":
            return "dropped"
        cited = entry.evidence[0] if entry.evidence else None
        if cited is None:
            return "by hand" if entry.origin == "hand" else "no citation"
        where = f"t{cited.turn} " if cited.turn is not None else ""
        if cited.check == "assistant_only":
            return f"{where}verified" if self._wide else f"(assistant) {where}verified"
        told = WORDS[cited.check]
        if cited.check == "outside_window":
            told = told if self._wide else "OUTSIDE"
        by = f", kept by {cited.kept_by}" if cited.kept_by else ""
        return f"{where}{told}{by}"

    def _beside(self, entry: Entry) -> str:
        """What a narrow row says behind the text of a task."""
        if entry.kind != "tasks":
            return ""
        return "  ".join(_task_words(entry))

    def _below(self, entry: Entry, indent: int) -> Iterator[str]:
        width = self._width - indent - 1
        if self._wide and entry.kind == "tasks" and (words := _task_words(entry)):
            yield "  ".join(words)
        if entry.origin != "head" and entry.keep != "dropped":
            yield from (each for line in self._about(entry) for each in _folded(line, width, 2))
        if entry.rests_on and self._wide and (on := self._named(entry.rests_on)):
            yield f"rests on {on}"
        if entry.offers and entry.keep != "dropped" and (on := self._named(entry.offers)):
            yield f"rests on {on}? {self._view.key('draft.accept')} takes it"

    def _about(self, entry: Entry) -> Iterator[str]:
        """What must be known of its quote."""
        cited = entry.evidence[0] if entry.evidence else None
        if cited is None:
            if entry.keep == "asks":
                yield "it cites nothing"
        elif cited.check == "assistant_only" and self._wide:
            yield WORDS["assistant_only"]
        elif cited.check == "not_found" and (self._wide or entry.keep == "asks"):
            where = f"turn {cited.turn}" if cited.turn is not None else "any drafted turn"
            quote = clean_line(cited.quote)
            yield f'"{quote}" is not in {where}' if quote else "it quotes nothing"
        elif cited.check in ASKING and self._wide:
            yield f"said in turn {cited.turn}, which was not drafted"

    def _named(self, uids: Sequence[str]) -> str:
        return ", ".join(self._view.labels[uid] for uid in uids if uid in self._view.labels)

    # ---- artifacts -----------------------------------------------------------------------------

    def _artifacts(self) -> Iterator[Row]:
        yield from self._heading(ARTIFACTS, "Artifacts")
        own = [each for each in self._view.state.attachments if each.origin != "head"]
        if not own:
            new = self._view.key("draft.new")
            words = f" none: {new} takes one from a turn or a file, or writes it"
            yield Row(f"none:{ARTIFACTS}", (RowLine((Piece(words, "muted"),)),))
        for each in own:
            yield self._artifact(each)

    def _artifact(self, attachment: Attachment) -> Row:
        artifact = attachment.artifact
        box = BOXES["kept" if attachment.kept else "dropped"]
        size = counted(len(artifact.content), "character").replace(
            str(len(artifact.content)), f"{len(artifact.content):,}"
        )
        left = Piece(f" {box} {artifact.label}", "plain" if attachment.kept else "muted")
        right = f"{artifact.type}  {size}" if attachment.kept else "left out"
        return Row(f"artifact:{artifact.id}", (RowLine((left,), right),))

    # ---- carried over --------------------------------------------------------------------------

    def _carried(self) -> Iterator[Row]:
        state, view = self._view.state, self._view
        items = [each for each in state.entries if each.origin == "head"]
        artifacts = [each for each in state.attachments if each.origin == "head"]
        if not (items or artifacts):
            return
        yield from self._gap("carried")
        head = short(state.head)
        fold, shows = view.key("nav.fold"), view.key("nav.open")
        way = f"{fold} folds" if view.unfolded else f"{shows} shows"
        title = f" Carried over from {head}" + (f" (not drafted; {way})" if self._wide else "")
        counts = RowLine((Piece(f"     {_counts(items, artifacts)}", "muted"),))
        yield Row("carried", (RowLine((Piece(title, "strong"),)), counts))
        if not view.unfolded:
            return
        for kind in KINDS:
            mine = [each for each in items if each.kind == kind]
            if mine:
                words = RowLine((Piece(f"  {HEADINGS[kind]}", "muted"),))
                yield Row(f"carriedkind:{kind}", (words,), rests=False)
            yield from map(self._item, mine)
        if artifacts:
            words = RowLine((Piece("  Artifacts", "muted"),))
            yield Row(f"carriedkind:{ARTIFACTS}", (words,), rests=False)
        yield from map(self._artifact, artifacts)


def _counts(items: Sequence[Entry], artifacts: Sequence[Attachment]) -> str:
    """`4 decisions  3 open tasks`, as many as are taken along."""
    told = []
    for kind in KINDS:
        kept = [each for each in items if each.kind == kind and each.keep == "kept"]
        open_tasks = [each for each in kept if each.status == "open"]
        if kind == "tasks":
            told += [counted(len(open_tasks), "open task")] if open_tasks else []
            done = len(kept) - len(open_tasks)
            told += [f"{done} done"] if done else []
        elif kept:
            told.append(counted(len(kept), NOUNS[kind].removeprefix("open ")))
    kept_files = sum(each.kept for each in artifacts)
    told += [counted(kept_files, "artifact")] if kept_files else []
    return "  ".join(told) or "nothing of it"


def _task_words(entry: Entry) -> list[str]:
    words = [f"[{entry.intent_hint}]"] if entry.intent_hint else []
    words += [entry.id] if entry.id else []
    if entry.blocked_by:
        words.append(f"blocked by {', '.join(map(clean_line, entry.blocked_by))}")
    return [*words, "done"] if entry.status == "done" else words


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _folded(text: str, width: int, most: int) -> list[str]:
    """One-line text in at most `most` lines of so many cells; `..` where there is more. The last
    line of a single one is left whole: the row cuts it where its space ends."""
    if most == 1:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        for part in chop_cells(word, width) if cell_len(word) > width else [word]:
            grown = f"{line} {part}" if line else part
            if cell_len(grown) <= width:
                line = grown
            else:
                lines.append(line)
                line = part
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} .."]
    return lines
