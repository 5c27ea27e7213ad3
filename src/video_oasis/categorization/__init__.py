"""Sorts the samples of a run into challenge categories, by a taxonomy that a model may propose.

``surviving`` says which samples, ``proposing`` asks a model for a taxonomy, ``panels`` says who
votes, ``assigning`` plans what they are asked and reads their votes, ``opinions`` keeps what
people say where they are split, ``decisions`` takes it in, ``reporting`` and ``files`` make what is
written. The answers lie in the run's own store.
"""
