"""A checkpoint made shorter, for readers that take only so much at once. Decisions and tasks are
never cut, nor their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Item, Note, Task
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS, counted

T = TypeVar("T")


@dataclass(frozen=True)
class Measure:
    """How much stays."""

    artifact: int
    """Characters of an artifact."""
    text: int | None = None
    """Characters of objective and summary; None for all."""
    rows: int | None = None
    """Assumptions, open questions, entities and notes, of each; None for all."""
    evidence: bool = True


MEASURES = (
    Measure(ARTIFACT_CHARACTERS),
    Measure(ARTIFACT_CHARACTERS, 4000, 20),
    Measure(ARTIFACT_CHARACTERS // 10, 2000, 10, evidence=False),
    Measure(0, 1000, 3, evidence=False),
)


def shorter(
    checkpoint: Checkpoint,
    notes: Sequence[Note],
    fits: Callable[[Checkpoint, Sequence[Note]], bool],
) -> tuple[Checkpoint, Sequence[Note], str]:
    """The checkpoint and its notes by the first measure that `fits`, else by the last, and a
    sentence on what is left out ("" for nothing)."""
    cut, kept, told = checkpoint, notes, ""
    for measure in MEASURES:
        cutting = _Cutting(measure)
        cut = replace(checkpoint, body=cutting.body(checkpoint.body))
        kept = cutting.rows(notes, "notes", last=True)
        told = f"Left out: {'; '.join(cutting.told)}." if cutting.told else ""
        if fits(cut, kept):
            break
    return cut, kept, told


@dataclass
class _Cutting:
    """Cuts by one measure, and counts what it takes away."""

    measure: Measure
    told: list[str] = field(default_factory=list)

    def body(self, body: CheckpointBody) -> CheckpointBody:
        artifacts = self._artifacts(body.artifacts)
        cut = replace(
            body,
            artifacts=artifacts,
            objective=self._text(body.objective, "objective"),
            summary=self._text(body.summary, "summary"),
            assumptions=self.rows(body.assumptions, "assumptions"),
            open_questions=self.rows(body.open_questions, "open questions"),
            entities=self.rows(body.entities, "entities"),
        )
        return cut if self.measure.evidence else self._bare(cut)

    def rows(self, rows: Sequence[T], names: str, *, last: bool = False) -> tuple[T, ...]:
        """The first of them, or the last."""
        most = self.measure.rows
        if most is None or len(rows) <= most:
            return tuple(rows)
        gone = len(rows) - most
        self.told.append(f"{gone} of {len(rows)} {names}")
        return tuple(rows[gone:] if last else rows[:most])

    def _artifacts(self, artifacts: Sequence[Artifact]) -> tuple[Artifact, ...]:
        most = self.measure.artifact
        long = [len(a.content) - most for a in artifacts if len(a.content) > most]
        if long:
            self.told.append(f"{sum(long):,} characters of {counted(len(long), 'artifact')}")
        return tuple(replace(each, content=clipped(each.content, most)) for each in artifacts)

    def _text(self, text: str, name: str) -> str:
        most = self.measure.text
        if most is None or len(text) <= most:
            return text
        self.told.append(f"{len(text) - most:,} characters of the {name}")
        return clipped(text, most)

    def _bare(self, body: CheckpointBody) -> CheckpointBody:
        """Without what items were taken from."""
        cited = sum(bool(each.evidence) for kind in KINDS for each in item_list(body, kind))
        if cited:
            self.told.append(f"the evidence of {counted(cited, 'item')}")
        return without_evidence(body)


def without_evidence(body: CheckpointBody) -> CheckpointBody:
    """The body, its items without what they were taken from."""
    return replace(
        body,
        decisions=tuple(map(_uncited, body.decisions)),
        tasks=tuple(map(_uncited, body.tasks)),
        assumptions=tuple(map(_uncited, body.assumptions)),
        open_questions=tuple(map(_uncited, body.open_questions)),
    )


I = TypeVar("I", Item, Task)  # noqa: E741 (an item)


def _uncited(item: I) -> I:
    return replace(item, evidence=())


def clipped(text: str, most: int) -> str:
    """At most so many characters of a text, with a mark where it was cut."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[cut here: {most:,} of {len(text):,} characters]"
