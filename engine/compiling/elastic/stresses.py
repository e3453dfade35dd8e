"""The stress of bars that are joined at corners, from how their shapes stretch, bend and twist them.

Where bars close to a frame, equilibrium alone does not tell what a section carries, but each element
does. With its stretch e, curvatures k_y and k_z and twist t at both of its ends,

    normal = E (|e| + |k_z| h_y + |k_y| h_z)       (of round sections k_y and k_z together)
    shear  = G J t/W_t              stress = sqrt(normal^2 + 3 shear^2)

A node has the largest of all elements that meet there. Static shapes of forces and joints carry
their moments exactly; those of inertia come as shapes are added.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.model.elastic.sections import CIRCLE, TUBE

if TYPE_CHECKING:
    from engine.compiling.elastic.records import Elastic


def stresses_of_bars(record: "Elastic", q: np.ndarray) -> np.ndarray:
    """The largest stress at every node (von Mises) for modal coordinates (n, n_f), (n, nodes)  [Pa]."""
    line, mesh = record.beam, record.mesh
    one, E = line.cross_section(), float(line.youngs_modulus)
    at_ends = mesh.strains_at_ends @ record.modes.Phi  # (elements, 2, 4, n_f)
    stretch, twist, about_y, about_z = np.moveaxis(np.abs(at_ends @ q.T), 2, 0)
    by_y, by_z = about_z * one.half_y, about_y * one.half_z
    bend = np.hypot(by_y, by_z) if line.section in (CIRCLE, TUBE) else by_y + by_z
    shear = mesh.material.GJ * twist / one.W_t
    found = np.sqrt((E * (stretch + bend)) ** 2 + 3.0 * shear**2)
    most = np.zeros((len(mesh.nodes), len(q)))
    np.maximum.at(most, np.array(mesh.elements).ravel(), found.reshape(-1, len(q)))
    return most.T
