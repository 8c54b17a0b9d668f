"""The side tables: not in the log, not rebuilt, not exported (DESIGN 10.22)."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import MetaData
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

side_registry = registry(metadata=MetaData())


class SideRow(SQLModel, registry=side_registry):
    """Base of the side tables."""


class UnsentRow(SideRow, table=True):
    """Text that was typed and not sent; belongs to (thing, process)."""

    __tablename__: ClassVar[str] = "unsent"
    thing: str = Field(primary_key=True)
    process: str = Field(primary_key=True)
    text: str
    changed_at: str


class PartialRow(SideRow, table=True):
    """What has streamed in of a running answer, and its owner's last beat."""

    __tablename__: ClassVar[str] = "partial"
    session: str = Field(primary_key=True)
    sequence_number: int = Field(primary_key=True)
    text: str
    reasoning: str
    beat_at: str


class ModelLimitRow(SideRow, table=True):
    """Window of a model as the provider library told it, null when it does not know; and the form
    its answers can be held to, null when it was not asked for that."""

    __tablename__: ClassVar[str] = "model_limit"
    model: str = Field(primary_key=True)
    tokens: int | None
    asked_at: str
    form: str | None


class MergeDraftRow(SideRow, table=True):
    """The answers of a merge that is not written; one that was thrown away is kept for undo."""

    __tablename__: ClassVar[str] = "merge_draft"
    into_branch: str = Field(primary_key=True)
    ours: str = Field(primary_key=True)
    theirs: str = Field(primary_key=True)
    space: str
    base: str | None
    answers: str
    changed_at: str
    thrown_at: str | None


class ViewSnapshotRow(SideRow, table=True):
    """What the events of a view were folded into, up to a position (`store.views`)."""

    __tablename__: ClassVar[str] = "view_snapshot"
    view: str = Field(primary_key=True)
    projector: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    event_id: str
    versions: str
    body: str
    sha256: str
    saved_at: str


class ViewFileRow(SideRow, table=True):
    """What was last written to, or taken in from, the file of a view: another text is an edit."""

    __tablename__: ClassVar[str] = "view_file"
    path: str = Field(primary_key=True)
    view: str
    sha256: str
    changed_at: str
