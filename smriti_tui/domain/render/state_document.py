"""The state as a document: all of it, whatever the text leaves out."""

from __future__ import annotations

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.model import Artifact
from smriti_tui.domain.render.branches import divergence_document
from smriti_tui.domain.render.claims import claim_document, overlap_document
from smriti_tui.domain.render.documents import Document, checkpoint_document, space_document
from smriti_tui.domain.render.state import Brief, StateOptions
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.tasks import TaskView
from smriti_tui.domain.worktrees import Probed, WorktreeLook


def state_document(view: StateView, options: StateOptions, brief: Brief) -> Document:
    """`commit` of the original is `head`: one word for each thing. With `compact` the artifacts
    come without their text."""
    head: Document | None = None
    if view.head is not None:
        head = checkpoint_document(view.head)
        if options.compact:
            head["artifacts"] = list(map(_without_text, view.head.body.artifacts))
    return {
        "space": space_document(view.space),
        "head": head,
        "notes": [to_json(each) for each in view.notes],
        "open_tasks": list(map(task_document, view.tasks)),
        "free_tasks": [each.label for each in view.free],
        "active_branches": [
            {
                "branch": each.branch.name,
                "branch_id": each.branch.id,
                "head": each.head.id,
                "title": each.head.title,
                "author": each.head.body.author,
                "summary": each.head.body.summary,
                "created_at": each.head.body.created_at,
            }
            for each in view.branches
        ],
        "active_claims": [claim_document(each, view.now) for each in view.claims],
        "overlaps": list(map(overlap_document, view.overlaps)),
        "worktrees": list(map(look_document, view.worktrees)),
        "signals": [to_json(each) for each in view.signals],
        "divergence": list(map(divergence_document, view.divergences)),
        "freshness": _freshness(view),
        "repo_state": _repo_document(view),
        "main_only": view.main_only,
        "tokens": brief.tokens,
        "left_out": list(brief.left_out),
        "fits": brief.fits,
    }


def task_document(view: TaskView) -> Document:
    """An open task; `waits_for` are its blockers that are not done."""
    return {
        **to_json(view.task),
        "label": view.label,
        "waits_for": list(view.blocked_by),
        "claims": [each.id for each in view.claims],
        "free": view.free,
    }


def look_document(look: WorktreeLook) -> Document:
    """A worktree with its probe, which is null for one that was not looked at."""
    found: Document = to_json(look.worktree)
    del found["position"]
    return {**found, "probe": probe_document(look.probed) if look.probed else None}


def probe_document(probed: Probed) -> Document:
    return {
        "fault": probed.fault or None,
        "branch": probed.branch,
        "dirty_files": None if probed.fault else len(probed.dirty),
        "dirty_paths": list(probed.dirty),
        "ahead": probed.ahead,
        "behind": probed.behind,
        "against": probed.against,
        "operation": probed.operation,
        "last_commit": probed.commit,
        "last_commit_at": probed.committed_at,
    }


def _freshness(view: StateView) -> Document | None:
    found = view.freshness
    if found is None:
        return None
    return {
        "since": found.since,
        "relation": found.relation,
        "changed": found.changed,
        "newer": list(found.newer),
    }


def _without_text(artifact: Artifact) -> Document:
    return {
        "id": artifact.id,
        "type": artifact.type,
        "label": artifact.label,
        "characters": len(artifact.content),
    }


def _repo_document(view: StateView) -> Document | None:
    found = view.drift
    if found is None:
        return None
    recorded = found.recorded
    return {
        "git_root": found.root,
        "project_root": found.project_root,
        "project_root_matches": found.same_root,
        "detached": found.probed.branch is None,
        **probe_document(found.probed),
        "checkpoint": to_json(recorded) if recorded else None,
        "signals": list(found.signals),
    }
