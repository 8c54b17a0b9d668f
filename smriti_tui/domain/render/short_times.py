"""Times for lists and headers: `2h`, `13:58`."""

from __future__ import annotations

from smriti_tui.domain.values import parse_utc

_STEPS = ((86_400, "d"), (3600, "h"), (60, "m"))
_DATE_AFTER_S = 30 * 86_400
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""Not those of the machine's language: the words around them are English."""


def short_age(moment: str, now: str) -> str:
    """`now`, `5m`, `2h`, `1d`; from 30 days on the date. Both are UTC texts."""
    seconds = int((parse_utc(now) - parse_utc(moment)).total_seconds())
    if seconds >= _DATE_AFTER_S:
        return moment[:10]
    for size, sign in _STEPS:
        if seconds >= size:
            return f"{seconds // size}{sign}"
    return "now"


def clock(moment: str) -> str:
    """Hours and minutes of a UTC text on this machine's clock."""
    return parse_utc(moment).astimezone().strftime("%H:%M")


def clock_with_day(moment: str) -> str:
    """`2026-03-02 14:05` of a UTC text on this machine's clock."""
    return parse_utc(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def day_clock(moment: str) -> str:
    """`2 Mar 14:05` of a UTC text on this machine's clock."""
    local = parse_utc(moment).astimezone()
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%H:%M}"
