"""The page on which people grade open answers: one answer, its question and the published one.

It tells nothing of who gave the answer, what they were shown, or what judges say of it.
``contents`` collects what is shown, ``ledger`` knows what was graded, ``pages`` renders, and
``app`` answers requests.
"""
