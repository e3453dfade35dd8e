"""From one model to the next: edits of gestures, and the builder of notebooks."""
