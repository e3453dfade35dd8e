"""Loops with redundant hinges: do joints stay closed, is energy kept, and do three solvers agree?

Methods for the same accelerations of a redundant system, compared at poses along the motion:

    dropped rows:   elimination leaves out rows whose pivot is rounding
    proximal:       (S + eps diag S) x = D a - gamma,  lam <- lam + x         (what runs use)
    dense:          least squares of all equations at once, by numpy

and half a step off these poses, as the stages of RK4 see them: joints are open there by about h^2, and
redundant rows look independent by as little.
"""

from typing import NamedTuple

import numpy as np

from assets import example_paths
from bench.loops import orthogonal_bricard
from bench.tables import Table
from bench.timing import Effort, progress
from engine.compiling.system import Compiled, linked, workspace
from engine.kernels import dynamics, entries, layout
from engine.kinematics.evaluate import Equations, equations
from engine.kinematics.mobility import mobility
from engine.results.balance import balance_of
from engine.results.results import Results
from engine.running.formulation import MAX_PROXIMAL
from engine.running.simulate import run
from kardan import load

T_END = 10.0
STEP = 1e-3
POSES = 200
AGREEMENT = 1e-8  # relative: S is regular only up to a relative eps, and squares the condition of D


class Gaps(NamedTuple):
    """Differences of accelerations, relative to the largest one of the pose; the largest of many."""

    proximal: float  # to the dense way
    dropped: float  # to the dense way
    stage: float  # between these two, half a step off


def bench(effort: Effort) -> list[Table]:
    """Closure, energy and accelerations of three loops."""
    examples = example_paths()
    loops = {
        "planar four-bar": load(examples["four_bar"]),
        "spatial four-bar": load(examples["spatial_four_bar"]),
        "orthogonal Bricard": orthogonal_bricard(),
    }
    closure = Table(
        "Loops with redundant rows",
        ("loop", "DOF", "by counting", "redundant", "t [s]", "|Phi|", "energy drift", "ended"),
        notes=[
            "|Phi|: largest constraint violation [m or rad]. Drift: relative to the energy exchanged."
        ],
    )
    agreement = Table(
        "Accelerations against dense least squares, largest relative difference",
        ("loop", "poses", "proximal", "dropped", "between them, half a step off", "agrees"),
        notes=[
            "Dropping is wrong beside poses where the redundancy moves from row to row; agrees: proximal."
        ],
    )
    t_end, n_poses = max(0.1, T_END * effort.share), max(2, int(POSES * effort.share))
    for name, model in progress(loops.items(), "loops"):
        results = run(model, method="rk4", t_end=t_end, step=STEP, output_step=0.01)
        closure.rows.append((name, *_closure(results)))
        gaps = compare(results, n_poses)
        agrees = gaps.proximal <= AGREEMENT
        agreement.rows.append((name, n_poses, *gaps, agrees))
    return [closure, agreement]


def _closure(results: Results) -> tuple:
    """Degrees of freedom, violation and drift of one run."""
    found = mobility(results.compiled, results.q[0], results.v[0])
    drift = balance_of(results).share
    violation = float(results["constraint_violation"].max())
    ended = "" if results.ending is None else results.ending.reason
    counts = (found.dof, found.gruebler, found.redundant)
    return (*counts, float(results.t[-1]), violation, drift, ended)


def compare(results: Results, n_poses: int) -> Gaps:
    """The largest relative differences over random frames of a run."""
    compiled, system = results.compiled, results.compiled.system
    chosen = np.random.default_rng(1).integers(0, len(results), n_poses)
    gaps = []
    for t, q, v in ((results.t[k], results.q[k], results.v[k]) for k in chosen):
        found, proximal = both_ways(compiled, t, q, v)
        n, n_rows = len(found.M), compiled.n_rows
        full = np.block([[found.M, found.D.T], [found.D, np.zeros((n_rows, n_rows))]])
        right = np.concatenate([found.f, found.gamma])
        dense = np.linalg.lstsq(full, right, rcond=1e-10)[0][:n]
        off, q_dot = q.copy(), np.zeros_like(q)
        dynamics.move(system.dim, system.bodies, off, STEP / 2 * v, q_dot)
        stage, stage_proximal = both_ways(compiled, t, off, v + STEP / 2 * found.a)
        size = np.abs(found.a).max()
        pairs = (proximal, dense), (found.a, dense), (stage.a, stage_proximal)
        gaps.append([np.abs(one - other).max() / size for one, other in pairs])
    return Gaps(*map(float, np.max(gaps, axis=0)))


def both_ways(
    compiled: Compiled, t: float, q: np.ndarray, v: np.ndarray
) -> tuple[Equations, np.ndarray]:
    """The equations solved with dropped rows, and the accelerations of the proximal iteration."""
    ws = workspace(compiled.system)
    found = equations(compiled, t, q, v, ws)
    ws.options[layout.PROXIMAL_STEPS] = MAX_PROXIMAL
    y = np.concatenate([q, v])
    entries.derive(linked(compiled.system, ws), t, y, flag=entries.FACTORS | entries.ACCELERATIONS)
    return found, ws.a
