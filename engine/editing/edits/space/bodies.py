"""Bodies in space: blocks, cylinders, balls, rods that are joined where they land, meshes; and velocities.

Every function that makes something returns the new model and the id of what it made.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.editing.edits.bodies import link_width
from engine.editing.edits.connecting import KINDS
from engine.editing.edits.numbers import in_numbers
from engine.editing.edits.placing import (
    Point3,
    SpaceFrame,
    bodies_of,
    built,
    floats,
    is_still,
    label,
    space_frame,
)
from engine.editing.edits.space.solids import shaft_of
from engine.errors import EngineError, say
from engine.files.meshes import given_mass, mesh_shape, read_mesh
from engine.model.bodies import SpatialBody
from engine.model.elements import GROUND, Id, Model, fresh_id, put
from engine.model.joints.freedom import freedom
from engine.model.making import Gesture
from engine.model.shapes import Mesh, body_mass_properties
from engine.model.solids import block as solid_block


class Landing(NamedTuple):
    """How the end of a rod is joined: with which body, by which joint, about which axis."""

    body: Id
    kind: str = "spherical"
    axis: Point3 = (0.0, 0.0, 1.0)


def block(model: Model, middle: SpaceFrame, sizes: Sequence[float]) -> tuple[Model, Id]:
    """A box with these sizes along the axes of a frame in its middle."""
    width, depth, height = (abs(size) for size in sizes)
    if not (width > 0.0 and depth > 0.0):
        raise EngineError("A box needs a width and a depth; drag to the opposite corner.")
    if not height > 0.0:
        raise EngineError("A box needs a height; move away from its base, or type it.")
    turn = middle.orientation
    return built(model, lambda m: m.box(middle.r, width, depth, height, orientation=turn))


def cylinder(
    model: Model, foot: Point3, axis: Point3, radius: float, length: float
) -> tuple[Model, Id]:
    """A cylinder that starts at its foot and extends along the axis; a negative length reverses it."""
    if not radius > 0.0:
        raise EngineError("A cylinder needs a radius; drag from its middle to its rim.")
    if not abs(length) > 0.0:
        raise EngineError("A cylinder needs a length; move away from its base, or type it.")
    n = np.array(axis, dtype=float)
    n /= np.linalg.norm(n)
    start, end = sorted((0.0, length))
    a, b = (np.array(foot) + along * n for along in (start, end))
    return built(model, lambda m: m.cylinder(a, b, radius))


def capsule(
    model: Model, foot: Point3, axis: Point3, radius: float, length: float
) -> tuple[Model, Id]:
    """A capsule whose tip is at its foot, along the axis; a negative length reverses it."""
    if not radius > 0.0:
        raise EngineError("A capsule needs a radius; drag from its middle to its rim.")
    if not abs(length) > 0.0:
        raise EngineError("A capsule needs a length; move away from its foot, or type it.")
    n = np.array(axis, dtype=float)
    n *= np.sign(length) / np.linalg.norm(n)
    a, b = (np.array(foot) + along * n for along in (radius, radius + abs(length)))
    return built(model, lambda m: m.capsule(a, b, radius))


def ball(model: Model, middle: Point3, radius: float) -> tuple[Model, Id]:
    """A ball by its middle and its radius."""
    if not radius > 0.0:
        raise EngineError("A ball needs a radius; drag from its middle.")
    return built(model, lambda m: m.sphere(middle, radius))


def bar(
    model: Model, start: Point3, end: Point3, landings: Sequence[Landing | None] = ()
) -> tuple[Model, Id, tuple[Id, ...]]:
    """A rod between two places in space, joined where a landing says so; with the joints' ids."""
    length = float(np.linalg.norm(np.subtract(end, start)))
    if not length > 0.0:
        raise EngineError("A rod needs two different places; move further before you click.")
    width = link_width(model, length)
    id = fresh_id(model, "rod")

    def build(m: Any) -> tuple[Id, ...]:
        m.rod(start, end, width=width, thickness=width, id=id)
        ends = [(at, to) for at, to in zip((start, end), landings) if to is not None]
        return tuple(joined(m, at, to) for at, to in ends)

    def joined(m: Any, at: Point3, to: Landing) -> Id:
        """The joint of one end; of shafts, along both."""
        kind = KINDS[to.kind]
        if not any(making.gesture is Gesture.ON_SHAFTS for making in kind.making):
            return m.joint(kind, to.body, id, at, axis=to.axis)
        own = np.subtract(end, start) / length
        first = np.array(shaft_of(model, to.body) or own)
        return m.on_shafts(
            kind, to.body, id, at, floats(first), floats(own if own @ first >= 0.0 else -own)
        )

    after, made = built(model, build)
    return after, id, made


class MeshPart(NamedTuple):
    """A mesh that was read, ready to become a body."""

    shape: Mesh
    name: str
    given: dict[str, Any]  # mass, centre and inertia, where they do not follow from the shape
    warnings: tuple[str, ...]
    extent: Point3  # of the box around it [m]


def mesh_part(path: str | Path, scale: float = 1.0, simplify_to: int | None = None) -> MeshPart:
    """The content of an STL or OBJ file; may take long, and changes no model.

    A mesh without a volume, because it has holes, gets one kilogram spread over its bounding box; one that
    was simplified keeps the mass properties of the original.
    """
    mesh = read_mesh(path, scale, simplify_to)
    shape = mesh_shape(mesh, Path(path).name)
    corners = np.asarray(mesh.vertices, dtype=float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    given = given_mass(mesh, float(SpatialBody(id="part").density))
    if given:
        size = float((high - low).max())
        given["center"] = _clean(np.array(given["center"]), 100.0 * size)
        given["inertia"] = _without_dust(given["inertia"])
    warnings = list(mesh.warnings)
    try:
        shape.check()
        if not given and not shape.moments().volume > 0.0:
            raise EngineError("It has no volume.")
    except EngineError as error:
        sizes = np.maximum(high - low, 1e-3 * float((high - low).max()))
        S = np.array(solid_block(*sizes).spread)
        J = np.trace(S) * np.eye(3) - S
        middle = floats((low + high) / 2)
        given = {"mass": 1.0, "center": middle, "inertia": (*floats(J.diagonal()), 0.0, 0.0, 0.0)}
        warnings.append(
            say("{reason} It weighs 1 kg now, as the box around it would.", reason=error.sentence)
        )
    return MeshPart(shape, Path(path).stem, given, tuple(warnings), floats(high - low))


def mesh_body(model: Model, part: MeshPart, at: Point3 = (0.0, 0.0, 0.0)) -> tuple[Model, Id]:
    """A body from a mesh, with the origin of its file at a place."""
    stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in part.name)[:20]
    id = fresh_id(model, stem if stem[:1].isalpha() else "mesh")
    body = SpatialBody(
        id=id, name=part.name[:40], shape=part.shape, position=floats(at), **part.given
    )
    return put(model, body), id


def mass_center(model: Model, body: Id) -> Point3:
    """The mass centre of a body as drawn; its origin where it has no mass properties."""
    frame = space_frame(model, body)
    try:
        center = body_mass_properties(replace(in_numbers(model, model[body]), fixed=False)).center
    except EngineError:
        center = (0.0, 0.0, 0.0)
    return frame.to_world(center)


def with_velocity(model: Model, body: Id, velocity: Point3) -> Model:
    """A body, with what is welded to it, whose origin has this velocity at the start, world axes."""
    _refuse_still(model, body)
    together = _welded(model, body)
    return put(model, *(replace(model[id], velocity=floats(velocity)) for id in together))


def with_spin(model: Model, body: Id, spin: Point3) -> Model:
    """A body, with what is welded to it, with this angular velocity at the start, in world axes.

    Where it is joined to something its velocity becomes empty, because the joints say what it is.
    """
    _refuse_still(model, body)
    if not hasattr(model[body], "angular_velocity"):
        raise EngineError(
            "'{body}' is a point mass: it cannot spin.", body, body=label(model, body)
        )
    w, together = np.array(spin, dtype=float), _welded(model, body)
    is_joined = any(
        id in bodies_of(model, joint.id) and not set(bodies_of(model, joint.id)) <= set(together)
        for joint in model.of("joint")
        for id in together
    )
    changed: list[Any] = []
    for id in together:
        fields: dict[str, Any] = {"velocity": None} if is_joined else {}
        if hasattr(model[id], "angular_velocity"):
            in_body = space_frame(model, id).R.T @ w
            fields["angular_velocity"] = _clean(in_body, float(np.abs(w).max()))
        changed.append(replace(model[id], **fields))
    return put(model, *changed)


def _without_dust(inertia: Sequence[float]) -> tuple[float, ...]:
    """Moments and products of inertia without rounding errors."""
    dust = 1e-12 * max(inertia)
    return tuple(one if abs(one) > dust else 0.0 for one in inertia)


def _clean(vector: np.ndarray, size: float) -> Point3:
    """The vector without components that are rounding errors."""
    return floats(np.where(np.abs(vector) < 1e-14 * size, 0.0, vector))


def _welded(model: Model, body: Id) -> list[Id]:
    """The moving bodies welded to a body, and the body itself."""
    found = [body]
    for id in found:
        for joint in model.of("joint"):
            on = bodies_of(model, joint.id)
            if freedom(joint, 3).is_rigid and id in on:
                found += [b for b in on if b not in found and not is_still(model, b)]
    return found


def _refuse_still(model: Model, body: Id) -> None:
    if body == GROUND or body not in model or is_still(model, body):
        raise EngineError("Only a moving body can have a velocity; press on one.")
