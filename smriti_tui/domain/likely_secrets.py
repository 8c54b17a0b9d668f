"""Texts that look like a secret: few rules, each for a form that hardly anything else has.

They warn and refuse nothing, so a miss costs a warning and a false alarm costs trust: general words
such as "password" count only before a value that no language has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_SIGN: Final = "[A-Za-z0-9_-]"
_RULES: Final = (
    ("a private key", "KEY-----", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----"),
    ("an API key", "sk-", rf"(?<![A-Za-z0-9])sk-{_SIGN}{{20,}}"),
    ("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36}"),
    ("a GitHub token", "github_pat_", r"github_pat_\w{40,}"),
    ("a GitLab token", "glpat-", rf"glpat-{_SIGN}{{20,}}"),
    ("a Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{20,}"),
    ("an AWS key", "AKIA ASIA", r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])"),
    ("a Google key", "AIza", rf"AIza{_SIGN}{{35}}"),
    ("a Stripe key", "k_live_", r"[rs]k_live_[0-9A-Za-z]{16,}"),
    ("an npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("a PyPI token", "pypi-", rf"pypi-AgEI{_SIGN}{{50,}}"),
    ("a Hugging Face token", "hf_", r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}"),
    ("a signed token", "eyJ", rf"eyJ{_SIGN}{{10,}}\.eyJ{_SIGN}{{10,}}\.{_SIGN}{{16,}}"),
)
"""Kind, parts of which each such text has one, and its form."""
_COMPILED: Final = tuple((kind, parts.split(), re.compile(form)) for kind, parts, form in _RULES)
_IN_URL: Final = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,80}:([^\s:/@]{6,80})@", re.I)
_NAMED: Final = re.compile(
    r"(?:passw(?:or)?d|secret|api[_-]?key|access[_-]?token|auth[_-]?token)[\"']?\s{0,3}[:=]\s{0,3}"
    r"[\"']?([^\s\"',;]{10,200})",
    re.I,
)
_NAMES: Final = ("assw", "ecret", "key", "oken", "SECRET", "TOKEN", "KEY", "ASSW")
_PLACEHOLDER: Final = re.compile(
    r"[<>{}$*]|\.\.\.|…|xxx|example|your|dummy|changeme|redacted|passw(?:or)?d$|secret$", re.I
)
_ENTROPY: Final = 3.0
"""Bits a sign that a value has at least; words of a language have less over so few signs."""


def kind_of(text: str) -> str | None:
    """What a text seems to hold; None for nothing of that kind."""
    for kind, parts, form in _COMPILED:
        if any(part in text for part in parts) and form.search(text):
            return kind
    if "://" in text and any(not _PLACEHOLDER.search(each) for each in _IN_URL.findall(text)):
        return "a password in an address"
    if any(name in text for name in _NAMES) and any(map(_is_random, _NAMED.findall(text))):
        return "a password or key"
    return None


def _is_random(value: str) -> bool:
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    if not mixed or _PLACEHOLDER.search(value):
        return False
    counts = Counter(value).values()
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
    return entropy >= _ENTROPY


def fields_with(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and kind of each text of a JSON value that seems to hold a secret."""
    if isinstance(value, str):
        if (kind := kind_of(value)) is not None:
            yield path, kind
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from fields_with(entry, f"{path}.{key}" if path else str(key))
    elif isinstance(value, Sequence):
        for number, entry in enumerate(value):
            yield from fields_with(entry, f"{path}[{number}]")
