"""Full-screen places of the app."""
