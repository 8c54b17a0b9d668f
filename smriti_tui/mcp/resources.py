"""Resources: the state of a Space and the brief of a checkpoint, read as the tools give them."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, Resource, ResourceTemplate

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, NotFound, SmritiError
from smriti_tui.domain.render.documents import error_document
from smriti_tui.domain.render.printed import printed
from smriti_tui.domain.render.state import StateOptions, state_brief
from smriti_tui.mcp.answers import MOST_TOKENS, WHOLE, shortened
from smriti_tui.mcp.briefs import briefed
from smriti_tui.mcp.hints import in_tool_words
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.uris import MARKDOWN, checkpoint_uri, state_uri

MOST_LISTED = 100
MOST_DESCRIBED = 200
"""Characters of a Space's description."""
INTERNAL = -32603
_STATE = re.compile(r"smriti://space/([^/?#]+)/state")
_CHECKPOINT = re.compile(r"smriti://checkpoint/([^/?#]+)")


def templates() -> list[ResourceTemplate]:
    return [
        ResourceTemplate(
            uri_template=state_uri("{id}"),
            name="state",
            description="The state brief of a Space; changes as it is worked in.",
            mime_type=MARKDOWN,
        ),
        ResourceTemplate(
            uri_template=checkpoint_uri("{id}"),
            name="checkpoint",
            description="The continuation brief of a checkpoint, with its notes.",
            mime_type=MARKDOWN,
        ),
    ]


def listed(opening: Opening) -> list[Resource]:
    """The states of the Spaces that changed last. Raises: MCPError, as `read` does."""
    try:
        found = [each for each in opening.services().spaces.all() if not each.archived]
    except SmritiError as error:
        raise refusal(error) from error
    return [
        Resource(
            uri=state_uri(each.id),
            name=each.name,
            description=each.description[:MOST_DESCRIBED] or None,
            mime_type=MARKDOWN,
        )
        for each in found[:MOST_LISTED]
    ]


def read(opening: Opening, uri: str) -> list[ReadResourceContents]:
    """Raises: MCPError, with code and hint in its data."""
    try:
        return [ReadResourceContents(content=printed(_text(opening, uri)), mime_type=MARKDOWN)]
    except SmritiError as error:
        raise refusal(error, uri=uri) from error


def refusal(error: SmritiError, **where: str) -> MCPError:
    """The protocol's error of one of ours: its code and hint are in the data."""
    wrong = INVALID_PARAMS if isinstance(error, NotFound | Invalid) else INTERNAL
    hint = in_tool_words(error.hint)
    message = shortened(error.message)
    named = {key: shortened(value) for key, value in where.items()}
    data = {**named, **error_document(error), "message": message, "hint": hint}
    return MCPError(wrong, clean_line(f"{message} {hint}".strip()), data)


def canonical(opening: Opening, uri: str) -> str:
    """The same resource by its whole id: what notices of changes name.

    Raises:
        NotFound, Ambiguous, Invalid.
    """
    services = opening.services()
    if found := _STATE.fullmatch(uri):
        return state_uri(services.spaces.find(unquote(found[1])).id)
    if found := _CHECKPOINT.fullmatch(uri):
        return checkpoint_uri(services.checkpoints.find(unquote(found[1])).id)
    raise NotFound(f"There is no resource {uri!r}.", "The resource templates name them.")


def _text(opening: Opening, uri: str) -> str:
    services = opening.services()
    if found := _STATE.fullmatch(uri):
        view = services.state.view(services.spaces.find(unquote(found[1])).id)
        return state_brief(view, StateOptions(budget=MOST_TOKENS, home=str(Path.home()))).text
    if found := _CHECKPOINT.fullmatch(uri):
        shown = briefed(services, unquote(found[1]))
        return f"{shown.text}\n\n{shown.left_out} {WHOLE}" if shown.left_out else shown.text
    raise NotFound(f"There is no resource {uri!r}.", "The resource templates name them.")
