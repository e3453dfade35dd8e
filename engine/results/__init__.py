"""What a run leaves: frames, channels and tables."""
