"""The labels with which people and tools mark who says what in a plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from smriti_tui.domain.model import Role

_PERSON: Final = (
    "human", "user", "you", "benutzer", "nutzer", "usuario", "usuário", "utilisateur", "utente",
    "пользователь", "用户", "使用者", "ユーザー", "사용자",
)  # fmt: skip
_ASSISTANT: Final = (
    "assistant", "ai", "ai assistant", "bot", "chatgpt", "claude", "copilot", "cursor", "deepseek",
    "gemini", "github copilot", "gpt", "grok", "llama", "mistral", "assistent", "asistente",
    "assistente", "ассистент", "助手", "アシスタント", "어시스턴트",
)  # fmt: skip
_SYSTEM: Final = ("system",)
_GPT: Final = r"gpt-\d[\w.-]{0,20}"
_NAMES: Final = "|".join(
    [_GPT, *map(re.escape, sorted((*_PERSON, *_ASSISTANT, *_SYSTEM), key=len, reverse=True))]
)
_NAME: Final = rf"(?P<name>{_NAMES})(?:\s?\([^()]{{1,40}}\))?"
_HEADING: Final = r"(?:#{1,6}\s{1,4})?"
_BOLD: Final = r"(?:\*\*|__)"
_COLON: Final = r"\s?[:\uff1a]"


def _style(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_PLAIN: Final = _style(rf"{_HEADING}{_NAME}{_COLON}(?P<rest>.*)")
_CERTAIN: Final = (
    _style(rf"{_HEADING}{_NAME}\s(?:said|wrote){_COLON}(?P<rest>.*)"),
    _style(rf"{_HEADING}{_BOLD}{_NAME}(?:\ssaid)?(?:{_COLON}{_BOLD}|{_BOLD}{_COLON})(?P<rest>.*)"),
    _style(rf"{_HEADING}{_BOLD}{_NAME}{_BOLD}(?P<rest>)\s*"),
    _style(rf"#{{1,6}}\s{{1,4}}{_NAME}(?P<rest>)\s*"),
)
_TAG: Final = _style(rf"<(?P<name>{_NAMES})>(?P<rest>.*)")
_ALONE: Final = _style(rf"{_NAME}(?P<rest>)\s*")
_FIRST: Final = frozenset(
    each[0] for names in (_PERSON, _ASSISTANT, _SYSTEM) for each in (*names, *map(str.upper, names))
) | frozenset("#*_<")
"""Signs that a label can begin with: most lines are known by their first to be none."""


class Styles(Flag):
    NONE = 0
    MARKED = auto()
    """With a colon, in bold, or as a heading."""
    TAG = auto()
    ALONE = auto()
    ALL = MARKED | TAG | ALONE


@dataclass(frozen=True)
class Label:
    role: Role
    name: str
    """In lower case."""
    style: Styles
    rest: str
    """What follows it in its line."""
    certain: bool = True
    """Whether it is more than a word and a colon, which prose has too."""
    closed_by: str = ""
    model: str | None = None
    """The model that it names."""

    @property
    def begins(self) -> bool:
        """Whether it is a label only where a conversation begins: reports have lines like it."""
        return self.role == "system" and not self.certain


def label_of(text: str, styles: Styles) -> Label | None:
    """The label that a line begins with, if it is of one of the styles."""
    if text[:1] not in _FIRST:
        return None
    if Styles.MARKED in styles:
        for pattern in _CERTAIN:
            if found := pattern.fullmatch(text):
                return _label(found, Styles.MARKED)
        if found := _PLAIN.fullmatch(text):
            return _label(found, Styles.MARKED, certain=False)
    if Styles.TAG in styles and (found := _TAG.fullmatch(text)):
        return _label(found, Styles.TAG)
    if Styles.ALONE in styles and (found := _ALONE.fullmatch(text)):
        return _label(found, Styles.ALONE)
    return None


def _label(found: re.Match[str], style: Styles, *, certain: bool = True) -> Label:
    name = found["name"].lower()
    role: Role = "user" if name in _PERSON else "system" if name in _SYSTEM else "assistant"
    closed_by = f"</{found['name']}>" if style is Styles.TAG else ""
    model = name if name.startswith("gpt-") else None
    return Label(role, name, style, found["rest"].lstrip(" \t"), certain, closed_by, model)
