"""The rotation laboratory: three turns, their order, and R, A and B in symbols and in numbers."""
