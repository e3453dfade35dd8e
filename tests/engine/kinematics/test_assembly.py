"""Assembly: rough drawings close with the least motion, on their branch, or fail with a sentence."""

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.kinematics import closing
from engine.kinematics.assemble import assemble
from engine.kinematics.closing import closed
from engine.kinematics.evaluate import equations
from engine.model.bodies import SpatialMarker
from engine.model.elements import Model, put
from engine.model.joints import Cylindrical, Planar, Prismatic, Revolute, Screw, Weld
from engine.running.simulate import run
from rotations import quaternion
from tests.validation import models

CLOSED = 1e-12  # rounding of coordinates of a few metres


def roughened(model: Model, share: float, seed: int) -> Model:
    """The same drawing with every body moved and turned by a share of one metre or radian."""
    rng = np.random.default_rng(seed)

    def amount(n: int) -> np.ndarray:
        return share * rng.uniform(-1.0, 1.0, size=n)

    for body in model.of("body"):
        place = tuple(np.array(body.position) + amount(model.dim))
        if model.dim == 2:
            model = put(model, replace(body, position=place, angle=body.angle + amount(1)[0]))
        else:
            turn = quaternion.normalise(np.array([1.0, *(amount(3) / 2)]))
            turned = quaternion.product(np.array(body.orientation), turn)
            model = put(model, replace(body, position=place, orientation=tuple(turned)))
    return model


DRAWINGS = {
    "four-bar": lambda: models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model,
    "four-bar in space": lambda: models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim=3).model,
    "slider-crank": lambda: models.slider_crank(0.5, 1.5, 0.7).model,
    "slider-crank in space": lambda: models.slider_crank(0.5, 1.5, 0.7, dim=3).model,
    "two four-bars": lambda: models.parallel_cranks(2),
    "chain of eight": lambda: models.horizontal_chain(8),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_rough_drawing_closes(drawing, seed):
    compiled = compile_model(roughened(DRAWINGS[drawing](), 0.15, seed))
    start = assemble(compiled)
    e = equations(compiled, 0.0, start.q, start.v)
    assert start.drawn_gap > 0.01
    assert np.abs(e.Phi).max() < CLOSED * max(1.0, compiled.length)
    assert start.gap == pytest.approx(np.abs(e.Phi).max(), abs=1e-15)
    assert np.abs(e.D @ start.v - e.nu).max() < CLOSED * 10  # products with D, of order one
    assert 0.01 < start.moved < 1.0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("up", (True, False))
def test_the_elbow_stays_on_its_side(up, seed):
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    model = m.model
    if not up:  # mirror the drawing at the x axis
        for body in model.of("body"):
            x, y = body.position
            model = put(model, replace(body, position=(x, -y), angle=-body.angle))
    start = assemble(compile_model(roughened(model, 0.2, seed)))
    crank, coupler = start.q[:3], start.q[3:6]
    B = crank[:2] + models.polar(0.5, crank[2])
    C = coupler[:2] + models.polar(1.5, coupler[2])
    side = np.linalg.det(np.array([(3.0, 0.0) - B, C - B]))
    assert (side > 0) == up


def test_a_heavy_body_moves_less_than_a_light_one():
    m = Mechanism("rod too long", gravity=(0, 0))
    ends = [(m.particle((x, 0.0), mass), (x, 0.0)) for x, mass in ((0.0, 9.0), (1.2, 1.0))]
    m.massless_rod(*ends, length=1.0)
    q = assemble(compile_model(m.model)).q
    # the gap of 0.2 m is shared in the inverse ratio of the masses; rounding of Newton's last step
    np.testing.assert_allclose(q, [0.02, 0, 0, 1.02, 0, 0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("drawing", ["four-bar", "slider-crank", "two four-bars"])
def test_no_nearer_closed_pose_exists(drawing):
    compiled = compile_model(roughened(DRAWINGS[drawing](), 0.15, 1))
    start = assemble(compiled)
    e = equations(compiled, 0.0, start.q, start.v)
    # at the nearest point the way back to the drawing is normal to all allowed motions, weighed by M
    for back in (e.M @ (compiled.q0 - start.q), e.M @ (compiled.v0 - start.v)):
        lam = np.linalg.lstsq(e.D.T, back, rcond=None)[0]
        np.testing.assert_allclose(e.D.T @ lam, back, rtol=0, atol=1e-7)  # of Newton's last step


def test_lengths_that_cannot_close_name_the_joint_and_its_gap():
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    far = replace(m.model[m.model["D"].marker_i], position=(9.0, 0.0))
    model = put(m.model, far, replace(m.model["D"], name="far pivot"))
    compiled = compile_model(model)
    q0, v0 = compiled.q0.copy(), compiled.v0.copy()
    with pytest.raises(EngineError) as failure:
        assemble(compiled)
    assert "cannot be assembled" in failure.value.sentence
    assert "joint 'far pivot' (ground - rocker) is 6 m apart" in failure.value.sentence  # as drawn
    assert failure.value.ids == ("D",)
    np.testing.assert_array_equal(compiled.q0, q0)
    np.testing.assert_array_equal(compiled.v0, v0)
    with pytest.raises(EngineError, match="cannot be assembled"):
        run(model, t_end=0.1)


def test_a_gap_of_an_angle_is_told_in_degrees():
    m = Mechanism("two welds")
    body = m.body((0, 0), mass=1.0, inertia=1.0, center=(0, 0))
    m.weld("ground", body, at=(0, 0), id="first")
    m.marker("ground", (0, 0), angle=0.5, id="turned")
    m.marker(body, (0, 0), id="straight")
    second = Weld(id="second", marker_i="turned", marker_j="straight")
    with pytest.raises(EngineError, match=r"degrees apart") as failure:
        assemble(compile_model(put(m.model, second)))
    assert failure.value.ids[0] in ("first", "second")


def test_drawn_speeds_are_changed_only_as_far_as_joints_need():
    model = models.rod_chain((0.3, -0.4), (1.0, 2.0), (1.0, 1.5), spins=(2.0, -1.0))
    compiled = compile_model(model)
    start = assemble(compiled)
    np.testing.assert_allclose(start.v, compiled.v0, rtol=0, atol=1e-14)  # they already fit
    body = replace(model["rod_1"], velocity=(5.0, 5.0))
    compiled = compile_model(put(model, body))
    start = assemble(compiled)
    e = equations(compiled, 0.0, start.q, start.v)
    np.testing.assert_allclose(e.D @ start.v, 0.0, rtol=0, atol=1e-13)  # rounding
    np.testing.assert_array_equal(start.q, compiled.q0)


def test_a_knife_edge_never_moves_the_drawing():
    model = models.knife_edge((0.0, -9.81), spin=0.4)
    body = replace(model["body"], position=(0.4, -0.2), angle=0.9, velocity=(1.0, 2.0))
    compiled = compile_model(put(model, body))
    start = assemble(compiled)
    np.testing.assert_array_equal(start.q, compiled.q0)
    sideways = np.array([-np.sin(0.9), np.cos(0.9)])
    assert start.v[:2] @ sideways == pytest.approx(0.0, abs=1e-15)
    forwards = np.array([np.cos(0.9), np.sin(0.9)])
    assert start.v[:2] @ forwards == pytest.approx(np.array([1.0, 2.0]) @ forwards, abs=1e-14)
    assert start.v[2] == pytest.approx(0.4, abs=1e-15)


@pytest.mark.parametrize("quantity", ("position", "speed"))
def test_a_motion_holds_from_the_start(quantity):
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    m.motion("A", "0.2 + 0.7*t", quantity)
    compiled = compile_model(m.model)
    start = assemble(compiled)
    turned, speed = start.q[2] - compiled.q0[2], start.v[2]
    if quantity == "position":
        assert turned == pytest.approx(0.2, abs=1e-12)
        assert speed == pytest.approx(0.7, abs=1e-12)
    else:
        assert turned == 0.0
        assert speed == pytest.approx(0.2, abs=1e-12)


def test_motions_that_contradict_each_other_are_named():
    m = Mechanism("two motors")
    arm = m.rod((0, 0), (1, 0), mass=1)
    pin = m.revolute("ground", arm, at=(0, 0))
    m.motion(pin, 1.0, "speed", id="slow", name="slow motor")
    m.motion(pin, 2.0, "speed", id="fast", name="fast motor")
    with pytest.raises(EngineError, match="speeds at the start contradict") as failure:
        assemble(compile_model(m.model))
    assert failure.value.ids[0] in ("slow", "fast")
    assert "motor'" in failure.value.sentence


def flat_parallelogram() -> Model:
    """A parallelogram folded into one line: every pose of it lies on two branches."""
    m = Mechanism("flat")
    for id, start, end in (("crank", 0, 1), ("coupler", 1, 3), ("rocker", 2, 3)):
        m.rod((start, 0), (end, 0), mass=1.0, id=id)
    for i, j, x in (("ground", "crank", 0), ("crank", "coupler", 1), ("coupler", "rocker", 3)):
        m.revolute(i, j, at=(x, 0))
    m.revolute("ground", "rocker", at=(2, 0))
    return m.model


SINGULAR = {
    "flat four-bar": flat_parallelogram,
    "stretched four-bar": lambda: models.four_bar(1.0, 1.0, 1.0, 3.0 - 1e-15, 0.0).model,
    "inner dead centre": lambda: models.slider_crank(0.5, 1.5, pi).model,
    "outer dead centre": lambda: models.slider_crank(0.5, 1.5, 0.0).model,
    "dead centre in space": lambda: models.slider_crank(0.5, 1.5, 0.0, dim=3).model,
}


@pytest.mark.parametrize("share", (0.0, 1e-9, 0.05))
@pytest.mark.parametrize("drawing", SINGULAR)
def test_singular_poses_are_ordinary(drawing, share):
    compiled = compile_model(roughened(SINGULAR[drawing](), share, 0))
    start = assemble(compiled)
    e = equations(compiled, 0.0, start.q, start.v)
    for part in (start.q, start.v, e.a, e.lam):
        assert np.isfinite(part).all()
    # a gap of the square root of rounding is all that Newton can see of a double root
    assert np.abs(e.Phi).max() < 1e-9


@pytest.mark.parametrize("drawing", ["flat four-bar", "inner dead centre", "outer dead centre"])
def test_a_run_from_a_singular_pose_stays_finite_and_closed(drawing):
    results = run(SINGULAR[drawing](), t_end=0.5)
    assert results.ending.reason == "done"
    assert np.isfinite(results.q).all()
    assert results["constraint_violation"].max() < 1e-9  # closed as a start counts as closed


@pytest.mark.parametrize("degrees", (10, 40, 80, 110))
def test_a_weld_that_is_drawn_turned_closes_with_its_axes_in_line_or_is_refused(degrees):
    turn = np.radians(degrees)
    diagonal = np.sin(turn / 2) / np.sqrt(3) * np.ones(3)
    m = Mechanism("turned weld", 3)
    inertia = {"mass": 1.0, "inertia": (1, 1, 1, 0, 0, 0), "center": (0, 0, 0)}
    body = m.body((0, 0, 0), orientation=(np.cos(turn / 2), *diagonal), **inertia)
    m.marker("ground", (0, 0, 0), id="base")
    weld = Weld(id="weld", marker_i="base", marker_j="foot")
    compiled = compile_model(put(m.model, SpatialMarker(id="foot", body=body), weld))
    if degrees > 60:  # nearer to axes that are exchanged: better no weld than a wrong one
        with pytest.raises(EngineError) as refused:
            assemble(compiled)
        assert refused.value.ids == ("weld",)
    else:
        R = quaternion.matrix(assemble(compiled).q[3:7])
        np.testing.assert_allclose(R, np.eye(3), rtol=0, atol=1e-12)  # rounding


@pytest.mark.parametrize("joint", [Revolute, Cylindrical, Prismatic, Screw, Planar])
@pytest.mark.parametrize("degrees", [40, 140])
def test_a_joint_in_space_never_closes_with_its_axis_turned_back(joint, degrees):
    turn = np.radians(degrees)
    m = Mechanism("turned joint", 3)
    inertia = {"mass": 1.0, "inertia": (1, 1, 1, 0, 0, 0), "center": (0, 0, 0)}
    body = m.body((0, 0, 0), orientation=(np.cos(turn / 2), np.sin(turn / 2), 0, 0), **inertia)
    m.marker("ground", (0, 0, 0), id="base")
    tie = joint(id="tie", marker_i="base", marker_j="foot")
    compiled = compile_model(put(m.model, SpatialMarker(id="foot", body=body), tie))
    if degrees > 90:  # nearer to an axis that points back
        with pytest.raises(EngineError, match=r"turned too far") as refused:
            assemble(compiled)
        assert refused.value.ids == ("tie",)
    else:
        z = quaternion.matrix(assemble(compiled).q[3:7])[:, 2]
        np.testing.assert_allclose(z, (0, 0, 1), rtol=0, atol=1e-12)  # rounding


@pytest.mark.parametrize(
    ("law", "words"), [("sqrt(-1)", "no number"), ("-1e308", r"1e\+308"), ("1e30*t", "")]
)
def test_a_motion_that_no_pose_can_follow_is_named(law, words):
    m = Mechanism()
    rod = m.rod((0, 0), (1, 0), mass=1.0, id="crank")
    m.revolute("ground", rod, (0, 0), id="bearing")
    m.motion("bearing", law, id="motor")
    if not words:  # at the start it can
        assert assemble(compile_model(m.model)).gap == 0.0
        return
    with pytest.raises(EngineError, match=f"motion 'motor'.*asks for {words}.*t = 0 s"):
        assemble(compile_model(m.model))


@pytest.mark.parametrize("angle, is_kept", [(2.0, True), (60.0, True), (1e5, False)])
def test_a_drawing_many_turns_away_is_closed_in_few_strides_or_told(monkeypatch, angle, is_kept):
    calls = []

    def counted(*arguments):
        calls.append(1)
        return closed(*arguments)

    m = Mechanism("far turned")
    m.rod((0, 0), (1, 0), mass=1.0, id="crank")
    m.revolute("ground", "crank", (0, 0), id="pin", angle_start=0.1)
    model = put(m.model, replace(m.model["crank"], angle=angle))
    monkeypatch.setattr(closing, "closed", counted)
    start = assemble(compile_model(model))
    assert 0 < len(calls) <= closing.LONG_STRIDES
    assert bool(start.unkept) is not is_kept
    assert not is_kept or start.q[2] == pytest.approx(0.1, abs=1e-9)
