"""Boxes over a screen: a few fields or one question; `esc` leads back."""
