"""Accelerations of trees with every joint that carries a body, against those of another program."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.compiling.system import linked, workspace
from engine.kernels.entries import ACCELERATIONS, EVERYTHING
from engine.kernels.layout import PROTOTYPES
from engine.kernels.linking import words
from engine.kernels.state import placed_bodies
from engine.kernels.trees import entries
from engine.kernels.trees.layout import BALL, CROSS, HINGE, RIGID, SCREW, X_AT
from engine.model.joints.base import Carry
from engine.trees import packing
from engine.trees.poses import Hung
from engine.trees.spanning import Branch

DATA = Path(__file__).parents[2] / "data" / "tree_accelerations.json"
TREES = json.loads(DATA.read_text(encoding="utf-8"))["trees"]
CARRIES = {
    "revolute": Carry(turn=HINGE),
    "prismatic": Carry((2,)),
    "cylindrical": Carry((2,), HINGE),
    "screw": Carry(turn=SCREW),
    "universal": Carry(turn=CROSS),
    "planar": Carry((0, 1), HINGE),
    "spherical": Carry(turn=BALL),
    "line": Carry((2,), BALL),
    "plane": Carry((0, 1), BALL),
    "free": Carry((0, 1, 2), BALL),
}
TURNS = {RIGID: 0, HINGE: 1, SCREW: 1, CROSS: 2, BALL: 3}


def hung(number: int, given: dict[str, Any], ground: int) -> Hung:
    """One body of the data as it hangs in the tree."""
    carry = CARRIES[given["kind"]]
    n_v = len(carry.slides) + TURNS[carry.turn]
    parent = given["parent"] if given["parent"] >= 0 else ground
    return Hung(
        Branch(number, parent, SimpleNamespace(id=given["kind"]), carry, False),
        carry,
        O=-np.array(given["com"]),
        R_own=np.eye(3),
        arm=np.array(given["p"]),
        axes=np.array(given["axes"]),
        lead=given["pitch"] / (2 * np.pi) if carry.turn == SCREW else 0.0,
        phi=0.0,
        beta=np.zeros(n_v + (carry.turn == BALL)),
        eta=np.zeros(n_v),
    )


def forces_of(tau: np.ndarray, tree: Any, frames: np.ndarray, n: int) -> np.ndarray:
    """Forces along the axes of joints, as forces on both bodies in the layout of v."""
    f = np.zeros((n + 1, 6))
    for k, link in enumerate(tree.links):
        for axis in range(link["n_v"]):
            at = int(link["v_at"]) + axis
            pull = tau[at] * tree.axes[at, :3]
            for body, sign in ((k, 1.0), (int(link["parent"]), -1.0)):
                R, arm = frames[body]["R"], tree.space[k, X_AT : X_AT + 3] - frames[body]["r"]
                if axis < link["n_slides"]:
                    f[body, :3] += sign * pull
                    f[body, 3:] += sign * R.T @ np.cross(arm, pull)
                else:
                    f[body, 3:] += sign * R.T @ pull
    return f[:n].ravel()


@pytest.mark.parametrize("given", TREES, ids=lambda tree: tree["id"])
def test_accelerations_are_those_of_another_program(given):
    n = len(given["bodies"])
    bodies = placed_bodies(3, [0] * n)
    bodies["orientation"] = -1
    bodies["J"] = [body["J"] for body in given["bodies"]]
    bodies["inv_J"] = np.linalg.inv(bodies["J"])
    mass = np.array([body["m"] for body in given["bodies"]])
    bodies["inv_mass"] = 1.0 / mass
    same = {"bodies": bodies, "carriers": bodies}
    system = PROTOTYPES[0]._replace(dim=3, n_bodies=n, weight=np.zeros(6 * n), **same)
    ws = workspace(system)
    compiled = SimpleNamespace(
        system=system,
        rows_of={},
        mass=mass,
        is_particle=np.zeros(n, dtype=bool),
        resolved=SimpleNamespace(gravity=given["g"]),
    )
    links = [hung(k, body, n) for k, body in enumerate(given["bodies"])]
    absolute = linked(system, ws)
    tree = packing._tree(compiled, system, links, (), absolute, np.zeros(13 * n))
    tree = tree._replace(is_acted=1)  # forces act on every body
    tree.links["is_alone"] = 0
    table = np.array([*absolute, *words(tree)], dtype=np.int64)
    state = {name: np.array(value) for name, value in given["state"].items()}
    y = np.concatenate([state["beta"], state["eta"]])
    y_dot = np.zeros_like(y)
    entries.derive(table, 0.0, y, y_dot, y_dot, EVERYTHING)
    ws.f[:] = forces_of(state["tau"], tree, ws.spatial, n)
    entries.derive(table, 0.0, y, y_dot, y_dot, ACCELERATIONS)
    size = np.abs(state["eta_dot"]).max()
    np.testing.assert_allclose(y_dot[tree.n_q :], state["eta_dot"], rtol=0.0, atol=1e-11 * size)
