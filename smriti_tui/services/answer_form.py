"""How an answer is held to a JSON schema: by the provider where it offers that, else by words.

The request's own words always say which JSON is asked for; what stands here comes on top of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import AnswerForm

PARAMETER = "response_format"
Schema = Mapping[str, object]


def held_to(
    schema: Schema | None, name: str, form: AnswerForm, params: Mapping[str, object]
) -> dict[str, object]:
    """The parameters to send beside `params` of the model's entry; none without a schema.

    What the entry says about the form of answers stands: it is how a person tells of a server that
    the provider library does not know. An entry that names `json_schema` without one gets this one.
    """
    if schema is None:
        return {}
    whole = {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": dict(schema), "strict": True},
    }
    if PARAMETER in params:
        return {PARAMETER: whole} if params[PARAMETER] == {"type": "json_schema"} else {}
    if form == "schema":
        return {PARAMETER: whole}
    return {PARAMETER: {"type": "json_object"}} if form == "json" else {}


def refuses(error: ProviderError) -> bool:
    """Whether a provider refused the call because of the form that was asked for, by its name."""
    return error.kind == "bad_request" and error.details.get("refused") == PARAMETER
