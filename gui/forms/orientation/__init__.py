"""Forms of orientation in every representation."""
