"""A tree of bodies as links: frames, masses, joints and looks in numbers, for files of other programs.

A link has the axes of its joint and its origin there, so that a joint slides along and turns about its own
axes, and zero of every coordinate is where its link has the axes of the marker that carries it.
"""

from math import atan2
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.kernels.trees.layout import BALL, CROSS, HINGE, SCREW
from engine.kinematics.assemble import assemble
from engine.model.elements import Id, Model
from engine.model.fields import plain
from engine.model.forces.joint_forces import JointLimits
from engine.trees.poses import Hung, hang
from engine.trees.spanning import spanning_tree
from rotations import matrix


class Look(NamedTuple):
    """What a link looks like, and where: origin and axes in those of the link."""

    shape: Any
    at: np.ndarray
    R: np.ndarray
    color: str


class Link(NamedTuple):
    """One body with the joint that carries it."""

    name: Id
    parent: Id  # empty: the ground
    joint: Id  # empty: it is free
    at: np.ndarray  # the link at zero of its joint, in axes of the parent ...
    R: np.ndarray  # ... and its axes
    slides: tuple[np.ndarray, ...]  # axes, at zero of the joint
    turn: int
    mass: float
    center: np.ndarray  # from the origin of the link
    J: np.ndarray  # about the mass centre
    beta: np.ndarray  # as drawn
    eta: np.ndarray
    limits: tuple[float, float] | None
    damping: float
    look: Look | None


class Links(NamedTuple):
    """A whole tree, predecessors first."""

    model: Model
    links: tuple[Link, ...]
    base: tuple[Look, ...]  # of fixed bodies, in the world


def links_of(model: Model) -> Links:
    """The links of a model in its assembled start; an EngineError says why there are none."""
    compiled = compile_model(model)
    resolved = compiled.resolved
    if compiled.elastic:
        label = resolved[next(iter(compiled.elastic))].label
        raise EngineError(
            "Beam '{label}' bends, and robot descriptions know rigid links.", label=label
        )
    spanning = spanning_tree(compiled)
    if spanning.cuts:
        labels = ", ".join(f"'{resolved[id].label}'" for id in spanning.cuts)
        raise EngineError(
            "Robot descriptions know trees alone, and {labels} would be left out. Delete loops and "
            "motions first.",
            *spanning.cuts,
            labels=labels,
        )
    start = assemble(compiled)
    geometry = Geometry(resolved)
    hung = hang(compiled, spanning.branches, start.q, start.v)
    found = tuple(_link(compiled, geometry, one) for one in hung)
    fixed = [body for body in resolved.of("body") if body.fixed]
    base = tuple(
        Look(body.shape, *geometry.pose(body), body.color)
        for body in fixed
        if getattr(body, "shape", None) is not None
    )
    return Links(resolved, found, base)


def _link(compiled: Any, geometry: Geometry, one: Hung) -> Link:
    """One body of the tree."""
    k, branch, dim = one.branch.body, one.branch, compiled.system.dim
    body = compiled.resolved[compiled.body_ids[k]]
    R_zero = one.axes
    if dim == 2:
        turns = one.carry.turn == HINGE
        R_zero = np.eye(3) if turns else matrix.elementary(3, one.phi)
    own = one.R_own.T
    J = np.array(compiled.system.bodies["J"][k])
    if dim == 2:
        J = J[0, 0] * np.eye(3)  # what is not seen in the plane may be anything
    center = np.zeros(3)
    center[:dim] = geometry.properties[geometry.index[body.id]].center
    look = None
    if getattr(body, "shape", None) is not None:
        look = Look(body.shape, -own @ (one.O + center), own, body.color)
    parent = compiled.body_ids[branch.parent] if branch.parent < compiled.system.n_bodies else ""
    return Link(
        name=body.id,
        parent=parent,
        joint="" if branch.joint is None else branch.joint.id,
        at=one.arm,
        R=R_zero,
        slides=tuple(R_zero.T @ one.axes[:, axis] for axis in one.carry.slides),
        turn=one.carry.turn,
        mass=float(compiled.mass[k]),
        center=-own @ one.O,
        J=own @ J @ own.T,
        beta=one.beta,
        eta=one.eta,
        limits=_limits(compiled.resolved, geometry, one),
        damping=_damping(compiled.resolved, one),
        look=look,
    )


def _limits(model: Model, geometry: Geometry, one: Hung) -> tuple[float, float] | None:
    """The stops of a joint with one coordinate, counted as the tree counts it."""
    joint = one.branch.joint
    if joint is None or len(one.eta) != 1 or one.carry.turn in (BALL, CROSS, SCREW):
        return None
    stops = [e for e in model.of("force") if isinstance(e, JointLimits) and e.joint == joint.id]
    if not stops:
        return None
    low, high = plain(stops[0].low), plain(stops[0].high)
    if one.branch.is_reversed:
        low, high = -high, -low
    away = 0.0
    if geometry.dim == 2 and one.carry.turn == HINGE:  # the tree counts from body to body
        markers = joint.marker_i, joint.marker_j
        near, far = markers[::-1] if one.branch.is_reversed else markers
        A, B = geometry.marker(near)[2], geometry.marker(far)[2]
        away = atan2(A[1, 0], A[0, 0]) - atan2(B[1, 0], B[0, 0])
    return low + away, high + away


def _damping(model: Model, one: Hung) -> float:
    """The viscous resistance of a joint with one coordinate."""
    joint = one.branch.joint
    if joint is None or len(one.eta) != 1:
        return 0.0
    same = [e for e in model.of("force") if getattr(e, "joint", "") == joint.id]
    return sum(plain(e.damping) for e in same if e.kind == "joint_damping")
