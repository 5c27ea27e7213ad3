"""Proposes multiple-choice forms of open questions, with wrong choices from the set's own answers.

Questions (``asked``) of one kind (``kinds``) whose answers differ (``variants``) are put in blocks,
in which their answers are each other's wrong choices (``blocks``). What the text gives away of that
is measured by the gate of ``generate.tvbench`` beside a naive draw (``naive``), and pruned
(``task``). ``propose`` does so for a whole set; ``files`` and ``card`` write it for those who
review it.
"""
