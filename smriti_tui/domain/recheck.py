"""Whether the words that stored items cite still stand where they were found.

The rule is that of `quotes` and `document_quotes`, the place is another: at drafting a quote is
looked for in the window, here first in the turn that it names, then on that turn's line, then in
the rest of its session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from smriti_tui.domain.document import Document
from smriti_tui.domain.document_quotes import DocumentQuotes, lines_text
from smriti_tui.domain.model import CheckpointBody, Evidence, Source, Turn
from smriti_tui.domain.quotes import Said, folded, proves, stands_in
from smriti_tui.domain.redaction import MARK
from smriti_tui.domain.reviewed import labels_of, parts_of

State = Literal["verified", "weaker", "moved", "gone", "kept", "unverified", "unreadable"]
"""verified: the words stand there. weaker: the person is said to have said them, and only the
assistant did. moved: they stand elsewhere. gone: they stand nowhere. kept: they were not found when
the item was saved, and somebody kept it. unverified: likewise, and nobody did. unreadable: what is
cited is not in this store."""
FAULTY: frozenset[State] = frozenset({"weaker", "moved", "gone", "unverified"})


class Sources(Protocol):
    """What evidence names, read when it is asked for."""

    def turn(self, session: str, number: int) -> Turn | None: ...

    def turns(self, session: str) -> Sequence[Turn]:
        """All turns of a session, none if the store does not hold it."""

    def document(self, sha256: str) -> Document | None: ...


@dataclass(frozen=True)
class QuoteCheck:
    """One stored quote, looked up again."""

    uid: str
    label: str
    live: bool
    place: int
    """Of the evidence in its item."""
    evidence: Evidence
    state: State
    now: Evidence
    """As it holds now: the same where it is verified, else with the turn or lines where the words
    stand, and the class that they have there."""
    said_by: str = ""
    """Role of the turn where the words stand."""
    nearest: str = ""

    @property
    def faulty(self) -> bool:
        return self.state in FAULTY


@dataclass
class Rechecker:
    """Looks quotes up; what was read and folded is kept as long as itself."""

    sources: Sources
    _folded: dict[tuple[str, int], tuple[Turn, str] | None] = field(default_factory=dict)
    _said: dict[tuple[str, int | None], Said] = field(default_factory=dict)
    _quotes: dict[str, DocumentQuotes | None] = field(default_factory=dict)
    _documents: dict[str, Document | None] = field(default_factory=dict)

    def quotes(self, body: CheckpointBody, source: Source | None) -> Iterator[QuoteCheck]:
        """All quotes of a checkpoint, in the order of its items. `source` is where the turns are
        that it was made from (`Checkpoint.source`)."""
        labels = labels_of(body)
        own = source.session if source else None
        written = body.source.session if body.source else None
        for uid, (_, item) in parts_of(body).items():
            for place, given in enumerate(item.evidence):
                evidence = given
                if given.turn is not None and given.session in (None, written):
                    evidence = replace(given, session=own)
                found = self._checked(evidence)
                now = given if found.state in ("verified", "kept", "unreadable") else found.now
                yield QuoteCheck(
                    uid, labels[uid], item.state == "live", place, given, found.state, now,
                    found.said_by, found.nearest,
                )  # fmt: skip

    def _checked(self, evidence: Evidence) -> _Found:
        if evidence.turn is not None and evidence.session is not None:
            return self._turn(evidence, evidence.session, evidence.turn)
        if evidence.document_sha256 is not None:
            return self._document(evidence, evidence.document_sha256)
        return _Found(_unfound(evidence) or "unreadable", evidence)

    # ---- turns ---------------------------------------------------------------------------------

    def _turn(self, evidence: Evidence, session: str, number: int) -> _Found:
        cited = self._cited(session, number)
        wanted = folded(evidence.quote)
        if cited is not None and proves(wanted) and stands_in(wanted, cited[1]):
            role = cited[0].role
            if evidence.check == "found" and role != "user":
                return _Found("weaker", replace(evidence, check="assistant_only"), role)
            return _Found("verified", evidence, role)
        if (state := _unfound(evidence)) == "kept":
            return _Found(state, evidence)
        if cited is not None and MARK in cited[0].content:
            return _Found("unreadable", evidence)
        said = self._session(session, cited[0].line if cited else None)
        if not said.window:
            return _Found("unreadable", evidence)
        found = said.check(evidence.quote, number)
        if found.check == "not_found" or found.turn is None:
            near = found.nearest.text if found.nearest else ""
            gone = replace(evidence, check="not_found")
            return _Found(state or "gone", gone, nearest=near)
        there = self._cited(session, found.turn)
        moved = replace(evidence, turn=found.turn, check=found.check)
        return _Found("moved", moved, there[0].role if there else "")

    def _cited(self, session: str, number: int) -> tuple[Turn, str] | None:
        key = (session, number)
        if key not in self._folded:
            turn = self.sources.turn(session, number)
            self._folded[key] = (turn, folded(turn.content)) if turn is not None else None
        return self._folded[key]

    def _session(self, session: str, line: int | None) -> Said:
        """The turns of a session: words on another line than the cited turn's are outside."""
        key = (session, line)
        if key not in self._said:
            turns = self.sources.turns(session)
            near = [turn for turn in turns if line in (None, turn.line)]
            self._said[key] = Said(near, [turn for turn in turns if line not in (None, turn.line)])
        return self._said[key]

    # ---- documents -----------------------------------------------------------------------------

    def _document(self, evidence: Evidence, digest: str) -> _Found:
        if digest not in self._documents:
            document = self.sources.document(digest)
            self._documents[digest] = document
            self._quotes[digest] = DocumentQuotes(document) if document else None
        document, quotes = self._documents[digest], self._quotes[digest]
        if document is None or quotes is None:
            return _Found("kept" if _unfound(evidence) == "kept" else "unreadable", evidence)
        lines, wanted = evidence.lines, folded(evidence.quote)
        if lines and 0 < lines[0] <= lines[-1] <= len(document.lines):
            there = folded(document.part(lines[0], lines[-1]))
            if wanted and stands_in(wanted, there):
                return _Found("verified", evidence)
        if (state := _unfound(evidence)) == "kept":
            return _Found(state, evidence)
        placed = quotes.check(evidence.quote, lines[0] if lines else None)
        if placed.check != "found":
            near = placed.nearest.text if placed.nearest else ""
            return _Found(state or "gone", replace(evidence, check="not_found"), nearest=near)
        if lines and placed.first >= lines[0] and placed.last <= lines[-1]:
            return _Found("verified", evidence)
        return _Found("moved", replace(evidence, lines=placed.lines, check="found"))


@dataclass(frozen=True)
class _Found:
    state: State
    now: Evidence
    said_by: str = ""
    nearest: str = ""


def _unfound(evidence: Evidence) -> State | None:
    """What an item is whose words were not found when it was saved; None for all others."""
    if evidence.check != "not_found":
        return None
    return "kept" if evidence.kept_by else "unverified"


def words(check: QuoteCheck) -> str:
    """What is to be said of a quote that does not hold, as of an item: `quotes t8, the words are
    not there`."""
    cited = place_words(check.evidence)
    match check.state:
        case "weaker":
            return f"quotes {cited} as yours; only the assistant says it"
        case "moved":
            return f"quotes {cited}; the words are in {place_words(check.now)}"
        case "unverified":
            return f"quotes words that were not found in {cited}, and nobody kept it by name"
        case "gone":
            return f"quotes {cited}, the words are not there"
        case _:
            return ""


def place_words(evidence: Evidence) -> str:
    """`turn 8`, `lines 3-4 of the document 1f2e3d4`."""
    if evidence.turn is not None:
        return f"turn {evidence.turn}"
    if evidence.document_sha256 is not None:
        return f"{lines_text(evidence.lines)} of the document {evidence.document_sha256[:7]}"
    return "no turn"
