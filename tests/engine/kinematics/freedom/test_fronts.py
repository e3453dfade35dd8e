"""The rank by fronts is that of one large matrix, and models of a thousand bodies are prepared."""

from itertools import pairwise
from math import cos, sin

import numpy as np
import pytest
from scipy.linalg import null_space

from assets import example_paths
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.kinematics.evaluate import equations, inverse_mass, movable
from engine.kinematics.mobility import RANK, mobility


def by_one_matrix(compiled):
    """The rank of D by singular values, its rows scaled in the metric of W."""
    e, free = equations(compiled, 0.0, compiled.q0, compiled.v0), movable(compiled)
    values, vectors = np.linalg.eigh(inverse_mass(compiled)[np.ix_(free, free)])
    A = e.D[:, free] @ (vectors * np.sqrt(values)) @ vectors.T
    length = np.linalg.norm(A, axis=1)
    A = A[length > 0] / length[length > 0, None]
    return int((np.linalg.svd(A, compute_uv=False) > RANK).sum()) if A.size else 0


def grid(columns, rows, *, braces=()):
    """Rods pinned together in squares; a brace makes a square stiff, a second one repeats it."""
    m = Mechanism("grid")
    points = [(float(i), float(j)) for i in range(columns) for j in range(rows)]
    sides = [(p, (p[0] + 1, p[1])) for p in points if p[0] + 1 < columns]
    sides += [(p, (p[0], p[1] + 1)) for p in points if p[1] + 1 < rows]
    sides += [((i, j), (i + 1.0, j + 1.0)) for i, j in braces]
    at = {}
    for a, b in sides:
        rod = m.rod(a, b, mass=1.0)
        for end in (a, b):
            if end in at:
                m.revolute(at[end], rod, at=end)
            else:
                at[end] = rod
    m.revolute("ground", at[0.0, 0.0], at=(0, 0))
    return m


def hinged_in_space(n):
    """Planar four-bars with hinges in space, side by side: each repeats three rows."""
    m = Mechanism("four-bars", 3)
    for k in range(n):
        corners = [(0.0, k, 0.0), (0.2, k, 0.5), (1.1, k, 0.7), (1.0, k, 0.0)]
        rods = [m.rod(a, b, mass=1.0) for a, b in pairwise(corners)]
        links = ["ground", *rods, "ground"]
        for left, right, at in zip(links, links[1:], corners):
            m.revolute(left, right, at=at, axis=(0, 1, 0))
    return m


CASES = {
    "grid": lambda: grid(5, 4),
    "stiff": lambda: grid(3, 3, braces=[(i, j) for i in (0.0, 1.0) for j in (0.0, 1.0)]),
    "twice": lambda: grid(3, 2, braces=[(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]),
    "hinges": lambda: hinged_in_space(3),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rank_is_that_of_one_large_matrix(name):
    compiled = compile_model(CASES[name]().model)
    found = mobility(compiled)
    assert found.rank == by_one_matrix(compiled)
    assert found.redundant == len(found.redundancies)


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_the_rank_of_every_example_is_that_of_one_large_matrix(name):
    compiled = compile_model(load(example_paths()[name]))
    assert mobility(compiled).rank == by_one_matrix(compiled)


def test_a_redundancy_is_told_with_the_joints_of_its_own_loop():
    found = mobility(compile_model(hinged_in_space(4).model))
    assert found.redundant == 4 * 3
    for one in found.redundancies:
        loops = {(int(id.split("_")[1]) - 1) // 4 for id in (one.id, *one.others)}
        assert len(loops) == 1, one.sentence


def test_a_chain_behind_a_loop_takes_no_part_in_its_redundancy():
    m = hinged_in_space(1)
    last, at = "rod_3", np.array([1.0, 0.0, 0.0])
    for _ in range(5):
        end = at + np.array([0.3, 0.0, -0.1])
        rod = m.rod(tuple(at), tuple(end), mass=1.0)
        m.revolute(last, rod, at=tuple(at), axis=(0, 1, 0), id=f"tail_{rod}")
        last, at = rod, end
    found = mobility(compile_model(m.model))
    assert found.redundant == 3 and found.dof == 6
    assert not any(id.startswith("tail") for id in found.not_unique)


def test_free_motions_are_the_null_space():
    compiled = compile_model(grid(3, 3).model)
    found, e = mobility(compiled), equations(compiled, 0.0, compiled.q0, compiled.v0)
    assert found.motions.shape[1] == found.dof == null_space(e.D).shape[1]
    np.testing.assert_allclose(e.D @ found.motions, 0.0, rtol=0, atol=1e-12)


def test_work_grows_with_the_number_of_bodies(monkeypatch):
    """No matrix is larger than the front of some bodies, however long the chain is."""
    import engine.kinematics.freedom.fronts as fronts

    sizes = []
    pivoted = fronts._pivoted
    monkeypatch.setattr(
        fronts, "_pivoted", lambda A, tolerance: (sizes.append(A.size), pivoted(A, tolerance))[1]
    )
    m, last, at = Mechanism("chain"), "ground", (0.0, 0.0)
    for k in range(200):
        end = (at[0] + cos(0.3 * k), at[1] + sin(0.3 * k))
        rod = m.rod(at, end, mass=1.0)
        m.revolute(last, rod, at=at)
        last, at = rod, end
    found = mobility(compile_model(m.model))
    assert found.dof == 200 and max(sizes) <= 36 and len(sizes) <= 400
