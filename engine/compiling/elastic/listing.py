"""The shapes of a beam or a part as a list: with the interface held, their frequencies, which are kept.

Where the ends of a beam are held in a way that has a closed form, that is beside the frequency of the
elements. With x = beta L

    clamped, free        cos x cosh x = -1        free, free and clamped, clamped    cos x cosh x = 1
    pinned, pinned       x = k pi                 clamped or free, pinned            tan x = tanh x

    w = beta^2 sqrt(EI/rho A)
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from engine.compiling.elastic.beams import BeamMesh
from engine.compiling.elastic.frames import SIDEWAYS, STRETCH, TWIST, UPWARDS
from engine.compiling.elastic.quality import full_shapes
from engine.compiling.elastic.records import Elastic
from engine.compiling.elastic.reduction import BENDING, Mesh, family, loose_motions, slowest
from engine.compiling.elastic.reduction import STRETCH as STRETCH_IN_PLANE

ALONG_Y, ALONG_Z, STRETCHING, TWISTING = "bending", "bending along z", "stretch", "torsion"
OF_PART, OF_BARS = "of the part", "of the bars"


class HeldShape(NamedTuple):
    """One shape of a beam whose interface is held."""

    kind: str
    frequency: float  # of the elements    [rad/s]
    exact: float | None  # of the closed form, without inertia of sections   [rad/s]
    is_kept: bool
    nodal: np.ndarray  # (n,) its nodal coordinates; the largest displacement or turn is 1


def held_shapes(record: Elastic, most: int = 6) -> list[HeldShape]:
    """The slowest shapes of each kind, with the interface held; slowest first."""
    if not record.is_beam:
        return _shapes_of_part(record, most)
    beam, mesh = record.beam, record.mesh
    below = np.inf if beam.below is None else 2.0 * np.pi * float(beam.below)
    kinds = [(ALONG_Y, BENDING, int(beam.modes)), (STRETCHING, STRETCH_IN_PLANE, int(beam.stretch))]
    if mesh.dim == 3:
        kinds = [(ALONG_Y, SIDEWAYS, int(beam.modes)), (ALONG_Z, UPWARDS, int(beam.modes))]
        kinds += [(STRETCHING, STRETCH, int(beam.stretch)), (TWISTING, TWIST, int(beam.twist))]
    found = []
    for kind, coordinates, kept in kinds:
        own = family(mesh, coordinates)
        inner = np.array([k for k in own if k not in record.interface], dtype=int)
        loose = loose_motions(mesh, own, np.setdiff1d(own, inner))
        count = min(most, len(inner) - loose)
        if count <= 0:
            continue
        K, M = (X[np.ix_(inner, inner)] for X in (mesh.K, mesh.M))
        for n, (w, v) in enumerate(zip(*(part.T for part in slowest(K, M, loose, count)))):
            nodal = np.zeros(mesh.n)
            nodal[inner] = v / np.abs(v).max()
            exact = _exact(kind, mesh, own, record.interface, n)
            found.append(HeldShape(kind, float(w), exact, n < kept and w < below, nodal))
    return sorted(found, key=lambda shape: shape.frequency)


def _shapes_of_part(record: Elastic, most: int) -> list[HeldShape]:
    """The slowest shapes of bars or of a part with the interface held."""
    part, mesh = record.beam, record.mesh
    below = np.inf if part.below is None else 2.0 * np.pi * float(part.below)
    kind = OF_BARS if record.has_sections else OF_PART
    w, v = full_shapes(mesh, record.holding, most)
    return [
        HeldShape(kind, float(w[n]), None, n < part.modes and w[n] < below, x / np.abs(x).max())
        for n, x in enumerate(v.T)
    ]


def _exact(
    kind: str, mesh: Mesh, own: np.ndarray, interface: frozenset[int], n: int
) -> float | None:
    """The closed form of shape number n, where the ends are held as it wants."""
    last = mesh.n - mesh.per_node
    held = [k for k in own if k in interface]
    ends = [[k for k in held if at <= k < at + mesh.per_node] for at in (0, last)]
    if sum(map(len, ends)) != len(held):
        return None  # held between its ends too
    length, material = float(np.ptp(mesh.stations)), mesh.material
    counts = sorted(map(len, ends))
    if kind in (STRETCHING, TWISTING):
        speed = np.sqrt(material.EA / material.rhoA)
        if kind == TWISTING and not isinstance(mesh, BeamMesh):
            one = mesh.material
            speed = np.sqrt(one.GJ / (one.rhoI_y + one.rhoI_z))
        half_waves = n + 1.0 if counts in ([0, 0], [1, 1]) else n + 0.5
        return float(half_waves * np.pi / length * speed)
    if any(len(end) == 1 and end[0] - at in (2, 4, 5) for end, at in zip(ends, (0, last))):
        return None  # an end that is held against turning alone
    EI = material.EI
    if kind == ALONG_Z and not isinstance(mesh, BeamMesh):
        EI = mesh.material.EI_y
    return float((_root(counts, n) / length) ** 2 * np.sqrt(EI / material.rhoA))


def _root(counts: list[int], n: int) -> float:
    """beta L of bending shape number n; `counts` are what both ends hold: 0 free, 1 pinned, 2 clamped."""
    if counts == [1, 1]:
        return (n + 1) * np.pi
    if counts == [0, 2]:
        return float(brentq(lambda x: np.cos(x) + 1.0 / np.cosh(x), n * np.pi, (n + 1) * np.pi))
    if counts in ([0, 0], [2, 2]):
        low = (n + 1) * np.pi
        return float(brentq(lambda x: np.cos(x) - 1.0 / np.cosh(x), low, low + np.pi))
    low = (n + 1) * np.pi
    return float(brentq(lambda x: np.sin(x) - np.cos(x) * np.tanh(x), low, low + 0.5 * np.pi))
