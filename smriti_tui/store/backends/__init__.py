"""The two back ends behind one facade: a SQLite file, or a PostgreSQL server (DESIGN section 4)."""
