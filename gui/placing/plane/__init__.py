"""Places, picks and snapping in the plane."""
