"""A checkpoint whose artifacts are clipped, for readers that take only so much at once. Items are
never cut."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.domain.model import Artifact, Checkpoint
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS, counted


def with_clipped_artifacts(checkpoint: Checkpoint) -> tuple[Checkpoint, str]:
    """The checkpoint with its long artifacts clipped, each with a mark at its end, and a sentence
    on what is left out ("" for nothing)."""
    long = [a for a in checkpoint.body.artifacts if len(a.content) > ARTIFACT_CHARACTERS]
    if not long:
        return checkpoint, ""
    artifacts = tuple(map(_clipped, checkpoint.body.artifacts))
    left = sum(len(artifact.content) - ARTIFACT_CHARACTERS for artifact in long)
    body = replace(checkpoint.body, artifacts=artifacts)
    told = f"Left out: {left:,} characters of {counted(len(long), 'artifact')}."
    return replace(checkpoint, body=body), told


def _clipped(artifact: Artifact) -> Artifact:
    total = len(artifact.content)
    if total <= ARTIFACT_CHARACTERS:
        return artifact
    mark = f"\n[cut here: {ARTIFACT_CHARACTERS:,} of {total:,} characters]"
    return replace(artifact, content=artifact.content[:ARTIFACT_CHARACTERS] + mark)
