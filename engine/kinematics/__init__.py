"""Poses without time: assembly, branches, mobility, dragging."""
