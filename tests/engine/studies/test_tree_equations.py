"""The equations of a tree by matrices: three ways agree, and with the absolute equations."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from assets import example_paths
from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.evaluate import equations
from engine.running.simulate import prepare, run
from engine.studies.tree_equations import _to_bodies, recursive, tree_equations
from engine.trees.poses import poses_of
from rotations import axis_angle, quaternion

EXACT = 1e-10  # relative; Bricard's loop is near a redundancy
NAMES = sorted(
    {*example_paths()} - {"gimbal_lock", "looping_helicopter"}
)  # these have Euler angles

REFERENCES = {
    one["id"]: one
    for one in json.loads(
        (Path(__file__).parents[2] / "data" / "tree_matrices.json").read_text("utf-8")
    )["matrices"]
}


@cache
def moved(name):
    """An example after some steps, and its state there."""
    results = run(load(example_paths()[name]), t_end=0.06, output_step=0.02)
    columns = results.q, results.v, results.z
    return results.compiled, (0.06, *(np.ascontiguousarray(column[-1]) for column in columns))


@pytest.mark.parametrize("name", NAMES)
def test_velocities_and_accelerations_are_those_of_absolute_coordinates(name):
    compiled, (t, q, v, z) = moved(name)
    if compiled.elastic:
        with pytest.raises(EngineError, match=r"no joint coordinates here: beam '.*' bends"):
            tree_equations(compiled, t, q, v, z)
        return
    tree = tree_equations(compiled, t, q, v, z)
    T, away = _to_bodies(compiled, tree.hung, poses_of(compiled, q, v), tree.size)
    known = equations(compiled, t, q, v, z=z)
    np.testing.assert_allclose(T @ tree.J @ tree.eta, v, rtol=0, atol=1e-11 * (1 + abs(v).max()))
    a = T @ tree.accelerations(tree.minimal()) + away
    condition = max(1.0, (len(tree.hung) / 10) ** 2)  # of a long chain
    exact = EXACT * condition * (1 + abs(known.a).max())
    np.testing.assert_allclose(a, known.a, rtol=0, atol=exact)
    assert np.linalg.eigvalsh(tree.M_hat).min() > 0.0


@pytest.mark.parametrize(
    "name", ["triple_pendulum", "gyroscope_in_gimbals", "spinning_top", "crane_trolley"]
)
def test_three_ways_agree_and_joints_do_no_work(name):
    compiled, state = moved(name)
    tree = tree_equations(compiled, *state)
    a, f_P, eta_dot = tree.sparse()
    size = 1.0 + np.abs(eta_dot).max()
    np.testing.assert_allclose(tree.minimal(), eta_dot, rtol=0, atol=1e-10 * size)
    prepared = prepare(compiled)
    np.testing.assert_allclose(recursive(prepared, *state)(), eta_dot, rtol=0, atol=1e-9 * size)
    np.testing.assert_allclose(tree.accelerations(eta_dot), a, rtol=0, atol=1e-10 * size)
    np.testing.assert_allclose(tree.wrenches(), f_P, rtol=0, atol=1e-9 * (1 + abs(f_P).max()))
    np.testing.assert_allclose(tree.C.T @ f_P, 0.0, rtol=0, atol=1e-9 * (1 + abs(f_P).max()))


def test_the_force_of_a_joint_is_its_reaction():
    results = run(load(example_paths()["double_pendulum"]), t_end=0.06, output_step=0.02)
    compiled, state = moved("double_pendulum")
    tree = tree_equations(compiled, *state)
    wrenches = tree.wrenches().reshape(-1, 3)
    for joint, wrench in zip("AB", wrenches):
        told = [results[f"{joint}.force_{axis}"][-1] for axis in "xy"]
        np.testing.assert_allclose(np.abs(wrench[1:]), np.abs(told), rtol=1e-9)


def test_the_tree_of_the_lecture_has_its_predecessors():
    m, places = Mechanism("six bodies", 3), {}
    for n, before in enumerate((0, 1, 2, 1, 2, 5), 1):
        at = np.array(places.get(before, (0.0, 0.0, 0.0)))
        end = at + np.array([0.5, 0.1 * n, -0.3])
        rod = m.cylinder(tuple(at), tuple(end), 0.05, mass=1.0, id=f"body{n}")
        m.revolute(f"body{before}" if before else "ground", rod, at=tuple(at), axis=(n, 1, 2))
        places[n] = tuple(end)
    results = run(m.model, t_end=0.01, output_step=0.01)
    tree = tree_equations(results.compiled, 0.01, results.q[-1], results.v[-1])
    order = [results.compiled.body_ids[one.branch.body] for one in tree.hung]
    by_name = {body: order[p - 1] if p else "ground" for body, p in zip(order, tree.predecessors)}
    assert by_name == {
        "body1": "ground",
        "body2": "body1",
        "body3": "body2",
        "body4": "body1",
        "body5": "body2",
        "body6": "body5",
    }
    blocks = tree.B.reshape(6, 6, 6, 6).transpose(0, 2, 1, 3)
    for i, p in enumerate(tree.predecessors):
        for j in range(6):
            assert np.any(blocks[i, j]) == (j in (i, p - 1))


def test_the_command_tells_tree_wrenches_matrices_and_ways(capsys):
    assert main(["tree", "double_pendulum", "--time", "0.1", "--matrices"]) == 0
    told = capsys.readouterr().out
    for words in (
        "nothing is cut",
        "p(i)",
        "f^P, f^k",
        "M^",
        "k\u1d9c",
        "recursive",
        "\nJ",
        "sparse",
    ):
        assert words in told, words
    assert main(["tree", "four_bar"]) == 0
    assert "cut: 'C'" in capsys.readouterr().out
    assert main(["tree", "double_pendulum", "--symbols"]) == 0
    assert "m2\u00b7cos(\u03b22)/2 + m2/4" in capsys.readouterr().out
    assert main(["tree", "six_body_tree", "--symbols"]) == 0
    assert "too long in symbols" in capsys.readouterr().out
    assert main(["tree", "gimbal_lock"]) == 0
    assert "cut: 'motor'" in capsys.readouterr().out


def drawn_as_given(given):
    """A tree of hinges in space in the pose and with the speeds of a reference, without its inertias."""
    m, R, O, w, speed = Mechanism(given["id"], 3, gravity=given["g"]), {}, {}, {}, {}
    R[-1], O[-1], w[-1], speed[-1] = np.eye(3), *np.zeros((3, 3))
    for n, one in enumerate(given["bodies"]):
        p, u = one["parent"], np.array(one["u"])
        R[n] = R[p] @ axis_angle.matrix(u, given["beta"][n])
        O[n] = O[p] + R[p] @ one["p"]
        w[n] = w[p] + R[n] @ u * given["eta"][n]
        speed[n] = speed[p] + np.cross(w[p], O[n] - O[p])
        m.body(
            O[n],
            orientation=quaternion.from_matrix(R[n]),
            mass=one["m"],
            inertia=(1, 1, 1, 0, 0, 0),
            center=one["com"],
            velocity=speed[n],
            angular_velocity=R[n].T @ w[n],
            id=f"body{n}",
        )
        m.revolute("ground" if p < 0 else f"body{p}", f"body{n}", at=O[n], axis=R[n] @ u)
    return m.model


@pytest.mark.parametrize("id", REFERENCES)
def test_the_matrices_are_those_of_the_references(id):
    given = REFERENCES[id]
    values = {name: np.array(value) for name, value in given["values"].items()}
    compiled = compile_model(drawn_as_given(given))
    for n, one in enumerate(
        given["bodies"]
    ):  # no solid has those of T1 and T2: a model refuses them
        compiled.system.bodies["J"][compiled.body_ids.index(f"body{n}")] = one["J"]
    tree = tree_equations(compiled, 0.0, compiled.q0, compiled.v0)  # closed as drawn
    order = [compiled.body_ids.index(f"body{n}") for n in range(len(given["bodies"]))]
    place = [[one.branch.body for one in tree.hung].index(body) for body in order]
    rows = np.concatenate([np.arange(6 * k, 6 * k + 6) for k in place])
    found = {
        "B": tree.B[np.ix_(rows, rows)],
        "C": tree.C[np.ix_(rows, place)],
        "J": tree.J[np.ix_(rows, place)],
        "M": tree.M[np.ix_(rows, rows)],
        "gamma_rel": tree.gamma_rel[rows],
        "Mhat": tree.M_hat[np.ix_(place, place)],
        "kc": tree.k_c[place],
        "kt": tree.k_t[place],
        "eta_dot": tree.minimal()[place],
        "f_P": tree.wrenches()[rows],
    }
    assert found.keys() == values.keys()
    for name, value in values.items():  # 1e-11 of the largest entry: the tolerance of the study
        largest = np.abs(value).max()
        np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-11 * largest, err_msg=name)
    np.testing.assert_array_equal(tree.H, np.eye(len(place)))
    np.testing.assert_allclose(tree.eta[place], given["eta"], rtol=0, atol=1e-11)
