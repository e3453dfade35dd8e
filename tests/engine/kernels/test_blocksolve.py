"""Sparse elimination of S = D W D^T agrees with dense matrices, in every order and with every joint."""

import numpy as np
import pytest

from engine.compiling.system import compile_model, linked, workspace
from engine.editing.builder import Mechanism
from engine.kernels import blocksolve, entries
from engine.kernels.layout import PROJECTED
from engine.kinematics.evaluate import dense_D, fill

PLANAR = ("revolute", "prismatic", "weld", "point_on_line")
MIXED = ("revolute", "prismatic", "point_on_line", "revolute")
SPATIAL = ("revolute", "spherical", "cylindrical", "prismatic", "universal", "weld", "planar")


def mesh(dim, kinds, rng, n_bodies=9, n_loops=4):
    """Bodies in a tree with a few loops, so that elimination fills blocks that were empty.

    One joint holds one point of two bodies; loops are closed by massless rods, which repeat nothing.
    """
    m = Mechanism("mesh", dim)
    bodies = ["ground"]
    for k in range(n_bodies):
        place = rng.normal(size=dim)
        size = {"inertia": 0.3} if dim == 2 else {"inertia": (0.3, 0.4, 0.5, 0.05, 0.02, -0.03)}
        body = m.body(tuple(place), mass=float(rng.uniform(0.5, 2.0)), **size)
        before = bodies[int(rng.integers(max(0, k - 2), len(bodies)))]
        kind = kinds[k % len(kinds)]
        axis = {} if dim == 2 else {"axis": tuple(rng.normal(size=3))}
        if kind == "universal":
            axis = {"axis_i": (1, 0, 0.2), "axis_j": (1, 0.3, 0)}
        elif kind == "spherical":
            axis = {}
        getattr(m, kind)(before, body, at=tuple(place + 0.1), **axis)
        bodies.append(body)
    for _ in range(n_loops):
        a, b = (bodies[int(n)] for n in rng.choice(np.arange(1, len(bodies)), 2, replace=False))
        m.massless_rod((a, tuple(rng.normal(size=dim))), (b, tuple(rng.normal(size=dim))))
    return compile_model(m.model)


def dense_W(compiled):
    """W = M^-1."""
    layout = compiled.layout
    W = np.zeros((layout.n_v, layout.n_v))
    for k, body in enumerate(compiled.system.bodies):
        u, w = layout.velocity(k), layout.spin(k)
        W[u, u] = body["inv_mass"] * np.eye(layout.dim)
        turns = w.stop - w.start
        W[w, w] = body["inv_J"][:turns, :turns]
    return W


CASES = [
    *(pytest.param(2, (kind,), id=f"plane-{kind}") for kind in PLANAR),
    pytest.param(2, MIXED, id="plane-mixed"),
    *(pytest.param(3, (kind,), id=f"space-{kind}") for kind in SPATIAL),
    pytest.param(3, SPATIAL, id="space-all"),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("dim", "kinds"), CASES)
def test_it_solves_as_dense_matrices_do(dim, kinds, seed):
    rng = np.random.default_rng(seed)
    compiled = mesh(dim, kinds, rng, n_loops=0 if kinds == ("weld",) else 4)
    system, ws = compiled.system, workspace(compiled.system)
    fill(compiled, ws, 0.0, compiled.q0, compiled.v0)
    D = dense_D(compiled, ws)
    S = D @ dense_W(compiled) @ D.T
    assert np.linalg.cond(S) < 1e9 and not ws.dropped.any()
    b = rng.normal(size=len(S))
    ws.b[:] = b
    blocksolve.carry_forward(system.nodes, system.couplings, ws.U, ws.F, ws.b)
    blocksolve.substitute_back(system.nodes, system.couplings, ws.U, ws.F, ws.b, ws.x)
    assert S @ ws.x == pytest.approx(b, abs=1e-9 * np.linalg.norm(S, 2) * np.linalg.norm(ws.x))
    expected = np.linalg.solve(S, D @ dense_W(compiled) @ ws.f - ws.gamma)
    assert ws.lam == pytest.approx(expected, rel=1e-6, abs=1e-8 * np.abs(expected).max())


def test_some_of_these_fill_blocks_that_were_empty():
    assert any(len(mesh(2, MIXED, np.random.default_rng(s)).system.blank) for s in range(3))
    assert any(len(mesh(3, SPATIAL, np.random.default_rng(s)).system.blank) for s in range(3))


@pytest.mark.parametrize("dim", (2, 3))
def test_a_row_that_repeats_others_is_dropped_and_the_rest_is_exact(dim):
    m = Mechanism("welded twice", dim)
    size = {"inertia": 0.3} if dim == 2 else {"inertia": (0.3, 0.4, 0.5, 0, 0, 0)}
    body = m.body((1.0, 0.2, 0.0)[:dim], mass=2.0, **size)
    for x in (0.0, 0.5):  # two pins hold the body fast; in space two hinges on one axis
        axis = {} if dim == 2 else {"axis": (1, 0, 0)}
        m.revolute("ground", body, at=(x, 0, 0)[:dim], **axis)
    compiled = compile_model(m.model)
    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, compiled.q0, compiled.v0)
    D = dense_D(compiled, ws)
    rank = np.linalg.matrix_rank(D)
    assert ws.dropped.sum() == len(D) - rank > 0
    assert (ws.lam[ws.dropped == 1] == 0.0).all()
    W = dense_W(compiled)
    assert D @ W @ (ws.f - D.T @ ws.lam) == pytest.approx(ws.gamma, abs=1e-9)


@pytest.mark.parametrize("projected", (0.0, 1.0))
def test_after_a_correction_the_accelerations_are_those_of_everything_at_once(projected):
    compiled = mesh(2, MIXED, np.random.default_rng(1))
    system = compiled.system
    y = np.concatenate([compiled.q0, compiled.v0])
    found = []
    for tasks in (entries.EVERYTHING, entries.AFTER_CORRECTION):
        ws = workspace(system)
        ws.options[PROJECTED], ws.options[5], ws.options[6] = projected, 1e-12, 1.0
        table, y_dot = linked(system, ws), np.zeros_like(y)
        entries.correct(table, 0.0, y, y_dot, y_dot)
        entries.derive(table, 0.0, y, y_dot, y_dot, tasks)
        found.append(y_dot)
    assert found[0] == pytest.approx(found[1], rel=1e-12, abs=1e-12)
