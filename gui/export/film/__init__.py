"""Films and pictures that move."""
