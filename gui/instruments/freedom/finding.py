"""How a model can move, and what would free it; found in a thread."""

from typing import Any, NamedTuple

from engine.errors import EngineError, say
from engine.model.elements import Id, Model

MOST_TRIED = 12  # repairs
MOST_OFFERED = 4


class Repair(NamedTuple):
    """A model that is freer, and in words how."""

    words: str
    model: Model


class Found(NamedTuple):
    """The freedom of a model, or why there is none."""

    model: Model
    without_drives: bool
    freedom: Any = None  # engine.studies.freedom.Freedom
    repairs: tuple[Repair, ...] = ()
    sentence: str = ""

    def models_of(self, motion: Any) -> list[Model]:
        """The model in the poses of a wiggle."""
        from engine.kinematics.freedom.motions import wiggled
        from engine.kinematics.reassembly import in_pose

        compiled = self.freedom.compiled
        return [in_pose(self.model, compiled, q) for q in wiggled(compiled, self.freedom.q, motion)]


def found_of(model: Model, without_drives: bool) -> Found:
    """The freedom of a model and its repairs; a model that cannot run has a sentence instead."""
    from engine.studies.freedom import freedom_of

    if not any(not body.fixed for body in model.of("body")):
        told = say("Nothing can move: draw a body.")
        return Found(model, without_drives, sentence=told)
    try:
        freedom = freedom_of(model, without_drives=without_drives)
    except EngineError as error:
        return Found(model, without_drives, sentence=error.sentence)
    return Found(model, without_drives, freedom, tuple(_repairs(model, freedom)))


def _repairs(model: Model, freedom: Any) -> list[Repair]:
    """Changes of the joints that clash, or of what holds all, that leave less constrained."""
    from engine.editing.loosening import candidates
    from engine.kinematics.checkup import examine

    found, tried = list[Repair](), 0
    now = freedom.mobility
    held: tuple[Id, ...] = () if now.dof else tuple(one.id for one in reversed(freedom.left))
    for id in freedom.circuit or held:
        for kind, after in candidates(model, id) if id in model else ():
            if tried == MOST_TRIED or len(found) == MOST_OFFERED:
                return found
            tried += 1
            there = examine(after).mobility
            if there is None:
                continue
            better = there.redundant < now.redundant if freedom.circuit else there.dof > now.dof
            if better:
                found.append(Repair(_words(model, id, kind, there), after))
                break
    return found


def _words(model: Model, id: Id, kind: str, there: Any) -> str:
    """What a repair does and what it gives."""
    label = model[id].label
    does = (
        say("Make '{joint}' a {kind}", joint=label, kind=kind.replace("_", " "))
        if kind
        else say("Delete '{joint}'", joint=label)
    )
    return say(
        "{does}: {dof} free, {redundant} redundant",
        does=does,
        dof=there.dof,
        redundant=there.redundant,
    )
