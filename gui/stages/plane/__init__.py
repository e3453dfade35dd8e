"""The stage of planar models."""
