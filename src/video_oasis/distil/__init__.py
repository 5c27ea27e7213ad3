"""The distilled set of a benchmark: the samples that no test shows to be shortcuts.

``decide`` says of every sample whether it is kept and why not, ``files`` writes that down with a
card (``card``), and reads it back to be checked against the run it came from.
"""
