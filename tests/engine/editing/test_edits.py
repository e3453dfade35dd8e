"""Edits: what gestures and commands make of a model."""

from math import pi

import pytest

import assets
from engine.compiling.checks import problems
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits import Pair
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.elements import GROUND, planar, references
from engine.model.shapes import Polygon, Rod

PLANAR = [p.stem for p in sorted(assets.EXAMPLES.glob("*.json")) if load(p).dim == 2]


def example(name):
    """A planar model of the gallery."""
    return load(assets.EXAMPLES / f"{name}.json")


def sound(model):
    """The model, which must have no problem and no marker that lost its user."""
    assert problems(model) == []
    return model


def two_links():
    """Two links pinned to each other, and the first one to the ground."""
    model, a, _ = edits.link(planar(), [(0, 0), (1, 0)])
    model, b, pins = edits.link(model, [(1, 0), (2, 1)], [a, ""])
    model, base = edits.joint(model, "revolute", Pair(GROUND, a), (0, 0))
    return sound(model), a, b, pins[0], base


# --- bodies


def test_a_link_of_a_metre_has_the_default_section():
    model, id, pins = edits.link(planar(), [(0, 0), (1, 0)])
    assert model[id].shape == Rod() and model[id].position == (0.5, 0.0) and pins == ()
    sound(model)


def test_a_link_is_what_the_builder_draws():
    m = Mechanism()
    m.rod((0, 0), (0.6, 0.8), width=0.04, thickness=0.01, id="link_1")
    assert edits.link(planar(), [(0, 0), (0.6, 0.8)])[0] == m.model


def test_later_links_are_as_wide_as_the_first_unless_too_short():
    model, _, _ = edits.link(planar(), [(0, 0), (1, 0)])
    model, long, _ = edits.link(model, [(0, 0), (7, 0)])
    model, short, _ = edits.link(model, [(0, 0), (0.05, 0)])
    assert model[long].shape.width == 0.04
    assert model[short].shape.width == pytest.approx(0.002)


def test_a_link_is_pinned_where_it_lands_and_only_there():
    model, _a, b, pin, _ = two_links()
    joint = model[pin]
    assert (model[joint.marker_i].body, model[joint.marker_j].body) == ("link_1", b)
    assert edits.joint_point(model, pin) == pytest.approx((1.0, 0.0), abs=1e-15)


def test_three_points_make_a_plate_and_three_on_a_line_a_bar():
    model, plate, _ = edits.link(planar(), [(0, 0), (1, 0), (0, 1)])
    assert isinstance(model[plate].shape, Polygon) and len(model[plate].shape.points) == 3
    model, bar, _ = edits.link(model, [(0, 0), (1, 0), (0.25, 0)])
    assert model[bar].shape.length == 1.0
    sound(model)


def test_a_further_point_keeps_frame_and_joints_of_a_link():
    model, a, _b, pin, base = two_links()
    model, more = edits.with_corner(model, a, (0.5, 0.5), GROUND)
    assert model[a].position == (0.5, 0.0) and len(more) == 1
    for id, at in ((pin, (1.0, 0.0)), (base, (0.0, 0.0)), (more[0], (0.5, 0.5))):
        assert edits.joint_point(model, id) == pytest.approx(at, abs=1e-15)
    sound(model)


def test_a_further_point_on_the_link_changes_no_shape():
    model, a, *_ = two_links()
    after, _ = edits.with_corner(model, a, (0.25, 0.0))
    assert after == model
    with pytest.raises(EngineError, match="longer link"):
        edits.with_corner(model, a, (3.0, 0.0))


@pytest.mark.parametrize(
    "make",
    [
        lambda m: edits.link(m, [(0, 0), (0, 0)]),
        lambda m: edits.box(m, (0, 0), (1, 0)),
        lambda m: edits.disc(m, (0, 0), 0.0),
        lambda m: edits.polygon(m, [(0, 0), (1, 1), (1, 0), (0, 1)]),
        lambda m: edits.polygon(m, [(0, 0), (1, 1)]),
    ],
)
def test_bodies_without_size_or_with_crossing_edges_are_refused(make):
    with pytest.raises(EngineError):
        make(planar())


def test_boxes_discs_polygons_and_point_masses_are_where_they_are_drawn():
    model, box = edits.box(planar(), (1, 1), (0, 3))
    model, disc = edits.disc(model, (2, 2), 0.5)
    model, plate = edits.polygon(model, [(0, 0), (2, 0), (1, 1)])
    model, bob = edits.point_mass(model, (5, 5))
    assert edits.extent(model, box) == (0.0, 1.0, 1.0, 3.0)
    assert edits.extent(model, disc) == (1.5, 1.5, 2.5, 2.5)
    assert edits.extent(model, plate) == pytest.approx((0.0, 0.0, 2.0, 1.0), abs=1e-15)
    assert model[bob].position == (5.0, 5.0)
    sound(model)


def test_ground_is_toggled_and_a_joint_without_motion_refuses():
    model, a, b, _, base = two_links()
    fixed = sound(edits.with_ground_toggled(model, [b]))
    assert fixed[b].fixed and edits.with_ground_toggled(fixed, [b]) == model
    with pytest.raises(EngineError, match="nothing that moves") as told:
        edits.with_ground_toggled(model, [a])
    assert told.value.ids == (base,)


# --- who is joined


def test_the_two_topmost_bodies_come_first_then_the_ground():
    model, a, b, _, _ = two_links()
    model, c, _ = edits.link(model, [(1, 0), (1, 1)])
    pairs = edits.pairs_at(model, [c, b, a], (1, 0), "revolute")
    assert pairs[:2] == [Pair(b, c), Pair(a, c)]
    assert Pair(a, b) not in pairs  # they are pinned here already
    assert Pair(a, b) in edits.pairs_at(model, [b, a], (1, 0), "weld")
    assert pairs[-3:] == [Pair(GROUND, c), Pair(GROUND, b), Pair(GROUND, a)]


@pytest.mark.parametrize("kind", ["prismatic", "point_on_line"])
def test_what_a_pin_holds_together_is_the_last_that_may_slide_there(kind):
    m = Mechanism()
    rod, block = m.rod((0, 0), (1, 0)), m.box((1, 0), 0.2, 0.1)
    m.revolute(rod, block, at=(1, 0))
    pairs = edits.pairs_at(m.model, [block, rod], (1, 0), kind)
    assert [set(pair) for pair in pairs] == [{"ground", block}, {"ground", rod}, {rod, block}]
    assert set(edits.pairs_at(m.model, [block, rod], (1, 0), "weld")[0]) == {rod, block}


def test_nothing_is_offered_that_could_not_move():
    model, a, b, *_ = two_links()
    model = edits.with_ground_toggled(model, [b])
    assert edits.pairs_at(model, [b], (1.5, 0.5), "revolute") == []
    with pytest.raises(EngineError, match="part of the ground"):
        edits.refuse_none(model, [b], (1.5, 0.5), "revolute")
    with pytest.raises(EngineError, match="no body here"):
        edits.refuse_none(model, [], (9, 9), "revolute")
    with pytest.raises(EngineError, match="nothing that moves"):
        edits.joint(model, "revolute", Pair(GROUND, b), (1.5, 0.5))
    with pytest.raises(EngineError, match="itself"):
        edits.joint(model, "revolute", Pair(a, a), (0, 0))


def test_the_body_that_ends_at_a_slot_carries_the_pin():
    model, lever, _ = edits.link(planar(), [(0, 0), (0, 2)])
    model, crank, _ = edits.link(model, [(-1, 1), (0, 1)])
    assert edits.pairs_at(model, [crank, lever], (0, 1), "point_on_line")[0] == Pair(lever, crank)
    model, longer, _ = edits.link(model, [(-3, 1), (3, 1)])
    assert edits.pairs_at(model, [longer, crank], (0, 1), "point_on_line")[0] == Pair(longer, crank)


@pytest.mark.parametrize(
    "kind", ["revolute", "prismatic", "weld", "point_on_line", "knife_edge", "bushing"]
)
def test_every_one_click_joint_is_sound(kind):
    model, a, _b, *_ = two_links()
    after, id = edits.joint(model, kind, Pair(GROUND, a), (0.5, 0), 0.3)
    assert sound(after)[id].kind == kind
    assert edits.marker_frame(after, after[id].marker_j).angle == pytest.approx(0.3, abs=1e-15)


@pytest.mark.parametrize("kind", ["rod", "spring", "damper", "spring_damper", "general_force"])
def test_ties_go_from_body_to_body_and_rest_as_drawn(kind):
    model, a, b, *_ = two_links()
    fields = {"law": 1.0} if kind == "general_force" else {}
    after, id = edits.between(model, kind, (GROUND, (0, 2)), (b, (2, 1)), **fields)
    assert sound(after)[id].kind == kind
    assert getattr(after[id], "free_length", None) is None
    for start, end in (((a, (0, 0)), (a, (1, 0))), ((GROUND, (0, 0)), (GROUND, (1, 1)))):
        with pytest.raises(EngineError):
            edits.between(model, kind, start, end, **fields)
    with pytest.raises(EngineError, match="same place"):
        edits.between(model, kind, (a, (1, 0)), (b, (1, 0)), **fields)


def test_an_end_takes_the_moving_body_and_empty_space_the_ground():
    model, a, b, pin, base = two_links()
    assert edits.end_body(model, (), "") == GROUND
    assert edits.end_body(model, (b, a), "") == b
    assert edits.end_body(model, (b, a), pin, other=b) == a
    assert edits.end_body(model, (a,), base) == a
    assert edits.end_body(model, (a,), "", other=a) == a  # refused later, never silently the ground


def test_a_link_lands_on_the_ground_at_a_ground_pin():
    model, a, b, pin, base = two_links()
    assert edits.landing_body(model, (a,), base) == GROUND
    assert edits.landing_body(model, (b, a), pin) == a
    assert edits.landing_body(model, (), "") == ""


def test_at_a_rod_only_the_nearer_end_counts():
    model, a, b, *_ = two_links()
    model, rod = edits.between(model, "rod", (GROUND, (2, 3)), (b, (2, 1)))
    assert edits.landing_body(model, (), rod, at=(2, 3)) == GROUND
    assert edits.landing_body(model, (b,), rod, at=(2, 1)) == b
    assert edits.end_body(model, (), rod, at=(2, 3)) == GROUND
    assert edits.end_body(model, (b,), rod, at=(2, 1)) == b
    assert a not in edits.bodies_of(model, rod)


def test_a_point_mass_is_pinned_and_never_held_against_turning():
    model, a, *_ = two_links()
    model, bob = edits.point_mass(model, (0.5, 0))
    for kind in ("weld", "prismatic", "knife_edge"):
        assert all(bob not in pair for pair in edits.pairs_at(model, [bob, a], (0.5, 0), kind))
        with pytest.raises(EngineError, match="cannot turn"):
            edits.joint(model, kind, Pair(a, bob), (0.5, 0))
        with pytest.raises(EngineError, match="cannot turn"):
            edits.refuse_none(model, [bob], (0.5, 0), kind)
    assert edits.pairs_at(model, [bob, a], (0.5, 0), "revolute")[0] == Pair(a, bob)
    assert edits.pairs_at(model, [bob, a], (0.5, 0), "point_on_line")[0] == Pair(a, bob)


def test_forces_torques_and_tracers_need_a_moving_body():
    model, a, b, *_ = two_links()
    model, force = edits.force(model, a, (1, 0), (0.0, -5.0))
    model, torque = edits.torque(model, b, 2.0, (2, 1))
    model, tracer = edits.tracer(model, b, (2, 1))
    assert (model[force].f_y, model[torque].t_z) == (-5.0, 2.0)
    assert model[model[tracer].marker].body == b
    sound(model)
    for make in (
        lambda: edits.force(model, GROUND, (0, 0), (1.0, 0.0)),
        lambda: edits.force(model, a, (0, 0), (0.0, 0.0)),
        lambda: edits.torque(model, GROUND, 1.0, (0, 0)),
        lambda: edits.tracer(model, GROUND, (0, 0)),
    ):
        with pytest.raises(EngineError):
            make()


# --- on joints


def test_a_joint_takes_motors_springs_dampers_and_stops():
    model, _, _, pin, base = two_links()
    model, motion = edits.motion(model, base, "2*pi*t")
    model, motor = edits.actuator(model, pin, 1.0)
    model, spring = edits.torsional(model, "spring", pin)
    model, damper = edits.torsional(model, "damper", pin)
    model, both = edits.torsional(model, "spring_damper", pin)
    model, stops = edits.limits(model, pin)
    kinds = [sound(model)[id].kind for id in (motion, motor, spring, damper, both, stops)]
    assert kinds[2:] == ["torsion_spring", "joint_damping", "torsion_spring", "joint_limits"]
    assert model[both].damping > 0.0 == model[spring].damping
    assert model[stops].low < edits.coordinate_value(model, pin) < model[stops].high
    with pytest.raises(EngineError, match="driven already"):
        edits.motion(model, base, 1.0)


def test_a_weld_cannot_be_driven_and_a_slider_has_no_torsion():
    model, a, *_ = two_links()
    model, slider = edits.joint(model, "prismatic", Pair(GROUND, a), (0.5, 0))
    model, weld = edits.joint(model, "weld", Pair(GROUND, a), (0.25, 0))
    with pytest.raises(EngineError, match="turns or slides"):
        edits.motion(model, weld, 1.0)
    with pytest.raises(EngineError, match="no angle"):
        edits.torsional(model, "spring", slider)
    assert edits.torsional(model, "damper", slider)[0][f"joint_damping_{1}"].joint == slider


def wheels(r_1, r_2, apart):
    """Two discs pinned to the ground."""
    model, a = edits.disc(planar(), (0, 0), r_1)
    model, b = edits.disc(model, (apart, 0), r_2)
    model, j_1 = edits.joint(model, "revolute", Pair(GROUND, a), (0, 0))
    model, j_2 = edits.joint(model, "revolute", Pair(GROUND, b), (apart, 0))
    return model, j_1, j_2


@pytest.mark.parametrize(
    ("r_1", "r_2", "apart", "inside"), [(0.1, 0.2, 0.3, False), (0.1, 0.3, 0.2, True)]
)
def test_drawn_discs_give_the_radii_of_gears(r_1, r_2, apart, inside):
    model, gear = edits.gear(*wheels(r_1, r_2, apart))
    found = sound(model)[gear]
    assert (found.radius_1, found.radius_2, found.inside) == (None, None, inside)
    assert found.radii(model) == (r_1, r_2)


def test_gears_need_pins_on_one_body_and_turn_a_joint_round_if_they_may():
    model, _, b, pin, base = two_links()
    model, wheel = edits.disc(model, (2, 1), 0.2)
    model, far = edits.joint(model, "revolute", Pair(b, wheel), (2, 1))
    meshed, gear = edits.gear(model, pin, far)  # the common body b is second in the pin
    assert meshed[meshed[pin].marker_i].body == b and meshed[gear].radii(meshed)[1] == 0.2
    sound(meshed)
    driven, _ = edits.motion(model, pin, 1.0)
    with pytest.raises(EngineError, match="exchange its markers"):
        edits.gear(driven, pin, far)
    with pytest.raises(EngineError, match="no body in common"):
        edits.gear(model, base, far)
    with pytest.raises(EngineError, match="different joints"):
        edits.gear(model, pin, pin)
    with pytest.raises(EngineError, match="slider"):
        edits.rack_and_pinion(model, base, pin)


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("turn", [0.0, 0.7, pi])
def test_a_rack_moves_as_the_rim_of_its_pinion(side, turn):
    model, pinion = edits.disc(planar(), (0, 0), 0.2)
    rail = edits.Frame(0.0, 0.0, turn)
    at = rail.to_world((0.0, 0.2 * side))
    model, rack = edits.box(model, (at[0] - 0.5, at[1] - 0.02), (at[0] + 0.5, at[1] + 0.02))
    model, pin = edits.joint(model, "revolute", Pair(GROUND, pinion), (0, 0))
    model, slider = edits.joint(model, "prismatic", Pair(GROUND, rack), at, turn)
    model, id = edits.rack_and_pinion(model, slider, pin)
    # The rim at `at` moves with w x at; a positive radius moves the rack along the rail with w > 0.
    rim = (-at[1], at[0])
    along = rail.to_world((1.0, 0.0))
    assert sound(model)[id].radius == pytest.approx(rim[0] * along[0] + rim[1] * along[1])


def test_a_disc_rolls_on_the_line_towards_which_it_is_dragged():
    model, disc = edits.disc(planar(), (1, 0.5), 0.5)
    for toward, angle, on in ((-pi / 2, 0.0, (1, 0)), (pi, -pi / 2, (0.5, 0.5))):
        after, id = edits.rolling_disc(model, GROUND, disc, toward)
        line = edits.marker_frame(after, after[id].marker_i)
        assert line.angle == pytest.approx(angle, abs=1e-15)
        assert (line.x, line.y) == pytest.approx(on, abs=1e-15)
        sound(after)


# --- deleting, renaming, fields


@pytest.mark.parametrize("name", PLANAR)
def test_what_is_deleted_takes_along_what_hangs_on_it_and_nothing_else(name):
    model = example(name)
    alone = {m.id for m in model.of("marker")} - {r for e in model for r in references(e)}
    every = list(model.elements)
    for id in every[:: 1 + len(every) // 80]:
        if model[id].family == "parameter":
            with pytest.raises(EngineError, match="is used by"):
                edits.deleted(model, [id])
            continue
        after = edits.deleted(model, [id])
        used = {r for e in after for r in references(e)}
        assert problems(after) == []
        assert id not in after and used <= {*after.elements, GROUND}
        assert {m.id for m in after.of("marker")} <= used | alone
        assert all(after[kept] is model[kept] for kept in after.elements)


def test_a_point_that_nobody_used_survives_a_deletion():
    model, a, b, *_ = two_links()
    model, point = edits.marker(model, a, (0.5, 0))
    assert point in edits.deleted(model, [b])
    with pytest.raises(EngineError, match="Select"):
        edits.deleted(model, ["no_such_thing"])


def test_a_name_changes_no_id_and_a_parameter_changes_in_all_formulas():
    m = Mechanism(gravity=(0, "-g_0"))
    m.parameter("g_0", 9.81)
    m.parameter("half", "l/2 + 0 m")
    m.parameter("l", "1 m")
    rod = m.rod((0, 0), (1, 0), mass="2*l", velocity=(0.0, "l"))
    joint = m.revolute("ground", rod, (0, 0))
    m.motion(joint, "l*sin(l*t)")
    from engine.formulas.resolve import parameter_values, resolved

    model = edits.renamed(m.model, "l", "length_1")
    assert (
        list(model.elements)[2] == "length_1"
        and model["motion_1"].law == "length_1*sin(length_1*t)"
    )
    assert parameter_values(model)["half"] == parameter_values(m.model)["half"]
    assert resolved(model)[rod] == resolved(m.model)[rod]
    assert edits.renamed(edits.renamed(model, "g_0", "g"), "g", "g_0").gravity == (0.0, "-g_0")
    assert edits.renamed(model, rod, "  crank ")[rod].label == "crank"
    for bad in ("2l", "sin", "t", "half", ""):
        with pytest.raises(EngineError):
            edits.renamed(model, "length_1", bad)
    with pytest.raises(EngineError, match="is used by"):
        edits.deleted(model, ["length_1"])


def test_fields_take_numbers_and_formulas_and_refuse_nonsense():
    model, a, b, *_ = two_links()
    after = edits.with_fields(model, [a, b], {"mass": 2.0, "shape.width": "30 mm"})
    assert after[b].mass == 2.0 and after[a].shape.width == "30 mm"
    assert sound(after)[a].position is model[a].position
    assert edits.with_fields(model, [a], {"mass": None}) == model
    for bad in (
        {"mass": -1.0},
        {"mass": float("nan")},
        {"mass": "2 m"},
        {"mass": "unknown_name"},
        {"position": (1.0,)},
        {"no_field": 1.0},
        {"shape.length": 0.0},
        {"shape.no_field": 1.0},
    ):
        with pytest.raises(EngineError):
            edits.with_fields(model, [a], bad)


def test_elements_that_are_gone_are_named_in_the_refusal():
    model, a, *_ = two_links()
    for edit in (
        lambda: edits.renamed(model, "gone", "x"),
        lambda: edits.with_fields(model, ["gone"], {"mass": 1.0}),
        lambda: edits.joint(model, "revolute", Pair("gone", a), (0, 0)),
        lambda: edits.motion(model, "gone", 1.0),
        lambda: edits.body_frame(model, "gone"),
    ):
        with pytest.raises(EngineError, match="gone"):
            edit()
    with pytest.raises(EngineError, match="Select"):
        edits.with_ground_toggled(model, ["gone"])
    with pytest.raises(EngineError, match="Select"):
        edits.rotated(model, ["gone"], 1.0)


def test_what_is_drawn_has_the_name_that_people_have_for_it():
    m = Mechanism()
    link = m.rod((0, 0), (1, 0))
    model, pin = edits.joint(m.model, "revolute", Pair(GROUND, link), (0, 0))
    model, motor = edits.motion(model, pin, 1.0, "speed")
    assert (pin, motor) == ("pin_1", "motor_1")
    assert m.revolute("ground", link, at=(1, 0)) == "revolute_1"  # programs keep the kind
