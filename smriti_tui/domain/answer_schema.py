"""Building JSON schemas of answers in the form that the strict providers take.

That form is narrow: every field of an object is required and no other may stand in it, a field
without value is null, and no lengths or patterns are given.
"""

from __future__ import annotations

from collections.abc import Mapping

Schema = dict[str, object]
TEXT: Mapping[str, object] = {"type": "string"}
WHOLE: Mapping[str, object] = {"type": "integer"}


def an_object(**fields: Mapping[str, object]) -> Schema:
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


def list_of(schema: Mapping[str, object]) -> Schema:
    return {"type": "array", "items": dict(schema)}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def or_null(schema: Mapping[str, object]) -> Schema:
    return {"anyOf": [dict(schema), {"type": "null"}]}
