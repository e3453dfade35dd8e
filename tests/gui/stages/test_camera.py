"""The view moves when it is asked to: with a body, to the selection; and stays when the window changes."""

import numpy as np
import pytest
from PySide6.QtCore import QSize

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from gui.stages.plane.view import StageView
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.state.visibility import Visibility
from tests.gui.space_hand import SpaceHand, table


def thrown(dim):
    """Two balls that fly apart over the floor."""
    m = Mechanism("Thrown", dim=dim)
    at, fast = ((0, 1, 0), (1, 2, 0)) if dim == 2 else ((0, 0, 1), (1, 0.5, 2))
    m.particle(at[:dim], mass=1.0, id="ball", velocity=fast[:dim])
    m.particle(tuple(2 * x for x in at[:dim]), mass=1.0, id="other", velocity=(0.0,) * dim)
    m.settings(t_end=0.5, step=1e-3)
    return m.model


def stage(qtbot, dim):
    """A stage with a run of the balls."""
    if dim == 3:
        hand = SpaceHand(qtbot, thrown(3))
        view = hand.view
    else:
        document = Document()
        document.new(thrown(2))
        view = StageView(document, Selection(), Playback())
        qtbot.addWidget(view)
        view.resize(600, 400)
    view.playback.start(run(view.document.model), None)
    view.fit()
    return view


def pixel_of(view, id):
    """Where the middle of a body is seen."""
    placement = view.drawing.placement
    at = placement.center_of(placement.body_index[id])
    if len(at) == 3:
        return np.array(view.to_pixels(at))
    return np.array(view.to_pixels(*at).toTuple())


@pytest.mark.parametrize("dim", [2, 3])
def test_a_followed_body_stays_where_it_is_seen(qtbot, dim):
    view = stage(qtbot, dim)
    view.playback.set_time(0.1)
    view.follow_body("ball")
    before, other = pixel_of(view, "ball"), pixel_of(view, "other")
    view.playback.set_time(0.4)
    assert pixel_of(view, "ball") == pytest.approx(
        before, abs=1.0 if dim == 2 else 12.0
    )  # whole pixels; perspective
    assert np.abs(pixel_of(view, "other") - other).max() > 20.0
    view.follow_body(None)
    view.playback.set_time(0.1)
    assert np.abs(pixel_of(view, "ball") - before).max() > 20.0


def test_zooming_to_the_selection_shows_it_large(qtbot):
    hand = SpaceHand(qtbot, table())
    view = hand.view
    view.fit_to(("drum",))
    qtbot.waitUntil(lambda: view._glide is None or view._glide.state() == view._glide.State.Stopped)
    seen = view.eye.project(view.scene.places(("drum",)), *view.extent)
    assert (seen >= 0.0).all() and (seen <= np.array(view.extent)).all()
    assert np.ptp(seen, axis=0).max() > 0.5 * min(view.extent)
    assert not view.is_fitted


def test_another_size_of_the_stage_keeps_focus_and_scale(qtbot):
    hand = SpaceHand(qtbot, table())
    view = hand.view
    with qtbot.waitExposed(view):
        view.show()
    view.grab()
    view.zoom(1.3)
    scale, focus = view.scale_of_pixel(), view.eye.focus
    view.resize(view.size() + QSize(60, -90))
    assert view.scale_of_pixel() == pytest.approx(scale) and view.eye.focus == focus
    view.fit()
    view.grab()
    scale = view.scale_of_pixel()
    view.resize(view.size() + QSize(0, 120))  # a larger one shows more
    assert view.scale_of_pixel() == pytest.approx(scale)


def test_a_smaller_stage_widens_a_view_that_was_whole(qtbot):
    hand = SpaceHand(qtbot, table())
    view = hand.view
    with qtbot.waitExposed(view):
        view.show()
    view.fit()
    view.resize(view.width() // 2, view.height() // 2)
    qtbot.waitUntil(lambda: not view.run_leaves_view())


def test_isolating_hides_all_but_the_selection():
    m = Mechanism("Two")
    for k in range(2):
        m.rod((0, k), (1, k), id=f"rod_{k}")
        m.revolute("ground", f"rod_{k}", (0, k), id=f"pin_{k}")
    visibility = Visibility()
    visibility.isolate(m.model, ("pin_0", "rod_0"))
    assert {"rod_1", "pin_1"} <= visibility.hidden and not {"rod_0", "pin_0"} & visibility.hidden
    visibility.see_through(("rod_0",))
    assert visibility.clear == {"rod_0"}
    visibility.see_through(("rod_0",))
    assert not visibility.clear
    visibility.see_through(("rod_0",))
    visibility.show_all()
    assert not visibility.hidden and not visibility.clear


def test_clear_bodies_let_what_is_behind_be_seen(qtbot):
    hand = SpaceHand(qtbot, table())
    look = hand.view.scene.graphics["drum"].solids[0][0]
    hand.view.set_clear({"drum"})
    assert look.GetOpacity() < 0.5
    hand.view.set_clear(())
    assert look.GetOpacity() == 1.0


def test_the_commands_of_the_view_work_on_the_selection(window):
    m = Mechanism("Two")
    for k in range(2):
        m.rod((0, k), (1, k), id=f"rod_{k}")
    window.document.new(m.model)
    assert not window.commands["isolate"].isEnabled()
    window.selection.set(("rod_0",))
    window.commands["isolate"].trigger()
    assert window.visibility.hidden == {"rod_1"}
    window.commands["see_through"].trigger()
    assert window.visibility.clear == {"rod_0"}
    window.commands["show_all"].trigger()
    assert not window.visibility.hidden and not window.visibility.clear
    window.commands["follow_body"].trigger()
    assert window.stage._followed == "rod_0"
    window.commands["follow_body"].trigger()
    assert window.stage._followed is None


@pytest.mark.parametrize("dim", [2, 3])
def test_the_whole_motion_of_bodies_is_seen_also_where_they_have_no_point(qtbot, dim):
    """A rod falls from level to upright; nothing is joined to its free end."""
    m = Mechanism("Pendulum", dim=dim)
    rod = m.rod((0.0,) * dim, (1.0,) + (0.0,) * (dim - 1), width=0.02, id="rod")
    down = (0, -1) if dim == 2 else (0, 0, -1)
    fields = {} if dim == 2 else {"axis": (0, 1, 0)}
    m.revolute("ground", rod, (0.0,) * dim, **fields)
    m.settings(t_end=0.6, step=2e-3)
    if dim == 3:
        view = SpaceHand(qtbot, m.model, (600, 400)).view
    else:
        document = Document()
        document.new(m.model)
        view = StageView(document, Selection(), Playback())
        qtbot.addWidget(view)
        view.resize(600, 400)
        view.show()
    view.fit()
    view.playback.start(run(m.model), None)
    view.show_run()
    low = view.to_pixels(down) if dim == 3 else view.to_pixels(*down).toTuple()
    assert low[1] < 400
