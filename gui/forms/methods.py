"""Which settings matter for a method and a stabilisation."""

from engine.model.elements import Settings
from engine.model.methods import BY_NAME
from gui.look.method_words import method_title, said

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
OF_ORIENTATION = ("orientation", "near_lock", "orientation_input", "orientation_display")
ONLY_FOR = {  # settings of one stabilisation alone
    "alpha": "baumgarte",
    "beta": "baumgarte",
    "penalty": "penalty",
    "penalty_frequency": "penalty",
    "penalty_ratio": "penalty",
    "penalty_iterations": "penalty",
}


def settings_that_matter(names: list[str], settings: Settings, dim: int) -> list[str]:
    """Those of the settings that a run with this method and stabilisation reads, in reading order."""
    method = BY_NAME.get(settings.method)
    left_out = set(OF_ORIENTATION) if dim == 2 else set()
    if method is None or not method.has_damping:
        left_out.add("damping")
    if method is not None and method.is_fixed:
        left_out.add("tolerance")
    if method is not None and method.is_direct:
        left_out |= ONLY_FOR.keys()
    left_out |= {name for name, owner in ONLY_FOR.items() if owner != settings.stabilisation}
    ordered = [name for name in ORDER if name in names]
    last = [name for name in OF_ORIENTATION if name in names]
    others = [name for name in names if name not in (*ORDER, *OF_ORIENTATION)]
    return [name for name in (*ordered, *others, *last) if name not in left_out]


def why_unused(name: str, settings: Settings) -> str:
    """Why a setting that is shown has no effect now; empty if it has one."""
    method = BY_NAME.get(settings.method)
    if method is None:
        return ""
    if name == "step" and not method.is_fixed:
        words = "{0} chooses its steps itself, by the tolerance; live mode uses this one."
        return said(words).format(method_title(settings.method))
    if name == "stabilisation" and method.is_direct:
        words = "{0} closes the joints itself."
        return said(words).format(method_title(settings.method))
    return ""
