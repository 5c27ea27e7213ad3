"""The report of the challenge categories of a run: its tables, its card, its page and its files."""
