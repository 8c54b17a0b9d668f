"""Importing from other tools: choose, look, select, watch it come in."""
