"""What one element looks like in the plane."""
