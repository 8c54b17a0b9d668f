"""`smriti checkpoint create --extract`: a Markdown document in the place of JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

import click

from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.inputs import read_file
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.render.extracted import extracted_text, extraction_warnings

if TYPE_CHECKING:
    from smriti_tui.cli.output import Output
    from smriti_tui.domain.extracted import Extracted
    from smriti_tui.domain.ids import SpaceId
    from smriti_tui.services import Services

F = TypeVar("F", bound=Callable[..., Any])
KEEP = "--keep-unverified keeps what is not in the document, marked as yours."


def extract_options(function: F) -> F:
    """`--extract` and what goes with it."""
    for option in (
        click.option("--model", metavar="M", help="Another model than background.model."),
        click.option(
            "--keep-unverified",
            is_flag=True,
            help="With --extract: keep items whose words are not in the document.",
        ),
        click.option(
            "--extract",
            is_flag=True,
            help="The input is Markdown: take the checkpoint from it, with the background model.",
        ),
    ):
        function = option(function)
    return function


def check_options(extract: bool, keep: bool, model: str | None) -> None:
    """Raises: Invalid, an option that says nothing without --extract."""
    given = "--keep-unverified" if keep else "--model" if model is not None else ""
    if given and not extract:
        raise Invalid(f"{given} goes with --extract.", "Leave it out, or add it.", code="usage")


def extract_from(
    out: Output, services: Services, space: SpaceId, source: str, *, model: str | None, keep: bool
) -> Extracted:
    """What a file or standard input holds; progress and what was left out go to standard error.

    Raises:
        Invalid, ProviderError: as `ExtractService.extract`. Interrupted: by Ctrl+C.
    """
    text = read_file(source)
    try:
        found = asyncio.run(_follow(out, services, space, text, model, keep))
    except KeyboardInterrupt:
        raise Interrupted("Interrupted. Nothing was saved.") from None
    for warning in extraction_warnings(found, KEEP):
        out.warning(warning)
    out.note(extracted_text(found))
    return found


async def _follow(
    out: Output, services: Services, space: SpaceId, text: str, model: str | None, keep: bool
) -> Extracted:
    from smriti_tui.domain.extracted import Extracted
    from smriti_tui.services.background import progress
    from smriti_tui.services.pieces import PieceDone

    found: Extracted | None = None
    async with aclosing(services.extracting.extract(space, text, model=model, keep=keep)) as steps:
        async for step in steps:
            if isinstance(step, Extracted):
                found = step
            elif isinstance(step, PieceDone):
                out.note(f"piece {step.number} of {step.of} is there")
            elif words := progress(step, "what the document settles"):
                out.note(words)
    assert found is not None, "an extraction ends with itself or an error"
    return found
