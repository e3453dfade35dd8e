"""Integrators that come from libraries: SUNDIALS and scipy."""
