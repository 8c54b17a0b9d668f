"""Panes and parts of the app; none of them knows a service."""
