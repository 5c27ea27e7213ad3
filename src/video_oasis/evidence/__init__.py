"""What diagnostics show of the samples' videos: what is wanted, getting it, keeping it.

``wanted`` says which frames of which video the diagnostics need, ``timelines`` finds the videos and
decodes each once, ``timeline_file`` keeps what came of it beside the answers, so that a report can
be made without the videos.
"""
