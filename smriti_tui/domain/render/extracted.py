"""What was taken from a document, and aloud what was not: as lines and as a document."""

from __future__ import annotations

from collections.abc import Iterator

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.document_quotes import line_range, lines_text
from smriti_tui.domain.extracted import Extracted, Unverified
from smriti_tui.domain.form import NOUNS
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.state_text import counted


def extracted_document(extracted: Extracted) -> Document:
    return {
        "document_sha256": extracted.document,
        "model": extracted.model,
        "requests": list(extracted.requests),
        "items_by_rule": extracted.by_rule,
        "items_by_model": extracted.by_model,
        "artifacts": len(extracted.content.artifacts),
        "unverified": [_unverified(each) for each in extracted.unverified],
        "problems": list(extracted.problems),
    }


def _unverified(item: Unverified) -> Document:
    near = item.nearest
    return {
        "kind": item.kind,
        "text": item.text,
        "quote": item.quote,
        "cited_line": item.line,
        "kept": item.kept,
        "nearest": {"lines": list(line_range(near.first, near.last)), "text": near.text}
        if near
        else None,
    }


def extracted_text(extracted: Extracted) -> str:
    """How much came from where."""
    return (
        f"{counted(extracted.by_rule, 'item')} by rule, {extracted.by_model} by "
        f"{clean_line(extracted.model)}, {counted(len(extracted.content.artifacts), 'artifact')}"
    )


def extraction_warnings(extracted: Extracted, remedy: str) -> Iterator[str]:
    """What could not be used, and each item whose words are not in the document. `remedy` is how
    this surface keeps such items."""
    yield from extracted.problems
    for item in extracted.unverified:
        what = f"{NOUNS[item.kind]} {clean_line(item.text)!r}"
        done = "kept, though" if item.kept else "left out:"
        near = ""
        if item.nearest is not None:
            where = lines_text(line_range(item.nearest.first, item.nearest.last))
            near = f"; nearest, in {where}: {clean_line(item.nearest.text)!r}"
        yield f"{done} the words of the {what} are not in the document{near}"
    if extracted.dropped:
        yield remedy
