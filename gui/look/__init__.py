"""Look and feel: theme, icons, titles, messages."""
