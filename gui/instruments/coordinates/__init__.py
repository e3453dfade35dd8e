"""Kinds of coordinates side by side: what each means in the mechanism, its equations, one motion by all."""
