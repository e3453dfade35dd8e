"""Sparse elimination of the linearised equations agrees with dense solutions."""

import numpy as np
import pytest

from engine.compiling.elimination import dense_blocks, elimination, with_tangents
from engine.compiling.system import compile_model, linked, workspace
from engine.editing.builder import Mechanism
from engine.kernels.implicit.entries import FACTORISE, LINEARISE, SOLVE, tangent
from engine.kernels.implicit.tangent_layout import BY_STATE, C1, C2, ROW, E
from engine.kernels.layout import PROXIMAL_STEPS
from engine.kinematics.evaluate import dense_D, fill, mass_matrix, movable
from tests.engine.catalogue import FORCE_CASES, JOINT_CASES, force_model, joint_model
from tests.validation import models

CASES = [
    *(pytest.param(joint_model(j, d, 0), id=f"{j.kind}-{d}d") for j, d in JOINT_CASES),
    *(pytest.param(force_model(f, d, 0), id=f"{f.kind}-{d}d") for f, d in FORCE_CASES),
]


def spatial_chain(n, kind="revolute"):
    """Boxes in a row, each joined to the one before."""
    m = Mechanism("chain", 3)
    before = "ground"
    for k in range(n):
        box = m.box((k + 0.5, 0, 0), 1.0, 0.3, 0.2, mass=1.0)
        getattr(m, kind)(before, box, at=(k, 0, 0), axis=(0, 1, 0.2 * (k % 3)))
        before = box
    return m.model


class Linear:
    """The linearised equations of a model as drawn, dense and eliminated."""

    def __init__(self, model, c1=1e-3, c2=1e-4, e=0.0, soft=False):
        self.compiled = compiled = compile_model(model)
        system = compiled.system
        self.ws = ws = workspace(system)
        q, v = compiled.q0, compiled.v0
        fill(compiled, ws, 0.0, q, v)
        ws.options[PROXIMAL_STEPS] = soft
        self.table, (self.order, self.tan) = with_tangents(linked(system, ws), system)
        self.tan.factors[[C1, C2, E, ROW, BY_STATE]] = c1, c2, e, 1.0, 1.0 / c1
        self.y = compiled.layout.y(q, v, compiled.z0)
        tangent(self.table, 0.0, self.y, flag=LINEARISE | FACTORISE)
        K = dense_blocks(system, self.order, self.tan.K)
        C = dense_blocks(system, self.order, self.tan.C)
        self.free = movable(compiled)
        self.A = (mass_matrix(compiled) + c1 * C + c2 * K)[np.ix_(self.free, self.free)]
        self.D = dense_D(compiled, ws)[:, self.free]
        n_rows = compiled.n_rows
        pushes = self.D.T.copy()
        if len(system.rubbings):
            ws.D[:] = self.tan.rubbed
            pushes += dense_D(compiled, ws)[:, self.free].T
            fill(compiled, ws, 0.0, q, v)
        self.matrix = np.block([[self.A, pushes], [self.D, -e * np.eye(n_rows)]])

    def solve(self, b, c):
        """x and y by elimination."""
        self.tan.b[:] = 0.0
        self.tan.b[self.free], self.tan.c[:] = b, c
        tangent(self.table, 0.0, self.y, flag=SOLVE)
        return self.tan.x[self.free], self.tan.y.copy()

    def right_sides(self, consistent=True):
        """Random ones; c is one that rows, redundant or not, can meet."""
        rng = np.random.default_rng(3)
        b = rng.normal(size=len(self.A))
        c = self.D @ rng.normal(size=len(self.A)) if consistent else rng.normal(size=len(self.D))
        return b, c


def assert_agrees(linear, tolerance=1e-10):
    """x is that of the dense solution of least norm, and the equations hold."""
    b, c = linear.right_sides()
    x, y = linear.solve(b, c)
    expected = np.linalg.lstsq(linear.matrix, np.concatenate([b, c]), rcond=1e-12)[0]
    size = 1.0 + np.abs(expected).max()
    # condition numbers of these matrices are below 1e6: ten digits stay
    np.testing.assert_allclose(x, expected[: len(x)], atol=tolerance * size)
    left = linear.matrix @ np.concatenate([x, y]) - np.concatenate([b, c])
    assert np.abs(left).max() < tolerance * size


@pytest.mark.parametrize("model", CASES)
def test_elimination_agrees_with_a_dense_solution(model):
    assert_agrees(Linear(model))


@pytest.mark.parametrize("n", [1, 2, 30])
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_chains_in_space_agree_with_a_dense_solution(kind, n):
    assert_agrees(Linear(spatial_chain(n, kind)))


def test_a_chain_of_a_hundred_rods_agrees_with_a_dense_solution():
    assert_agrees(Linear(models.horizontal_chain(100)))


@pytest.mark.parametrize("n", [1, 2, 6])
def test_loops_agree_with_a_dense_solution(n):
    assert_agrees(Linear(models.parallel_cranks(n)))


@pytest.mark.parametrize("soft", [False, True], ids=["dropped", "shared"])
@pytest.mark.parametrize("n", [1, 3])
def test_redundant_loops_give_the_same_motion(n, soft):
    linear = Linear(models.parallel_cranks(n, 3), soft=soft)
    assert_agrees(linear)
    missing = len(linear.D) - np.linalg.matrix_rank(linear.D, tol=1e-9)
    assert missing == 3 * n  # each loop of parallel hinges has three rows too many
    dropped = int(linear.tan.dropped.sum())
    assert dropped == (0 if soft else missing)


def test_softened_rows_share_a_load_and_dropped_ones_do_not():
    m = Mechanism("door", 3)
    door = m.box((0.5, 0, 0), 1.0, 0.1, 2.0, mass=10.0)
    for id, z in (("low", -0.5), ("high", 0.5)):
        m.revolute("ground", door, at=(0, 0, z), axis=(0, 0, 1), id=id)
    soft, hard = Linear(m.model, soft=True), Linear(m.model)
    b, c = np.zeros(6), np.zeros(10)
    b[2] = -1.0  # a push down along the hinges
    x_soft, y_soft = soft.solve(b, c)
    x_hard, y_hard = hard.solve(b, c)
    np.testing.assert_allclose(
        x_soft, x_hard, atol=1e-9
    )  # accuracy of the iteration on redundant rows
    forces = [y_soft[soft.compiled.rows_of[id]] for id in ("low", "high")]
    np.testing.assert_allclose(
        forces[0][2], forces[1][2], rtol=1e-5
    )  # the weight eps of the softening
    assert np.abs(y_hard).max() > 1.5 * np.abs(y_soft).max()


def test_a_compliance_lets_rows_give_way():
    linear = Linear(models.parallel_cranks(1, 3), e=0.1)
    b, c = linear.right_sides(consistent=False)
    x, y = linear.solve(b, c)
    expected = np.linalg.solve(linear.matrix, np.concatenate([b, c]))
    np.testing.assert_allclose(np.concatenate([x, y]), expected, atol=1e-10)  # well conditioned
    assert not linear.tan.dropped.any()


def test_a_particle_is_never_turned():
    linear = Linear(models.particle_pendulum(0.3))
    assert_agrees(linear)
    linear.tan.b[:] = 1.0
    tangent(linear.table, 0.0, linear.y, flag=SOLVE)
    assert abs(linear.tan.x[2]) < 1e-25


def test_the_factors_of_chains_and_loops_grow_with_their_length():
    for make in (models.horizontal_chain, models.parallel_cranks, spatial_chain):
        n_lu = [elimination(compile_model(make(n)).system).n_lu for n in (64, 128)]
        assert n_lu[1] < 2.1 * n_lu[0]
