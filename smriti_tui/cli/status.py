"""`smriti status`: where a command given here would work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.places import current_folder, resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError, StoreError
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import MAIN
from smriti_tui.domain.render.claims import claim_document
from smriti_tui.domain.render.documents import space_document, summary_document
from smriti_tui.domain.render.tables import pairs
from smriti_tui.services.attachments import Attachment, Unreadable, find_attachment

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.domain.claims import Claim
    from smriti_tui.domain.model import CheckpointSummary, Space
    from smriti_tui.services import Services
    from smriti_tui.services.database import DatabaseFacts


@dataclass(frozen=True)
class _Found:
    """The Space of this place with its head, or why there is none."""

    space: Space | None = None
    head: CheckpointSummary | None = None
    claims: tuple[Claim, ...] = ()
    """Those that hold now."""
    reason: str | None = None


@click.command(cls=options.Command, example="smriti status")
@click.pass_obj
def status(run: Run) -> None:
    """Tell which Space, database and models this folder leads to."""
    config = run.config()
    attachment = find_attachment(current_folder())
    with run.services() as services:
        from smriti_tui.services.database import DatabaseService

        database = DatabaseService(services.caller).facts()
        found = _Found(reason="the database cannot be read")
        if database.fault is None:
            found = _space(run, services)
    models = {purpose: _model(config, purpose) for purpose in ("chat", "background")}
    document = {
        "actor": config.actor,
        "attachment": _attachment(attachment),
        "space": space_document(found.space) if found.space else None,
        "space_reason": found.reason,
        "head": summary_document(found.head) if found.head else None,
        "claims": [claim_document(each, run.now()) for each in found.claims],
        "database": {
            "path": database.name,
            "exists": database.exists,
            "schema": database.schema,
            "fault": str(database.fault) if database.fault else None,
        },
        "models": models,
    }
    if database.fault is not None:
        if not run.out.wants_json:
            run.out.text(_text(config, attachment, found, database, models))
        raise Ended(database.fault, document)
    run.out.result(document, lambda: _text(config, attachment, found, database, models))


def _space(run: Run, services: Services) -> _Found:
    try:
        space = resolve_space(run, services, None)
        heads = services.checkpoints.of_space(space.id, branch=MAIN, limit=1)
    except StoreError:
        raise
    except SmritiError as error:
        return _Found(reason=str(error))
    held = tuple(services.claims.of_space(space.id))
    return _Found(space, heads[0] if heads else None, held)


def _model(config: Config, purpose: str) -> dict[str, object]:
    name = config.chat_model if purpose == "chat" else config.background_model
    try:
        model = config.resolve_model(for_="chat" if purpose == "chat" else "background")
    except SmritiError as error:
        return {"name": name, "model": None, "ready": False, "reason": str(error)}
    return {"name": name, "model": model.model, "ready": True, "reason": None}


def _attachment(found: Attachment | Unreadable | None) -> dict[str, object] | None:
    if found is None:
        return None
    bound = found if isinstance(found, Attachment) else None
    return {
        "path": str(found.path),
        "space": bound.space if bound else None,
        "space_id": bound.space_id if bound else None,
        "fault": found.why if isinstance(found, Unreadable) else None,
    }


def _text(
    config: Config,
    attachment: Attachment | Unreadable | None,
    found: _Found,
    database: DatabaseFacts,
    models: Mapping[str, Mapping[str, object]],
) -> str:
    space = f"none: {found.reason}"
    if found.space is not None:
        space = f"{found.space.name} ({short(found.space.id)})"
    head = f"{short(found.head.id)} {found.head.title}" if found.head else "none"
    state = "not there yet" if not database.exists else f"schema {database.schema}"
    if database.fault is not None:
        state = str(database.fault)
    return pairs(
        [
            ("Actor", config.actor),
            ("Attachment", _attachment_text(attachment)),
            ("Space", space),
            ("Head of main", head),
            ("Active claims", _claims_text(found)),
            ("Database", f"{database.name}, {state}"),
            *((f"{key.capitalize()} model", _model_text(model)) for key, model in models.items()),
        ]
    )


def _claims_text(found: _Found) -> str:
    names = [f"{clean_line(each.agent)}: {clean_line(each.scope)}" for each in found.claims]
    return "; ".join(names) or "none"


def _attachment_text(found: Attachment | Unreadable | None) -> str:
    if found is None:
        return "none: no .smriti.json here or above"
    if isinstance(found, Unreadable):
        return f"none: {found.path} does not count, {found.why}"
    return f"{found.path}: {found.space or found.space_id}"


def _model_text(model: Mapping[str, object]) -> str:
    if model["ready"]:
        return str(model["model"])
    return str(model["reason"]) if model["name"] is None else f"{model['name']}: {model['reason']}"
