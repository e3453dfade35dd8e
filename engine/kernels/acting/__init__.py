"""What acts besides joints and laws along coordinates: laws of markers, tooth forces, and powers."""
