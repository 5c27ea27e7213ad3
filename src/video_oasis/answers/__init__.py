"""Reads which choice a reply picks, if it picks one.

A reply is cleaned (``cleaning``), then read by an ordered list of small steps (``reading``): the
declarations of an answer (``declarations``) beat letters that merely stand in the text
(``mentions``), and refusals and failure texts (``refusals``) are never a choice.
"""

from video_oasis.answers.reading import read_reply

__all__ = ["read_reply"]
