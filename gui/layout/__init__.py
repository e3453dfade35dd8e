"""How the window is arranged: rail, panels and their places, workspaces, pages, the finder."""
