"""What is wrong with a model, and how to fix it."""
