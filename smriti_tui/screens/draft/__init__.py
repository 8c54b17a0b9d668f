"""Pane 4, the draft of a checkpoint: rows with their sources, in full screen (ux 4.4)."""
