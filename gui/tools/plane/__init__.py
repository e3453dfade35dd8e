"""The tools of the plane."""
