"""What is wrong with a model, and what mends it."""
