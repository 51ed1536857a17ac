"""Data only: rows of rules. A new phrase is a new row here and a sentence in tests/."""
