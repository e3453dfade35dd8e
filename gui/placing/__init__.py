"""Where things are and what the mouse means, as numbers; it knows neither Qt nor VTK."""
