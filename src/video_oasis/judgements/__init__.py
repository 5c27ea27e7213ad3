"""What people decided about samples: kept in a journal, merged, weighed and compared.

``judgement`` has the type, ``rows`` its plain form, ``journal`` the file of a run, ``exchange``
files from and for elsewhere, ``matching`` the check against samples. ``standing`` says which
judgements stand and what several reviewers come to, ``rulings`` what that means for a run's
samples, ``corrections`` for its answers. ``refinement`` counts it, ``agreement`` compares the
reviewers.
"""
