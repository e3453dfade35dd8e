"""K and C of a contact are the derivatives of its force, for all pairs of shapes and all laws."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.elimination import dense_blocks, with_tangents
from engine.compiling.system import compile_model, linked, workspace
from engine.editing.builder import Mechanism
from engine.kernels.implicit.entries import LINEARISE, tangent
from engine.kernels.implicit.tangent_layout import BY_STATE
from engine.kinematics.evaluate import equations, fill
from engine.model.elements import put
from tests.engine.poses import moved

STEP = 1e-6  # of differences
# of the largest entry: both differences have errors of 1e-16 / 1e-7 and of STEP^2 times third derivatives
CLOSE = 2e-5
STAR = ((-0.5, -0.5), (0.5, -0.5), (0.1, 0.0), (0.5, 0.5), (-0.5, 0.5))
ROAD = {"points": ((-2.0, 0.1), (-0.7, -0.1), (0.4, 0.05), (2.0, 0.0))}


def disc(m, at, id):
    m.disc(at, 0.5, mass=1.0, id=id) if m.dim == 2 else m.sphere(at, 0.5, mass=1.0, id=id)


def box(m, at, id):
    m.box(at, 1.0, 1.0, mass=1.0, id=id) if m.dim == 2 else m.box(
        at, 1.0, 1.0, 1.0, mass=1.0, id=id
    )


def tilted(m, at, id):
    m.box(at, 1.0, 1.0, mass=1.0, angle=0.3, id=id)


def leaning(m, at, id):
    m.box(at, 1.0, 1.0, 1.0, mass=1.0, id=id)
    m.model = put(m.model, replace(m.model[id], orientation=unit(0.3, 0.2)))


def polygon(m, at, id):
    m.polygon([(at[0] + x, at[1] + y) for x, y in STAR], id=id, mass=1.0, inertia=0.1)


def rod(m, at, id):
    m.rod((at[0] - 0.5, at[1]), (at[0] + 0.5, at[1] + 0.1), width=0.2, mass=1.0, id=id)


def particle(m, at, id):
    m.particle(at, mass=1.0, id=id)


def cylinder(m, at, id):
    up = np.array([0.15, 0.1, 1.0]) / np.linalg.norm([0.15, 0.1, 1.0])
    m.cylinder(np.array(at) - 0.4 * up, np.array(at) + 0.4 * up, 0.5, mass=1.0, id=id)


def capsule(m, at, id):
    up = np.array([0.3, 0.2, 1.0]) / np.linalg.norm([0.3, 0.2, 1.0])
    m.capsule(np.array(at) - 0.4 * up, np.array(at) + 0.4 * up, 0.5, mass=1.0, id=id)


def unit(x, y):
    """A small turn about x and y."""
    q = np.array([1.0, x, y, 0.1])
    return tuple(q / np.linalg.norm(q))


# first body, second body, where that is, and fields of the contact
PLANE = {"shape_i": "plane"}
HOLE = {"shape_i": "hole", "radius_i": 1.5}
IN_PLANE = {
    "disc on plane": (box, disc, (0.2, 0.45), PLANE),
    "disc on disc": (disc, disc, (0.5, 0.8), {}),
    "disc in hole": (box, disc, (0.7, 0.8), HOLE),
    "disc on box": (box, disc, (0.1, 0.97), {}),
    "disc on corner": (box, disc, (0.8, 0.85), {}),
    "disc on polygon": (polygon, disc, (0.1, 0.96), {}),
    "disc on rod": (rod, disc, (0.1, 0.58), {}),
    "disc on chain": (box, disc, (0.1, 0.42), {"shape_i": "chain", **ROAD}),
    "disc on curve": (box, disc, (0.1, 0.42), {"shape_i": "curve", **ROAD}),
    "disc on smooth polygon": (polygon, disc, (-0.8, 0.1), {"shape_i": "smooth"}),
    "point on box": (box, particle, (0.1, 0.47), {}),
    "circle on point": (disc, box, (0.3, 0.3), {"shape_j": "point"}),
    "box on plane": (box, tilted, (0.1, 0.6), PLANE),
    "box on box": (box, tilted, (0.1, 1.12), {}),
    "box on box by area": (box, tilted, (0.1, 1.1), {"faces": "area"}),
    "box in hole": (box, tilted, (0.3, 0.6), {"shape_i": "hole", "radius_i": 1.25}),
    "polygon on plane": (box, polygon, (0.1, 0.47), PLANE),
}
IN_SPACE = {
    "ball on plane": (box, disc, (0.2, 0.1, 0.45), PLANE),
    "ball on ball": (disc, disc, (0.5, 0.3, 0.75), {}),
    "ball in hole": (box, disc, (0.6, 0.3, 0.85), HOLE),
    "ball on face": (box, disc, (0.1, 0.2, 0.97), {}),
    "ball on edge": (box, disc, (0.8, 0.1, 0.85), {}),
    "ball on corner": (box, disc, (0.75, 0.72, 0.78), {}),
    "ball on cylinder": (cylinder, disc, (0.9, 0.25, 0.1), {}),
    "ball on rim": (cylinder, disc, (0.7, 0.3, 0.7), {}),
    "ball on capsule": (capsule, disc, (0.9, 0.25, 0.1), {}),
    "ball on end of capsule": (capsule, disc, (0.6, 0.3, 1.05), {}),
    "box on plane": (box, leaning, (0.1, 0.2, 0.7), PLANE),
    "cylinder on plane": (box, cylinder, (0.1, 0.2, 0.46), PLANE),
    "capsule on plane": (box, capsule, (0.1, 0.2, 0.86), PLANE),
    "capsule on capsule": (capsule, capsule, (0.75, 0.4, 0.3), {}),
}
IMPACT = {"law": "impact", "stiffness": 1e3, "damping": 20.0, "full_depth": 0.2}
LAWS = {
    "restitution": {"stiffness": 1e3, "restitution": 0.6},
    "impact": IMPACT,
    "linear impact": {**IMPACT, "exponent": 1.0, "full_depth": 0.001},
    "hertz": {"law": "hertz", "young_modulus": 1e3},
}
SMOOTH = {"mu_static": 0.4, "mu_dynamic": 0.2, "static_speed": 0.2, "dynamic_speed": 3.0}
BRISTLES = {**SMOOTH, "stick_stiffness": 300.0, "stick_damping": 5.0}
FRICTIONS = {
    "none": {"friction": "none"},
    "velocity": {"friction": "velocity", **SMOOTH},
    "sliding": {"friction": "sticking", **BRISTLES},
    "holding": {"friction": "sticking", **BRISTLES, "mu_static": 50.0, "mu_dynamic": 50.0},
    "lugre": {"friction": "lugre", **BRISTLES},
}
SHAPES = [(2, name, *case) for name, case in IN_PLANE.items()]
SHAPES += [(3, name, *case) for name, case in IN_SPACE.items()]


def pressed(dim, first, second, at, fields):
    """Two bodies in motion whose shapes overlap."""
    m = Mechanism("pressed", dim, gravity=(0.0,) * dim)
    origin = (0.0,) * dim
    first(m, origin, "a")
    second(m, at, "b")
    m.contact(("a", origin), ("b", at), id="touch", **fields)
    compiled = compile_model(m.model)
    rng = np.random.default_rng(4)
    v = rng.uniform(-0.5, 0.5, len(compiled.v0))
    z = np.zeros(compiled.layout.n_z)
    for one in compiled.system.interactions:
        own = slice(one["z_at"] + one["rests"], one["z_at"] + one["n_z"])
        z[one["z_at"] : one["z_at"] + one["rests"]] = 3.0  # how fast the shapes met
        z[own] = rng.uniform(-0.02, 0.02, own.stop - own.start)
    return compiled, compiled.q0, v, z


def differences(of, n):
    """The derivatives of two vectors along n directions, by central differences."""
    parts = [(of(STEP * e), of(-STEP * e)) for e in np.eye(n)]
    return [
        np.column_stack([(a[k] - b[k]) / (2 * STEP) for a, b in parts])
        if n
        else np.zeros((len(of(np.zeros(0))[k]), 0))
        for k in range(2)
    ]


def judge(dim, first, second, at, fields):
    """Compare K and C with differences, for states that stay and states that follow."""
    compiled, q, v, z = pressed(dim, first, second, at, fields)
    n = len(v)

    def forces(q, v, z):
        found = equations(compiled, 0.0, q, v, z=z)
        return found.f.copy(), found.z_dot.copy()

    assert np.abs(forces(q, v, z)[0]).max() > 0.1  # it presses
    f_q, g_q = differences(lambda d: forces(moved(compiled, q, d), v, z), n)
    f_v, g_v = differences(lambda d: forces(q, v + d, z), n)
    f_z, g_z = differences(lambda d: forces(q, v, z + d), len(z))
    for s in (np.inf, 300.0):
        Y = np.linalg.inv(s * np.eye(len(z)) - g_z) if s < np.inf else np.zeros_like(g_z)
        ws = workspace(compiled.system)
        fill(compiled, ws, 0.0, q, v, z)
        table, (order, tan) = with_tangents(linked(compiled.system, ws), compiled.system)
        tan.factors[BY_STATE] = s
        tangent(table, 0.0, compiled.layout.y(q, v, z), flag=LINEARISE)
        K, C = (dense_blocks(compiled.system, order, part) for part in (tan.K, tan.C))
        for found, exact in ((K, -f_q - f_z @ Y @ g_q), (C, -f_v - f_z @ Y @ g_v)):
            assert np.isfinite(exact).all()
            np.testing.assert_allclose(found, exact, rtol=0, atol=CLOSE * (1 + np.abs(exact).max()))


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: f"{case[0]}d-{case[1].replace(' ', '-')}")
def test_tangents_of_every_pair_of_shapes_are_derivatives(case):
    dim, _, first, second, at, fields = case
    for law in ("restitution", "linear impact"):
        for friction in ("sliding", "velocity"):
            judge(dim, first, second, at, {**fields, **LAWS[law], **FRICTIONS[friction]})


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("dim", (2, 3))
def test_tangents_of_every_law_are_derivatives(dim, law, friction):
    catalogue, name = (IN_PLANE, "disc on disc") if dim == 2 else (IN_SPACE, "ball on ball")
    first, second, at, fields = catalogue[name]
    judge(dim, first, second, at, {**fields, **LAWS[law], **FRICTIONS[friction]})
