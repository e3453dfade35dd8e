"""Bodies from files: meshes, and parts that bend."""
