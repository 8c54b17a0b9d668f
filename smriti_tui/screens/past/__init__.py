"""Time travel: the workspace as it was after an earlier event."""
