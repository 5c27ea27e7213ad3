"""The report of a calibration: what it says in words, its tables, its page and its files."""
