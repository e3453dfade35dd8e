"""Bodies far away, very large rails and runs that diverged: drawn at once, or left out."""

from dataclasses import replace

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.model.limits import limits
from gui.placing.plane.gears import MOST_TEETH, wheels_of
from gui.placing.plane.placement import Placement
from gui.placing.space.placement import Frames, SpacePlacement
from gui.stages.plane.graphics import symbols


@pytest.mark.parametrize("length", [1.0, 1e5, 1e9])
def test_a_long_line_is_hatched_with_a_limited_number_of_strokes(length):
    path = symbols.hatching(0.0, length, 0.0, 0.01, 0.01)
    assert 100 <= path.elementCount() / 2 <= symbols.MOST_STROKES + 1
    assert path.boundingRect().right() == pytest.approx(length)


def test_a_wheel_has_a_limited_number_of_teeth():
    m = Mechanism("Gears")
    small = m.disc((0.0, 0.0), radius=0.01)
    large = m.disc((1000.01, 0.0), radius=1000.0)
    pins = [
        m.revolute("ground", disc, at=at) for disc, at in ((small, (0, 0)), (large, (1000.01, 0)))
    ]
    m.gear(*pins, radius_1=0.01, radius_2=1000.0)
    teeth = [wheel.teeth for wheels in wheels_of(Placement(m.model)).values() for wheel in wheels]
    assert max(teeth) == MOST_TEETH


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e300, 2 * limits("m").most])
def test_a_body_that_a_diverged_run_threw_away_is_shown_as_drawn(value):
    flat = Mechanism("Flat")
    flat.rod((0.0, 0.0), (1.0, 0.0))
    plane = Placement(flat.model)
    frames = plane.drawn.copy()
    frames[0, 0] = value
    assert plane.put(frames).bodies[0] == plane.drawn[0].tolist()

    deep = Mechanism("Deep", dim=3)
    deep.rod((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    space = SpacePlacement(deep.model)
    r = space.drawn.r.copy()
    r[0, 0] = value
    space.put(Frames(r, space.drawn.R))
    assert np.array_equal(space.frames.r, space.drawn.r)


@pytest.mark.parametrize("far", [1e5, 1e9])
def test_a_window_opens_and_draws_a_slider_far_away(window, far):
    m = Mechanism("Far slider")
    block = m.box((0.0, 0.0), width=0.2, height=0.1)
    m.prismatic("ground", block, at=(0.0, 0.0), angle=0.0)
    model = m.model
    (body,) = model.of("body")
    away = replace(model, elements={**model.elements, body.id: replace(body, position=(far, 0.0))})
    window.document.new(away)
    assert not window.stage.grab().isNull()
    for scale in (1e-7, 1.0, 1e8):
        window.stage.camera.set_state(0.0, 0.0, scale)
        window.stage._apply_camera()
        window.stage.grab()
