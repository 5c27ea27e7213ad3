"""Makes benchmarks: questions whose answers are computed from what is known of their clips.

A family of generators, each a folder. ``clips`` draws worlds of moving shapes whose every state is
plain data. ``planted`` asks about such clips and plants, sample by sample, what gives the answer
away, so that an audit can be checked against what it ought to find. ``sources`` reads published
annotations of real videos (and those that ``clips`` writes of its worlds in the same form), and
``tvbench`` makes temporal questions of them. What ``clips`` and ``planted`` draw at random comes
from ``dealer``.
"""
