"""`smriti chat models`: what can be named, and testing one of them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from smriti_tui.cli.diagnostics import Ended as EndedBadly
from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.run import Run
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import ProviderError, SmritiError
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.render.trials import trial_lines

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.trying import Tried


def list_models(run: Run) -> None:
    """Every name, with what it is used for and why it cannot be reached."""
    config = run.config()
    rows: list[dict[str, object]] = []
    for name in config.model_names():
        row: dict[str, object] = {"name": name, "model": None, "ready": False, "reason": None}
        try:
            row |= {"model": config.resolve_model(name).model, "ready": True}
        except SmritiError as error:
            row["reason"] = str(error)
        row["chat"] = name == _resolved(config.chat_model)
        row["background"] = name == _resolved(config.background_model)
        rows.append(row)
    run.out.result({"models": rows}, lambda: _models(rows))


def _resolved(name: str | None) -> str | None:
    return "demo/scripted" if name is not None and name.strip() == "demo" else name


def _models(rows: list[dict[str, object]]) -> str:
    used = {True: "yes", False: ""}
    lines = [
        (
            str(row["name"]),
            str(row["model"] or "-"),
            used[bool(row["chat"])],
            used[bool(row["background"])],
            "ready" if row["ready"] else str(row["reason"]),
        )
        for row in rows
    ]
    return table(("name", "model", "chat", "background", "state"), lines)


def try_model(run: Run, name: str | None) -> None:
    """One tiny call; its phases go to standard error, its outcome to standard output.

    Raises:
        ProviderError: the model could not be asked. Interrupted: by Ctrl-C.
    """
    with run.services() as services:
        try:
            tried = asyncio.run(_ask(run, services, name))
        except KeyboardInterrupt:
            raise Interrupted("Interrupted. Nothing was stored.") from None
    document = _document(name, tried)
    if tried.fault is not None:
        fault = ProviderError(
            tried.fault.message,
            tried.fault.hint,
            kind=tried.fault.kind,
            details={"status": tried.fault.status, "model": tried.model},
        )
        raise EndedBadly(fault, document)
    run.out.result(document, lambda: "\n".join(trial_lines(tried)))


async def _ask(run: Run, services: Services, name: str | None) -> Tried:
    from smriti_tui.services.trying import Asking, Loading, Tried

    second = -1
    async with aclosing(services.trying.run(name)) as steps:
        async for step in steps:
            match step:
                case Asking():
                    run.out.note(f"asking {clean_line(step.model)} for one word")
                case Loading() if int(step.elapsed_s) > second:
                    second = int(step.elapsed_s)
                    run.out.note(f"loading the provider library, {second} s")
                case Tried():
                    return step
                case _:
                    pass
    raise SmritiError("No outcome came.", "Test it again.")


def _document(name: str | None, tried: Tried) -> dict[str, object]:
    return {
        "name": name,
        "model": tried.model,
        "ok": tried.fault is None,
        "first_token_ms": tried.first_ms,
        "total_ms": tried.total_ms,
        "text": tried.said,
        "usage": to_json(tried.usage),
        "cost": to_json(tried.cost),
        "error": None,
    }
