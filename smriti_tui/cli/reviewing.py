"""`smriti checkpoint review`: what does not hold in a checkpoint, and what becomes of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, NotFound, ProviderError
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.reviews import (
    reviewed_document,
    reviewed_text,
    settled_document,
    settled_text,
)
from smriti_tui.domain.render.saving import omitted_text, saved_document, saved_text
from smriti_tui.domain.reviewed import with_words

if TYPE_CHECKING:
    from smriti_tui.cli.output import Output
    from smriti_tui.domain.findings import Finding, SettledFinding
    from smriti_tui.domain.model import Checkpoint
    from smriti_tui.domain.reviewed import Reviewed
    from smriti_tui.services import Services
    from smriti_tui.services.review_settling import Settling
    from smriti_tui.services.reviewing import Unread

WITHOUT = "`--rules` checks without a model."


@dataclass(frozen=True)
class _Asked:
    """The options of one call."""

    rules: bool
    last: bool
    model: str | None
    accept: tuple[str, ...]
    dismiss: tuple[str, ...]
    reopen: tuple[str, ...]
    reason: str | None
    text: str | None
    write: bool
    title: str | None
    branch: str | None
    expect_head: str | None
    command_id: str | None

    @property
    def settles(self) -> bool:
        return bool(self.accept or self.dismiss or self.reopen)


@click.command(cls=options.Command, example="smriti checkpoint review 4c1e9a0 --json")
@click.argument("checkpoint_id", metavar="ID")
@click.option("--rules", is_flag=True, help="The checks alone: no model, nothing is recorded.")
@click.option("--last", is_flag=True, help="Show the newest recorded review; ask nobody.")
@click.option("--model", metavar="M", help="Another model than background.model.")
@click.option("--accept", multiple=True, metavar="N|ID", help="Take what this finding suggests.")
@click.option("--dismiss", multiple=True, metavar="N|ID", help="Put it aside, with --reason.")
@click.option("--reopen", multiple=True, metavar="N|ID", help="Take back what was settled.")
@click.option("--reason", metavar="T", help="Why it is dismissed, or taken.")
@click.option("--text", metavar="T", help="With one --accept: in these words instead.")
@click.option("--write", is_flag=True, help="Save the accepted changes as the next checkpoint.")
@click.option("--title", metavar="T", help="With --write: its title.")
@click.option("--branch", metavar="B", help="With --write: on a new branch that starts there.")
@click.option("--expect-head", metavar="ID", help="With --write: refuse on another head.")
@options.command_id
@click.pass_obj
def review(
    run: Run,
    checkpoint_id: str,
    rules: bool,
    last: bool,
    model: str | None,
    accept: tuple[str, ...],
    dismiss: tuple[str, ...],
    reopen: tuple[str, ...],
    reason: str | None,
    text: str | None,
    write: bool,
    title: str | None,
    branch: str | None,
    expect_head: str | None,
    command_id: str | None,
) -> None:
    """Look for what does not hold together, and settle what was found.

    Without options the background model is asked once, and its findings are recorded beside the
    checkpoint, with those of the checks. The checkpoint never changes: `--accept` takes a change
    into the follow-up, `--write` saves that as a new checkpoint. N is a finding's number in the
    newest review.
    """
    asked = _Asked(
        rules, last, model, accept, dismiss, reopen, reason, text, write, title, branch,
        expect_head, command_id,
    )  # fmt: skip
    _check(asked)
    with run.services() as services:
        found = services.checkpoints.find(checkpoint_id)
        if asked.settles:
            _settle(run, services, found, asked)
        elif write:
            _write(run, services, found, asked)
        else:
            _review(run, services, found, asked)


def _check(asked: _Asked) -> None:
    """One thing at a time; an option that says nothing here is named.

    Raises:
        Invalid (code `usage`).
    """
    modes = [
        name
        for name, given in (
            ("--rules", asked.rules),
            ("--last", asked.last),
            ("--write", asked.write),
            ("--accept, --dismiss or --reopen", asked.settles),
        )
        if given
    ]
    if len(modes) > 1:
        raise _usage(f"{' and '.join(modes)} do not go together.", "Do one after the other.")
    if asked.model is not None and modes:
        raise _usage(f"--model says nothing beside {modes[0]}.", "Leave it out.")
    if asked.reason is not None and not asked.settles:
        raise _usage("--reason goes with --accept, --dismiss or --reopen.", "Leave it out.")
    if asked.text is not None and len(asked.accept) != 1:
        raise _usage("--text goes with one --accept.", "Name one finding, or leave it out.")
    for name, value in (
        ("--title", asked.title), ("--branch", asked.branch), ("--expect-head", asked.expect_head),
    ):  # fmt: skip
        if value is not None and not asked.write:
            raise _usage(f"{name} goes with --write.", "Leave it out, or add it.")


def _usage(what: str, hint: str) -> Invalid:
    return Invalid(what, hint, code="usage")


# ---- reviewing ---------------------------------------------------------------------------------


def _review(run: Run, services: Services, found: Checkpoint, asked: _Asked) -> None:
    reviewed: Reviewed | None = None
    if asked.last:
        reviewed = services.reviewing.latest(found.id)
        if reviewed is None:
            raise NotFound(
                f"Nobody has reviewed {short(found.id)} yet.",
                f"`smriti checkpoint review {short(found.id)}` does; {WITHOUT}",
            )
    elif not asked.rules:
        reviewed = _by_model(run.out, services, found, asked)
    report = services.reviewing.rules(found.id)
    for problem in reviewed.problems if reviewed else ():
        run.out.warning(problem)
    run.out.result(
        reviewed_document(found, reviewed, report), lambda: reviewed_text(found, reviewed, report)
    )


def _by_model(out: Output, services: Services, found: Checkpoint, asked: _Asked) -> Reviewed:
    """Raises: ProviderError, Invalid (each names `--rules`), Interrupted."""
    from smriti_tui.services.reviewing import Unread

    try:
        last = asyncio.run(_follow(out, services, found, asked))
    except KeyboardInterrupt:
        raise Interrupted("Interrupted. Nothing was recorded.") from None
    except ProviderError as error:
        hint = f"{error.hint} {WITHOUT}".strip()
        raise ProviderError(error.message, hint, kind=error.kind) from error
    if isinstance(last, Unread):
        raise last.error(WITHOUT)
    return last


async def _follow(
    out: Output, services: Services, found: Checkpoint, asked: _Asked
) -> Reviewed | Unread:
    from smriti_tui.domain.reviewed import Reviewed
    from smriti_tui.services.background import progress
    from smriti_tui.services.reviewing import Unread

    asking = services.reviewing.review(found.id, model=asked.model, command_id=asked.command_id)
    last: Reviewed | Unread | None = None
    async with aclosing(asking) as steps:
        async for step in steps:
            if isinstance(step, Reviewed | Unread):
                last = step
            elif words := progress(step, "a review"):
                out.note(words)
    assert last is not None, "a review ends with what it found or an error"
    return last


# ---- settling and writing ----------------------------------------------------------------------


def _settle(run: Run, services: Services, found: Checkpoint, asked: _Asked) -> None:
    given = list(_settlings(services, found, asked))
    settled = services.reviewing.settle_all(given, command_id=asked.command_id)
    reviewed = services.reviewing.latest(found.id)
    numbers = {
        each.finding.id: number
        for number, each in enumerate(reviewed.findings if reviewed else (), 1)
    }
    rows: list[tuple[int | None, SettledFinding]] = [
        (numbers.get(each.finding.id), each) for each in settled
    ]
    left = len(reviewed.open) if reviewed else 0
    run.out.result(settled_document(found, rows, left), lambda: settled_text(found, rows, left))


def _settlings(services: Services, found: Checkpoint, asked: _Asked) -> list[Settling]:
    """Raises: NotFound, Ambiguous; Invalid: one finding is named twice."""
    from smriti_tui.services.review_settling import Settling

    given: dict[str, Settling] = {}
    for outcome, wanted in (
        ("accepted", asked.accept), ("dismissed", asked.dismiss), ("open", asked.reopen),
    ):  # fmt: skip
        for name in wanted:
            finding = services.reviewing.find(found.id, name).finding
            key = finding.id
            if key in given:
                raise _usage(f"The finding {name} is named twice.", "Say one thing about it.")
            given[key] = Settling(key, outcome, reason=asked.reason)  # type: ignore[arg-type]
            if outcome == "accepted" and asked.text is not None:
                given[key] = _edited(finding, asked.text, asked.reason)
    return list(given.values())


def _edited(finding: Finding, text: str, reason: str | None) -> Settling:
    """Raises: Invalid, the finding is not about words."""
    from smriti_tui.services.review_settling import Settling

    change = with_words(finding, text)
    if change is None:
        raise _usage("What this finding suggests has no words of its own.", "Leave --text out.")
    return Settling(finding.id, "edited", change, reason)


def _write(run: Run, services: Services, found: Checkpoint, asked: _Asked) -> None:
    saved = services.reviewing.write_follow_up(
        found.id,
        title=asked.title,
        branch=asked.branch,
        expect_head=asked.expect_head,
        command_id=asked.command_id,
    )
    space = services.spaces.get(found.body.space)
    if warning := omitted_text(saved.omitted, "They stay in the checkpoint that was reviewed."):
        run.out.warning(warning)
    run.out.result(
        saved_document(saved.checkpoint, saved.omitted, dry_run=False),
        lambda: saved_text(saved.checkpoint, space.name, dry_run=False),
    )
