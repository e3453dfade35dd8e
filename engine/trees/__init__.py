"""Joint coordinates: the spanning tree of a model, its tables, and states from one form to the other."""
