"""Videos in, frames of known content and time out: one decode serves every view of a video.

``sampling`` says which moments are wanted, ``workers`` (many videos) or ``extract`` (one) decodes
them once into a ``store`` and gives ``Timeline``s, and ``views`` selects and orders their frames.
Below these, ``probe`` finds when frames are presented, ``decode`` gets exactly those wanted, and
``pictures`` makes JPEGs of them.
"""
