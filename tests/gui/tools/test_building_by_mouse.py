"""Classics built from an empty stage by mouse and keys alone, then run, undone, saved and opened."""

from dataclasses import fields
from math import atan2, degrees, pi, radians

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from assets.example_solids import end_of, meeting_point
from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.model.elements import planar, references, with_view
from engine.running.simulate import run
from tests.gui.stage_hand import StageHand

ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
SECTION = {"width": 0.04, "thickness": 0.01}  # of drawn links


@pytest.fixture
def hand(window):
    """A hand at an empty window."""
    window.resize(1400, 900)
    QApplication.processEvents()
    hand = StageHand(window)
    hand.look_at(0.0, 0.0, 5.0)
    assert window.document.model == planar()
    return hand


# --- the four mechanisms, by hand and by the builder


def draw_pendulum(hand):
    """Four moves: link, its other end, pin, done."""
    hand.hit(Qt.Key.Key_L)
    hand.click(0, 0)
    hand.click(1, 0)
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)


def build_pendulum():
    """The same with the builder."""
    m = Mechanism()
    m.names_for_people = True  # as the window names them
    link = m.rod((0, 0), (1, 0), id="link_1", **SECTION)
    m.revolute("ground", link, (0, 0))
    return m


def draw_double_pendulum(hand):
    """Two links; the second is pinned where it begins on the first."""
    draw_pendulum(hand)
    hand.hit(Qt.Key.Key_L, times=2)  # it is kept
    hand.click(1, 0)
    hand.move(1.5, -0.5)
    hand.type("0.8")
    hand.hit(TAB)
    hand.type("-60")
    hand.hit(ENTER)


def build_double_pendulum():
    """The same with the builder."""
    m = build_pendulum()
    second = m.rod((1, 0), end_of((1, 0), 0.8, -60.0), id="link_2", **SECTION)
    m.revolute("link_1", second, (1, 0))
    return m


FOUR_BAR = [(0.0, 0.0), end_of((0, 0), 1.0, 60.0), (0.0, 0.0), (3.0, 0.0)]
FOUR_BAR[2] = meeting_point(FOUR_BAR[1], 3.0, (3, 0), 2.5)


def draw_four_bar(hand):
    """Crank and rocker with typed measures, the coupler from end to end, two pins and a motor."""
    hand.look_at(1.5, 1.0, 4.5)
    rocker = degrees(atan2(FOUR_BAR[2][1], FOUR_BAR[2][0] - 3.0))
    hand.hit(Qt.Key.Key_L, times=2)
    for start, length, angle in (((0, 0), "1", "60"), ((3, 0), "2.5", repr(rocker))):
        hand.click(*start)
        hand.move(start[0] + 0.3, start[1] + 0.3)
        hand.type(length)
        hand.hit(TAB)
        hand.type(angle)
        hand.hit(ENTER)
    hand.click(*FOUR_BAR[1])
    hand.click(*FOUR_BAR[2])
    hand.hit(Qt.Key.Key_R, times=2)
    hand.click(0, 0)
    hand.click(3, 0)
    hand.hit(Qt.Key.Key_M)
    hand.click(0, 0)
    hand.choose(0)  # a constant speed


def build_four_bar():
    """The same with the builder."""
    m = Mechanism()
    m.names_for_people = True  # as the window names them
    a, b, c, d = FOUR_BAR
    for n, (start, end) in enumerate(((a, b), (d, c), (b, c)), 1):
        m.rod(start, end, id=f"link_{n}", **SECTION)
    m.revolute("link_1", "link_3", b)
    m.revolute("link_2", "link_3", c)
    base = m.revolute("ground", "link_1", a)
    m.revolute("ground", "link_2", d)
    m.motion(base, "2*pi", "speed")
    return m


def draw_crane(hand):
    """A trolley on a rail, a load hinged to it, a spring and damper to the wall."""
    hand.look_at(-0.8, -0.2, 2.5)
    hand.hit(Qt.Key.Key_B)
    hand.drag((-0.7, -0.1), (-0.3, 0.1))
    hand.hit(Qt.Key.Key_P)
    hand.drag((-0.5, 0), (0.1, 0.01), SHIFT)
    hand.hit(Qt.Key.Key_L)
    hand.click(-0.5, 0)
    hand.move(-0.2, -0.4)
    hand.type("1")
    hand.hit(TAB)
    hand.type("-30")
    hand.hit(ENTER)
    hand.hit(Qt.Key.Key_H)
    hand.drag((-2, 0), (-0.5, 0))
    hand.hit(Qt.Key.Key_X)
    hand.hit(ESCAPE)


def build_crane():
    """The same with the builder."""
    m = Mechanism()
    m.names_for_people = True  # as the window names them
    trolley = m.box((-0.5, 0), 0.4, 0.2, 0.07)
    m.prismatic("ground", trolley, (-0.5, 0))
    load_ = m.rod((-0.5, 0), end_of((-0.5, 0), 1.0, -30.0), id="link_1", **SECTION)
    m.revolute(trolley, load_, (-0.5, 0))
    m.spring_damper(("ground", (-2, 0)), (trolley, (-0.5, 0)))
    return m


CLASSICS = {
    "pendulum": (draw_pendulum, build_pendulum),
    "double pendulum": (draw_double_pendulum, build_double_pendulum),
    "four-bar": (draw_four_bar, build_four_bar),
    "crane": (draw_crane, build_crane),
}


@pytest.fixture(params=CLASSICS)
def classic(request):
    """How each is drawn and built."""
    return CLASSICS[request.param]


def structure(model):
    """What there is, and what it refers to, in any order."""
    return sorted((e.kind, e.id, *references(e)) for e in model)


def numbers(e):
    """The place of a body or marker and the sizes of its shape."""
    if e.family not in ("body", "marker"):
        return []
    shape = getattr(e, "shape", None)
    sizes = [getattr(shape, f.name) for f in fields(shape)] if shape is not None else []
    return [*e.position, getattr(e, "angle", 0.0), *sizes]


def wait_for_run(qtbot, window):
    """Until the run has ended; the first may have to compile."""
    qtbot.waitUntil(
        lambda: window.playback.results is not None and window.playback.results.ending is not None,
        timeout=180_000,
    )
    return window.playback.results


def test_what_is_drawn_is_what_the_builder_builds(hand, classic):
    draw, build = classic
    draw(hand)
    drawn, built = hand.window.document.model, build().model
    assert structure(drawn) == structure(built) and problems(drawn) == []
    for e in built:
        # Places are whole steps of the grid or typed; both roundings are those of doubles.
        assert numbers(drawn[e.id]) == pytest.approx(numbers(e), abs=1e-12)


def test_it_runs_as_the_built_one_does(hand, classic, qtbot):
    draw, build = classic
    draw(hand)
    hand.hit(Qt.Key.Key_Escape)
    hand.hit(Qt.Key.Key_Space)
    results = wait_for_run(qtbot, hand.window)
    hand.hit(Qt.Key.Key_Space)
    expected = run(build().model)
    assert len(results) == len(expected) > 100
    order = [results.compiled.body_ids.index(id) for id in expected.compiled.body_ids]
    q, q_expected = results.q[:, results.compiled.layout.q_of(order)], expected.q
    # The double pendulum is chaotic; for a second differences of 1e-15 stay small even there.
    regular = slice(None) if draw is not draw_double_pendulum else expected.t <= 1.0
    assert q[regular] == pytest.approx(q_expected[regular], abs=1e-8)


def test_undo_leads_back_to_the_empty_stage_and_redo_to_the_same_model(hand, classic):
    draw, _ = classic
    draw(hand)
    document = hand.window.document
    model, steps = document.model, document.undo_stack.count()
    assert steps == len(list(document.model.of("body"))) + _other_gestures(model)
    hand.hit(Qt.Key.Key_Z, CTRL, steps)
    assert document.model == planar() and not document.undo_stack.can_undo()
    hand.hit(Qt.Key.Key_Z, CTRL | SHIFT, steps)
    assert document.model is model


def _other_gestures(model):
    """Joints, motions and forces that were not made along with a link, by a gesture each."""
    pins_of_links = [
        j
        for j in model.of("joint")
        if j.kind == "revolute" and all(model[m].body != "ground" for m in (j.marker_i, j.marker_j))
    ]
    made = [e for e in model if e.family in ("joint", "motion", "force")]
    return len(made) - len(pins_of_links)


def test_saved_and_opened_it_is_the_same(hand, classic, monkeypatch, tmp_path):
    draw, _ = classic
    draw(hand)
    path = tmp_path / "drawn.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
    hand.hit(Qt.Key.Key_S, CTRL)
    window, model = hand.window, hand.window.document.model
    assert with_view(load(path), model.view) == model and not window.isWindowModified()
    hand.hit(Qt.Key.Key_N, CTRL)
    assert not window.document.model.elements
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    hand.hit(Qt.Key.Key_O, CTRL)
    assert with_view(window.document.model, model.view) == model


def test_a_slider_crank_turns_its_crank_and_slides_its_piston(hand, qtbot):
    hand.look_at(0.6, 0.0, 1.6)
    hand.hit(Qt.Key.Key_B)
    hand.drag((0.9, -0.1), (1.1, 0.1))
    hand.hit(Qt.Key.Key_P)
    hand.drag((1.05, 0.05), (1.25, 0.06), SHIFT)
    hand.hit(Qt.Key.Key_L, times=2)
    hand.drag((0, 0), (0.2, 0))
    hand.drag((0.2, 0), (1, 0))  # from the end of the crank to the middle of the piston
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)
    hand.hit(Qt.Key.Key_M)
    hand.click(0, 0)
    hand.choose(0)
    model = hand.window.document.model
    assert [j.kind for j in model.of("joint")] == ["prismatic", *["revolute"] * 3]
    hand.hit(ESCAPE)
    hand.hit(Qt.Key.Key_Space)
    results = wait_for_run(qtbot, hand.window)
    found = hand.window.playback.current.mobility
    assert (found.dof, found.redundant) == (0, 0)  # the motor drives the one degree there is
    turn = 2 * pi * results.t
    # A crank of 0.2 m and a rod of 0.8 m, from the stretched position on; RK4 with h = 1 ms keeps
    # the angle of a motor to about 1e-11 per turn.
    expected = 0.2 * np.cos(turn) + np.sqrt(0.8**2 - (0.2 * np.sin(turn)) ** 2)
    assert results["box_1.x"] == pytest.approx(expected, abs=1e-7)


# --- details that only the real window shows


def test_typed_digits_and_letters_do_not_fire_shortcuts(hand):
    hand.hit(Qt.Key.Key_L, times=2)
    hand.click(0, 0)
    hand.move(1, 0)
    zoom = hand.stage.scale_of_pixel()
    hand.type("300 mm")
    hand.hit(ENTER)
    assert hand.stage.tool.name == "link" and hand.stage.scale_of_pixel() == zoom
    assert hand.window.document.model["link_1"].shape.length == pytest.approx(0.3)


def test_escape_first_ends_the_gesture_then_the_tool(hand):
    hand.hit(Qt.Key.Key_L)
    hand.click(0, 0)
    hand.hit(ESCAPE)
    assert hand.stage.tool.name == "link" and not hand.stage.tool.is_busy
    hand.hit(ESCAPE)
    assert hand.stage.tool is None


def test_the_list_at_the_cursor_joins_what_is_chosen(hand):
    hand.hit(Qt.Key.Key_L, times=2)
    for end in ((1, 0), (0, 1), (-1, 0)):
        hand.click(0, 0, Qt.KeyboardModifier.AltModifier)
        hand.click(*end)
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)
    hand.choose(2)
    model = hand.window.document.model
    joint = model["pin_1"]
    assert (model[joint.marker_i].body, model[joint.marker_j].body) == ("link_1", "link_2")


def test_a_complaint_is_seen_and_the_hint_follows_the_tool(hand):
    hand.hit(Qt.Key.Key_R)
    assert hand.window.hint.text().startswith("Pin")
    hand.click(2, 1)
    assert hand.window.toaster.isVisible() and "no body here" in hand.window.toaster.text.text()


def test_a_tool_taken_up_during_a_run_draws_in_the_design_pose(hand, qtbot):
    draw_pendulum(hand)
    hand.hit(Qt.Key.Key_Escape)
    hand.hit(Qt.Key.Key_Space)
    wait_for_run(qtbot, hand.window)
    hand.window.playback.set_time(0.5)
    hand.hit(Qt.Key.Key_L)
    hand.click(1, 0)
    hand.click(1, 1)
    model = hand.window.document.model
    assert [e.kind for e in model if e.family == "joint"] == ["revolute", "revolute"]
    assert model["link_1"].angle == 0.0 and radians(90) == pytest.approx(model["link_2"].angle)
