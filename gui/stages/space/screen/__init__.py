"""How pictures of VTK reach the window, and whether this machine can make them."""
