"""The program's own themes; all of Textual's can be chosen too."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import BUILTIN_THEMES, Theme

ANSI_DARK, ANSI_LIGHT = "ansi-dark", "ansi-light"
"""Textual's names for the two that use the terminal's own colours."""
ANSI_WORDS = "the terminal's own colours"


def theme_words() -> Mapping[str, str]:
    """Every theme by name, ours first, with a word about each."""
    ours = {theme.name: "ours, high contrast" for theme in themes()}
    ours |= {"smriti-dark": "ours, dark", "smriti-light": "ours, light"}
    ansi = {ANSI_DARK: ANSI_WORDS, ANSI_LIGHT: ANSI_WORDS}
    rest = {
        name: "dark" if theme.dark else "light"
        for name, theme in sorted(BUILTIN_THEMES.items())
        if name not in ansi
    }
    return {**ours, **ansi, **rest}


def themes() -> tuple[Theme, ...]:
    """Dark (the default), light, and one of high contrast."""
    return (
        Theme(
            name="smriti-dark",
            primary="#8fb8de",
            secondary="#a9c9a4",
            accent="#d9b36c",
            warning="#e0b050",
            error="#f08a80",
            success="#8fc78f",
            foreground="#dcdfe4",
            # So little colour that 256 colours make greys of them.
            background="#15171c",
            surface="#191c21",
            panel="#252931",
        ),
        Theme(
            name="smriti-light",
            primary="#1f5a94",
            secondary="#2f6b3a",
            accent="#7a4f00",
            warning="#7a4f00",
            error="#a3241c",
            success="#2f6b3a",
            foreground="#1b1e23",
            background="#f7f6f2",
            surface="#fbfaf7",
            panel="#e6e4dc",
            dark=False,
        ),
        Theme(
            name="smriti-contrast",
            primary="#ffffff",
            secondary="#ffff66",
            accent="#66ffff",
            warning="#ffff00",
            error="#ff9999",
            success="#99ff99",
            foreground="#ffffff",
            background="#000000",
            surface="#000000",
            panel="#1a1a1a",
            text_alpha=1.0,
        ),
    )
