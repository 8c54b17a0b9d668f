"""Answers of tools: the text that the command line prints, and its `--json` document."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import ValidationError

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, SmritiError, Unexpected
from smriti_tui.domain.render.documents import error_document
from smriti_tui.domain.render.printed import json_text, printed
from smriti_tui.mcp.fitting import cut_text, fitted
from smriti_tui.mcp.hints import in_tool_words

LOGGER = "smriti_tui.mcp"
MOST_TOKENS = 10_000
"""By our estimate; hosts take about 25,000. Above it, what is not needed first is left out."""
TOO_MANY_TOKENS = 20_000
"""A text above it is cut wherever that falls: a host would take nothing of it."""
DEFAULT_ROWS = 50
"""Of a list that takes a limit."""
WHOLE = "`smriti_restore` with `full_artifacts` shows a checkpoint whole."
BUDGET = "A higher `budget` shows it."
_MOST_FAULTS = 3
_MOST_SAID = 600
"""Characters of an error's sentence: one that names what was given names no more of it."""
_MOST_DETAILS = MOST_TOKENS // 5
"""Tokens of an error's details, which stand in its text and in its document."""


def answer(
    document: Mapping[str, object],
    text: str,
    *notes: str,
    most: int | None = MOST_TOKENS,
    more: str = WHOLE,
) -> CallToolResult:
    """A result, its document within `most` tokens (None: whole; `more` tells how to get what is
    left out). `notes` say what the command line says on standard error, each in a block of its own
    after the text; empty ones are left out."""
    fitting, left = fitted(document, most)
    text, cut = (text, "") if most is None else cut_text(text, max(most, TOO_MANY_TOKENS))
    said = (*notes, *(f"{each} {more}" for each in (cut, left) if each))
    texts = [printed(text), *(printed(note) for note in said if note)]
    return CallToolResult(content=list(map(_block, texts)), structured_content=fitting)


def noted(done: CallToolResult, notes: Sequence[str]) -> CallToolResult:
    """A result with further notes."""
    blocks = [_block(printed(note)) for note in notes]
    return done.model_copy(update={"content": [*done.content, *blocks]})


def rows_answer(
    document: Mapping[str, object], text: str, limit: int, total: int
) -> CallToolResult:
    """A list's first `limit` rows of `total`, and which argument brings the others."""
    more = f"The first {limit} of {total}: a higher `limit` shows all." if total > limit else ""
    if limit > DEFAULT_ROWS:
        return answer(document, text, more, most=None)
    return answer(document, text, more, more=f"A `limit` above {DEFAULT_ROWS} shows all.")


def failure(
    error: SmritiError, document: Mapping[str, object] | None = None, text: str = ""
) -> CallToolResult:
    """A tool error: the line that the command line prints, then code, hint and details as JSON.

    `document` and `text` are a result that there is all the same.
    """
    found = error_document(error)
    message, hint = shortened(error.message), shortened(in_tool_words(error.hint))
    details, left = fitted(error.details, _MOST_DETAILS)
    if left:
        details["left_out"] = left
    told = {"error": {**found, "message": message, "hint": hint, "details": details}}
    line = clean_line(f"{message} {hint}".strip())
    texts = [f"error: {line}\n", json_text(told) + "\n"]
    return CallToolResult(
        content=list(map(_block, [printed(text), *texts] if text else texts)),
        structured_content={**(document or {}), **told},
        is_error=True,
    )


def typed(tool: str, error: ToolError) -> SmritiError:
    """Why a call failed. A fault of the program goes to the log, and no word of it to the host."""
    cause = error.__cause__
    if isinstance(cause, SmritiError):
        return cause
    if isinstance(cause, ValidationError):
        return _arguments(cause)
    if cause is None:
        return Invalid(f"There is no tool {tool!r}.", "`tools/list` names them.", code="usage")
    logging.getLogger(LOGGER).error("%s failed", tool, exc_info=cause)
    kind = type(cause).__name__
    return Unexpected(
        f"Smriti failed in a way it should not ({kind}).",
        "Its standard error has the details.",
        details={"kind": kind},
    )


def _arguments(error: ValidationError) -> Invalid:
    """Arguments that do not fit the tool's schema, by name."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    named = [(".".join(map(str, fault["loc"])), fault["msg"]) for fault in faults[:_MOST_FAULTS]]
    told = "; ".join(f"`{name}`: {message[:1].lower()}{message[1:]}" for name, message in named)
    return Invalid(
        f"The arguments do not fit: {told}.",
        "The tool's input schema says what it takes.",
        field=named[0][0],
        code="usage",
    )


def shortened(text: str) -> str:
    """A sentence that does not name all of what was given."""
    return text if len(text) <= _MOST_SAID else f"{text[:_MOST_SAID]}…"


def _block(text: str) -> TextContent:
    return TextContent(type="text", text=text)
