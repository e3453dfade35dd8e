"""Tables that are joined by straight lines: value, file, edits, motion, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest

from engine.editing.edits.numbers import negated, odd_image
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.formulas.functions import FunctionOfTime, joined_by, kinks
from engine.kinematics.checkup import examine
from engine.model.fields import Polyline
from kardan import Mechanism, problems

POINTS = ((0.0, 0.0), (0.3, 6.0), (0.35, -2.0), (1.1, -2.0), (1.7, 4.0))


def pushed(law, **settings):
    """A particle of 2 kg that is pushed along x by a force over time, without gravity."""
    m = Mechanism("pushed", gravity=(0.0, 0.0))
    m.particle((0.0, 0.0), mass=2.0, id="ball", velocity=(0.0, 0.0))
    m.force("ball", (0.0, 0.0), (law, 0.0))
    m.settings(t_end=2.0, output_step=0.5, **settings)
    return m


def travelled(points, t, mass=2.0):
    """x of a particle under piecewise linear force, in closed form: x cubic between the points."""
    x = v = 0.0
    ends = [*points, (t, np.nan)]
    for (t0, f0), (t1, f1), (t2, _) in zip(points, points[1:], ends[2:]):
        slope = (f1 - f0) / (t1 - t0)
        h = (t2 if (t1, f1) == points[-1] else t1) - t0  # the last line goes on
        x += v * h + (f0 * h**2 / 2 + slope * h**3 / 6) / mass
        v += (f0 * h + slope * h**2 / 2) / mass
    return x


def test_between_its_points_a_polyline_is_straight_and_goes_on_beyond_them():
    line, curve = FunctionOfTime(Polyline(POINTS), {}), FunctionOfTime(POINTS, {})
    for (t0, y0), (t1, y1) in pairwise(POINTS):
        assert line(0.5 * (t0 + t1)) == pytest.approx(0.5 * (y0 + y1), abs=1e-14)
        assert line(t0) == pytest.approx(curve(t0), abs=1e-13)
    assert line(2.7) == pytest.approx(14.0) and line(-0.3) == pytest.approx(-6.0)
    assert abs(curve(0.6) - line(0.6)) > 1.0  # a spline overshoots here


def test_kinks_are_where_the_slope_changes():
    assert kinks(Polyline(POINTS)) == pytest.approx([0.3, 0.35, 1.1])
    straight = Polyline((0.1 * k, 0.3 * 0.1 * k - 1.0) for k in range(9))
    assert len(kinks(straight)) == 0
    assert kinks(POINTS) == pytest.approx([0.0, 1.7])  # beyond its ends a spline is straight
    assert len(kinks("sin(t)")) == len(kinks(3.0)) == 0


@pytest.mark.parametrize("method", ["dopri5", "dop853", "ida", "radau"])
def test_adaptive_methods_meet_every_kink_of_a_force(method):
    results = pushed(Polyline(POINTS), method=method, tolerance=1e-9).run()
    # IDA controls its error per step: some hundred steps add up
    assert results["ball.x"][-1] == pytest.approx(travelled(POINTS, 2.0), abs=2e-7)
    assert not results.events  # the points of a table are no news


def test_a_step_ends_at_every_kink():
    # Force and acceleration are linear between kinks: steps that end there are exact to rounding.
    results = pushed(Polyline(POINTS), method="dopri5", tolerance=1e-4).run()
    assert results["ball.x"][-1] == pytest.approx(travelled(POINTS, 2.0), abs=1e-8)


def test_the_way_of_joining_is_kept_by_files_and_edits_and_tells_tables_apart():
    line = Polyline(POINTS)
    assert line != POINTS and line != POINTS and line == Polyline(POINTS)
    assert len({line, POINTS, Polyline(POINTS)}) == 2
    model = pushed(line).model
    text = dumps(model)
    assert '"joined_by": "lines"' in text and loads(text) == model
    assert '"joined_by"' not in dumps(pushed(POINTS).model)  # files of smooth tables are as before
    assert isinstance(negated(line), Polyline) and isinstance(odd_image(line, ("x",)), Polyline)
    assert joined_by(line) == "straight lines" and joined_by(POINTS) == "a cubic spline"


@pytest.mark.parametrize(
    "raw",
    [
        '{"points": [[0.0, 1.0], [1.0, 2.0]]}',
        '{"points": [[0.0, 1.0], [1.0, 2.0]], "joined_by": "cubes"}',
        '{"points": [[0.0]], "joined_by": "lines"}',
        '{"points": [[0.0, 1.0], [1.0, 2.0]], "joined_by": "lines", "more": 1}',
    ],
)
def test_a_damaged_table_is_refused(raw):
    text = dumps(pushed(1.0).model).replace('"f_x": 1.0', f'"f_x": {raw}')
    with pytest.raises(EngineError, match="f_x"):
        loads(text)


def test_a_file_may_say_that_a_table_is_a_curve():
    raw = '{"points": [[0.0, 1.0], [1.0, 2.0]], "joined_by": "curve"}'
    text = dumps(pushed(1.0).model).replace('"f_x": 1.0', f'"f_x": {raw}')
    assert loads(text).of("force")[0].f_x == ((0.0, 1.0), (1.0, 2.0))


def driven(law, quantity):
    """A rod on a pin, whose angle is driven."""
    m = Mechanism("driven")
    m.rod((0.0, 0.0), (1.0, 0.0), mass=1.0)
    m.revolute("ground", "rod_1", at=(0.0, 0.0))
    m.motion("revolute_1", law, quantity=quantity)
    return m


def test_a_place_cannot_follow_straight_lines_but_a_speed_can():
    found = problems(driven(Polyline(POINTS), "position").model)
    assert len(found) == 1 and "Motion 'motion_1'" in found[0].sentence
    assert "jump at t = 0.3 s" in found[0].sentence and "curve" in found[0].sentence
    assert not problems(driven(POINTS, "position").model)
    assert not problems(driven(Polyline(POINTS[:2]), "position").model)  # one line has no kink
    run = driven(Polyline(POINTS), "speed").run(t_end=1.1, method="dopri5")
    area = sum((t1 - t0) * (a + b) / 2 for (t0, a), (t1, b) in pairwise(POINTS[:4]))
    assert run["revolute_1.angle"][-1] == pytest.approx(area, abs=1e-7)


@pytest.mark.parametrize("law, words", [(Polyline(POINTS), "straight lines"), (POINTS, "spline")])
def test_check_says_what_joins_the_table_of_a_motion(law, words):
    checkup = examine(driven(law, "speed").model)
    (told,) = (c for c in checkup.constraints if c.id == "motion_1")
    assert told.level == "velocity" and words in told.driven_by and "5 points" in told.driven_by
