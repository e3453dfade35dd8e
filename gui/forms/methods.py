"""The methods and stabilisations of a run in words, and which settings matter for them.

The engine knows the methods too, but loading it takes a moment; a test keeps both alike.
"""

from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.model import Settings

N = QT_TRANSLATE_NOOP


class MethodWords(NamedTuple):
    """What people read of a method."""

    title: str
    short: str  # in the health strip and in titles of runs
    use: str  # what it is for, in one sentence
    is_adaptive: bool = False  # it chooses its steps itself
    is_direct: bool = False  # it closes the joints itself
    has_damping: bool = False  # the user says how much of fast motions it takes away


METHODS: dict[str, dict[str, MethodWords]] = {  # by group
    "": {
        "auto": MethodWords(
            N("Methods", "Automatic"),
            N("Methods", "auto"),
            N(
                "Methods",
                "Looks at the model and takes the method that suits it; the run says which.",
            ),
        ),
    },
    N("Methods", "Fixed step"): {
        "rk4": MethodWords(
            N("Methods", "Runge-Kutta 4 (RK4)"),
            "RK4",
            N("Methods", "The workhorse: accurate and robust where no force is very stiff."),
        ),
        "heun": MethodWords(
            N("Methods", "Heun (RK2)"),
            "Heun",
            N("Methods", "Order 2 in two evaluations a step, to see what the order does."),
        ),
        "euler": MethodWords(
            N("Methods", "Euler (order 1)"),
            "Euler",
            N("Methods", "The simplest of all; energy grows with it, which is what it teaches."),
        ),
        "euler_cromer": MethodWords(
            N("Methods", "Euler-Cromer"),
            "Euler-Cromer",
            N("Methods", "As cheap as Euler, but energy only swings about its true value."),
        ),
    },
    N("Methods", "Step control"): {
        "dopri5": MethodWords(
            N("Methods", "Dormand-Prince 5"),
            "DOPRI5",
            N(
                "Methods",
                "Takes steps as long as the tolerance allows; good for moderate accuracy.",
            ),
            is_adaptive=True,
        ),
        "dop853": MethodWords(
            N("Methods", "Dormand-Prince 8"),
            "DOP853",
            N("Methods", "Long steps at very high accuracy, where no force is stiff."),
            is_adaptive=True,
        ),
    },
    N("Methods", "Stiff, step control"): {
        "ida": MethodWords(
            N("Methods", "IDA (BDF 1 to 5)"),
            "IDA",
            N(
                "Methods",
                "For stiff springs, dampers and stops: steps follow what is seen of them.",
            ),
            is_adaptive=True,
        ),
        "radau": MethodWords(
            N("Methods", "Radau IIA"),
            "Radau",
            N(
                "Methods",
                "For stiff models at high accuracy; each step costs more than one of IDA.",
            ),
            is_adaptive=True,
        ),
    },
    N("Methods", "Implicit, fixed step"): {
        "implicit_euler": MethodWords(
            N("Methods", "Implicit Euler"),
            N("Methods", "Implicit Euler"),
            N("Methods", "Never explodes, however stiff the model; damps everything strongly."),
        ),
        "trapezoid": MethodWords(
            N("Methods", "Implicit trapezoid"),
            N("Methods", "Trapezoid"),
            N("Methods", "For stiff models whose swings must not die out: it damps nothing."),
        ),
        "bdf1": MethodWords(
            N("Methods", "Gear 1 (BDF1)"),
            "BDF1",
            N("Methods", "Gear's method of order 1: implicit Euler as multistep codes have it."),
        ),
        "bdf2": MethodWords(
            N("Methods", "Gear 2 (BDF2)"),
            "BDF2",
            N("Methods", "For stiff models: stable with any step, and damps only fast motions."),
        ),
        "bdf3": MethodWords(
            N("Methods", "Gear 3 (BDF3)"),
            "BDF3",
            N("Methods", "For stiff models that creep rather than swing, at order 3."),
        ),
        "bdf4": MethodWords(
            N("Methods", "Gear 4 (BDF4)"),
            "BDF4",
            N("Methods", "For stiff models that creep rather than swing, at order 4."),
        ),
        "bdf5": MethodWords(
            N("Methods", "Gear 5 (BDF5)"),
            "BDF5",
            N("Methods", "For stiff models that creep; fast swings make it explode."),
        ),
    },
    N("Methods", "Implicit, closes joints itself"): {
        "generalised_alpha": MethodWords(
            N("Methods", "Generalised-α"),
            N("Methods", "Generalised-α"),
            N("Methods", "For stiff mechanisms: takes away fast swings, as much as you say."),
            is_direct=True,
            has_damping=True,
        ),
        "generalised_alpha_index2": MethodWords(
            N("Methods", "Generalised-α index 2"),
            N("Methods", "Generalised-α 2"),
            N("Methods", "Generalised-alpha that closes the velocities of joints too."),
            is_direct=True,
            has_damping=True,
        ),
        "hht": MethodWords(
            N("Methods", "HHT-alpha"),
            "HHT",
            N("Methods", "The forerunner of generalised-alpha, as structural codes have it."),
            is_direct=True,
            has_damping=True,
        ),
        "trapezoid_index3": MethodWords(
            N("Methods", "Trapezoid, index 3"),
            N("Methods", "Trapezoid 3"),
            N("Methods", "Shows why damping is needed here: reactions ring from step to step."),
            is_direct=True,
        ),
    },
}
BY_NAME = {name: words for group in METHODS.values() for name, words in group.items()}

STABILISATIONS = {
    "projection": (
        N("Methods", "Projection"),
        N("Methods", "After every step the joints are closed exactly; the best choice as a rule."),
    ),
    "baumgarte": (
        N("Methods", "Baumgarte"),
        N(
            "Methods",
            "A spring and a damper pull gaps together: cheap, but gaps stay a little open.",
        ),
    ),
    "penalty": (
        N("Methods", "Penalty"),
        N("Methods", "Joints give way a little; survives redundant joints and poses in line."),
    ),
    "none": (
        N("Methods", "None"),
        N("Methods", "Only accelerations are kept: joints drift apart, which is what it shows."),
    ),
}

ORDER = ("t_end", "output_step", "method", "step", "tolerance", "damping", "stabilisation")
OF_ORIENTATION = ("orientation", "near_lock", "orientation_input", "orientation_display")
ONLY_FOR = {  # settings of one stabilisation alone
    "alpha": "baumgarte",
    "beta": "baumgarte",
    "penalty": "penalty",
    "penalty_frequency": "penalty",
    "penalty_ratio": "penalty",
    "penalty_iterations": "penalty",
}


def method_title(name: str) -> str:
    """What lists call a method."""
    return _said(BY_NAME[name].title) if name in BY_NAME else name.replace("_", " ")


def method_short(name: str) -> str:
    """What strips and titles call a method."""
    return _said(BY_NAME[name].short) if name in BY_NAME else name.replace("_", " ").upper()


def tolerance_text(tolerance: float) -> str:
    """A tolerance in strips and titles."""
    return f"{tolerance:.2g}".replace("e-0", "e-")


def method_choices(names: tuple[str, ...]) -> list[tuple[str | None, str, str]]:
    """Value, words and help of these methods, group by group; a heading has None for its value."""
    listed: list[tuple[str | None, str, str]] = []
    for group, members in METHODS.items():
        here = [name for name in members if name in names]
        if group and here:
            listed.append((None, _said(group), ""))
        listed += [(name, method_title(name), _said(BY_NAME[name].use)) for name in here]
    return listed + [(name, method_title(name), "") for name in names if name not in BY_NAME]


def stabilisation_choices(names: tuple[str, ...]) -> list[tuple[str | None, str, str]]:
    """Value, words and help of these stabilisations."""
    known = {name: STABILISATIONS.get(name, (name, "")) for name in names}
    return [(name, _said(words), _said(use)) for name, (words, use) in known.items()]


def is_adaptive(method: str) -> bool:
    """Whether a method chooses its steps itself; `auto` may do either."""
    return method in BY_NAME and BY_NAME[method].is_adaptive


def settings_that_matter(names: list[str], settings: Settings, dim: int) -> list[str]:
    """Those of the settings that a run with this method and stabilisation reads, in reading order."""
    method = BY_NAME.get(settings.method)
    left_out = set(OF_ORIENTATION) if dim == 2 else set()
    if method is not None:
        if not method.is_adaptive and settings.method != "auto":
            left_out.add("tolerance")
        if not method.has_damping:
            left_out.add("damping")
        if method.is_direct:
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
    if name == "step" and method.is_adaptive:
        words = N(
            "Methods", "{0} chooses its steps itself, by the tolerance; live mode uses this one."
        )
        return _said(words).format(method_title(settings.method))
    if name == "stabilisation" and method.is_direct:
        words = N("Methods", "{0} closes the joints itself.")
        return _said(words).format(method_title(settings.method))
    return ""


def _said(text: str) -> str:
    return QCoreApplication.translate("Methods", text) if text else ""
