"""URLs as they are shown: no part of any key or password. The standard library alone."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

HIDDEN = "***"
_SECRET_PARAMETER = re.compile(r"(?i)([?&][^=&]*(?:pass|pwd|secret|key|token|cred)[^=&]*=)[^&#]*")


def shown_url(text: str) -> str:
    """A URL without password, user token or secret parameter; a file path as it is."""
    scheme, found, rest = text.partition("://")
    if not found:
        return text
    try:
        netloc = urlsplit(text).netloc
    except ValueError:
        return f"{scheme}://{HIDDEN}"
    user, at, _ = netloc.rpartition("@")
    if at:
        name, colon, _ = user.partition(":")
        masked = f"{name}:{HIDDEN}" if colon else (HIDDEN if scheme.startswith("http") else name)
        rest = rest.replace(f"{user}@", f"{masked}@", 1)
    return _SECRET_PARAMETER.sub(rf"\1{HIDDEN}", f"{scheme}://{rest}")
