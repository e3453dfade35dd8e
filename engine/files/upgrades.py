"""How the raw data of an old model file becomes that of the next format version.

Each function takes raw data that nobody has checked yet: it touches only what it knows, and what it does
not understand stays for the reader to refuse.
"""

from collections.abc import Callable
from typing import Any

from engine.model.elements import HUES

Raw = dict[str, Any]

VELOCITIES = ("velocity", "spin", "angular_velocity")
JOINTS_OF_VERSION_1 = (  # that hold two markers
    *("revolute", "prismatic", "weld", "point_on_line", "rod", "rolling_disc", "knife_edge"),
    *("spherical", "universal", "cylindrical", "screw", "planar", "point_on_plane"),
)

DEFAULTS_OF_VERSION_4 = {"method": "rk4", "coordinates": "absolute", "tolerance": 1e-8}


def _empty_velocities(raw: Raw) -> Raw:
    """Version 2: a velocity may be left empty, and zero is a value like any other.

    Before, zero was the default, and all velocities were projected onto the joints together. Now a
    zero becomes empty; a body that no joint touches keeps its zeros, because they held there.
    """
    elements, dim = raw.get("elements"), raw.get("dim")
    if not isinstance(elements, list) or dim not in (2, 3):
        return raw  # the reader says what is wrong
    joined = _joined_bodies([e for e in elements if isinstance(e, dict)])
    rest = [0.0] * dim
    return {**raw, "elements": [_with_velocities(e, joined, rest) for e in elements]}


def _joined_bodies(elements: list[Raw]) -> set[str]:
    """The bodies that a marker of some joint is on."""
    body_of = {str(e.get("id")): str(e.get("body")) for e in elements if e.get("kind") == "marker"}
    joints = [e for e in elements if e.get("kind") in JOINTS_OF_VERSION_1]
    ends = [str(e.get(end)) for e in joints for end in ("marker_i", "marker_j")]
    return {body_of[end] for end in ends if end in body_of}


def _with_velocities(element: Any, joined: set[str], rest: list[float]) -> Any:
    """An element, with the velocities of version 2 if it is a body."""
    if not isinstance(element, dict) or element.get("kind") not in ("body", "particle"):
        return element
    typed = {name for name in VELOCITIES if not _is_zero(element.get(name, 0.0))}
    if typed and element.get("id") not in joined:
        return {"velocity": rest, **element}
    return {key: x for key, x in element.items() if key not in VELOCITIES or key in typed}


def _is_zero(value: Any) -> bool:
    """Whether a number, or every number of a list, is zero; a formula is not."""
    if isinstance(value, list):
        return all(map(_is_zero, value))
    return isinstance(value, int | float) and value == 0


def _version_3(raw: Raw) -> Raw:
    """Version 3: bodies keep their colours, teeth have a pressure angle, points may use sizes of shapes."""
    elements = raw.get("elements")
    if not isinstance(elements, list):
        return raw
    return {**raw, "elements": [_with_teeth_of_version_2(e) for e in _with_hues(elements)]}


def _with_hues(elements: list[Any]) -> list[Any]:
    """Bodies with the numbers of their colours; before, these followed the order of moving bodies."""
    made, turn = [], 0
    for element in elements:
        if isinstance(element, dict) and element.get("kind") in ("body", "particle"):
            element = {**element, "hue": turn % HUES + 1}
            turn += element.get("fixed") is not True
        made.append(element)
    return made


def _with_teeth_of_version_2(element: Any) -> Any:
    """An element; gears and racks with what they had: no radial force, and radii of 0.1 m if not given."""
    kind = element.get("kind") if isinstance(element, dict) else None
    if kind == "gear":
        return {"radius_1": 0.1, "radius_2": 0.1, **element, "pressure_angle": 0.0}
    return {**element, "pressure_angle": 0.0} if kind == "rack_and_pinion" else element


def _without_plots(raw: Raw) -> Raw:
    """Version 4: the view may have plots, arrows, trails and a camera; older files have none."""
    return raw


def _with_methods_of_version_4(raw: Raw) -> Raw:
    """Version 5: method and coordinates are left to the program; older files keep what they had."""
    settings = raw.get("settings", {})
    if not isinstance(settings, dict):
        return raw
    return {**raw, "settings": {**DEFAULTS_OF_VERSION_4, **settings}}


# How to make raw data of version n into that of version n + 1.
UPGRADES: dict[int, Callable[[Raw], Raw]] = {
    1: _empty_velocities,
    2: _version_3,
    3: _without_plots,
    4: _with_methods_of_version_4,
}
