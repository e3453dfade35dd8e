"""Channels of toothed wheels: the force between the teeth, its parts, and where it acts.

The reaction of the row of a mesh and the force along the line of centres (engine.model.joints.teeth,
engine.kernels.acting.teeth), from the multiplier of each frame:

    two wheels   F_t = lam (r_i + r_j)/d t,  t = z x u       F_r = +-|F_t| tan(alpha) u
    rack         F_t = -+lam e                               F_r = -|F_t| tan(alpha) sign(r) z x e

on wheel j at the pitch point; wheel i takes the opposite. Where teeth only couple two joints there is a
force along the pitch circles alone, which no bearing carries.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.model.attachments import markers_of
from engine.model.connections import Meshing
from engine.model.elements import GROUND, Id
from engine.model.joints.base import Transmission
from engine.results.channels.channel import WORLD, Channel, magnitude, vector
from engine.results.channels.motion import body_motion, marker_frame, marker_motion

if TYPE_CHECKING:
    from engine.results.results import Results


class ToothForce(NamedTuple):
    """What teeth do to body j, over all frames, world axes; body i takes the opposite."""

    place: np.ndarray  # (n, 3)     the pitch point                                      [m]
    along: np.ndarray  # (n, 3)     along the pitch circles                              [N]
    radial: np.ndarray  # (n, 3)    along the line of centres                            [N]

    @property
    def force(self) -> np.ndarray:
        """Both together."""
        return self.along + self.radial


def tooth_forces(results: "Results", gear: Any) -> Iterator[Channel]:
    """The force between the teeth of gears and racks."""
    if not isinstance(gear, Transmission) or gear.id not in results.compiled.rows_of:
        return
    compiled, id = results.compiled, gear.id
    mesh = compiled.resolved[id].meshing(compiled.resolved)
    doubt = " (not unique)" if id in results.not_unique else ""
    size = partial(_along_circles, results, id, mesh)
    label = f"{gear.label}: tooth force along {_sense(results, gear)}"
    if mesh is None:
        yield Channel(
            f"{id}.tooth_force", f"{label}, not carried by bearings{doubt}", "N", "", size
        )
        return
    yield Channel(f"{id}.tooth_force", f"{label}{doubt}", "N", "", size)
    i, j = (_on(results, marker) for marker in (mesh.marker_i, mesh.marker_j))
    whole = partial(tooth_force, results, id, mesh)
    presses = f"that presses {i} and {j} apart"
    if mesh.radius_i * mesh.radius_j < 0.0:
        presses = f"that presses the inner of {i} and {j} to the middle of the ring"
    label = f"{gear.label}: tooth force {presses}{doubt}"
    yield magnitude(f"{id}.tooth_force_radial", label, "N", lambda: whole().radial)
    where = f"on {j} at the pitch point, the opposite on {i}{doubt}"
    label = f"{gear.label}: tooth force {where}"
    dim = compiled.system.dim
    label_of_size = f"{gear.label}: size of the tooth force {where}"
    yield magnitude(f"{id}.tooth_force_size", label_of_size, "N", lambda: whole().force)
    yield from vector(f"{id}.tooth_force_*", label, "N", WORLD, dim, lambda: whole().force)
    label = f"{gear.label}: pitch point"
    yield from vector(f"{id}.pitch_point_*", label, "m", WORLD, dim, lambda: whole().place)


def tooth_force(results: "Results", id: Id, mesh: Meshing) -> ToothForce:
    """The force of the teeth of a mesh in every frame."""
    compiled = results.compiled
    lam = results.lam[:, compiled.rows_of[id][0], None]
    frame = marker_frame(compiled, mesh.marker_i)
    z = body_motion(results, frame.body).R @ frame.axes[:, 2]
    C_i, C_j = (marker_motion(results, marker).place for marker in (mesh.marker_i, mesh.marker_j))
    if mesh.way >= 0:
        rack = marker_frame(compiled, mesh.marker_j)
        e = body_motion(results, rack.body).R @ rack.axes[:, mesh.way]
        n = np.cross(z, e)
        sign = compiled.resolved[id].rows(compiled.resolved)[0].terms[0][0]
        along, out = sign * lam * e, -np.copysign(1.0, mesh.radius_i) * n
        place = C_i - mesh.radius_i * n
    else:
        d = C_j - C_i
        d = d - z * (z * d).sum(axis=1)[:, None]
        u = d / np.linalg.norm(d, axis=1)[:, None]
        both = mesh.radius_i + mesh.radius_j
        along = lam * both / np.linalg.norm(d, axis=1)[:, None] * np.cross(z, u)
        out = u * np.copysign(1.0, mesh.radius_i * mesh.radius_j)
        place = C_j - mesh.radius_j / both * d
    size = np.linalg.norm(along, axis=1)[:, None]
    return ToothForce(place, along, np.tan(mesh.pressure_angle) * size * out)


def _along_circles(results: "Results", id: Id, mesh: Meshing | None) -> np.ndarray:
    """The part along the pitch circles with the sign of -lam, which pushes the row's first joint up."""
    lam = results.lam[:, results.compiled.rows_of[id][0]]
    if mesh is None:
        return -lam
    return -np.copysign(np.linalg.norm(tooth_force(results, id, mesh).along, axis=1), lam)


def _sense(results: "Results", gear: Any) -> str:
    """Along what it acts, on which body, and in which sense it is positive."""
    model = results.compiled.resolved
    if hasattr(gear, "inside"):
        first, name = gear.joint_1, "angle"
        what = "the pitch circles"
    else:
        first, name = gear.joint_2, "displacement"
        what = "the rack"
    moved = _on(results, markers_of(model[first])[-1])
    return f"{what}, on {moved}, positive where it pushes the {name} of '{model[first].label}' up"


def _on(results: "Results", marker: Id) -> str:
    """The name of the body of a marker, in quotation marks."""
    body = results.compiled.model[marker].body
    return "ground" if body == GROUND else f"'{results.compiled.model[body].label}'"
