"""The one tree of errors. Each says what happened and what to do next; every surface maps it by
class.

`message` is one sentence about what happened and to what, `hint` one about what to do, `code` a
stable word for scripts (`--json`), `details` plain JSON values. Exit codes are those of the CLI
contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class SmritiError(Exception):
    """Base of everything that is raised on purpose."""

    exit_code: ClassVar[int] = 1
    default_code: ClassVar[str] = "failed"

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        code: str | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or self.default_code
        self.details: dict[str, object] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class Invalid(SmritiError):
    """Input that breaks a rule; `details["field"]` names the field where there is one."""

    exit_code = 2
    default_code = "invalid"

    def __init__(
        self, message: str, hint: str = "", *, field: str | None = None, code: str | None = None
    ) -> None:
        super().__init__(message, hint, code=code, details={"field": field} if field else None)
        self.field = field


class NotFound(SmritiError):
    """Something named does not exist (or no longer does)."""

    exit_code = 3
    default_code = "not_found"


class Conflict(SmritiError):
    """The state is not what the caller took it for: stale head, ambiguous id, dependants, guard."""

    exit_code = 4
    default_code = "conflict"


class VersionConflict(Conflict):
    """`expected_version` of an append did not hold; `details` carries `stream`, `expected`,
    `actual`."""

    default_code = "expected_version"

    def __init__(self, stream: str, expected: int | str | None, actual: int) -> None:
        there = f"is at version {actual}, not {expected}" if expected != "exists" else "is empty"
        super().__init__(
            f"Stream {stream} {there}.",
            "Read it again and decide anew.",
            details={"stream": stream, "expected": expected, "actual": actual},
        )
        self.actual = actual


class Ambiguous(Conflict):
    """A name or prefix fits several things; `details["candidates"]` lists them."""

    default_code = "ambiguous"


class ContextMoved(Conflict):
    """The session changed between assembling a context and sending it (DESIGN 10.12)."""

    default_code = "context_moved"


class Cancelled(SmritiError):
    """The person stopped a long action; what was done until then is said in the message."""

    exit_code = 130
    default_code = "cancelled"


class Declined(SmritiError):
    """Asked and refused, or nobody there to ask."""

    exit_code = 7
    default_code = "declined"


class ProviderError(SmritiError):
    """A model call that failed. `kind` is one of the words in `KINDS`."""

    exit_code = 5
    default_code = "provider"
    KINDS: ClassVar[tuple[str, ...]] = (
        "not_configured",
        "auth",
        "permission",
        "model_not_found",
        "bad_request",
        "context_too_long",
        "rate_limited",
        "quota",
        "server",
        "connection",
        "timeout",
        "cut",
        "empty",
        "bad_reply",
        "repeating",
        "child_died",
        "unknown",
    )

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        kind: str = "unknown",
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(
            message, hint, code=f"provider_{kind}", details={"kind": kind, **(details or {})}
        )
        self.kind = kind


class GitError(SmritiError):
    """git is not there, failed, or took too long (`code` tells which)."""

    default_code = "git"


class StoreError(SmritiError):
    """The database: busy, full, read-only, broken, newer. `code` tells which."""

    exit_code = 6
    default_code = "database"


class StoreBusy(StoreError):
    """Another process held the write lock for too long. Nothing was written; repeating is safe."""

    default_code = "database_busy"


class StoreBroken(StoreError):
    """Full, read-only, corrupt, not a database, or of a newer version (`code` tells which)."""

    default_code = "database_broken"


class Unexpected(SmritiError):
    """Last resort: a fault of the program. The log file has the details."""

    default_code = "unexpected"
