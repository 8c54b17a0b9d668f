"""One `[[models]]` entry as a form gives it: checked before it is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from smriti_tui.config.schema import ModelEntry
from smriti_tui.domain.errors import Invalid
from smriti_tui.providers.keys import looks_like_key
from smriti_tui.providers.names import provider_of

FIELDS = (
    "alias", "model", "api_base", "api_key_env", "context_tokens", "reply_tokens", "params",
)  # fmt: skip
NUMBERS = ("context_tokens", "reply_tokens")


def entry_from(typed: Mapping[str, str], others: Iterable[str] = ()) -> dict[str, object]:
    """The values of an entry by `FIELDS`, None where nothing is typed.

    `others` are the names that other entries have.

    Raises:
        Invalid: its `field` says which one is wrong. The words hold nothing of a key.
    """
    values: dict[str, object] = {name: typed.get(name, "").strip() or None for name in FIELDS}
    for name in NUMBERS:
        values[name] = _number(name, values[name])
    values["params"] = _params(values["params"])
    _refuse_keys(values)
    try:
        entry = ModelEntry.model_validate({k: v for k, v in values.items() if v is not None})
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise _wrong(str(fault["loc"][0]), fault["msg"]) from None
    if not entry.model.rpartition("/")[2].strip():
        raise Invalid("The model's own name is missing.", field="model")
    if provider_of(entry.model) in ("", "demo"):
        raise Invalid(
            "It needs its provider in front.", "For example openai/gpt-4o.", field="model"
        )
    if entry.name in others:
        field = "alias" if entry.alias else "model"
        raise Invalid("Another entry has this name.", "Give one of them an alias.", field=field)
    return values


def _number(name: str, text: object) -> int | None:
    if text is None:
        return None
    digits = str(text).replace(",", "").replace("_", "").replace(" ", "")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 12:
        raise Invalid("It should be a whole number of tokens, or empty.", field=name)
    return int(digits)


def _params(text: object) -> dict[str, object] | None:
    if text is None:
        return None
    try:
        found = json.loads(str(text))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Invalid(
            "It should be a JSON object.", 'For example {"temperature": 0}.', field="params"
        )
    if _has_null(found):
        raise Invalid("TOML has no null.", "Leave the parameter out.", field="params")
    return found


def _has_null(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    if isinstance(value, list):
        return any(map(_has_null, value))
    return value is None


def _refuse_keys(values: Mapping[str, object]) -> None:
    """A key pasted into the wrong field must not get into the file."""
    for name in ("alias", "model", "api_key_env", "api_base"):
        text = values[name]
        if isinstance(text, str) and looks_like_key(text):
            raise Invalid(
                "This looks like a key, and keys are never written into the file.",
                "Put it into the environment or the env file, and its variable's name here.",
                field=name,
            )


def _wrong(field: str, why: str) -> Invalid:
    words = why.removeprefix("Value error, ").removeprefix("Input ")
    return Invalid(f"It {words}." if words.startswith("should") else f"{words}.", field=field)
