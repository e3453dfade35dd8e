"""The shapes in which beams swing: listed, animated, against closed forms."""
