"""The review page: a person looks at samples of a run, one key for each decision.

``contents`` and ``videos`` collect what is shown, ``ledger`` knows what was judged,
``category_ledger`` what was sorted into categories, ``filters`` which sample comes next, ``pages``
renders and ``app`` answers requests. ``grading`` is the page of open answers. What both need:
``opinion_ledger`` follows a file of opinions, ``places`` says what comes next, ``rendering`` fills
templates, ``reviewers`` knows whose browser it is, ``site`` answers what every page asks for,
``guard`` keeps strangers out and ``server`` listens.
Needs the extra ``review``.
"""
