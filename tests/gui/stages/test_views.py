"""Every kind of element is drawn on both stages, and what a joint leaves free shows in its drawing."""

from dataclasses import dataclass, replace
from math import cos, sin
from typing import ClassVar

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.files.matrices import part_of
from engine.formulas.resolve import resolved
from engine.model.attachments import reads_axes
from engine.model.catalogue import ELEMENTS
from engine.model.elements import Parameter, put
from engine.model.fields import ref
from engine.model.forces.base import Force
from engine.model.joints import JOINTS, Joint, Prismatic, Revolute
from engine.model.joints.freedom import freedom
from engine.model.shapes import SHAPES, Box, Polyline, Rod, Shape
from gui.placing.grips import Grip, grip
from gui.placing.plane.picks import elements_at, extent
from gui.placing.plane.placement import Placement
from gui.placing.plane.shadow import poses_as_drawn, shadow
from gui.placing.plane.silhouettes import SILHOUETTES, silhouette
from gui.placing.space.placement import SpacePlacement
from gui.placing.space.shapes import SOLIDS, solid_of
from gui.placing.space.snapping import joint_axis
from gui.stages.plane.graphics.graphic import IN_PIXELS
from gui.stages.plane.graphics.symbols import OUTLINES, body_outline
from gui.stages.plane.graphics.views import VIEWS as PLANE_VIEWS
from gui.stages.space.graphics.joint_symbols import SYMBOLS
from gui.stages.space.graphics.views import VIEWS as SPACE_VIEWS
from tests.engine.sample_joints import mechanism
from tests.gui.space_hand import SpaceHand
from tests.gui.stage_events import Hand
from tests.gui.stage_models import every_kind

DRAWN = [kind for kind in ELEMENTS if kind is not Parameter]
IN_SPACE = [j for j in JOINTS if 3 in j.dims and issubclass(j, Joint)]
IN_PLANE = [j for j in JOINTS if 2 in j.dims and issubclass(j, Joint)]
EDGE = 1e-9  # m: rounding of coordinates of a metre


def missing(kinds, table):
    """The names of the classes that a table lacks."""
    return ", ".join(kind.__name__ for kind in kinds if kind not in table)


# --- completeness


def test_every_kind_of_the_plane_has_a_view_there():
    lacking = missing([k for k in DRAWN if 2 in k.dims], PLANE_VIEWS)
    assert not lacking, f"Give {lacking} a view in a table of gui/stages/plane/graphics."


def test_every_kind_has_a_view_in_space():
    lacking = missing(DRAWN, SPACE_VIEWS)  # planar models are shown there too
    assert not lacking, f"Give {lacking} a view in a table of gui/stages/space/graphics."


def test_views_are_of_kinds_that_exist():
    for table in (PLANE_VIEWS, SPACE_VIEWS):
        assert set(table) <= set(ELEMENTS)


def test_every_shape_of_the_plane_has_an_outline_and_a_silhouette():
    flat = [shape for shape in SHAPES if 2 in shape.dims]
    lacking = missing(flat, OUTLINES)
    assert not lacking, f"Give {lacking} an outline in OUTLINES of plane/graphics/symbols.py."
    lacking = missing(flat, SILHOUETTES)
    assert not lacking, f"Give {lacking} a silhouette in SILHOUETTES of placing/plane."


def test_every_shape_has_a_solid():
    lacking = missing(SHAPES, SOLIDS)
    assert not lacking, f"Give {lacking} a solid in SOLIDS of gui/placing/space/shapes.py."


# --- shapes


@pytest.mark.parametrize("shape", SILHOUETTES, ids=lambda s: s.kind)
def test_an_outline_is_as_large_as_its_silhouette_and_holds_its_corners(shape):
    one = shape()
    rect, found = body_outline(one).boundingRect(), silhouette(one)
    drawn = (rect.left(), rect.top(), rect.right(), rect.bottom())
    assert drawn == pytest.approx(found.reach, abs=1e-9)  # rounding of metres
    for x, y in (*found.corners, *found.middles):
        assert found.away(x, y) <= EDGE
    left, _, right, _ = found.reach
    assert found.away(right + 1.0, 0.0) >= 1.0 - EDGE
    assert found.away(left - 1.0, 0.0) >= 1.0 - EDGE


@pytest.mark.parametrize(
    "shape", [s for s in SOLIDS if s.kind not in ("mesh", "part")], ids=lambda s: s.kind
)
def test_a_solid_has_the_size_of_its_shape(shape):
    one = (
        shape(thickness=0.04) if issubclass(shape, Rod) else shape()
    )  # slender ones are drawn thicker
    if shape is Polyline:  # where bars meet in a corner they overlap, and are drawn beyond it
        one = Polyline(points=((0.0, 0.0), (0.1, 0.1)))
    solid = solid_of(one, 2)
    a, e1, e2 = solid.sides
    volume = float(np.einsum("ni,ni->n", a, np.cross(e1, e2)).sum()) / 6.0
    # 48 sides lie within a circle: they have less than one per cent less area; a ball twice that
    assert abs(volume) == pytest.approx(one.moments().volume, rel=0.02)


def test_a_part_is_drawn_by_its_nodes():
    corners = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    ways = np.array([[-1, 0, 1, 0, 0, 0], [0, -1, 0, 0, 0, 1], [0, 0, 1, -1, -1, 1]], dtype=float)
    part = part_of(ways.T @ ways, np.eye(6), corners)
    solid = solid_of(part, 1)
    assert len(solid.triangles) == 3 * 12 and len(solid.spots) == len(solid.edges) == 3
    rect = body_outline(part).boundingRect()
    assert (rect.width(), rect.height()) == pytest.approx((1.0, 1.0))
    assert silhouette(part).corners == corners


# --- what has no view is not drawn, and nothing breaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard(Joint):
    """A joint that no stage knows."""

    kind: ClassVar[str] = "unheard"

    def rows(self, model):
        """None."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Breeze(Force):
    """A force at a marker that no stage knows."""

    kind: ClassVar[str] = "breeze"
    marker_i: str = ref("marker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob(Shape):
    """A shape that no stage knows."""

    kind: ClassVar[str] = "blob"

    def reach(self, n):
        """That of a block."""
        return Box().reach(n)

    def moments(self):
        """Those of a block, so that it can be weighed."""
        return Box().moments()


def with_strangers(dim):
    """A bar in a hinge, with a joint, a force and a shape that no stage knows."""
    m = Mechanism("strangers", dim)
    bar = m.rod((0, 0, 0)[:dim], (1, 0, 0)[:dim], id="bar", mass=1.0, width=0.1)
    m.revolute("ground", bar, (0, 0, 0)[:dim], id="pin")
    m.box((0.5, 1.0, 0.0)[:dim], id="lump")
    model, pin = m.model, m.model["pin"]
    return put(
        model,
        replace(model["lump"], shape=Blob()),
        Unheard(id="joint", marker_i=pin.marker_i, marker_j=pin.marker_j),
        Breeze(id="force", marker_i=pin.marker_j),
    )


def test_what_the_plane_does_not_know_is_not_drawn_and_nothing_breaks(qtbot):
    hand = Hand(qtbot, with_strangers(2))
    graphics = hand.view.stage_scene.graphics
    assert {"bar", "pin", "lump"} <= set(graphics) and not {"joint", "force"} & set(graphics)
    assert hand.view.undrawn == ("joint", "force")
    hand.selection.set(("bar", "joint", "force", "lump"))
    assert hand.view.pick(hand.view.to_pixels(0.5, 0.0)).bodies == ("bar",)


@pytest.mark.parametrize("dim", [2, 3])
def test_what_space_does_not_know_is_not_drawn_and_nothing_breaks(qtbot, dim):
    hand = SpaceHand(qtbot, with_strangers(dim))
    graphics = hand.view.scene.graphics
    assert {"bar", "pin", "lump"} <= set(graphics) and not {"joint", "force"} & set(graphics)
    assert hand.view.undrawn == ("joint", "force")
    hand.selection.set(("bar", "joint", "force", "lump"))
    hand.picture()
    assert hand.pick((0.5, 0.0, 0.0)).bodies[0] == "bar"


def test_a_constraint_by_formula_is_drawn_and_grabbed_at_its_point(qtbot):
    def typed(dim):
        m = Mechanism("typed", dim)
        box = m.box((0.5, 0.5, 0.0)[:dim], id="box")
        m.constraint(box, (0.7, 0.5, 0.0)[:dim], id="typed")
        return m.model

    plane, space = Hand(qtbot, typed(2)), SpaceHand(qtbot, typed(3))
    assert "typed" in plane.view.stage_scene.graphics and not plane.view.undrawn
    assert plane.view.pick(plane.view.to_pixels(0.7, 0.5)).joint == "typed"
    assert "typed" in space.view.scene.graphics and not space.view.undrawn


def test_a_model_with_strangers_is_opened_with_a_sentence_that_names_them(qtbot):
    hand, said = Hand(qtbot), []
    hand.view.complained.connect(said.append)
    hand.document.new(with_strangers(2))
    assert len(said) == 1 and "'joint', 'force'" in said[0]


# --- what a joint leaves free shows


def of_kind(model, kind):
    """The only joint of a kind in a model."""
    return next(joint for joint in model.of("joint") if type(joint) is kind)


@pytest.mark.parametrize("kind", IN_SPACE, ids=lambda j: j.kind)
def test_in_space_the_drawing_reaches_as_far_as_a_rail_goes(qtbot, kind):
    hand = SpaceHand(qtbot, mechanism(kind.kind, 3))
    joint, scene = of_kind(hand.document.model, kind), hand.view.scene
    places = scene.places((joint.id,))
    axis = scene.placement.marker_axes(joint.marker_i)[:, 2]
    ends = [scene.placement.marker_at(m) for m in (joint.marker_i, joint.marker_j)]
    longer = np.ptp(places @ axis) - np.ptp(np.array(ends) @ axis)
    # a rail is drawn several units long to both sides of marker i; other symbols are not counted
    assert (longer > 4.0 * scene.unit) == (freedom(kind, 3).rail is not None)


@pytest.mark.parametrize(
    "kind", [k for k in IN_PLANE if not freedom(k, 2).spans], ids=lambda j: j.kind
)
def test_in_the_plane_a_rail_is_drawn_along_its_axis(qtbot, kind):
    hand = Hand(qtbot, mechanism(kind.kind, 2).model)
    scene = hand.view.stage_scene
    joint = of_kind(scene.model, kind)
    items = [i for i in scene.graphics[joint.id].items if not i.flags() & IN_PIXELS]
    corners = [p for i in items for p in i.mapToScene(i.path().boundingRect())]
    (x, y, turn), (px, py, _) = map(scene.placement.marker_at, (joint.marker_i, joint.marker_j))
    along = [cos(turn) * (p.x() - x) + sin(turn) * (p.y() - y) for p in corners] or [0.0]
    at = cos(turn) * (px - x) + sin(turn) * (py - y)
    is_drawn = min(along) < at - 0.1 * scene.size() and max(along) > at + 0.1 * scene.size()
    assert is_drawn == (freedom(kind, 2).rail is not None)


@pytest.mark.parametrize("kind", IN_SPACE, ids=lambda j: j.kind)
def test_no_arm_leads_to_a_marker_whose_place_on_a_guide_means_nothing(kind):
    model = mechanism(kind.kind, 3).model
    joint, free = of_kind(model, kind), freedom(kind, 3)
    sliding = SpacePlacement(resolved(model)).sliding
    assert (joint.marker_i in sliding) == free.guides
    assert (joint.marker_j in sliding) == (free.guides and bool(free.aligned))


@pytest.mark.parametrize("kind", IN_PLANE, ids=lambda j: j.kind)
def test_no_arm_in_the_plane_leads_to_a_slider_that_keeps_its_direction(kind):
    model = mechanism(kind.kind, 2).model
    joint, free = of_kind(model, kind), freedom(kind, 2)
    sliding = Placement(resolved(model)).sliding
    assert (joint.marker_j in sliding) == (free.rail is not None and not free.turns)


@pytest.mark.parametrize("kind", IN_SPACE, ids=lambda j: j.kind)
def test_snapping_offers_the_axis_that_a_joint_goes_by(qtbot, kind):
    hand = SpaceHand(qtbot, mechanism(kind.kind, 3))
    joint, scene = of_kind(hand.document.model, kind), hand.view.scene
    free = freedom(kind, 3)
    axis = joint_axis(scene, joint, joint.marker_j)
    if free.guides or free.aligned:
        z_i = scene.placement.marker_axes(joint.marker_i)[:, 2]
        assert axis is not None and abs(axis @ z_i) == pytest.approx(1.0)  # rounding
    elif not any(reads_axes(kind, 3)):
        assert axis is None  # a ball or a rod has no direction of its own


@pytest.mark.parametrize("kind", SYMBOLS, ids=lambda j: j.kind)
def test_what_is_free_in_a_surface_stands_on_no_foot(kind):
    assert SYMBOLS[kind].stands == (len(freedom(kind, 3).slides) < 2)


@pytest.mark.parametrize("kind", SYMBOLS, ids=lambda j: j.kind)
def test_a_part_slides_at_marker_j_where_the_joint_guides_it_in_its_direction(kind):
    free, symbol = freedom(kind, 3), SYMBOLS[kind]
    moving = any(part.role == "j" for part in symbol.parts(lambda n: n))
    at_j = any(marker == "j" for marker, _ in symbol.more)
    assert moving == (free.guides and bool(free.aligned))
    assert not free.guides or moving or at_j


@pytest.mark.parametrize("kind", IN_SPACE, ids=lambda j: j.kind)
def test_the_shadow_shows_pins_and_sliders_as_what_they_are(kind):
    model = resolved(mechanism(kind.kind, 3).model)
    joint, free = of_kind(model, kind), freedom(kind, 3)
    seen = shadow(model, poses_as_drawn(model)).elements.get(joint.id)
    if free.holds_point:
        assert type(seen) is Revolute
    elif free.rail is not None and free.aligned:
        assert type(seen) is Prismatic  # the axes of the samples are seen from the side
    else:
        assert not isinstance(seen, Revolute | Prismatic)


# --- what is drawn can be taken hold of


@pytest.mark.parametrize("kind", DRAWN, ids=lambda k: f"{k.kind}-{k.dims}")
def test_every_kind_has_a_grip(kind):
    assert grip(kind) is not Grip.NOTHING


def test_everything_in_the_plane_is_picked_somewhere_where_it_is_drawn():
    placement, pixel = Placement(resolved(every_kind())), 0.01
    turns = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    for element in placement.model:
        around = extent(placement, element)
        middle = tuple(np.mean(around, axis=0)) if around else (0.0, 0.0)
        near = [
            (x + r * pixel * cos(u), y + r * pixel * sin(u))
            for x, y in (*around, middle)
            for r in (0.0, 5.0, 18.0, 24.0)
            for u in turns
        ]
        found = any(element.id in elements_at(placement, *p, pixel) for p in near)
        is_drawn = element.family != "parameter" and element.id not in placement.used_markers
        assert found == is_drawn, element.id
