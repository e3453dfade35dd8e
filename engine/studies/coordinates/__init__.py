"""One planar mechanism by absolute, relative, natural and independent coordinates, side by side.

found = compare_coordinates(model)
for one in found.descriptions: print(one.title, one.counts, one.differs)
"""

from engine.studies.coordinates.comparison import Compared, Described, compare_coordinates

__all__ = ["Compared", "Described", "compare_coordinates"]
