"""What a reduction starts from, in the plane and in space."""

from engine.errors import EngineError
from engine.symbols.equations import Equations
from engine.symbols.reduced.reduction import Problem
from engine.symbols.reduced.space import SpatialProblem
from engine.symbols.reduced.spanning import problem_of
from engine.symbols.reduced.spatial_tree import spatial_problem_of


def reduction_of(equations: Equations) -> Problem | SpatialProblem:
    """The problem of any model; EngineError says why there is none."""
    if equations.dim == 2:
        planar = problem_of(equations)
        moves = any(link.turns or link.slides for link in planar.links)
    else:
        spatial = spatial_problem_of(equations)
        moves = any(step.turns or step.slides for step in spatial.steps)
    if not moves:
        raise EngineError("No joint lets a body move, so that no equation is left. Remove a weld.")
    return planar if equations.dim == 2 else spatial
