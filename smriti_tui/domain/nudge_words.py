"""Words by which something is decided, in several languages; a table, so that it can be read.

A phrase counts as whole words. ` ... ` stands for up to six words between its parts, `^` for the
beginning of a sentence. It does not count in a question, nor where the same clause has one of the
words of `before` ahead of it (or among its own words), or one of `after` right behind it: so "we
have not decided", "if we decided" and "should we go with it?" are no decisions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    phrases: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    spaced: bool = True
    """False for scripts that put no spaces between words: a phrase is found inside a run."""


ENGLISH = Language(
    (
        "let's go with", "let us go with", "we'll go with", "we will go with", "i'll go with",
        "we should go with", "we're going with", "i'm going with", "let's proceed with",
        "let's stick with", "let's settle on", "we settled on", "let's use", "we decided",
        "we've decided", "we have decided", "i decided", "i've decided", "i have decided",
        "it's decided", "it is decided", "that's decided", "that settles it", "the decision is",
        "decision:", "final decision", "let's finalize", "let's finalise", "we agreed", "^agreed",
    ),
    (
        "not", "n't", "never", "no", "nobody", "nothing", "without", "if", "whether", "unless",
        "until", "before", "once", "when", "would", "could", "might", "maybe", "perhaps", "yet",
    ),
    ("nothing",),
)  # fmt: skip
GERMAN = Language(
    (
        "haben uns ... entschieden", "habe mich ... entschieden", "wir haben ... beschlossen",
        "ist beschlossen", "ist entschieden", "wir entscheiden uns für", "ich entscheide mich für",
        "so machen wir es", "so machen wir das", "dabei bleibt es", "wir bleiben bei",
        "die entscheidung ist", "entscheidung:", "^abgemacht", "^einverstanden",
    ),
    (
        "nicht", "kein", "keine", "keinen", "nichts", "nie", "niemals", "ohne", "wenn", "falls",
        "ob", "bevor", "bis", "sobald", "vielleicht", "würde", "würden", "könnte", "könnten",
    ),
    ("nicht", "nichts", "kein", "keine", "keinen"),
)  # fmt: skip
FRENCH = Language(
    (
        "nous avons décidé", "on a décidé", "j'ai décidé", "c'est décidé", "c'est entendu",
        "on part sur", "nous partons sur", "on reste sur", "nous choisissons", "je choisis",
        "la décision est", "décision :", "décision:",
    ),
    (
        "pas", "ne", "jamais", "rien", "sans", "si", "avant", "quand", "peut-être", "aucune",
        "lorsque",
    ),
    ("pas", "rien"),
)  # fmt: skip
_IBERIAN = (
    "no", "nunca", "nada", "sin", "si", "antes", "cuando", "hasta", "quizá", "quizás", "tal vez",
    "aún", "todavía", "não", "sem", "se", "quando", "até", "talvez", "ainda",
)  # fmt: skip
"""Of both languages, since they share phrases."""
SPANISH = Language(
    (
        "hemos decidido", "he decidido", "decidimos", "está decidido", "queda decidido",
        "vamos con", "nos quedamos con", "la decisión es", "decisión:", "^acordado", "^decidido",
    ),
    _IBERIAN,
    ("nada",),
)  # fmt: skip
PORTUGUESE = Language(
    (
        "decidimos", "decidi", "está decidido", "ficou decidido", "vamos com", "ficamos com",
        "a decisão é", "decisão:", "^combinado", "^decidido",
    ),
    _IBERIAN,
    ("nada",),
)  # fmt: skip
ITALIAN = Language(
    (
        "abbiamo deciso", "ho deciso", "è deciso", "andiamo con", "restiamo con",
        "la decisione è", "decisione:", "siamo d'accordo", "^deciso",
    ),
    (
        "non", "mai", "nulla", "niente", "senza", "se", "prima", "quando", "finché", "forse",
        "ancora",
    ),
    ("nulla", "niente"),
)  # fmt: skip
DUTCH = Language(
    (
        "we hebben ... besloten", "ik heb ... besloten", "is besloten", "we gaan voor",
        "we kiezen voor", "we houden het bij", "het besluit is", "besluit:", "^afgesproken",
    ),
    (
        "niet", "geen", "nooit", "niets", "zonder", "als", "of", "voordat", "totdat", "misschien",
        "nog", "zou", "zouden",
    ),
    ("niet", "niets", "geen"),
)  # fmt: skip
HINDI = Language(
    (
        "तय किया", "तय कर लिया", "तय हुआ", "तय हो गया", "फैसला किया", "फ़ैसला किया",
        "फैसला कर लिया", "निर्णय लिया", "निर्णय यह है", "यही रखते हैं", "यही करेंगे",
    ),
    ("नहीं", "मत", "न", "बिना", "अगर", "यदि", "जब", "शायद", "क्या"),
    ("नहीं",),
)  # fmt: skip
JAPANESE = Language(
    (
        "に決めました", "に決定しました", "に決まりました", "と決めました", "決定です",
        "でいきましょう", "で行きましょう", "にしましょう", "を採用します",
    ),
    ("まだ", "もし", "未"),
    ("か", "?"),
    spaced=False,
)  # fmt: skip
CHINESE = Language(
    (
        "我们决定", "我們決定", "我决定", "我決定", "已经决定", "已經決定", "决定采用", "決定採用",
        "决定用", "決定用", "就这么定了", "就這麼定了", "说定了", "定下来了",
    ),
    ("没", "沒", "未", "不", "如果", "若", "是否", "等"),
    ("吗", "嗎", "了吗", "了嗎", "之前"),
    spaced=False,
)  # fmt: skip

LANGUAGES = (
    ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, HINDI, JAPANESE, CHINESE,
)  # fmt: skip
