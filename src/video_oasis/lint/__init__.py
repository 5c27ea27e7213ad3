"""Static audit of a benchmark: defects of its rows, and what its text alone gives away."""
