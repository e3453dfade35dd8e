"""Integrators: a method is its tableau or its step."""
