"""Integrators that come from libraries: SUNDIALS."""
