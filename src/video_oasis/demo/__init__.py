"""The demo: a small set of questions of our own making, with known biases, and its audit."""
