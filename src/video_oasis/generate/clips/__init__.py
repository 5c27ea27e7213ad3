"""Draws short clips of shapes that move, meet, appear, change colour and hide each other.

A clip is a world (``world``): plain data that says where everything is in every frame, so that
answers are computed and never judged. ``motion`` lays out tracks, ``physics`` lets discs collide,
``render`` paints a world, ``visibility`` says what can be seen of it, ``encode`` writes it as a
video, and ``clevrer`` describes it as CLEVRER's annotations describe theirs.
"""
