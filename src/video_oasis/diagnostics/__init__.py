"""Diagnostics: tests that withhold something of the video and see whether models still answer.

A diagnostic (``interface``) turns a sample into the trials that are asked of models. It works on
every benchmark and with every model that can take what it shows. Each is one file in this folder;
another package adds one by an entry point in the group ``video_oasis.diagnostics``.
"""

from typing import Final

from video_oasis.diagnostics.interface import Diagnostic
from video_oasis.registry import Registry

DIAGNOSTICS: Final[Registry[Diagnostic]] = Registry(
    "diagnostic",
    {"blind": "video_oasis.diagnostics.blind:BLIND"},
    group="video_oasis.diagnostics",
)
