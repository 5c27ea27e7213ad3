"""Fetches benchmarks from where they are published: annotations, archives of videos, lists of ids.

``hub`` talks to the Hugging Face hub, ``selection`` says which of a data set's files are wanted,
``archives`` reads zip and tar, ``member_names`` and ``unpack`` keep what they hold inside one
folder, ``video_list`` lists the videos that are on YouTube, and ``run`` puts these together.
Everything that comes from outside (file names, archives, ids) is taken for hostile.
"""
