"""Which settings a run does not read, and why: what is typed is used, or it is said that it is not."""

from collections.abc import Collection
from dataclasses import fields

from engine.errors import say
from engine.model.elements import Settings
from engine.model.methods import AUTO, AUTO_TITLE, BY_NAME

OF_ORIENTATION = ("orientation", "near_lock", "orientation_input", "orientation_display")
ONLY_FOR = {  # settings of one stabilisation alone
    "alpha": "baumgarte",
    "beta": "baumgarte",
    "penalty": "penalty",
    "penalty_frequency": "penalty",
    "penalty_ratio": "penalty",
    "penalty_iterations": "penalty",
}


def unread(settings: Settings, dim: int) -> dict[str, str]:
    """The settings that have no effect on such a run, each with the reason in a sentence."""
    method = BY_NAME.get(settings.method)
    title = say(AUTO_TITLE if settings.method == AUTO or method is None else method.title)
    found = {}
    if method is None or not method.is_fixed:
        found["step"] = say(
            "{method} chooses its steps itself, by the tolerance; live mode uses this one.",
            method=title,
        )
    else:
        found["tolerance"] = say("{method} takes equal steps.", method=title)
    if method is None or not method.has_damping:
        found["damping"] = say("{method} has no damping to be set.", method=title)
    for name, owner in ONLY_FOR.items():
        if owner != settings.stabilisation:
            found[name] = say("It belongs to the stabilisation '{owner}'.", owner=owner)
    if method is not None and method.is_direct:
        reason = say("{method} closes the joints itself.", method=title)
        found |= dict.fromkeys(("stabilisation", *ONLY_FOR), reason)
    if dim == 2:
        reason = say("In the plane a body turns by one angle.")
        found |= dict.fromkeys(OF_ORIENTATION, reason)
    return found


def not_used(settings: Settings, dim: int, asked: Collection[str]) -> list[str]:
    """What is told of the settings that were given for a run which does not read them."""
    units = {one.name: one.metadata.get("unit", "") for one in fields(Settings)}
    reasons = unread(settings, dim)
    told = []
    for name in (one for one in reasons if one in asked):
        value = getattr(settings, name)
        told.append(
            say(
                "{name} {value} is not used: {reason}",
                name=say(name.replace("_", " ").capitalize()),
                value=f"{value:g} {units[name]}".strip() if isinstance(value, float) else value,
                reason=reasons[name],
            )
        )
    return told
