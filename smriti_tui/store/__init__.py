"""The log, its tables and every SQL statement of the product."""
