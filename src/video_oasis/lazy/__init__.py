"""The lazy plan: the same shortcuts as the full plan finds, with fewer calls.

A sample is a shortcut if at least c models are right in one test, so an answer matters only while
it can still change that. ``rules`` decides it from the votes so far, ``poll`` reads these from the
store, ``run`` asks in rounds until nothing matters any more, ``left_out`` says what was not needed.
"""
