"""What the answers say about a benchmark: pure functions over the long table.

``arrange`` turns the long table into a grid once; every analysis reads the grid and returns a
polars frame with the columns that its module documents. ``summarise`` puts all of them into one
plain structure for the report.
"""
