"""Kernels of implicit methods: tangents, block LU, Newton steps."""
