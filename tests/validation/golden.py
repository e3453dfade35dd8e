"""What several golden cases share: the models of the theory and how the engine evaluates them."""

import json
from collections.abc import Callable
from math import radians
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.kinematics.evaluate import Equations, equations
from engine.model.elements import Model
from engine.results.results import Results
from tests.validation import models

_FILE = Path(__file__).parent.parent / "data" / "golden.json"
GOLDEN = {case["id"]: case for case in json.loads(_FILE.read_text())}
FINE = {"method": "rk4", "step": 2e-4}  # errors of RK4 near 1e-10: far below the golden tolerances
Case = Callable[[dict], dict[str, Any]]  # from the inputs of a golden case to what it expects


def at_start(model: Model) -> tuple[Compiled, Equations]:
    """The equations of motion as drawn."""
    compiled = compile_model(model)
    return compiled, equations(compiled, 0.0, compiled.q0, compiled.v0)


def forces_of(compiled: Compiled, e: Equations) -> np.ndarray:
    """Applied forces without weight."""
    return e.f - compiled.system.weight


def crane(p: dict) -> Model:
    """The crane of the theory."""
    keys = ("m1", "m2", "s", "k", "g")
    return models.crane(
        **{k: p[k] for k in keys}, length=p["l"], x1=p["x1_0"], phi=radians(p["phi0_deg"])
    )


def crane_state(results: Results, frame: int = -1) -> list[float]:
    """(x1, x1', phi, phi') in the signs of the source."""
    q, v = results.q[frame], results.v[frame]
    return [-q[0], -v[0], q[5], v[5]]


def double_pendulum(p: dict, phi: Any = None, w: Any = (0.0, 0.0)) -> Model:
    """The double pendulum of the theory."""
    phi = (radians(p["phi1_deg"]), radians(p["phi2_deg"])) if phi is None else phi
    return models.rod_chain(tuple(phi), (p["m1"], p["m2"]), (p["l1"], p["l2"]), tuple(w))


def both_multipliers(compiled: Compiled, lam: np.ndarray) -> np.ndarray:
    """The multipliers of the two pins, first pin first."""
    return np.concatenate([lam[compiled.rows_of[pin]] for pin in ("revolute_1", "revolute_2")])
