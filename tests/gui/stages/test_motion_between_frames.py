"""What is shown between frames, of trails and of earlier runs: exact, and true to its run."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPolygonF

from assets.example_solids import trace
from engine.editing.builder import Mechanism
from engine.results.endings import Event
from engine.running.simulate import run
from gui.placing.plane.placement import holds_event, row_at
from gui.placing.space.placement import frames_at, path_of
from gui.stages.names import placed_names, places_on
from gui.stages.plane.view import StageView
from gui.stages.trails import Path
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from tests.gui.space_hand import SpaceHand


def tumbling(step):
    """A free block in space that turns about no principal axis, with frames at a distance."""
    m = Mechanism("Block", dim=3)
    fast = {"velocity": (1.0, 0.5, 2.0), "angular_velocity": (3.0, 1.0, -2.0)}
    m.box((0, 0, 1), 0.4, 0.2, 0.1, id="block", **fast)
    m.settings(t_end=0.4, step=1e-3, output_step=step)
    return run(m.model)


def pendulum(step=0.05, t_end=0.5):
    """A rod on a pin with a tracer at its end."""
    m = Mechanism("Pendulum")
    m.rod((0, 0), (1, 0), mass=1.0, id="rod", spin=3.0)
    m.revolute("ground", "rod", (0, 0))
    trace(m, "rod", (1, 0), "tip")
    m.settings(t_end=t_end, step=1e-3, output_step=step)
    return m.model


@pytest.mark.parametrize("time", [0.013, 0.05, 0.111, 0.37])
def test_a_body_in_space_is_between_two_frames_where_it_really_is(time):
    true, coarse = frames_at(tumbling(1e-3), time), frames_at(tumbling(0.04), time)
    assert np.abs(true.r - coarse.r).max() < 2e-5  # errors of cubics over 40 ms: h^4
    assert np.abs(true.R - coarse.R).max() < 2e-5


def test_velocities_of_paths_are_the_derivatives_of_places():
    for results, k, local in (
        (tumbling(1e-3), 0, (0.2, 0.1, 0.0)),
        (run(pendulum(1e-3)), 0, (0.5, 0, 0)),
    ):
        rows = np.arange(len(results))
        at, rates = path_of(results, k, np.array(local), rows)
        h = results.t[2:] - results.t[:-2]
        assert rates[1:-1] == pytest.approx((at[2:] - at[:-2]) / h[:, None], abs=2e-4)


def test_nothing_is_bent_across_an_event():
    results = run(pendulum(0.1))
    middle = 0.5 * (results.t[2] + results.t[3])
    smooth, mean = row_at(results, middle), 0.5 * (results.q[2] + results.q[3])
    assert not np.allclose(smooth, mean, atol=1e-4)
    results.account.events.append(Event(float(middle) + 0.01, "trigger", "hit", ()))
    assert holds_event(results, results.t[2], results.t[3])
    assert not holds_event(results, results.t[3], results.t[4])
    assert np.allclose(row_at(results, middle), mean)
    assert not np.allclose(row_at(results, middle + 0.1), 0.5 * (results.q[3] + results.q[4]))
    results.account.events[:] = [Event(float(middle), "gimbal red", "lock", ())]
    assert np.allclose(row_at(results, middle), smooth)  # only of coordinates


def test_a_straight_piece_of_a_trail_leads_across_an_event(qtbot):
    results = run(pendulum(0.1))
    kink = float(0.5 * (results.t[2] + results.t[3]))
    results.account.events.append(Event(kink, "trigger", "hit", ()))
    view = shown(qtbot, results)
    path = view.trails.lines[0].path
    chord = (path.places[3] - path.places[2]) / 0.1
    assert path.starts[2] == pytest.approx(chord) and path.ends[2] == pytest.approx(chord)
    assert path.ends[1] != pytest.approx(chord) and path.starts[3] != pytest.approx(chord)


def shown(qtbot, results, *, ghost=None):
    """A stage in the plane that shows a run, and perhaps an earlier one."""
    document, playback = Document(), Playback()
    document.new(results.model)
    view = StageView(document, Selection(), playback)
    qtbot.addWidget(view)
    view.resize(600, 400)
    if ghost is not None:
        playback.start(ghost, None)
    playback.start(results, None)
    view.fit()
    return view


def test_trails_of_few_frames_are_as_round_as_the_motion(qtbot):
    view = shown(qtbot, run(pendulum(0.05)))
    path = view.trails.lines[0].whole.item.path()
    at = [path.pointAtPercent(share) for share in np.linspace(0.0, 1.0, 200)]
    assert max(abs(np.hypot(p.x(), p.y()) - 1.0) for p in at) < 2e-4  # chords are off by 3e-3


@pytest.mark.parametrize("time", [0.12, 0.25, 0.43])
def test_a_trail_ends_where_the_point_is_now(qtbot, time):
    view = shown(qtbot, run(pendulum(0.05)))
    view.playback.set_time(time)
    tip = view.stage_scene.placement.marker_at("tip")
    for line in (view.trails.lines[0].past, view.trails.lines[0].fresh):
        end = line.item.path().currentPosition()
        assert (end.x(), end.y()) == pytest.approx(tip[:2], abs=1e-4)


def test_a_cut_cubic_is_a_part_of_the_whole_one():
    t = np.array([0.0, 2.0])
    whole = Path(t, t[:, None] ** 3 * np.ones(3), np.zeros((1, 3)), np.full((1, 3), 12.0))
    cut = whole.until(1.5)
    assert cut.places[-1] == pytest.approx([1.5**3] * 3) and cut.ends[-1] == pytest.approx(
        [6.75] * 3
    )
    fine = cut.finely(3)
    assert fine[:, 0] == pytest.approx((np.arange(4) * 0.5) ** 3)


def test_trails_lie_in_the_fitted_view(qtbot):
    m = Mechanism("Top", dim=3)
    m.rod((0, 0, 0.2), (1, 0, 0.2), width=0.02, id="rod", angular_velocity=(0.0, 0.0, 6.0))
    m.revolute("ground", "rod", (0, 0, 0.2), axis=(0, 0, 1))
    trace(m, "rod", (1, 0, 0.2), "tip")
    m.settings(t_end=1.2, step=1e-3)
    hand = SpaceHand(qtbot, m)
    hand.view.playback.start(run(m.model), None)
    hand.view.fit()
    seen = hand.view.eye.project(hand.view.trails.lines[0].path.places, *hand.view.extent)
    assert (seen > 0.0).all() and (seen < np.array(hand.view.extent)).all()


def test_ghosts_end_with_their_run_and_say_which_one_they_are(qtbot):
    model = pendulum()
    view = shown(qtbot, run(model, t_end=0.5), ghost=run(model, t_end=0.2))
    (ghost,) = view.ghosts.ghosts
    view.playback.set_time(0.1)
    assert ghost.items[0][0].isVisible()
    (at, name) = view.ghosts.names()[0]
    assert name == "Run 1" and at == pytest.approx(ghost.placement.pose.centers[0])
    view.set_hidden([ghost.placement.bodies[ghost.items[0][1]].id])  # what is hidden has no ghost
    assert not ghost.items[0][0].isVisible() and not view.ghosts.names()
    view.playback.set_time(0.12)
    assert not ghost.items[0][0].isVisible()
    view.set_hidden([])
    assert ghost.items[0][0].isVisible() and view.ghosts.names()
    view.playback.set_time(0.3)
    assert not ghost.items[0][0].isVisible() and not view.ghosts.names()


def test_names_never_overlap_and_stay_inside(qtbot):
    area, rng = QRectF(0.0, 0.0, 500.0, 300.0), np.random.default_rng(3)
    names = [(QPointF(*rng.uniform((0, 0), (500, 300))), f"element {n}") for n in range(40)]
    names += [(QPointF(250.0, 150.0), f"joint {n}") for n in range(6)]  # in one place
    cards = placed_names(names, QFontMetricsF(QFont()), area)
    placed = [card for card in cards if not card.isNull()]
    assert len(placed) > 25 and all(area.contains(card) for card in placed)
    assert not any(a.intersects(b) for a, b in combinations(placed, 2))


def test_names_lie_on_no_body_where_there_is_room(qtbot):
    area, font = QRectF(0.0, 0.0, 500.0, 300.0), QFontMetricsF(QFont())
    bar = QPolygonF(QRectF(40.0, 120.0, 420.0, 24.0))
    (usual,) = placed_names([(QPointF(250.0, 132.0), "Run 1")], font, area)
    assert bar.intersects(QPolygonF(usual))  # else the test would tell nothing
    (card,) = placed_names([(QPointF(250.0, 132.0), "Run 1")], font, area, (), places_on([bar]))
    assert not card.isNull() and not bar.intersects(QPolygonF(card))
    full = places_on([QPolygonF(QRectF(0.0, y, 500.0, 8.0)) for y in range(0, 300, 10)])
    (card,) = placed_names([(QPointF(250.0, 132.0), "Run 1")], font, area, (), full)
    assert not card.isNull()  # better there than nowhere
