"""The main window: frame, commands, menus, and what joins the panels."""
