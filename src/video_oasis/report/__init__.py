"""Findings to texts that people read; nothing is computed here.

``document`` is what an audit report is made from, ``tables`` its tables; ``markdown``, ``html`` and
``latex`` write them out and ``files`` puts them in a folder. ``lint_report`` does it all for lint.
"""
