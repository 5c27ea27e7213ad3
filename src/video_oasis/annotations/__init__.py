"""Annotation files: the parsing that benchmark readers share, from bytes on disk to samples."""
