"""The method that `auto` takes, and why: one short rule.

1. A step was asked for, by who starts the run: Runge-Kutta 4, which takes it.
2. A force that is far faster than what is shown: a stiff method, Radau in joint coordinates while its dense
   matrices are small, else IDA.
3. Else Dormand-Prince 8 with step control; where the model becomes stiff on the way, Radau goes on
   (engine.running.stiffness).

Coordinates are chosen beside it, in engine.running.choosing.coordinates.
"""

from collections.abc import Collection
from dataclasses import replace

from engine.compiling.system import Compiled
from engine.errors import say
from engine.model.elements import Settings
from engine.model.fields import plain
from engine.model.methods import AUTO, JOINT
from engine.running.advice import Swing
from engine.running.choosing import coordinates
from engine.running.choosing.unread import not_used
from engine.running.gates.suited import suited
from engine.running.stiffness import MOST_UNKNOWNS, tolerance_of_radau

STIFF = (
    100.0  # of the fastest mode over the time between two frames: beyond, a method must be stiff
)
OF_FIXED_STEP = "rk4"  # takes a step that is asked for, where nobody has chosen a method
COARSER_IDA = 1e2  # its tolerance over that of Dormand-Prince, for errors of the same size


def decide(
    compiled: Compiled, settings: Settings, found: list[Swing], asked: Collection[str]
) -> tuple[Settings, list[str]]:
    """The method and the coordinates of a run, and what is told about them.

    `asked` are the names of the settings that are given for this run, as those of a model are not.
    """
    notes, is_auto = [], settings.method == AUTO
    if is_auto:
        settings, why = choose(compiled, settings, found, asked)
        notes.append(why)
    settings, told = suited(compiled, settings, is_auto)
    notes += told
    chosen, told = coordinates.choose(compiled, settings)
    settings = replace(settings, coordinates=chosen)
    return settings, [*notes, *told, *not_used(settings, compiled.system.dim, asked)]


def choose(
    compiled: Compiled, settings: Settings, found: list[Swing], asked: Collection[str] = ()
) -> tuple[Settings, str]:
    """The settings with the method that suits the model, and why, in words."""
    tolerance = plain(settings.tolerance)
    if "step" in asked:
        words = say(
            "auto chose Runge-Kutta 4, because a step of {step:g} s was asked for.",
            step=plain(settings.step),
        )
        return replace(settings, method=OF_FIXED_STEP), words
    if not found or found[0].rate * plain(settings.output_step) <= STIFF:
        words = say(
            "auto chose Dormand-Prince 8 with step control "
            "(tolerance {tolerance:g}): no force is stiff at the start.",
            tolerance=tolerance,
        )
        return replace(settings, method="dop853"), words
    method, title, coarser = "ida", "IDA", min(COARSER_IDA * tolerance, 0.1)
    is_told = settings.coordinates == JOINT
    wanted = JOINT if is_told else AUTO
    serves, _ = coordinates.choose(compiled, replace(settings, method="radau", coordinates=wanted))
    if is_told or (serves == JOINT and compiled.layout.n_motion <= MOST_UNKNOWNS):
        method, title, coarser = "radau", "Radau IIA", tolerance_of_radau(tolerance)
    words = say(
        "auto chose {title}, a stiff method (tolerance {tolerance:g}, for the errors that {asked:g} gives "
        "Dormand-Prince 8): force '{label}' makes a motion with {words}, which is much faster than what is "
        "shown.",
        title=title,
        asked=tolerance,
        tolerance=coarser,
        label=compiled.resolved[found[0].id].label,
        words=found[0].words,
    )
    return replace(settings, method=method, tolerance=coarser), words
