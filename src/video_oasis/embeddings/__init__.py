"""Pictures and texts as vectors of one space, kept so that each is embedded once.

``encoders`` is the plug-in family of models that make the vectors, ``vectors`` says what a sound
one is, ``store`` keeps those of frames on disk, ``embed`` makes what is not kept yet, ``features``
reads vectors that others have released, and ``bag`` answers questions from them, by one of the ways
that ``aggregation`` names.
"""
