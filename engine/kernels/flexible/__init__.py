"""Flexible bodies: modes beside the rigid motion, and frames that follow them."""
