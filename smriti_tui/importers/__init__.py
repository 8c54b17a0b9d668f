"""Readers of other tools' conversations: one module a format, all yielding `domain.imported`."""
