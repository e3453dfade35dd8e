"""Which settings matter for a method and a stabilisation, and which fields are seldom looked at."""

from engine.model.elements import Model, Settings
from engine.model.shapes import bends
from engine.running.choosing.unread import OF_ORIENTATION, unread
from gui.look.sentences import said

ORDER = (
    "t_end",
    "output_step",
    "method",
    "step",
    "tolerance",
    "damping",
    "stabilisation",
    "coordinates",
)
EVEN_IF_UNREAD = ("step", "stabilisation")  # stay in sight, with the reason
OF_SPEEDS = ("static_speed", "dynamic_speed")
OF_WEAR = ("wear_coefficient", "wear_side")
SELDOM = {  # by kind; the values that the program chooses for them are good
    "contact": (
        *("full_depth", *OF_SPEEDS, "stick_stiffness", "stick_damping", "least_speed"),
        *("faces", "curve_from", "curve_to", *OF_WEAR),
    ),
    "gear": (
        "shift_1",
        "shift_2",
        "addendum",
        "full_depth",
        *OF_SPEEDS,
        "phase_1",
        "phase_2",
        *OF_WEAR,
    ),
}


def settings_that_matter(names: list[str], settings: Settings, model: Model) -> list[str]:
    """Those of the settings that are worth seeing for this model, method and stabilisation, in order."""
    left_out = set(unread(settings, model.dim)) - set(EVEN_IF_UNREAD)
    if not any(bends(getattr(body, "shape", None)) for body in model.of("body")):
        left_out.add("flexible_start")
    ordered = [name for name in ORDER if name in names]
    last = [name for name in OF_ORIENTATION if name in names]
    others = [name for name in names if name not in (*ORDER, *OF_ORIENTATION)]
    return [name for name in (*ordered, *others, *last) if name not in left_out]


def why_unused(name: str, settings: Settings) -> str:
    """Why a setting that is shown has no effect on a run now; empty if it has one."""
    reason = unread(settings, 3).get(name, "") if name in EVEN_IF_UNREAD else ""
    return said(reason)


def is_seldom(kind: str, name: str) -> bool:
    """Whether a field is folded away until somebody wants to see it."""
    return name in SELDOM.get(kind, ())
