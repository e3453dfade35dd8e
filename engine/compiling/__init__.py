"""From a model to packed arrays: checks, geometry, rows, the order of elimination."""
