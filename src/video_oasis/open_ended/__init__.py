"""Open-ended questions: asks models for answers in words, and finds out what judges are worth.

``settings`` says what is asked and who judges; ``answers`` reads what models answered; ``probes``
makes answers whose right verdict is known; ``judging`` plans what judges are asked and reads what
they say; ``grade_table`` lays all of it out for the analysis; ``families`` says which models are
kin; ``people`` is for people's own grades; ``reporting`` makes the report.
"""
