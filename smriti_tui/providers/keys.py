"""Keys: what can be one, and how none of them gets into a message."""

from __future__ import annotations

import re

MARK = "[key]"
_LEAST_SECRET = 8
_RUN = 6
# Shapes of keys, whoever they belong to: usual prefixes, bearer tokens, key parameters of a URL,
# passwords in a URL, what a provider has masked already.
_SHAPES = re.compile(
    r"""(?xi)
    \bsk[-_][^\s"'`,;)}\]]{4,}
    | \b(?:pk|rk|gsk|xai|hf|tgp|pplx|nvapi|r8)[-_][\w-]{16,}
    | \bAIza[\w-]{10,}
    | (?<=bearer\s)[^\s"'`,;)}\]]+
    | (?<=[?&]key=)[^\s"'&]+
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)
    | [^\s"'`]*\*{3,}[^\s"'`,;)}\]]*
    | \b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}\b
    """
)

_BEGINNINGS = re.compile(
    r"(?i)\b(?:(?:sk|pk|rk|gsk|xai|hf|tgp|pplx|nvapi|r8)[-_][\w-]{16,}|AIza[\w-]{20,})"
)


def usable_key(raw: str | None) -> str | None:
    """The key without white space around it, None if nothing is left.

    Raises:
        ValueError: it holds white space, a control or a non-ASCII character and so cannot go into
            a header. The text of the error does not repeat it.
    """
    key = (raw or "").strip()
    if not key:
        return None
    if not all("!" <= char <= "~" for char in key):
        raise ValueError("it holds a space, a line break or another character that no key has")
    return key


class Scrubber:
    """Removes keys from text: those it was shown, parts of them, and what looks like one."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._runs: set[str] = set()

    def learn(self, secret: str | None) -> None:
        if not secret or len(secret) < 3:
            return
        self._secrets.add(secret)
        if len(secret) >= _LEAST_SECRET:
            self._runs.update(secret[i : i + _RUN] for i in range(len(secret) - _RUN + 1))

    def scrub(self, text: str) -> str:
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, MARK)
        text = _SHAPES.sub(MARK, text)
        if not self._runs:
            return text
        return re.sub(r"[^\s\"'`,;(){}]+", self._scrub_word, text)

    def _scrub_word(self, match: re.Match[str]) -> str:
        word = match.group()
        shared = any(word[i : i + _RUN] in self._runs for i in range(len(word) - _RUN + 1))
        return MARK if shared else word


def looks_like_key(text: str) -> bool:
    """Whether some part of `text` begins as keys do; names of models may be as long as one."""
    return _BEGINNINGS.search(text) is not None
