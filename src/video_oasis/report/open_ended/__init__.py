"""The report on open questions: what judges make of the answers, and what the judges are worth.

``document`` is the report as data, ``sentences`` says it in words, ``tables`` in tables; ``page``
and ``files`` write it.
"""
