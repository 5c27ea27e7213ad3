"""What the backends that run weights in this process share; no backend itself.

``options`` says which settings suit such a model, ``identity`` what its answers depend on,
``processors`` loads what prepares its inputs, ``conversation`` makes chat messages and arrays of a
question, ``reasoning`` finds out whether a reply starts inside a reasoning block, ``batching``
gathers questions that are asked at the same time, ``probe`` makes a first question.
"""
