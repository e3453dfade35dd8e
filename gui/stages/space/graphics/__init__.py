"""What one element looks like in space."""
