"""Makes temporal questions from annotated videos, in the manner of TVBench (arXiv 2410.07752).

Records of sources (``generate.sources``) become events with an answer (``tasks``, by the thresholds
in ``settings``), events are put together in blocks whose answers are even (``blocks``,
``transitions``), blocks are worded as questions whose positions are even (``questions``), and the
set is written (``files``, ``card``) only if neither text nor length gives its answers away
(``gate``, ``checks``): else it is drawn anew or pruned (``engine``). ``repair`` turns the same on a
benchmark that exists.
"""
