"""How each class of element is drawn in space, and the extent of its drawing.

There is no default: a class that is missing here is not drawn, and a test names it.
"""

from typing import Any

import numpy as np

from engine.model.elements import Element, Id
from gui.stages.space.graphics.bodies import BODY_VIEWS
from gui.stages.space.graphics.forces import FORCE_VIEWS
from gui.stages.space.graphics.graphic import Graphic, View
from gui.stages.space.graphics.joints import JOINT_VIEWS
from gui.stages.space.graphics.points import POINT_VIEWS

VIEWS: dict[type[Element], View] = {**BODY_VIEWS, **JOINT_VIEWS, **FORCE_VIEWS, **POINT_VIEWS}


def graphic_of(element: Any, scene: Any) -> Graphic | None:
    """The graphic of an element in a scene, or none."""
    view = VIEWS.get(type(element))
    return None if view is None else view(element, scene)


def reach_of(scene: Any, id: Id) -> np.ndarray:
    """Places (n, 3) around what is drawn of an element, in the pose."""
    p, element = scene.placement, scene.model.elements.get(id)
    if element is None:
        return np.zeros((0, 3))
    if element.family == "body":
        k = p.body_index[id]
        solid = scene.graphics[id].solid if id in scene.graphics else None
        if solid is None or not hasattr(element, "inertia"):
            return np.concatenate([p.centers[k : k + 1], p.P[p.marker_body == k]])
        return p.r[k] + solid.box @ p.R[k].T
    names = ("marker", "marker_i", "marker_j")
    ends = [getattr(element, name, "") for name in names]
    if hasattr(element, "joint"):
        ends.append(getattr(scene.model.elements.get(element.joint), "marker_j", ""))
    if element.family == "marker":
        ends.append(id)
    found = [p.marker_at(m) for m in ends if m in p.marker_index]
    graphic = scene.graphics.get(id)
    if graphic is not None and graphic.rail:
        unit = max(scene.unit, graphic.least)
        axis = p.marker_axes(element.marker_i)[:, 2 if p.model.dim == 3 else 0]
        rail = graphic.rail * unit * axis
        found += [place + side * rail for place in found[:1] for side in (-1.0, 1.0)]
    return np.array(found).reshape(-1, 3)
