"""What every fact has in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.codec import to_json


@dataclass(frozen=True)
class Event:
    """Base: `TYPE` and `SCHEMA` name the fact, the fields are its payload."""

    TYPE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1

    def payload(self) -> dict[str, object]:
        plain: dict[str, object] = to_json(self)
        return plain
