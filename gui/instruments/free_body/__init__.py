"""The page of free bodies: all forces and moments on a body, or on all bodies pulled apart."""
