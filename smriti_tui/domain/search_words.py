"""The words of a text for the search: made here, so that every script is cut in the same way.

A word is a run of letters, marks and digits, folded. Scripts that are written without spaces give a
word for each sign, so that a phrase of them finds any part of a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Marks stay inside a word. Ranges run over letters and free places between two marks, which are
# parts of words anyway.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d"
    "\u0859-\u085b\u0898-\u08e1\u08e3-\u0963\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63"
    "\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57-\u0d63\u0d81-\u0df3\u0e31-\u0e3a"
    "\u0e47-\u0e4e\u0eb1-\u0ecd\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6"
    "\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3\u17dd\u180b-\u180d\u180f-"
    "\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3\u1c24-\u1c37\u1cd0-"
    "\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-"
    "\ua672\ua674-\ua67d\ua69e-\ua6f1\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff-\ua92d"
    "\ua947-\ua953\ua980-\ua9c0\ua9e5-\uaa4d\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea"
    "\uabec-\uabed\ufb1e\ufe20-\ufe2f\U000101fd-\U0001037a\U00010a01-\U00010a3f\U00010ae5-"
    "\U00010ae6\U00010d24-\U00010eac\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-"
    "\U00011046\U00011070-\U000110ba\U000110c2\U00011100-\U00011134\U00011145-\U00011173"
    "\U00011180-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237"
    "\U0001123e\U000112df-\U00011446\U0001145e-\U000114c3\U000115af-\U000115c0\U000115dc-"
    "\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-"
    "\U00011943\U000119d1-\U000119e0\U000119e4-\U00011a3e\U00011a47-\U00011a99\U00011c2f-"
    "\U00011c3f\U00011c92-\U00011ef6\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f-"
    "\U00016f92\U00016fe4-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46\U0001d165-"
    "\U0001d169\U0001d16d-\U0001d172\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-"
    "\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-"
    "\U0001e136\U0001e2ae-\U0001e2ef\U0001e8d0-\U0001e94a"
)
# Han, kana, bopomofo, Hangul, Yi; Thai, Lao, Burmese, Khmer.
_SIGNS: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\ua000-\ua48c"
    "\u0e01-\u0e30\u0e32-\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2-\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"
    "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065-\u1066\u106e-\u1070\u1075-\u1081"
    "\u108e\u1780-\u17b3\u17d7\u17dc"
)
_MARKS_OF_SIGNS: Final = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059"
    "\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-"
    "\u17d3\u17dd\u302a-\u302f\u3099\u309a"
)
_WORD: Final = re.compile(rf"[\w{_MARKS}]+")
_SIGN: Final = re.compile(f"[{_SIGNS}]")
_SIGN_OR_WORD: Final = re.compile(
    rf"[{_SIGNS}][{_MARKS_OF_SIGNS}]*|(?:(?![{_SIGNS}])[\w{_MARKS}])+"
)
_ASCII_WORD: Final = re.compile(r"[a-z0-9]+")

# What people neither see nor type: joiners, soft hyphens, variants, directions.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180d\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
# Quotes and hyphens that a program put in the place of the typed ones.
_TYPED: Final = str.maketrans("\u2018\u2019\u201b\u201c\u201d\u201f\u2010", "'''\"\"\"-")
# Accents of Latin, Greek and Cyrillic; vowel points of Hebrew and Arabic, and the Arabic filler.
_ACCENTS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
)

_BEHIND: Final = re.compile("[A-Za-z0-9]*")
_INNER_CAPITAL: Final = re.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_PART: Final = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST_NAME: Final = 100
"""A longer run of letters is data, not a name of several words."""


def fold(text: str) -> str:
    """`text` as it is compared: compatible forms, cases and typed quotes are one; accents stay."""
    if text.isascii():
        return text.lower()
    seen = _UNSEEN.sub("", text)
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_TYPED)


def bare(folded: str) -> str:
    """A folded text without accents and vowel points: `café` becomes `cafe`.

    Signs that cannot be read without their marks keep them: those of the Indian scripts, of Thai,
    the voiced kana.
    """
    if folded.isascii():
        return folded
    apart = unicodedata.normalize("NFD", folded)
    without = _ACCENTS.sub("", apart)
    return folded if without == apart else unicodedata.normalize("NFC", without)


def words(text: str) -> list[str]:
    """The words of a text, folded and bare, in their order."""
    plain = bare(fold(text))
    if plain.isascii():
        return _ASCII_WORD.findall(plain)
    # `\w` counts the low line as a letter; here it stands between two words.
    spaced = plain.replace("_", " ")
    return (_WORD if _SIGN.search(spaced) is None else _SIGN_OR_WORD).findall(spaced)


def index_line(text: str) -> str:
    """What the index takes: the words of a text with spaces between them.

    ASCII is handed over as it is. The index's tokenizer takes ASCII letters, digits and all other
    scripts as parts of words, anything else of ASCII as a space, and folds ASCII: the same words.
    """
    return text if text.isascii() else " ".join(words(text))


def parts_line(text: str) -> str:
    """The parts of the names in `camelCase` of a text, each once; empty where there are none."""
    found: dict[str, None] = {}
    end = 0
    while (hit := _INNER_CAPITAL.search(text, end)) is not None:
        start, end = _name_around(text, hit.start())
        if end - start <= _LONGEST_NAME:
            found.update(dict.fromkeys(_PART.findall(text, start, end)))
    return " ".join(found)


def _name_around(text: str, at: int) -> tuple[int, int]:
    """The run of ASCII letters and digits around a place; the start of a long one is cut."""
    start = at
    while start > max(at - _LONGEST_NAME, 0) and _is_plain(text[start - 1]):
        start -= 1
    behind = _BEHIND.match(text, at)
    return start, behind.end() if behind else at + 1


def _is_plain(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()
