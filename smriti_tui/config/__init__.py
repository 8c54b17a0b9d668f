"""Settings: `light` for the first frame, `settings` behind it; neither is loaded by the package."""
