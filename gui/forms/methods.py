"""Which settings matter for a method and a stabilisation."""

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
