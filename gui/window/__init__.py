"""The main window: frame, commands, menus, and the connections between the panels."""
