"""One line that says how a model and its run are."""

import numpy as np

from engine.mobility import Mobility
from engine.results import Results


def health_line(mobility: Mobility, results: Results) -> str:
    """Counts, degrees of freedom, the largest gap, the drift of energy and the method."""
    compiled, settings = results.compiled, results.settings
    parts = [
        count(len(compiled.body_ids), "body", "bodies"),
        count(len(compiled.model.of("joint")), "joint", "joints"),
        f"DOF {mobility.dof}",
        f"redundant {mobility.redundant}",
    ]
    if len(results):
        total = results["total_energy"]
        parts_of_energy = ("kinetic_energy", "potential_energy")
        largest = max(np.abs(results[name]).max() for name in parts_of_energy)
        share = 100.0 * (total[-1] - total[0]) / largest if largest > 0.0 else 0.0
        parts += [f"gap {results.gap.max():.0e} m", f"energy change {share:+.3g} %"]
    parts.append(f"{settings.method} h = {1e3 * float(settings.step):g} ms")
    return "   |   ".join(parts)


def count(n: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{n} {one if n == 1 else many}"
