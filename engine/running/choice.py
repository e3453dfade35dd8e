"""The method that `auto` takes, and why: one short rule.

1. A force that is far faster than what is shown: a stiff method, Radau in joint coordinates while its dense
   matrices are small, else IDA.
2. Else Dormand-Prince 8 with step control; where the model becomes stiff on the way, Radau goes on
   (engine.running.stiffness).

Coordinates are chosen beside it, in engine.running.coordinates.
"""

from dataclasses import replace

from engine.compiling.system import Compiled
from engine.errors import say
from engine.model.elements import Settings
from engine.model.fields import plain
from engine.model.methods import AUTO, JOINT
from engine.running import coordinates
from engine.running.advice import Swing
from engine.running.stiffness import MOST_UNKNOWNS, tolerance_of_radau

STIFF = (
    100.0  # of the fastest mode over the time between two frames: beyond, a method must be stiff
)
COARSER_IDA = 1e2  # its tolerance over that of Dormand-Prince, for errors of the same size


def choose(compiled: Compiled, settings: Settings, found: list[Swing]) -> tuple[Settings, str]:
    """The settings with the method that suits the model, and why, in words."""
    tolerance = plain(settings.tolerance)
    if not found or found[0].rate * plain(settings.output_step) <= STIFF:
        words = say(
            "auto chose Dormand-Prince 8 with step control "
            "(tolerance {tolerance:g}): no force is stiff at the start.",
            tolerance=tolerance,
        )
        return replace(settings, method="dop853"), words
    method, title, coarser = "ida", "IDA", min(COARSER_IDA * tolerance, 0.1)
    serves, _ = coordinates.choose(compiled, replace(settings, method="radau", coordinates=AUTO))
    if serves == JOINT and compiled.layout.n_motion <= MOST_UNKNOWNS:
        method, title, coarser = "radau", "Radau IIA", tolerance_of_radau(tolerance)
    words = say(
        "auto chose {title}, a stiff method (tolerance {tolerance:g}): force '{label}' makes a motion with "
        "{words}, which is much faster than what is shown.",
        title=title,
        tolerance=coarser,
        label=compiled.resolved[found[0].id].label,
        words=found[0].words,
    )
    return replace(settings, method=method, tolerance=coarser), words
