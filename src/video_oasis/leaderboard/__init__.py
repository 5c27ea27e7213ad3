"""Leaderboards that several people can add to: plain files whose entries can be checked.

``entry`` says what an entry is, ``board`` reads and writes the file, ``verify`` compares an entry
with what a run gives.
"""
