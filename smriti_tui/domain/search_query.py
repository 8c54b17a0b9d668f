"""What somebody typed into the search, and whether a text holds it. Nothing typed is syntax."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from smriti_tui.domain.search_words import bare, fold, words

MAX_TYPED: Final = 1000
"""Characters of the typed text that are looked at."""
_MOST_TERMS: Final = 32
_MOST_WORDS: Final = 64
"""What the index is asked for; a longer text is compared as it stands."""
# Two quotes with a space between them hold a phrase; any other quote is a sign like others.
_TERM: Final = re.compile(r'(?:(?<=\s)|^)"(?P<phrase>[^"\s]+\s[^"]*)"(?=\s|$)|\S+')


@dataclass(frozen=True, slots=True)
class Term:
    """A typed word or phrase."""

    words: tuple[str, ...]
    """In the index; none for a term without letters."""
    literal: str
    """Folded, white space as one space: what a text must hold."""
    accents: bool
    """Whether it was typed with accents, which the text must have then."""
    prefix: bool
    """Whether its last word may go on: it is still being typed."""

    @property
    def plain(self) -> bool:
        """Whether the index alone can tell that a text holds it."""
        return self.words == (self.literal,)

    @property
    def indexed(self) -> tuple[str, ...]:
        """The words that the index is asked for, one behind the other."""
        return self.words[:_MOST_WORDS]

    @property
    def mark(self) -> str:
        """What is marked in a bare text."""
        return bare(self.literal)


@dataclass(frozen=True, slots=True)
class Query:
    """All terms must be held."""

    terms: tuple[Term, ...]

    @property
    def match(self) -> str:
        """The expression for the index: each term a quoted phrase; empty when none has letters.

        A word holds letters, marks and digits alone, so no quote can end the phrase.
        """
        return " ".join(map(_phrase, self.indexed))

    @property
    def indexed(self) -> tuple[Term, ...]:
        """The terms that the index is asked for."""
        return tuple(term for term in self.terms if term.words)[:_MOST_TERMS]

    @property
    def telling(self) -> bool:
        """Whether it is more than the first letter of a word."""
        return any(len(term.literal) > 1 or not term.prefix for term in self.terms)

    @property
    def plain(self) -> bool:
        """Whether the index alone can tell that a text holds all of it."""
        return len(self.terms) <= _MOST_TERMS and all(term.plain for term in self.terms)

    def holds(self, text: str, *, sure: bool = True) -> bool:
        """Whether a text that the index gave holds what was typed, sign by sign; `sure` says that
        it is the text that was indexed."""
        trusted = sure and self.plain
        checked = [term for term in self.terms if not term.plain or not trusted]
        if not checked:
            return True
        folded = joined(fold(text))
        without = bare(folded) if any(not term.accents for term in checked) else ""
        return all(term.literal in (folded if term.accents else without) for term in checked)


def _phrase(term: Term) -> str:
    star = "*" if term.prefix and len(term.indexed) == len(term.words) else ""
    return f'"{" ".join(term.indexed)}"{star}'


def joined(text: str) -> str:
    """`text` with each run of white space as one space."""
    return " ".join(text.split())


def parse(typed: str) -> Query:
    """The query of a typed text; without terms for one that is blank."""
    text = typed[:MAX_TYPED]
    found: list[Term] = []
    for match in _TERM.finditer(text):
        phrase = match.group("phrase")
        open_end = phrase is None and match.end() == len(text)
        found.append(_term(match.group() if phrase is None else phrase, open_end))
    return Query(tuple(dict.fromkeys(term for term in found if term.literal)))


def _term(typed: str, open_end: bool) -> Term:
    folded = joined(fold(typed))
    without = bare(folded)
    accents = without != folded
    literal = folded if accents else without
    cut = tuple(words(typed))
    prefix = open_end and bool(cut) and without.endswith(cut[-1])
    return Term(cut, literal, accents, prefix)
