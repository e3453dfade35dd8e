"""What all panels share: document, selection, playback, preferences."""
