"""Edits of models in space."""
