"""Evaluates models on sets of samples, from the answers that runs hold; asks nothing.

``runs`` reads what a run answered, ``contenders`` puts the models of several runs side by side,
``sets`` says which samples count, ``evaluate`` makes the report and ``entries`` the entries of a
leaderboard. The other modules read the files that a user may add.
"""
