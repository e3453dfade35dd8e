"""The rings themselves: their turns, what the mouse does to them, and what is said of lock."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from gui.instruments.gimbal import ring_geometry as geometry
from gui.instruments.gimbal.ring_painting import Camera, Screen
from gui.instruments.gimbal.rings import RingView, axis_names
from gui.instruments.lock.lock_words import lock_words
from gui.state.attitude import Attitude, drawn_attitude, near_angles, run_attitude
from rotations import SEQUENCES, euler_angles, gimbal_lock
from rotations.gimbal_lock import Level
from tests.gui.orientation_models import flyer

ROUNDING = 1e-13  # of a product of three rotation matrices


def attitude(sequence, degrees):
    """A body at these angles."""
    angles = np.radians(degrees)
    R = euler_angles.matrix(sequence, angles)
    return Attitude("it", "it", sequence, sequence, angles, R, np.zeros(3))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_turns_of_the_rings_make_the_orientation(sequence):
    angles = np.array([0.4, -1.1, 2.3])
    T = geometry.turns(sequence, angles)
    R = euler_angles.matrix(sequence, angles)
    assert np.abs(T[0] @ T[1] @ T[2] - R).max() < ROUNDING
    assert np.abs(geometry.frames(sequence, angles)[2] - R).max() < ROUNDING
    plane = geometry.scene(sequence, angles).corners[-len(geometry.aeroplane().corners) :]
    assert np.abs(plane - geometry.aeroplane().corners @ R.T).max() < ROUNDING


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_each_ring_holds_the_pins_of_its_own_axis_and_of_the_next(sequence):
    angles = np.array([0.4, 0.7, 2.3])
    frames, axes = geometry.frames(sequence, angles), geometry.directions(sequence, angles)
    for n in range(3):
        faces = geometry._turned(geometry._ring(sequence, n), frames[n])
        hoop = faces.corners[[tag == geometry.RINGS[n] for tag in faces.tags]].reshape(-1, 3)
        for axis in axes[n : n + 2]:  # a point of the ring lies on the axis, up to its section
            assert np.linalg.norm(hoop - geometry.RADII[n] * axis, axis=1).min() < 0.09


def test_faces_look_outwards():
    plane = geometry.aeroplane()
    volume = np.einsum(
        "nk,nk->",
        plane.corners.mean(axis=1),
        np.cross(
            plane.corners[:, 2] - plane.corners[:, 0], plane.corners[:, 3] - plane.corners[:, 1]
        ),
    )
    assert volume > 0.0


@pytest.mark.parametrize(("sequence", "theta"), [("3-1-3", 0.0), ("3-2-1", 90.0), ("1-2-3", -90.0)])
def test_in_lock_no_ring_turns_about_the_lost_direction(sequence, theta):
    angles = np.radians([25.0, theta, 40.0])
    lost = geometry.lost_direction(sequence, angles)
    assert np.abs(geometry.directions(sequence, angles) @ lost).max() < ROUNDING


def test_words_name_the_axes_that_coincide_and_the_turn_that_is_lost():
    assert axis_names("3-1-3") == ("z", "x′", "z″")
    assert "three directions" in lock_words(attitude("3-2-1", (0, 30, 0)))
    near = lock_words(attitude("3-2-1", (0, 86, 0)))
    assert "z (outer ring) and x″ (inner ring) nearly coincide" in near
    locked = lock_words(attitude("3-2-1", (0, 90, 0)))
    assert "coincide" in locked and "about the world axis x" in locked and "lost" in locked
    free = attitude("3-2-1", (0, 90, 0))._replace(integration="quaternion")
    assert "does not feel the lock" in lock_words(free)


def test_levels_are_those_of_the_rotations():
    for theta in (0.0, 45.0, 84.0, 85.0, 89.5):
        shown = attitude("3-2-1", (10, theta, 20))
        assert shown.level == gimbal_lock.level("3-2-1", shown.angles)
        assert np.degrees(shown.to_lock) == pytest.approx(90.0 - theta)
    assert attitude("3-1-3", (10, 0, 20)).level == Level.RED
    assert attitude("3-1-3", (10, 0, 20)).rates is None


def test_angles_follow_through_the_lock_without_a_jump():
    near = np.radians([10.0, 88.0, 20.0])
    beyond = euler_angles.matrix("3-2-1", np.radians([10.0, 93.0, 20.0]))
    assert near_angles("3-2-1", beyond, near) == pytest.approx(np.radians([10.0, 93.0, 20.0]))


def test_the_rings_of_a_run_are_exactly_those_of_its_frames():
    from kardan import run

    results = run(flyer(orientation="quaternion", t_end=0.2))
    id = results.compiled.body_ids[0]
    for n in range(len(results)):
        shown = run_attitude(results, results.q[n], n, id, "3-1-3")
        T = geometry.turns("3-1-3", shown.angles)
        assert np.abs(T[0] @ T[1] @ T[2] - results.frames(n).R[0]).max() < 1e-12
    assert shown.w == pytest.approx(results.v[n, 3:6])


def test_expressions_are_worked_out_and_nonsense_is_no_attitude():
    from dataclasses import replace

    from engine.model.elements import Parameter, put

    model = flyer()
    body = model.of("body")[0]
    known = put(model, Parameter(id="c", value=1.0), replace(body, orientation=("c", 0, 0, 0)))
    assert np.abs(drawn_attitude(known, body.id, "3-2-1").R - np.eye(3)).max() == 0.0
    unknown = put(model, replace(body, orientation=("nobody", 0, 0, 0)))
    assert drawn_attitude(unknown, body.id, "3-2-1") is None


@pytest.fixture
def view(qtbot):
    """A view of rings, shown."""
    shown = RingView(lambda angle: f"{np.degrees(angle):.1f}°")
    qtbot.addWidget(shown)
    shown.resize(400, 400)
    shown.show_attitude(attitude("3-2-1", (20, 30, 10)))
    shown.show()
    qtbot.waitExposed(shown)
    shown.grab()
    return shown


def place_on(view, ring):
    """A pixel where a ring is seen and no other part hides it."""
    points = view._points(view.attitude, ring)
    pixels, _ = view.screen_.project(points)
    return next(
        QPoint(round(x), round(y))
        for x, y in pixels
        if view.ring_at(QPoint(round(x), round(y)).toPointF()) == ring
    )


@pytest.mark.parametrize("ring", [0, 1, 2])
def test_dragging_a_ring_asks_for_its_angle_alone(qtbot, view, ring):
    asked = []
    view.turning.connect(lambda n, angle: asked.append((n, angle)))
    start = place_on(view, ring)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 5):
        QTest.mouseMove(view, start + QPoint(4 * step, 3 * step))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(16, 12))
    assert asked and {n for n, _ in asked} == {ring}
    assert asked[-1][1] != view.attitude.angles[ring]


def test_a_ring_follows_the_mouse(view):
    # Seen from the end of its axis, the outer ring of 3-2-1 turns with the mouse around the middle.
    view.camera = Camera(0.0, np.radians(89.0))
    view.show_attitude(attitude("3-2-1", (0, 0, 0)))
    view._held = 0
    screen: Screen = view.screen_
    radius = geometry.RADII[0] * screen.scale
    pixels, _ = screen.project(view._points(view.attitude, 0))
    far = np.hypot(*(pixels - (screen.x, screen.y)).T)
    at = pixels[np.argmax(far)]
    along = np.array([-(at[1] - screen.y), at[0] - screen.x]) / radius  # clockwise on the screen
    from PySide6.QtCore import QPointF

    turn = view._turn_of(QPointF(*at), QPointF(*(-2.0 * along)))
    assert turn == pytest.approx(2.0 / radius, rel=0.1)  # perspective and section of the ring


def test_a_ring_that_may_not_be_turned_says_why(view):
    said, asked = [], []
    view.refused.connect(said.append)
    view.turning.connect(lambda *what: asked.append(what))
    view.show_attitude(view.attitude, "because")
    start = place_on(view, 0)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, start + QPoint(20, 10))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start)
    assert said == ["because"] and not asked


def test_beside_the_rings_the_mouse_orbits_and_a_double_click_returns(view):
    corner = QPoint(8, 8)
    before = view.camera
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=corner)
    QTest.mouseMove(view, corner + QPoint(40, 30))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=corner + QPoint(40, 30))
    assert view.camera != before
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=corner)
    assert view.camera == Camera()
