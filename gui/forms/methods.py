"""Which settings matter for a method and a stabilisation, and which fields are seldom looked at."""

from engine.model.elements import Settings
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
SELDOM = {  # by kind; the values that the program chooses for them are good
    "contact": (
        *("full_depth", *OF_SPEEDS, "stick_stiffness", "stick_damping", "least_speed"),
        *("faces", "curve_from", "curve_to"),
    ),
    "gear": ("shift_1", "shift_2", "addendum", "full_depth", *OF_SPEEDS, "phase_1", "phase_2"),
}


def settings_that_matter(names: list[str], settings: Settings, dim: int) -> list[str]:
    """Those of the settings that are worth seeing with this method and stabilisation, in reading order."""
    left_out = unread(settings, dim).keys() - set(EVEN_IF_UNREAD)
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
