"""The report of an evaluation: ``document`` holds it, the other modules render it."""
