"""Times as people read them. Relative in lists, exact in details; local time exists only here."""

from __future__ import annotations

from smriti_tui.domain.values import parse_utc

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_DATE_AFTER_DAYS = 30


def age(moment: str, now: str) -> str:
    """`just now`, `5 minutes ago`, `2 hours ago`, `1 day ago`; from 30 days on the date.

    Both are UTC texts. A moment that lies ahead reads `in 2 hours`; a minute of difference between
    two clocks does not count.
    """
    seconds = int((parse_utc(now) - parse_utc(moment)).total_seconds())
    distance = abs(seconds)
    if distance < _MINUTE:
        return "just now"
    if distance >= _DATE_AFTER_DAYS * _DAY:
        return moment[:10]
    if distance < _HOUR:
        words = _counted(distance // _MINUTE, "minute")
    elif distance < _DAY:
        words = _counted(distance // _HOUR, "hour")
    else:
        words = _counted(distance // _DAY, "day")
    return f"{words} ago" if seconds > 0 else f"in {words}"


def exact(moment: str) -> str:
    """`2026-03-02 14:05:09 UTC`."""
    return f"{moment[:10]} {moment[11:19]} UTC"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
