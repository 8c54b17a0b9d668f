"""The smriti command: one module per noun."""
