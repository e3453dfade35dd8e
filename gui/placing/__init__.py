"""Placement, picking and snapping as numbers; independent of Qt and VTK."""
