"""How the user makes an element on the stage: the gesture, the key and the texts."""

from enum import Enum
from typing import Any, NamedTuple

GROUPS = ("bodies", "joints", "contact", "springs", "loads", "drives", "marks")  # of tools


class Gesture(Enum):
    """The standard gestures that draw an element; the value describes the mouse action."""

    AT_POINT = "click where two bodies meet; drag for a direction, where there is one"
    ON_SHAFTS = "click where two shafts meet; they give the directions"
    BLADE = "press on a body and drag along its blade"
    BETWEEN = "press on one body and release on another"
    ON_BODY = "click a point of a moving body"
    ON_JOINT = "click a joint"
    OVER = "click one end, a pulley and the other end"


class Making(NamedTuple):
    """One tool of the rail, in the plane, in space or in both; all texts are shown to the user."""

    gesture: Gesture
    title: str
    key: str  # the shortcut, as "P" or "Shift+P"
    says: str  # what would be made, after "Add"; {0} and {1} are the names of the two bodies
    help: str  # for the tooltip
    opening: str  # what to do first
    dims: tuple[int, ...] = (2, 3)
    group: str = "joints"  # one of GROUPS
    prefers_ground: bool = False  # whether the ground is the likelier partner
    line: str = "solid"  # the preview of a span: solid, dashed, spring or damper
    length: str = ""  # the field that keeps a formula typed as the length of a span
    begins: tuple[tuple[str, Any], ...] = ()  # fields of a new one that differ from their defaults
