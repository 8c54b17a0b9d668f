"""Chat models: the demo model and the client of the provider process."""
