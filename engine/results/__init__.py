"""The results of a run: frames, channels and tables."""
