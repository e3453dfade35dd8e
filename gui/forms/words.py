"""The texts of forms: names of fields, kinds and choices in everyday words.

A field that is not listed is shown by its own name, and a kind by what its class is called, so a new
declaration needs nothing here.
"""

from PySide6.QtCore import QCoreApplication

from engine.model.catalogue import ELEMENTS
from gui.look.translation import QT_TRANSLATE_NOOP

N = QT_TRANSLATE_NOOP

FIELDS = {
    "center": N("Forms", "Mass centre"),
    "inertia": N("Forms", "Inertia"),
    "color": N("Forms", "Colour"),
    "hue": N("Forms", "Hue"),
    "fixed": N("Forms", "Part of the ground"),
    "position_typed": N("Forms", "Keep this position"),
    "angle_typed": N("Forms", "Keep this angle"),
    "orientation_typed": N("Forms", "Keep this orientation"),
    "spin": N("Forms", "Angular velocity"),
    "t_end": N("Forms", "End time"),
    "step": N("Forms", "Step"),
    "output_step": N("Forms", "Frame every"),
    "free_length": N("Forms", "Free length"),
    "free_angle": N("Forms", "Free angle"),
    "f_x": N("Forms", "Force along x"),
    "f_y": N("Forms", "Force along y"),
    "f_z": N("Forms", "Force along z"),
    "t_x": N("Forms", "Torque about x"),
    "t_y": N("Forms", "Torque about y"),
    "t_z": N("Forms", "Torque"),
    "k_x": N("Forms", "Stiffness along x"),
    "k_y": N("Forms", "Stiffness along y"),
    "k_z": N("Forms", "Stiffness along z"),
    "c_x": N("Forms", "Damping along x"),
    "c_y": N("Forms", "Damping along y"),
    "c_z": N("Forms", "Damping along z"),
    "turn_k_z": N("Forms", "Stiffness about z"),
    "turn_c_z": N("Forms", "Damping about z"),
    "joint_1": N("Forms", "First joint"),
    "joint_2": N("Forms", "Second joint"),
    "radius_1": N("Forms", "First radius"),
    "radius_2": N("Forms", "Second radius"),
    "shape_i": N("Forms", "First shape"),
    "shape_j": N("Forms", "Second shape"),
    "radius_i": N("Forms", "First radius"),
    "radius_j": N("Forms", "Second radius"),
    "mu_static": N("Forms", "Friction at rest"),
    "mu_dynamic": N("Forms", "Sliding friction"),
    "static_speed": N("Forms", "Rest up to"),
    "dynamic_speed": N("Forms", "Slides from"),
    "stick_stiffness": N("Forms", "Stiffness at rest"),
    "stick_damping": N("Forms", "Damping at rest"),
    "least_speed": N("Forms", "Bounces from"),
    "full_depth": N("Forms", "Fully damped at"),
    "curve_x": N("Forms", "x of the curve"),
    "curve_y": N("Forms", "y of the curve"),
    "curve_from": N("Forms", "s from"),
    "curve_to": N("Forms", "s to"),
    "quantity": N("Forms", "Prescribes"),
    "parameters": N("Forms", "Integrated by"),
    "orientation_input": N("Forms", "Typed as"),
    "orientation_display": N("Forms", "Shown as"),
    "settings.orientation": N("Forms", "Integrated by"),
    "near_lock": N("Forms", "Near gimbal lock"),
    "flexible_start": N("Forms", "What bends begins"),
    "alpha": N("Forms", "Damping of gaps α"),
    "beta": N("Forms", "Frequency of gaps β"),
    "penalty": N("Forms", "Penalty mass [kg]"),
    "penalty_frequency": N("Forms", "Frequency of gaps"),
    "penalty_ratio": N("Forms", "Damping ratio"),
    "penalty_iterations": N("Forms", "Iterations"),
    "trigger.quantity": N("Forms", "Watches"),
    "trigger.of": N("Forms", "Of it"),
    "trigger.value": N("Forms", "Limit"),
    "trigger.action": N("Forms", "When crossed"),
    "low": N("Forms", "From"),
    "high": N("Forms", "To"),
}
FIELDS_IN_SPACE = {  # where they differ from those in the plane
    "t_z": N("Forms", "Torque about z"),
    "box.width": N("Forms", "Width (x)"),
    "box.height": N("Forms", "Depth (y)"),
    "box.thickness": N("Forms", "Height (z)"),
}
CHOICES = {
    "record": N("Forms", "mark it"),
    "stop": N("Forms", "end the run"),
    "value": N("Forms", "the value"),
    "rate": N("Forms", "its rate"),
    "": N("Forms", "the first"),
    "quaternion": N("Forms", "Quaternion"),
    "warn": N("Forms", "warn"),
    "switch to quaternion": N("Forms", "switch to quaternions"),
    "switch sequence": N("Forms", "switch to the best sequence"),
    "near_lock.stop": N("Forms", "stop the run"),
}
FAMILIES = {
    "body": (N("Forms", "Bodies"), N("Forms", "body"), N("Forms", "bodies")),
    "joint": (N("Forms", "Joints"), N("Forms", "joint"), N("Forms", "joints")),
    "motion": (N("Forms", "Motors"), N("Forms", "motor"), N("Forms", "motors")),
    "force": (N("Forms", "Forces"), N("Forms", "force"), N("Forms", "forces")),
    "trigger": (N("Forms", "Events"), N("Forms", "event"), N("Forms", "events")),
    "tracer": (N("Forms", "Tracers"), N("Forms", "tracer"), N("Forms", "tracers")),
    "parameter": (N("Forms", "Parameters"), N("Forms", "parameter"), N("Forms", "parameters")),
    "marker": (N("Forms", "Points"), N("Forms", "point"), N("Forms", "points")),
}


def field_words(name: str, kind: str = "", dim: int = 2) -> str:
    """The name of a field, of a kind of element where kinds differ, in the plane or in space."""
    for key in (f"{kind}.{name}", name) if dim == 3 else ():
        if key in FIELDS_IN_SPACE:
            return _said(FIELDS_IN_SPACE[key])
    plain = name.replace("_", " ").capitalize()
    if name.endswith("_start"):
        plain = f"{plain.removesuffix(' start')} at start"
    return _said(FIELDS.get(f"{kind}.{name}", FIELDS.get(name, plain)))


def kind_words(kind: str, dim: int = 2) -> str:
    """The name of a kind of element or shape, in the plane or in space."""
    called = [e.called[dim] for e in ELEMENTS if e.kind == kind and dim in e.called]
    return _said(called[0] if called else kind.replace("_", " ").capitalize())


def choice_words(choice: str, field: str = "") -> str:
    """The words of a choice, of a field where fields differ; those of a sequence name its axes."""
    if choice[:1].isdigit():
        return f"{choice}  ({' '.join('xyz'[int(axis) - 1] for axis in choice.split('-'))})"
    known = CHOICES.get(f"{field}.{choice}", CHOICES.get(choice, choice.replace("_", " ")))
    return _said(known)


def family_words(family: str) -> str:
    """The heading of a family."""
    return _said(FAMILIES.get(family, (family.capitalize(),))[0])


def counted(n: int, family: str) -> str:
    """A number of elements of a family."""
    _, one, many = FAMILIES.get(family, ("", family, f"{family}s"))
    return f"{n} {_said(one if n == 1 else many)}"


def _said(text: str) -> str:
    return QCoreApplication.translate("Forms", text)
