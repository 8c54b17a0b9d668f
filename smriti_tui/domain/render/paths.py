"""Paths as people read them."""

from __future__ import annotations


def with_tilde(path: str, home: str | None) -> str:
    """The path with `~` in the place of the home folder."""
    base = (home or "").rstrip("/")
    if base and (path == base or path.startswith(f"{base}/")):
        return f"~{path[len(base) :]}"
    return path
