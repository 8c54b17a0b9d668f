"""What is asked of git."""
