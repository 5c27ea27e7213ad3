"""The review page: a person looks at samples of a run, one key for each decision.

``contents`` and ``videos`` collect what is shown, ``ledger`` knows what was judged,
``category_ledger`` what was sorted into categories, ``filters`` which sample comes next, ``pages``
renders, ``guard`` keeps strangers out, ``app`` answers requests and ``server`` listens.
Needs the extra ``review``.
"""
