"""Ten thousand double pendulums, one after the other on one core.

The double pendulum j_double1285 of the collection with both start angles within 0.01 rad, 10 s at a
tolerance of 1e-10, last values only.
"""

import time
from dataclasses import replace

import numpy as np

from bench.tables import Table
from bench.timing import Effort
from engine.editing.builder import Mechanism
from engine.model.elements import Model, put
from engine.running.ensembles import many

N_RUNS, SPREAD = 10_000, 0.01
MASS = 12.85


def double_pendulum() -> Model:
    """Two equal rods of one metre whose angles at the start are the parameters `a` and `b`."""
    m = Mechanism("double pendulum")
    m.parameter("a", 0.0)
    m.parameter("b", 0.0)
    upper = m.rod((0, 0), (1, 0), mass=MASS, id="upper")
    lower = m.rod((1, 0), (2, 0), mass=MASS, id="lower")
    m.revolute("ground", upper, at=(0, 0))
    m.revolute(upper, lower, at=(1, 0))
    model = m.model
    places = {
        "upper": ("a", ("cos(a)/2", "sin(a)/2")),
        "lower": ("b", ("cos(a) + cos(b)/2", "sin(a) + sin(b)/2")),
    }
    for id, (angle, position) in places.items():
        model = put(model, replace(model[id], angle=angle, position=position))
    return model


def bench(effort: Effort) -> list[Table]:
    """How long all runs take, by the clock and in computing time of this process."""
    n_runs = max(10, int(N_RUNS * effort.share))
    angles, model = (
        np.random.default_rng(0).uniform(-SPREAD, SPREAD, (2, n_runs)),
        double_pendulum(),
    )
    asked = {"method": "dop853", "coordinates": "joint", "tolerance": 1e-10, "t_end": 10.0}
    many(model, {"a": angles[0, :2], "b": angles[1, :2]}, last_only=True, **asked)  # loads it
    began = time.perf_counter(), time.process_time()
    ensemble = many(model, {"a": angles[0], "b": angles[1]}, last_only=True, **asked)
    took = time.perf_counter() - began[0], time.process_time() - began[1]
    evaluations = float(ensemble.evaluations.mean())
    table = Table(
        "Many double pendulums",
        ("runs", "done", "s", "s of computing", "evaluations each", "us per evaluation"),
        notes=["All included. Goal: below 10 s for 10 000 on one core."],
    )
    each = 1e6 * took[1] / n_runs / evaluations
    table.rows.append((n_runs, int(ensemble.is_done.sum()), *took, evaluations, each))
    return [table]
