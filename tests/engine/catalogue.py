"""Small models in random poses, one for each element of the catalogue, for laws over all of them."""

from dataclasses import replace
from typing import Any

import numpy as np

from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.elements import GROUND, Model, planar, put, spatial
from engine.model.forces import FORCES
from engine.model.joints import JOINTS, Gear, Motion, RackAndPinion, TypedConstraint

JOINT_CASES = [(joint, dim) for joint in JOINTS for dim in joint.dims]
FORCE_CASES = [(force, dim) for force in FORCES for dim in force.dims]
MOTION_CASES = [
    ("revolute", "angle", 2),
    ("prismatic", "displacement", 2),
    ("rod", "length", 2),
    ("revolute", "angle", 3),
    ("cylindrical", "displacement", 3),
    ("universal", "tilt_i", 3),
    ("universal", "tilt_j", 3),
    ("planar", "angle", 3),
    ("screw", "angle", 3),
]
JOINT_OF = {joint.kind: joint for joint in JOINTS}
FORMULAS = {
    2: "a.x*sin(b1.angle) + y^2 - 0.3*a1.b1.distance*c.x + 0.1*t*b.angle + g1.c1.direction",
    3: "a.x*b1.y + z^2 - 0.3*a1.b1.distance*c.x + a1.b1.zx*c2.y + 0.1*t*b.z + g1.c1.angle",
}
LAW = "0.3*sin(2*t) + 0.1*t^2"
TEETH: dict[type, dict[str, float]] = {  # upright flanks: bodies that float as here would jam
    Gear: {"radius_1": 0.1, "radius_2": 0.15, "pressure_angle": 0.0},
    RackAndPinion: {"radius": -0.1, "pressure_angle": 0.0},
}


def random_unit(rng: np.random.Generator) -> tuple[float, ...]:
    """A random unit quaternion."""
    q = rng.normal(size=4)
    return tuple((q / np.linalg.norm(q)).tolist())


def random_body(rng: np.random.Generator, id: str, dim: int, **changes: Any):
    """A body with random mass, centre, inertia, place and velocity."""

    def some(n: int) -> tuple[float, ...]:
        return tuple(rng.uniform(-1.0, 1.0, size=n).tolist())

    mass = float(rng.uniform(0.5, 3.0))
    center = tuple(0.1 * c for c in some(dim))
    if dim == 2:
        fields = {
            "mass": mass,
            "inertia": float(rng.uniform(0.1, 1.0)),
            "center": center,
            "position": some(2),
            "angle": float(rng.uniform(-3.0, 3.0)),
            "velocity": some(2),
            "spin": float(rng.uniform(-2.0, 2.0)),
        }
        return PlanarBody(id=id, **{**fields, **changes})
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    J = turn @ np.diag(rng.uniform(0.6, 1.0, size=3)) @ turn.T
    inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    fields = {
        "mass": mass,
        "inertia": tuple(float(c) for c in inertia),
        "center": center,
        "position": some(3),
        "orientation": random_unit(rng),
        "velocity": some(3),
        "angular_velocity": some(3),
    }
    return SpatialBody(id=id, **{**fields, **changes})


def random_marker(rng: np.random.Generator, id: str, body: str, dim: int):
    """A marker at a random place in a random direction."""
    place = tuple(rng.uniform(-0.5, 0.5, size=dim).tolist())
    if dim == 2:
        return PlanarMarker(id=id, body=body, position=place, angle=float(rng.uniform(-3, 3)))
    return SpatialMarker(id=id, body=body, position=place, orientation=random_unit(rng))


def bodies_and_markers(rng: np.random.Generator, dim: int, first: str = "a") -> Model:
    """Three bodies a, b, c and two markers on each, a1, a2, b1, ...; and two on the ground."""
    model = planar() if dim == 2 else spatial()
    model = put(model, *(random_body(rng, id, dim) for id in "abc"))
    for body in ("a", "b", "c", GROUND):
        name = "g" if body == GROUND else body
        for n in (1, 2):
            model = put(model, random_marker(rng, f"{name}{n}", body, dim))
    return model


def joint_model(joint: type, dim: int, seed: int = 0, on_ground: bool = False) -> Model:
    """A joint between bodies a and b, or between the ground and b; not assembled."""
    rng = np.random.default_rng(seed)
    model = bodies_and_markers(rng, dim)
    i = "g1" if on_ground else "a1"
    if joint in (Gear, RackAndPinion):
        second = "revolute" if joint is Gear else "prismatic"
        model = put(
            model,
            JOINT_OF["revolute"](id="first", marker_i=i, marker_j="b1"),
            JOINT_OF[second](id="second", marker_i="g2" if on_ground else "a2", marker_j="c1"),
            joint(id="joint", joint_1="first", joint_2="second", **TEETH[joint]),
        )
        return model if dim == 2 else _with_meeting_teeth(model, joint, random_unit(rng))
    if joint is TypedConstraint:
        return put(model, joint(id="joint", marker_i="b1", formula=FORMULAS[dim]))
    return put(model, joint(id="joint", marker_i=i, marker_j="b1"))


def _with_meeting_teeth(model: Model, joint: type, turned: tuple) -> Model:
    """The model with parallel axes in space, and a rack across them: teeth meet, and do not only couple."""
    upright, along_x = (1.0, 0.0, 0.0, 0.0), (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)
    for body in model.of("body"):
        model = put(model, replace(body, orientation=turned))
    for marker in model.of("marker"):
        is_rack = joint is RackAndPinion and marker.id in (model["second"].marker_i, "c1")
        model = put(model, replace(marker, orientation=along_x if is_rack else upright))
    assert model["joint"].meshing(model) is not None
    return model


def motion_model(kind: str, coordinate: str, dim: int, quantity: str, seed: int = 0) -> Model:
    """A driven joint between bodies a and b; not assembled."""
    model = joint_model(JOINT_OF[kind], dim, seed)
    motion = Motion(id="motion", joint="joint", coordinate=coordinate, quantity=quantity, law=LAW)
    return put(model, motion)


def force_model(force: type, dim: int, seed: int = 0, **changes: Any) -> Model:
    """A force between bodies a and b, in a joint of theirs if it needs one; not assembled."""
    rng = np.random.default_rng(seed)
    model = bodies_and_markers(rng, dim)
    names = set(force.__dataclass_fields__)
    fields: dict[str, Any] = {}
    if "joint" in names:
        model = put(model, JOINT_OF["revolute"](id="joint", marker_i="a1", marker_j="b1"))
        fields["joint"] = "joint"
    else:
        fields["marker_i"] = "a1"
        if "marker_j" in names:
            fields["marker_j"] = "b2"
        if "pulley" in names:  # on the body of one end, as a muscle over a bone
            fields["pulley"] = "a2"
    given: dict[str, dict[str, Any]] = {
        "force": {"f_x": "3*sin(t)", "f_y": 2.0, "axes": "body"},
        "torque": {"t_z": "cos(2*t)"},
        "actuator": {"law": "2*sin(3*t) - 0.1*speed"},
        "general_force": {"law": "5*(1 - distance) - 0.3*rate + 0.2*angle - 0.1*speed + t"},
        "joint_limits": {"low": -0.2, "high": 0.1},
        "bushing": {"turn_k_z": 3.0, "turn_c_z": 0.1},
        "maxwell": {"parallel_stiffness": 30.0, "parallel_damping": 2.0, "start_stretch": 0.02},
        "dc_motor": {"voltage": "3*cos(t)", "start_current": 0.7},
        "controller": {"target": "0.3*t", "integral": 5.0, "filter_time": 0.1},
        "hydraulic_cylinder": {"opening": "0.5*sin(t)", "start_pressure_a": 2e3, "stroke": 9.0},
        "state_force": {
            "law": "3*z1 - z2*rate + t",
            "z1_rate": "distance*z2 - z1",
            "z2_rate": "-z1",
        },
        "cable": {"free_length": 0.2, "muscle": "2*angle + length - 0.3*spin + 20 + t"},
        "contact": {
            "shape_i": "plane",
            "shape_j": "circle",
            "radius_j": 3.0,
            "law": "impact",
            "stiffness": 40.0,
            "full_depth": 9.0,
            "friction": "velocity",
            "static_speed": 5.0,
            "dynamic_speed": 9.0,
        },
        "joint_friction": {"mu": 0.2, "radius": 0.5, "speed": 0.3},
        "air_drag": {"drag_area": 2.0, "wind_x": "3*sin(t)", "wind_y": -1.0},
    }
    fields |= given.get(force.kind, {})
    return put(model, force(id="force", **{**fields, **changes}))
