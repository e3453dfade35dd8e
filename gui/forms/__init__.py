"""Property forms, generated from the declarations of elements, shapes and settings."""
