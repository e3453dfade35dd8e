"""Laws of markers for tests, compiled as those of the engine are, and models that have them."""

import math
from dataclasses import replace

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.packing import FunctionTable, TermTable, pack_interactions
from engine.compiling.system import Compiled, compile_model
from engine.compiling.works import pack_works
from engine.kernels.acting.interactions import (
    AXES,
    BY_D,
    BY_TURN,
    BY_U,
    BY_W,
    BY_Z,
    FORCE,
    GIVEN,
    TORQUE,
    Z_DOT,
    D,
    U,
    W,
    Z,
    arguments,
)
from engine.kernels.acting.marker_laws import LAWS
from engine.kernels.layout import OF_I, OF_J, OF_WORLD
from engine.kernels.linking import Entry
from engine.kernels.spatial import dot
from engine.kernels.state import layout_of
from engine.model.connections import Interaction, State


@Entry
def series(table, t, seen, out, slopes, flag):
    """A spring k and a damper c in series: F = -N n,  N = k (|d| - z),  z_dot = N/c.

    dF/dd = -(k n n^T + N/|d| (1 - n n^T)),   dF/dz = k n,   dz_dot/dd = k/c n^T,   dz_dot/dz = -k/c
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    k, c = one.param[0], one.param[1]
    d = (x[D], x[D + 1], x[D + 2])
    length = math.sqrt(dot(d, d))
    N = k * (length - x[Z])
    for r in range(3):
        Q[FORCE + r] = -N * d[r] / length
    Q[Z_DOT] = N / c
    if slope.size > 0:
        for r in range(3):
            n = d[r] / length
            for m in range(3):
                slope[(FORCE + r) * width + BY_D + m] = -(k - N / length) * n * d[m] / length
            slope[(FORCE + r) * width + BY_D + r] -= N / length
            slope[(FORCE + r) * width + BY_Z] = k * n
            slope[Z_DOT * width + BY_D + r] = k / c * n
        slope[Z_DOT * width + BY_Z] = -k / c
    return 0


@Entry
def everything(table, t, seen, out, slopes, flag):
    """A law of everything that can be seen, with r the axis of R, that is the vector of (R - R^T)/2:

    F = -p0 d + z0 u - given            T = -p1 r - p2 w + z1 d
    z0_dot = d.u + w.d - z0             z1_dot = z0 d_x - 2 z1 + r_y

    R' = th~ R gives r' = (tr(R) 1 - R) th / 2.
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    p0, p1, p2 = one.param[0], one.param[1], one.param[2]
    r = (
        0.5 * (x[AXES + 7] - x[AXES + 5]),
        0.5 * (x[AXES + 2] - x[AXES + 6]),
        0.5 * (x[AXES + 3] - x[AXES + 1]),
    )
    trace = x[AXES] + x[AXES + 4] + x[AXES + 8]
    z0, z1 = x[Z], x[Z + 1]
    for n in range(3):
        Q[FORCE + n] = -p0 * x[D + n] + z0 * x[U + n] - x[GIVEN + n]
        Q[TORQUE + n] = -p1 * r[n] - p2 * x[W + n] + z1 * x[D + n]
        Q[Z_DOT] += x[D + n] * (x[U + n] + x[W + n])
    Q[Z_DOT] -= z0
    Q[Z_DOT + 1] = z0 * x[D] - 2.0 * z1 + r[1]
    if slope.size > 0:
        for n in range(3):
            force, torque = (FORCE + n) * width, (TORQUE + n) * width
            slope[force + BY_D + n] = -p0
            slope[force + BY_U + n] = z0
            slope[force + BY_Z] = x[U + n]
            slope[torque + BY_D + n] = z1
            slope[torque + BY_W + n] = -p2
            slope[torque + BY_Z + 1] = x[D + n]
            slope[Z_DOT * width + BY_D + n] = x[U + n] + x[W + n]
            slope[Z_DOT * width + BY_U + n] = x[D + n]
            slope[Z_DOT * width + BY_W + n] = x[D + n]
            for m in range(3):
                bend = 0.5 * ((trace if m == n else 0.0) - x[AXES + (n + n + n) + m])
                slope[torque + BY_TURN + m] = -p1 * bend
                if n == 1:
                    slope[(Z_DOT + 1) * width + BY_TURN + m] = bend
        slope[Z_DOT * width + BY_Z] = -1.0
        slope[(Z_DOT + 1) * width + BY_D] = z0
        slope[(Z_DOT + 1) * width + BY_Z] = x[D]
        slope[(Z_DOT + 1) * width + BY_Z + 1] = -2.0
    return 0


ALL = (*LAWS, series, everything)
SERIES = "series"
SAMPLES = {  # law, parameters, functions of time, states
    "air_drag": ("air_drag", (1.2, 1.1), ("3*sin(t)", -2.0, 0.0), ()),
    SERIES: (SERIES, (40.0, 3.0), (0.0, 0.0, 0.0), (State(0.4, 0.1),)),
    "everything": ("everything", (5.0, 2.0, 0.3), ("t", 0.4, 0.0), (State(0.3), State(-0.2))),
    **{
        f"given-{what}-{whose}": ("given", (what, axes), ("3*t", -2.0, spare), ())
        for what, spare in ((0.0, 0.0), (1.0, 1.5))
        for whose, axes in (("i", OF_I), ("j", OF_J), ("world", OF_WORLD))
    },
}
IN_WORLD_AXES = [name for name in SAMPLES if name.endswith("-world")]


def sample(name: str, i: str, j: str) -> Interaction:
    """A law of the catalogue, or of this file, between two markers."""
    law, *rest = SAMPLES[name]
    return Interaction(law, i, j, *rest)


def acting(model, *interactions: Interaction) -> Compiled:
    """The model with laws of markers; it must have no functions of its own."""
    compiled, functions = compile_model(model), FunctionTable({})
    assert not len(compiled.system.functions.kind)
    given = [(None, one) for one in interactions]
    geometry, nothing = Geometry(compiled.resolved), (TermTable(), np.zeros(0))
    packed, states, outlines = pack_interactions(given, geometry, functions, *nothing, ALL)
    ids, of_rows = ("",) * len(interactions), (compiled.system.rows, compiled.system.driven["row"])
    works, work_ids = pack_works(
        *(compiled.system.laws, compiled.law_ids, (), ids, compiled.system.meshings),
        *(*of_rows, compiled.row_ids),
    )
    system = compiled.system._replace(
        interactions=packed,
        states=states,
        outlines=outlines,
        functions=functions.pack(),
        works=works,
    )
    named = {"interaction_ids": ids, "work_ids": work_ids}
    return replace(compiled, system=system, layout=layout_of(system), **named)


def wrench_on(compiled: Compiled, f: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of a generalised force on body k, with three components; moments in body axes."""
    F, M = np.zeros(3), np.zeros(3)
    F[: compiled.system.dim] = f[compiled.layout.velocity(k)]
    turn = f[compiled.layout.spin(k)]
    M[3 - len(turn) :] = turn
    return F, M
