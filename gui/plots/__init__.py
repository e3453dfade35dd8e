"""Plots of runs; the only package that imports pyqtgraph."""
