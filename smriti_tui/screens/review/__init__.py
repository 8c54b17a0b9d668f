"""The screen that reviews a checkpoint (ux 4.5)."""
