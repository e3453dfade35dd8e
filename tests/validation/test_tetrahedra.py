"""Quadratic tetrahedra: patch test, rigid motions, mass, beam theory, and what condensing costs."""

import sys
from itertools import product

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse.linalg import spsolve

from engine.compiling.elastic.tetrahedra import (
    GAUSS,
    MASS,
    Solid,
    condensed,
    flat_cells,
    quadratic_mesh,
    shape_gradients,
    spread_nodes,
)
from engine.editing import filling
from engine.editing.builder import Mechanism
from engine.editing.filling import fill_by_ftetwild
from engine.editing.solid_parts import solid_part
from engine.errors import EngineError
from engine.model.elastic.matrices import rigid_motions

STEEL = Solid(2.1e11, 0.3, 7850.0)


def brick(sizes, counts):
    """A block from the origin: corners and six tetrahedra in each of its cells."""
    grid = np.array(list(product(*(range(n + 1) for n in counts))))
    number = {tuple(p): k for k, p in enumerate(grid.tolist())}
    cells = []
    for base in product(*(range(n) for n in counts)):
        for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            at, path = list(base), [number[base]]
            for axis in order:
                at[axis] += 1
                path.append(number[tuple(at)])
            cells.append(path)
    return grid * (np.array(sizes) / counts), np.array(cells)


@pytest.fixture(scope="module")
def bar():
    """200 x 20 x 10 mm of steel."""
    return quadratic_mesh(*brick((0.2, 0.02, 0.01), (10, 1, 1)), STEEL)


def test_the_mass_of_a_tetrahedron_is_the_published_one():
    # rho V / 420 times 6, 1, -4 (edge at the corner), -6 (opposite), 32, 16 (sharing a corner), 8
    assert MASS[0, 0] * 420 == pytest.approx(6.0) and MASS[0, 1] * 420 == pytest.approx(1.0)
    assert MASS[0, 4] * 420 == pytest.approx(-4.0) and MASS[0, 9] * 420 == pytest.approx(-6.0)
    assert MASS[4, 4] * 420 == pytest.approx(32.0) and MASS[4, 5] * 420 == pytest.approx(16.0)
    assert MASS[4, 9] * 420 == pytest.approx(8.0) and MASS.sum() == pytest.approx(1.0)


def test_the_patch_test_constant_strain_is_reproduced_by_irregular_cells():
    corners, cells = brick((1.0, 0.8, 0.6), (2, 2, 2))
    inside = np.all((corners > 1e-9) & (corners < np.array([1.0, 0.8, 0.6]) - 1e-9), axis=1)
    corners = (
        corners + 0.08 * np.random.default_rng(3).standard_normal(corners.shape) * inside[:, None]
    )
    mesh = quadratic_mesh(corners, cells, STEEL)
    gradient = 1e-3 * np.array([[1.0, 0.4, -0.2], [0.1, -0.5, 0.3], [0.0, 0.2, 0.7]])
    u = mesh.nodes @ gradient.T
    low, high = mesh.nodes.min(axis=0), mesh.nodes.max(axis=0)
    outer = np.any((mesh.nodes < low + 1e-9) | (mesh.nodes > high - 1e-9), axis=1)
    assert 0 < outer.sum() < len(outer)
    free = np.flatnonzero(np.repeat(~outer, 3))
    held = np.flatnonzero(np.repeat(outer, 3))
    flat = u.ravel()
    found = spsolve(mesh.K[free][:, free], -mesh.K[free][:, held] @ flat[held])
    np.testing.assert_allclose(found, flat[free], atol=1e-15)
    # the energy is that of the strain: lambda/2 tr^2 + mu e:e
    e = 0.5 * (gradient + gradient.T)
    mu, lame = 2.1e11 / 2.6, 2.1e11 * 0.3 / (1.3 * 0.4)
    energy = 0.48 * (0.5 * lame * np.trace(e) ** 2 + mu * (e * e).sum())
    assert 0.5 * flat @ (mesh.K @ flat) == pytest.approx(energy, rel=1e-10)


def test_gradients_are_those_of_the_shape_functions():
    grad = np.concatenate([-np.ones((1, 1, 3)), np.eye(3)[None]], axis=1)  # of the unit tetrahedron
    for L in GAUSS:
        x, B = L[1:], shape_gradients(L, grad)[0]
        np.testing.assert_allclose(B.sum(axis=0), 0.0, atol=1e-15)
        middles = [0.5 * (a + b) for k, a in enumerate(CORNERS) for b in CORNERS[k + 1 :]]
        nodes = np.array([*CORNERS, *middles])
        for a in range(3):  # of x_a and of x_a x_b, which ten nodes hold exactly
            np.testing.assert_allclose(nodes[:, a] @ B, np.eye(3)[a], atol=1e-14)
            product_ = nodes[:, a] * nodes[:, (a + 1) % 3]
            exact = x[(a + 1) % 3] * np.eye(3)[a] + x[a] * np.eye(3)[(a + 1) % 3]
            np.testing.assert_allclose(product_ @ B, exact, atol=1e-14)


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)


def test_rigid_motions_cost_nothing_and_weigh_what_the_block_weighs(bar):
    R = rigid_motions(bar.nodes, 3, np.array([0.1, 0.01, 0.005]))
    assert np.abs(bar.K @ R).max() < 1e-9 * np.abs(bar.K).max()
    whole = R.T @ (bar.M @ R)
    m, (a, b, c) = 7850.0 * 0.2 * 0.02 * 0.01, (0.2, 0.02, 0.01)
    exact = m * np.array([1.0, 1, 1, (b**2 + c**2) / 12, (a**2 + c**2) / 12, (a**2 + b**2) / 12])
    np.testing.assert_allclose(whole, np.diag(exact), atol=1e-12)


def tip_of_cantilever(mesh):
    """How far the end of the clamped bar yields along y to a unit force."""
    root = np.flatnonzero(np.repeat(mesh.nodes[:, 0] < 1e-9, 3))
    tip = np.flatnonzero(mesh.nodes[:, 0] > 0.2 - 1e-9)
    free = np.setdiff1d(np.arange(mesh.K.shape[0]), root)
    load = np.zeros(mesh.K.shape[0])
    load[3 * tip + 1] = 1.0 / len(tip)
    u = np.zeros(mesh.K.shape[0])
    u[free] = spsolve(mesh.K[free][:, free], load[free])
    return u[3 * tip + 1].mean()


def test_a_cantilever_bends_as_beam_theory_with_shear_says(bar):
    I, A = 0.01 * 0.02**3 / 12, 0.02 * 0.01
    exact = 0.2**3 / (3 * 2.1e11 * I) + 0.2 / (5 / 6 * 2.1e11 / 2.6 * A)
    # few cells are too stiff, and the clamp holds the width too; linear cells of this size lock by half
    finer = quadratic_mesh(*brick((0.2, 0.02, 0.01), (20, 2, 1)), STEEL)
    off = [tip_of_cantilever(one) / exact - 1.0 for one in (bar, finer)]
    assert -0.03 < off[0] < off[1] < 0.0 and abs(off[1]) < 0.01


def test_a_free_bar_rings_as_a_beam_and_condensing_keeps_that(bar):
    exact = 22.3733 / (2 * np.pi) * np.sqrt(2.1e11 / 7850.0 / 12) / 0.2**2 * np.array([0.01, 0.02])
    w = np.sqrt(np.maximum(eigh(bar.K.toarray(), bar.M.toarray(), eigvals_only=True), 0.0))
    full = w[6:16] / (2 * np.pi)
    assert np.all(w[:6] < 1e-3 * w[6])
    # Euler and Bernoulli leave out shear and turning sections: 0.5 and 2 % for these
    assert full[0] == pytest.approx(exact[0], rel=0.015)
    K, M = condensed(bar, spread_nodes(bar.nodes, 60))
    few = np.sqrt(np.maximum(eigh(K, M, eigvals_only=True), 0.0))[6:16] / (2 * np.pi)
    np.testing.assert_allclose(few[:6], full[:6], rtol=1e-4)
    np.testing.assert_allclose(few, full, rtol=3e-3)


def test_condensed_nodes_keep_mass_centre_and_inertia(bar):
    kept = spread_nodes(bar.nodes, 40)
    assert len(set(kept.tolist())) == 40
    K, M = condensed(bar, kept)
    few, all_ = (rigid_motions(x, 3, np.zeros(3)) for x in (bar.nodes[kept], bar.nodes))
    np.testing.assert_allclose(few.T @ M @ few, all_.T @ (bar.M @ all_), rtol=1e-9, atol=1e-12)
    assert np.abs(K @ few).max() < 1e-8 * np.abs(K).max()


def test_flat_cells_are_found():
    corners, cells = brick((1.0, 1.0, 1.0), (1, 1, 1))
    assert not flat_cells(corners, cells).any()
    corners[:, 2] = 0.0
    assert flat_cells(corners, cells).all()


# --- from a surface to a part


def surface(folder, sizes):
    """An OBJ file with the surface of a block."""
    x = np.array(list(product(*((0.0, size) for size in sizes))))
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    lines = [f"v {a:g} {b:g} {c:g}" for a, b, c in x]
    lines += [f"f {i + 1} {j + 1} {k + 1}\nf {i + 1} {k + 1} {l + 1}" for i, j, k, l in quads]
    (folder / "bar.obj").write_text("\n".join(lines))
    return folder / "bar.obj"


def filled(vertices, faces, edge):
    """A block filled with cells, in place of the program that fills any surface."""
    sizes = np.ptp(vertices, axis=0)
    return brick(sizes, np.maximum(np.round(sizes / edge), 1).astype(int))


def test_a_surface_becomes_a_part_that_bends_and_is_run(tmp_path):
    part = solid_part(
        surface(tmp_path, (200.0, 20.0, 10.0)), STEEL, 1e-3, fill=filled, modes=4, damping_ratio=0.0
    )
    assert len(part.nodes) == 90 and part.source == "bar.obj"
    # its skin is closed, faces outwards and is fine enough to be drawn bent
    a, b, c = (np.array(part.skin)[np.array(part.faces)[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(0.2 * 0.02 * 0.01)
    assert len({x for x, _, _ in part.skin}) > 10
    one = part.matrices()
    assert one.mass == pytest.approx(7850.0 * 0.2 * 0.02 * 0.01, rel=1e-9)
    np.testing.assert_allclose(one.center, (0.1, 0.01, 0.005), atol=1e-9)
    m = Mechanism(dim=3, gravity=(0.0, 0.0, -9.81))
    id = m.part((0, 0, 0), K=part.stiffness, M=part.mass, nodes=part.nodes, patch=part.patch)
    m.weld("ground", id, (0, 0.01, 0.005))
    tip = m.marker(id, (0.2, 0.01, 0.005))
    run = m.run(t_end=0.004, output_step=1e-4, method="radau", tolerance=1e-6)
    # it swings about its sag, q l^4 / 8 EI, at the first frequency of a clamped bar
    EI, line = 2.1e11 * 0.02 * 0.01**3 / 12, 7850.0 * 0.02 * 0.01
    sag = line * 9.81 * 0.2**4 / (8.0 * EI)
    z = run[f"{tip}.z"] - 0.005
    # the clamp is a patch of nodes, so the bar is some millimetres shorter
    assert -z.min() == pytest.approx(2.0 * sag, rel=0.25)
    assert run.t[z.argmin()] == pytest.approx(
        np.pi / (3.516 / 0.2**2 * np.sqrt(EI / line)), rel=0.15
    )


def test_a_solid_that_cannot_be_filled_is_told_why(tmp_path, monkeypatch):
    path = surface(tmp_path, (200.0, 20.0, 10.0))

    def told(**fields):
        given = {"material": STEEL, "scale": 1e-3, "fill": filled, **fields}
        with pytest.raises(EngineError) as error:
            solid_part(path, **given)
        assert error.value.sentence.endswith(".")
        return error.value.sentence

    nothing = np.zeros((0, 4), dtype=int)
    assert "encloses no volume" in told(fill=lambda *_: (np.zeros((0, 3)), nothing))
    assert "choose longer edges" in told(edge=1e-3)
    assert "Young's modulus" in told(material=Solid(0.0, 0.3, 7850.0))
    assert "Poisson's ratio" in told(material=Solid(1e9, 0.5, 7850.0))
    assert "density" in told(material=Solid(1e9, 0.3, -1.0))
    monkeypatch.setattr(filling, "find_spec", lambda name: None)
    assert "pip install kardan[solid]" in told(fill=fill_by_ftetwild)
    # a process that fails, as that of a surface that cannot be filled
    monkeypatch.setattr(filling, "find_spec", lambda name: name)
    monkeypatch.setattr(filling, "command", lambda module: [sys.executable, "-c", "exit(3)"])
    assert "could not be filled" in told(fill=fill_by_ftetwild)
    monkeypatch.setattr(filling, "PATIENCE", 0.0)
    assert "took longer" in told(fill=fill_by_ftetwild)
