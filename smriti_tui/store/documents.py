"""The documents that checkpoints were taken from: they stand in the log as texts of requests."""

from __future__ import annotations

from sqlmodel import Session as Tx

from smriti_tui.domain.document import Document
from smriti_tui.domain.ids import SpaceId
from smriti_tui.store.requests import texts


def document(tx: Tx, space: SpaceId, digest: str) -> Document | None:
    """The document with this SHA-256 that was extracted in a Space; None if none was, as for
    evidence that came with a checkpoint from elsewhere."""
    text = texts(tx, f"space/{space}", {digest}).get(digest)
    return Document(text) if text is not None else None
