"""Side by side: two answers to one question, exactly one thing different."""
