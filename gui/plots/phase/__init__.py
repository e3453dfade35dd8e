"""Phase portraits, direction fields and sections."""
