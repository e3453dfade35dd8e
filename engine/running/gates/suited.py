"""Which methods serve one-sided rows: those that end a step where something changes."""

from dataclasses import replace

from engine.compiling.system import Compiled
from engine.errors import EngineError, say
from engine.model.elements import Settings
from engine.model.methods import BY_NAME, METHOD_NAMES

FINDING = ("dop853", "dopri5", "radau")  # changes within a step


def suited(compiled: Compiled, settings: Settings, is_auto: bool) -> tuple[Settings, list[str]]:
    """The settings of a run with one-sided rows, and what is told; refuses those that do not serve."""
    if not len(compiled.system.gates):
        return settings, []
    label, id = compiled.resolved[compiled.gate_ids[0]].label, compiled.gate_ids[0]
    if settings.stabilisation != "projection":
        raise EngineError(
            "'{name}' holds on one side only, and is closed by projection where it is met. Choose "
            "projection for the joints.",
            id,
            name=label,
        )
    if settings.method in FINDING:
        return settings, []
    if is_auto:
        words = say(
            "auto takes Radau IIA: '{name}' holds on one side only, and where it is met must be found "
            "within a step.",
            name=label,
        )
        return replace(settings, method="radau"), [words]
    raise EngineError(
        "'{name}' holds on one side only, and {method} does not find where it is met. Choose automatic, "
        "Dormand-Prince or Radau IIA.",
        id,
        name=label,
        method=BY_NAME[settings.method].title
        if settings.method in METHOD_NAMES
        else settings.method,
    )
