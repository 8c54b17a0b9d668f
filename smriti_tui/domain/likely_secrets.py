"""Texts that look like a secret: few rules, each for a form that hardly anything else has.

They warn and refuse nothing, so a miss costs a warning and a false alarm costs trust: general words
such as "password" count only before a value that no language has. Every rule takes a time that
grows with the text alone, whatever the text is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_SIGN: Final = "[A-Za-z0-9_-]"
_OPEN: Final = "(?<![A-Za-z0-9])"
_RULES: Final = (
    (
        "a private key", "KEY-----",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----(?:[^-]{1,20000}-----END)?",
    ),
    ("an API key", "sk-", rf"{_OPEN}sk-(?=[A-Za-z_-]{{0,200}}\d){_SIGN}{{20,}}"),
    ("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_OPEN}gh[pousr]_[A-Za-z0-9]{{36}}"),
    ("a GitHub token", "github_pat_", r"github_pat_\w{40,}"),
    ("a GitLab token", "glpat-", rf"glpat-{_SIGN}{{20,}}"),
    ("a Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{20,}"),
    ("an AWS key", "AKIA ASIA", r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])"),
    ("a Google key", "AIza", rf"AIza{_SIGN}{{35}}"),
    ("a Stripe key", "k_live_", r"[rs]k_live_[0-9A-Za-z]{16,}"),
    ("an npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("a PyPI token", "pypi-", rf"pypi-AgEI{_SIGN}{{50,}}"),
    ("a Hugging Face token", "hf_", rf"{_OPEN}hf_[A-Za-z0-9]{{30,}}"),
    (
        "a signed token", "eyJ",
        rf"(?<!{_SIGN})eyJ{_SIGN}{{10,4000}}\.eyJ{_SIGN}{{10,9000}}\.{_SIGN}{{16,2000}}",
    ),
)  # fmt: skip
"""Kind, parts of which each such text has one, and its form."""
_COMPILED: Final = tuple((kind, parts.split(), re.compile(form)) for kind, parts, form in _RULES)
_IN_URL: Final = re.compile(r"://[^\s:/@]{1,80}:([^\s:/@]{6,80})@")
_NAMED: Final = re.compile(
    r"(?:passw(?:or)?d|secret|api[_-]?key|access[_-]?token|auth[_-]?token)[\"'\\]{0,4}\s{0,3}[:=]"
    r"\s{0,3}[\"'\\]{0,4}([^\s\"',;\\]{10,200})",
    re.I,
)
_NAMES: Final = (
    "passw", "secret", "api_key", "api-key", "apikey", "access_token", "access-token",
    "accesstoken", "auth_token", "auth-token", "authtoken",
)  # fmt: skip
_PLACEHOLDER: Final = re.compile(
    r"[<>{}$*]|\.\.\.|…|xxx|example|your|dummy|changeme|redacted|passw(?:or)?d$|secret$", re.I
)
_ENTROPY: Final = 3.0
"""Bits a sign that a value has at least; words of a language have less over so few signs."""
_SIGNS: Final = (*(part for _, parts, _ in _COMPILED for part in parts), "://")
_SHOWN: Final = 60
"""Most characters of a name in a path."""


def may_hold(text: str) -> bool:
    """Cheap: whether a text has a sign of a secret, also one that is escaped as in JSON."""
    if any(part in text for part in _SIGNS):
        return True
    lowered = text.lower()
    return any(name in lowered for name in _NAMES)


def kind_of(text: str) -> str | None:
    """What a text seems to hold; None for nothing of that kind."""
    return next((kind for kind, _ in _found(text)), None)


def secrets_in(text: str) -> Iterator[str]:
    """The values in a text that seem to be secrets."""
    return (value for _, value in _found(text))


def _found(text: str) -> Iterator[tuple[str, str]]:
    for kind, parts, form in _COMPILED:
        if any(part in text for part in parts):
            for found in form.finditer(text):
                if not _PLACEHOLDER.search(found[0]):
                    yield kind, found[0]
    if "://" in text:
        for value in _IN_URL.findall(text):
            if not _PLACEHOLDER.search(value):
                yield "a password in an address", value
    for value in _named(text):
        if _is_random(value):
            yield "a password or key", value


def _named(text: str) -> Iterator[str]:
    """Values behind such a name. The names are looked for by themselves: an expression for all of
    them is ten times slower."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a sign whose small form is two
        lowered = text
    for name in _NAMES:
        place = lowered.find(name)
        while place >= 0:
            found = _NAMED.match(text, place)
            if found:
                yield found[1]
            place = lowered.find(name, found.end() if found else place + len(name))


def _is_random(value: str) -> bool:
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    if not mixed or _PLACEHOLDER.search(value):
        return False
    counts = Counter(value).values()
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
    return entropy >= _ENTROPY


def fields_with(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and kind of each text of a JSON value that seems to hold a secret; a name that holds one
    stands as `*` in the path."""
    if isinstance(value, str):
        if (kind := kind_of(value)) is not None:
            yield path, kind
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _entry(str(key), entry, path)
    elif isinstance(value, Sequence):
        for number, entry in enumerate(value):
            yield from fields_with(entry, f"{path}[{number}]")


def _entry(key: str, entry: object, path: str) -> Iterator[tuple[str, str]]:
    kind = kind_of(key)
    name = "*" if kind else key[:_SHOWN]
    below = f"{path}.{name}" if path else name
    if kind is not None:
        yield below, kind
    inner = list(fields_with(entry, below))
    if not inner and isinstance(entry, str) and (named := kind_of(f"{key}={entry}")) is not None:
        inner = [(below, named)]
    yield from inner
