"""Everything that is seen: windows, drawing and playback."""
