"""Smriti: version control for reasoning done with AI."""

__version__ = "0.1.0"
