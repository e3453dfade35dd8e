"""Places, picks and snapping in space."""
