"""In which coordinates a run is solved: those asked for, if they serve, or those that suit the model."""

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import EngineError, say
from engine.model.elements import Settings
from engine.model.methods import ABSOLUTE, BY_NAME, JOINT
from engine.trees.spanning import spanning_tree

FEW_CUTS = 4  # joints and motions beyond the tree, up to which joint coordinates pay
EXPLICIT = ("rk4", "heun", "euler", "dopri5", "dop853", "radau")  # methods that see y' alone
CONTROLLED = ("dopri5", "dop853", "radau")  # of these those that nobody takes to look at them


def choose(compiled: Compiled, settings: Settings) -> tuple[str, list[str]]:
    """Absolute or joint coordinates, and what is to be told; refuses joint ones that do not serve."""
    if settings.coordinates == ABSOLUTE:
        return ABSOLUTE, []
    reason = why_not(compiled, settings)
    if settings.coordinates == JOINT:
        if reason:
            raise EngineError(
                "Joint coordinates do not serve here: {reason} Choose absolute coordinates, or automatic "
                "ones.",
                reason=reason,
            )
        if which := by_euler_angles(compiled):
            words = say(
                "Joints turn by their own coordinates, which never lock: {reason} Its angles are shown, "
                "and nothing is solved in them.",
                reason=which,
            )
            return JOINT, [words]
        return JOINT, []
    is_usual = settings.method in CONTROLLED and settings.stabilisation == "projection"
    if (
        reason or not is_usual or _is_easier_in_bodies(compiled)
    ):  # others show what a step or a stabilisation does to joints
        return ABSOLUTE, []
    n_cuts = len(spanning_tree(compiled, rods=True).cuts)
    if n_cuts > FEW_CUTS:
        return ABSOLUTE, []
    if n_cuts == 0:
        return JOINT, [say("Coordinates: those of the joints.")]
    words = say(
        "Coordinates: those of the joints; cut joints and motions: {n_cuts}.", n_cuts=n_cuts
    )
    return JOINT, [words]


def why_not(compiled: Compiled, settings: Settings) -> str:
    """Why joint coordinates do not serve a run, in a sentence; empty if they do."""
    method = BY_NAME[settings.method]
    if settings.method not in EXPLICIT:
        return say("'{method}' works on the coordinates of bodies.", method=method.title)
    if reason := by_bending(compiled):
        return reason
    if settings.stabilisation == "penalty":
        return say("the penalty method lets joints give way, and those of a tree cannot.")
    return ""


def _is_easier_in_bodies(compiled: Compiled) -> bool:
    """Whether absolute coordinates show more, as Euler angles that lock, or take less time.

    Friction that follows from reactions asks for them several times in an evaluation, and one-sided rows
    after every step: the recursion would be gone through again each time.
    """
    has_to_ask = len(compiled.system.gates) > 0 or len(compiled.system.rubbings) > 0
    return has_to_ask or bool(by_euler_angles(compiled))


def by_bending(compiled: Compiled) -> str:
    """Which body bends, in a sentence; empty if there is none."""
    if not compiled.elastic:
        return ""
    return say("beam '{label}' bends.", label=compiled.resolved[next(iter(compiled.elastic))].label)


def by_euler_angles(compiled: Compiled) -> str:
    """Which body is not to turn by a quaternion, in a sentence; empty if there is none."""
    turning = np.flatnonzero(compiled.system.bodies["orientation"] >= 0)
    if compiled.system.dim == 3 and len(turning):
        body = compiled.resolved[compiled.body_ids[int(turning[0])]]
        return say("body '{body}' is to turn by Euler angles.", body=body.label)
    return ""
