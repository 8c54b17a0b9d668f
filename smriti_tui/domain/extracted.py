"""A checkpoint taken from a document: what a rule took, and what a model added and was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from smriti_tui.domain.checkpoint_input import MAX_TITLE, CheckpointInput
from smriti_tui.domain.document import Document
from smriti_tui.domain.document_parts import Parts, TakenItem
from smriti_tui.domain.document_quotes import DocumentQuotes, Near, Placed, line_range
from smriti_tui.domain.draft_reply import Proposed, Reply
from smriti_tui.domain.ids import RequestId, new_id
from smriti_tui.domain.items import KINDS, comparison_key, of_kind
from smriti_tui.domain.model import Artifact, Evidence, Item, Task

TITLE = "Extracted checkpoint"
"""Of a document that nobody gave a title."""
_ARTIFACTS = "the field 'artifacts'"


@dataclass(frozen=True)
class Unverified:
    """An item of the model whose words do not stand in the document."""

    kind: str
    text: str
    quote: str
    line: int | None
    """Where the model says it stands."""
    nearest: Near | None
    kept: bool
    """Whether it is in the checkpoint all the same, because somebody said so."""


@dataclass(frozen=True)
class Extracted:
    """The last step: the content, and all that there is to tell about it."""

    content: CheckpointInput
    document: str
    """SHA-256 of the document."""
    model: str
    requests: tuple[RequestId, ...]
    by_rule: int
    """How many items a rule took."""
    by_model: int
    unverified: tuple[Unverified, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def dropped(self) -> tuple[Unverified, ...]:
        return tuple(each for each in self.unverified if not each.kept)


@dataclass
class Joining:
    """Puts what was taken and what was answered together. `keep_as` is who takes items that were
    not found; None leaves them out."""

    document: Document
    parts: Parts
    keep_as: str | None
    problems: list[str] = field(default_factory=list)
    _unverified: list[Unverified] = field(default_factory=list)

    def join(
        self, replies: Sequence[Reply], model: str, requests: tuple[RequestId, ...]
    ) -> Extracted:
        quotes = DocumentQuotes(self.document)
        rows = [self._of_rule(each) for each in self.parts.items]
        added = [*self._added(quotes, replies)]
        content = CheckpointInput(
            title=self._title(replies),
            objective=self.parts.objective or _first(replies, "objective"),
            summary=self.parts.summary
            or "\n\n".join(reply.summary for reply in replies if reply.summary),
            decisions=of_kind(rows + added, "decisions"),
            assumptions=of_kind(rows + added, "assumptions"),
            tasks=tuple(item for _, item in rows + added if isinstance(item, Task)),
            open_questions=of_kind(rows + added, "open_questions"),
            entities=tuple(self._entities(quotes, replies)),
            artifacts=tuple(
                Artifact(new_id(), each.type, each.label, each.content)
                for each in self.parts.blocks
            ),
            draft_request=requests[-1] if requests else None,
        )
        return Extracted(
            content,
            self.document.sha256,
            model,
            requests,
            len(rows),
            len(added),
            tuple(self._unverified),
            tuple(dict.fromkeys(self.problems)),
        )

    def _title(self, replies: Sequence[Reply]) -> str:
        own = self.parts.front.title if self.parts.front else ""
        found = own or _first(replies, "title") or self.parts.heading or TITLE
        return " ".join(found.split())[:MAX_TITLE].strip() or TITLE

    def _of_rule(self, taken: TakenItem) -> tuple[str, Item | Task]:
        evidence = Evidence(
            taken.quote,
            "found",
            document_sha256=self.document.sha256,
            lines=line_range(taken.first, taken.last),
        )
        if taken.kind == "tasks":
            return taken.kind, Task("", taken.text, status=taken.status, evidence=(evidence,))
        return taken.kind, Item("", taken.text, evidence=(evidence,))

    def _added(
        self, quotes: DocumentQuotes, replies: Sequence[Reply]
    ) -> Iterator[tuple[str, Item | Task]]:
        """The model's items that nobody has taken yet and whose words were found."""
        known = {(each.kind, _key(each.text)) for each in self.parts.items}
        known |= {(each.kind, _key(each.quote)) for each in self.parts.items}
        for item in (each for kind in KINDS for reply in replies for each in _of(reply, kind)):
            key = (item.kind, _key(item.text))
            if key in known:
                continue
            known.add(key)
            quote, placed = _placed(quotes, item)
            if placed.check == "found" and self._is_taken(placed):
                continue
            if placed.check != "found":
                self._unverified.append(
                    Unverified(
                        item.kind,
                        item.text,
                        item.quote,
                        item.turn,
                        placed.nearest,
                        self.keep_as is not None,
                    )
                )
                if self.keep_as is None:
                    continue
            known_blockers = tuple(each for each in item.blocked_by if quotes.has(each))
            if known_blockers != item.blocked_by:
                self.problems.append(f"what blocks {item.text!r} is not in the document")
            yield item.kind, self._item(replace(item, blocked_by=known_blockers), quote, placed)

    def _is_taken(self, placed: Placed) -> bool:
        return any(
            each.first <= placed.first and placed.last <= each.last for each in self.parts.items
        )

    def _item(self, item: Proposed, quote: str, placed: Placed) -> Item | Task:
        found = placed.check == "found"
        cited = item.turn if item.turn and item.turn <= len(self.document.lines) else 0
        evidence = Evidence(
            quote,
            placed.check,
            document_sha256=self.document.sha256,
            lines=placed.lines if found else line_range(cited, cited),
            kept_by=None if found else self.keep_as,
        )
        return item.stored(evidence)

    def _entities(self, quotes: DocumentQuotes, replies: Sequence[Reply]) -> Iterator[str]:
        """Names that stand in the document, each once."""
        seen: set[str] = set()
        named = [(name, True) for name in self.parts.entities]
        named += [(name, quotes.has(name)) for reply in replies for name in reply.entities]
        for name, there in named:
            if name.casefold() in seen:
                continue
            seen.add(name.casefold())
            if there:
                yield name
            else:
                self.problems.append(f"the entity {name!r} does not stand in the document")


def add_problems(problems: list[str], reply: Reply) -> None:
    """What could not be used of an answer. Artifacts are no field that was asked for."""
    problems += [each for each in reply.problems if not each.startswith(_ARTIFACTS)]


def _of(reply: Reply, kind: str) -> Iterator[Proposed]:
    return (item for item in reply.items if item.kind == kind)


def _placed(quotes: DocumentQuotes, item: Proposed) -> tuple[str, Placed]:
    """The words that are found: the quote, else the item's own text."""
    quote = item.quote or item.text
    placed = quotes.check(quote, item.turn)
    if placed.check != "found" and item.quote:
        own = quotes.check(item.text, item.turn)
        if own.check == "found":
            return item.text, own
    return quote, placed


def _first(replies: Sequence[Reply], name: str) -> str:
    return next((text for reply in replies if (text := str(getattr(reply, name)))), "")


def _key(text: str) -> str:
    return comparison_key(text) or text
