"""The equations in the coordinates of joints: a spanning tree, a normal form, a process of its own."""
