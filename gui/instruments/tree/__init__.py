"""How bodies hang in a tree, and its equations in joint coordinates in numbers."""
