"""Spans of time as people write them: `30m`, `4h`, `2d`, `1h30m`."""

from __future__ import annotations

import re
from datetime import timedelta

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.values import parse_utc, utc_text

_UNITS = {"m": 60, "h": 3600, "d": 86_400}
_SPAN = re.compile(r"(?:\d{1,9}[mhd])+")
_PART = re.compile(r"(\d+)([mhd])")
MOST_S = 365 * 86_400


def parse_span(text: str) -> int:
    """Seconds of a span.

    Raises:
        Invalid: no span, none that is positive, or longer than a year; `field` is `ttl`.
    """
    folded = "".join(text.lower().split())
    seconds = 0
    if folded.isascii() and _SPAN.fullmatch(folded):
        seconds = sum(int(count) * _UNITS[unit] for count, unit in _PART.findall(folded))
    if not 0 < seconds <= MOST_S:
        raise Invalid(
            f"{text!r} is no span of time above nothing and up to a year.",
            "Write it as 30m, 4h or 2d.",
            field="ttl",
        )
    return seconds


def later(moment: str, seconds: int) -> str:
    """The UTC text that lies so many seconds behind `moment`."""
    return utc_text(parse_utc(moment) + timedelta(seconds=seconds))


def span_words(seconds: int) -> str:
    """`2h10m`, `40m`, `3d`, `under 1m`: what is left of something. Never negative."""
    if seconds < 60:
        return "under 1m"
    minutes = -(-seconds // 60)  # What was given for 4 hours reads 4h a second later.
    days, rest = divmod(minutes, 1440)
    hours, minutes = divmod(rest, 60)
    if days:
        return f"{days}d{hours}h" if hours else f"{days}d"
    if hours:
        return f"{hours}h{minutes:02d}m" if minutes else f"{hours}h"
    return f"{minutes}m"


def seconds_between(earlier: str, later_: str) -> int:
    """Whole seconds from one UTC text to another, negative where it lies before."""
    return int((parse_utc(later_) - parse_utc(earlier)).total_seconds())
