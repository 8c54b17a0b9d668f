"""From an exception inside the provider process to the `Failure` that goes over the pipe."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from smriti_tui.providers import faults, wording
from smriti_tui.providers.faults import Raised
from smriti_tui.providers.keys import Scrubber
from smriti_tui.providers.reading import Tally
from smriti_tui.providers.said import words_of
from smriti_tui.providers.wire import Failure
from smriti_tui.providers.wording import Asked

_DEPTH = 6
_EMPTY_BY_FINISH = {
    "length": "the limit of the reply was reached first",
    "content_filter": "its content filter held the answer back",
}


def raised_of(error: BaseException) -> Raised:
    """The plain values of an exception that decide its kind."""
    status = getattr(error, "status_code", None)
    text = getattr(error, "message", None)
    return Raised(
        status=status if isinstance(status, int) else None,
        classes=tuple(cls.__name__ for cls in type(error).__mro__),
        text=text if isinstance(text, str) and text else str(error),
        causes=" | ".join(str(cause) for cause in _behind(error)),
        headers=_headers_of(error),
    )


def failure_of(
    error: BaseException,
    asked: Asked,
    tally: Tally,
    scrubber: Scrubber,
    params: Collection[str] = (),
) -> Failure:
    """What the person is told of `error`; `params` names the parameters that were sent."""
    raised = raised_of(error)
    kind = faults.kind_of(raised, began=tally.words)
    if kind == "empty":
        return empty_failure(asked, tally)
    wait_s = retry_after(raised.headers)
    words = "unknown_provider" if faults.is_unknown_provider(raised) else kind
    return Failure(
        kind=kind,
        message=wording.message(
            words,
            asked,
            scrubber.scrub(words_of(raised.text)),
            causes=f"{raised.text} | {raised.causes}",
            began=tally.words,
        ),
        hint=wording.hint(words, asked, wait_s),
        status=raised.status if faults.has_status(raised, kind) else None,
        retry_after_s=wait_s,
        refused=faults.refused_parameter(raised, params) if kind == "bad_request" else None,
    )


def empty_failure(asked: Asked, tally: Tally) -> Failure:
    """An answer that ended in good order without a word in it.

    Without even a usage it most likely was no chat answer at all, but a page or a plain document.
    """
    words = "empty" if tally.usage is not None else "not_a_stream"
    said = _EMPTY_BY_FINISH.get(tally.finish, "")
    return Failure("empty", wording.message(words, asked, said), wording.hint(words, asked))


def retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds that the provider asks to wait; a date in its header counts from `now`."""
    if re.fullmatch(r"\d+(?:\.\d+)?", millis := headers.get("retry-after-ms", "").strip()):
        return float(millis) / 1000
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", value):
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())


def _behind(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = {id(error)}
    current: BaseException | None = error
    for _ in range(_DEPTH):
        known = getattr(current, "original_exception", None)
        current = (
            known
            if isinstance(known, BaseException) and id(known) not in seen
            else getattr(current, "__cause__", None) or getattr(current, "__context__", None)
        )
        if current is None or id(current) in seen:
            return
        seen.add(id(current))
        yield current


def _headers_of(error: BaseException) -> dict[str, str]:
    found: dict[str, str] = {}
    for holder in (error, getattr(error, "original_exception", None)):
        for headers in (
            getattr(getattr(holder, "response", None), "headers", None),
            getattr(holder, "litellm_response_headers", None),
        ):
            if isinstance(headers, Mapping):
                found.update({str(k).lower(): str(v) for k, v in headers.items()})
    return found
