"""Diagnostics: tests that withhold something of the video and see whether models still answer.

A diagnostic (``interface``) says which frames of a sample's video it shows, if any
(``frame_settings``, ``candidates``), and what else it needs of it, and turns the sample and that
evidence into the trials that are asked of models (``frame_trials``, ``text_trials``). It works on
every benchmark and with every model that can take what it shows. Each is one file in this folder;
another package adds one by an entry point in the group ``video_oasis.diagnostics``.
"""

from typing import Final

from video_oasis.diagnostics.interface import Diagnostic
from video_oasis.registry import Registry

DIAGNOSTICS: Final[Registry[Diagnostic]] = Registry(
    "diagnostic",
    {
        "standard": "video_oasis.diagnostics.standard:STANDARD",
        "blind": "video_oasis.diagnostics.blind:BLIND",
        "audio": "video_oasis.diagnostics.audio:AUDIO",
        "summary": "video_oasis.diagnostics.summary:SUMMARY",
        "center_frame": "video_oasis.diagnostics.center_frame:CENTER_FRAME",
        "random_frame": "video_oasis.diagnostics.random_frame:RANDOM_FRAME",
        "shuffle": "video_oasis.diagnostics.shuffle:SHUFFLE",
        "reverse": "video_oasis.diagnostics.reverse:REVERSE",
        "bag_of_frames": "video_oasis.diagnostics.bag_of_frames:BAG_OF_FRAMES",
        "summary_shuffle": "video_oasis.diagnostics.summary_shuffle:SUMMARY_SHUFFLE",
        "chunk": "video_oasis.diagnostics.chunk:CHUNK",
        "uniform_16": "video_oasis.diagnostics.uniform_16:UNIFORM_16",
        "top_16": "video_oasis.diagnostics.top_16:TOP_16",
        "keyframes_16": "video_oasis.diagnostics.keyframes_16:KEYFRAMES_16",
        "oracle": "video_oasis.diagnostics.oracle:ORACLE",
    },
    group="video_oasis.diagnostics",
)
