"""JSON that stands in a table's column, read back."""

from __future__ import annotations

import json
from typing import TypeVar

from smriti_tui.domain.codec import from_json
from smriti_tui.domain.errors import Invalid, StoreBroken

T = TypeVar("T")


def decoded(cls: type[T], text: str, what: str) -> T:
    """The value of a column; `what` names its row in the error.

    Raises:
        StoreBroken: the text is not what was written (code `row_damaged`).
    """
    try:
        return from_json(cls, json.loads(text))
    except (ValueError, Invalid) as error:
        raise StoreBroken(
            f"The row of {what} is damaged.",
            "Run `smriti log verify`; `smriti log rebuild` makes the tables anew from the log.",
            code="row_damaged",
        ) from error
