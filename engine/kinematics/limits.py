"""Stops and triggers on the wrong side of their limits at the start, in sentences.

A run goes on all the same, because what is typed is a spring: a stop that starts beyond its limit pushes
from the start with k d, as a clamped buffer does. But nobody should see a body fly away without being told.
"""

import numpy as np

from engine.compiling.checks import Problem
from engine.compiling.system import Compiled, workspace
from engine.errors import say
from engine.kernels.layout import ANGLE
from engine.kinematics.assemble import Start
from engine.kinematics.evaluate import fill
from engine.model.forces.joint_forces import JointLimits
from engine.model.triggers import Trigger

ON = 1e-9  # of the size of the model, or rad: a value this near to a limit is on it


def beyond_limits(compiled: Compiled, start: Start) -> list[Problem]:
    """The stops that press at the start, and the triggers that start on their limit."""
    system, model = compiled.system, compiled.resolved
    if not len(system.switches):
        return []
    x, rate = fill(compiled, workspace(system), 0.0, start.q, start.v)
    found = []
    for switch, id in zip(system.switches, compiled.switch_ids):
        element, term = model[id], int(switch["term"])
        near = ON * (1.0 if system.terms["kind"][term] == ANGLE else compiled.length)
        if isinstance(element, JointLimits):
            found += _of_stop(compiled, element, int(switch["law"]), float(x[term]), near)
        elif isinstance(element, Trigger):
            watched = float(rate[term] if switch["of_rate"] else x[term])
            if abs(watched - float(switch["value"])) <= near:
                found.append(
                    Problem(
                        say(
                            "Trigger '{trigger}' starts on its limit: leaving it does not count, it is "
                            "met when the value comes back. Change its limit if it should be met before.",
                            trigger=element.label,
                        ),
                        (id,),
                    )
                )
    return found


def _of_stop(
    compiled: Compiled, limits: JointLimits, law: int, x: float, near: float
) -> list[Problem]:
    """A stop that is beyond its limit at the start."""
    param = compiled.system.laws[law]["param"]
    depth = max(float(param[0]) - x, x - float(param[1]))
    if depth <= near:
        return []
    turns = compiled.system.terms["kind"][compiled.system.laws[law]["term"]] == ANGLE
    return [
        Problem(
            say(
                "Joint '{joint}' starts {depth} beyond the {side} stop of '{limits}', which pushes it back "
                "with {push:.3g} {unit} from the start. Move its bodies, or the stop.",
                joint=compiled.resolved[limits.joint].label,
                depth=say("{angle:.4g} degrees", angle=np.degrees(depth))
                if turns
                else say("{length:.4g} m", length=depth),
                side=say("lower") if x < param[0] else say("upper"),
                limits=limits.label,
                push=float(param[2]) * depth,
                unit="N m" if turns else "N",
            ),
            (limits.id, limits.joint),
        )
    ]
