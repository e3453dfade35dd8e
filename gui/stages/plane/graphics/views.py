"""How each class of element is drawn in the plane.

There is no default: a class that is missing here is not drawn, and a test names it.
"""

from engine.model.elements import Element
from gui.stages.plane.graphics.bodies import BODY_VIEWS
from gui.stages.plane.graphics.forces import FORCE_VIEWS
from gui.stages.plane.graphics.graphic import View
from gui.stages.plane.graphics.joints import JOINT_VIEWS
from gui.stages.plane.graphics.points import POINT_VIEWS

VIEWS: dict[type[Element], View] = {**BODY_VIEWS, **JOINT_VIEWS, **FORCE_VIEWS, **POINT_VIEWS}
