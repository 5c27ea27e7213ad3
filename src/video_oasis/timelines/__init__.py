"""Timelines that a plan's trials are made from: which are wanted, getting them, keeping them.

``wanted`` says which frames of which video the diagnostics need, ``prepare`` finds the videos and
decodes each once, ``file`` keeps what came of it beside the answers, so that a report can be made
without the videos.
"""
