"""When a failed try is followed by another: our own policy, the same for every provider."""

from __future__ import annotations

RETRIED_KINDS = frozenset({"rate_limited", "server", "connection", "timeout"})
LONGEST_WAIT_S = 30.0
FIRST_WAIT_S = 0.5


def wait_before_retry(
    kind: str, attempt: int, retries: int, retry_after_s: float | None
) -> float | None:
    """Seconds to wait after try number `attempt` (from 1) failed; None if no other try follows.

    What the provider asks for counts; a wait beyond `LONGEST_WAIT_S` is left to the person.
    """
    if kind not in RETRIED_KINDS or attempt > retries:
        return None
    if retry_after_s is not None:
        return retry_after_s if retry_after_s <= LONGEST_WAIT_S else None
    return min(FIRST_WAIT_S * 2.0 ** (attempt - 1), LONGEST_WAIT_S)
