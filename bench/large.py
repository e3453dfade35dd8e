"""How long it takes until a model of many bodies can run: drawn, packed, assembled, its mobility known."""

from functools import partial
from math import cos, sin

from bench.tables import Table
from bench.timing import Effort, best_times, progress
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.model.elements import Model

SIZES = (10, 100, 1000)
STAGES = ("draw", "compile", "assemble", "mobility")


def bench(effort: Effort) -> list[Table]:
    """Times of chains of rods in the plane [ms]."""
    table = Table("Preparing a chain of rods [ms]", ("bodies", *STAGES, "prepared", "per body"))
    for n in progress([n for n in SIZES if n <= 4 * effort.largest], "large"):
        model = drawn(n)
        compiled = compile_model(model)
        start = assemble(compiled)
        best = best_times(
            {
                "draw": partial(drawn, n),
                "compile": partial(compile_model, model),
                "assemble": partial(assemble, compiled),
                "mobility": partial(mobility, compiled, start.q, start.v),
            },
            effort.repeats,
        )
        times = [1e3 * best[stage] for stage in STAGES]
        prepared = sum(times[1:])
        table.rows.append((n, *times, prepared, prepared / n))
    table.notes.append("Prepared: compiled, assembled, with its degrees of freedom.")
    return [table]


def drawn(n: int) -> Model:
    """A chain of n rods along a curve, by the builder."""
    m, last, at = Mechanism("chain"), "ground", (0.0, 0.0)
    for k in range(n):
        end = (at[0] + 0.1 * cos(0.3 * k), at[1] + 0.1 * sin(0.3 * k))
        rod = m.rod(at, end, mass=1.0)
        m.revolute(last, rod, at=at)
        last, at = rod, end
    return m.model
