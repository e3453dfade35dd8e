"""The view of a model in its file: what is shown is kept, and nothing of it harms a run."""

import json
from dataclasses import replace

import pytest

from engine.editing.builder import Mechanism
from engine.editing.edits import deleted
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.model.elements import same_mechanism, with_plots, with_view
from engine.model.views import Bars, Camera, Curves, Portrait, Section, View
from tests.engine.older_settings import BEFORE_VERSION_5


def pendulum(dim=2):
    """A rod on a pin."""
    m = Mechanism("Pendulum", dim=dim)
    rod = m.rod((0, 0, 0)[:dim], (1, 0, 0)[:dim])
    m.revolute("ground", rod, at=(0, 0, 0)[:dim], **({} if dim == 2 else {"axis": (0, 1, 0)}))
    return m.model


VIEW = View(
    plots=(
        Curves(channels=("rod_1.angle", "total_energy"), log=True),
        Portrait(
            x="rod_1.angle",
            y="rod_1.angular_velocity",
            wraps=True,
            shows_field=False,
            section=Section(channel="revolute_1.angle", value=0.25, direction="falling"),
        ),
        Bars(),
    ),
    arrows=("reactions", "spins"),
    arrow_scale=1.5,
    trails=False,
    center_trails=True,
    beams_bent=20.0,
    beam_colours="stress",
    camera=Camera(focus=(0.25, -0.5), height=1.5),
)


def test_a_file_gives_back_the_same_view():
    model = with_view(pendulum(), VIEW)
    assert loads(dumps(model)).view == VIEW
    assert dumps(loads(dumps(model))) == dumps(model)
    seen = Camera(focus=(0.0, 0.0, 0.0), azimuth=0.5, elevation=0.25, parallel=True)
    spatial = with_view(pendulum(3), View(camera=seen))
    assert loads(dumps(spatial)).view.camera == seen


def test_a_view_as_usual_is_not_written_and_old_files_have_none():
    text = dumps(pendulum())
    assert '"view"' not in text
    old = loads(text.replace('"kardan": 5', '"kardan": 3'))
    assert old.view == View() and old == replace(pendulum(), settings=BEFORE_VERSION_5)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ({"plots": 5}, "list"),
        ({"plots": [5]}, "Plot 1"),
        ({"plots": [{"kind": "pie"}]}, "time, phase, energy"),
        ({"plots": [{"kind": "time", "channels": ["rod_9.angle"]}]}, "no element 'rod_9'"),
        ({"plots": [{"kind": "time", "channels": ["a", "a"]}]}, "twice"),
        ({"plots": [{"kind": "time", "channels": [""]}]}, "no name of a channel"),
        ({"plots": [{"kind": "time", "channels": ["a"] * 101}]}, "at most 100"),
        ({"plots": [{"kind": "time", "color": "red"}]}, "color"),
        ({"plots": [{"kind": "phase", "x": 3}]}, "'x'"),
        ({"plots": [{"kind": "phase", "section": {"direction": "up"}}]}, "direction"),
        ({"plots": [{"kind": "phase", "section": {"period": "2*a"}}]}, "numbers"),
        ({"plots": [{"kind": "energy"}] * 13}, "at most 12"),
        ({"arrows": ["feelings"]}, "velocities"),
        ({"arrows": [["reactions"]]}, "velocities"),
        ({"arrow_scale": -1.0}, "arrow_scale"),
        ({"beams_bent": 0.0}, "beams_bent"),
        ({"beam_colours": 3.0}, "beam_colours"),
        ({"arrow_scale": "a"}, "numbers"),
        ({"trails": 1}, "trails"),
        ({"camera": {"focus": [0.0]}}, "focus"),
        ({"camera": {"height": 0.0}}, "height"),
        ({"camera": {"zoom": 2.0}}, "zoom"),
        ({"camera": None}, "camera"),
    ],
)
def test_a_view_that_cannot_be_shown_is_refused_with_a_sentence(view, words):
    raw = {**json.loads(dumps(pendulum())), "view": view}
    with pytest.raises(EngineError, match=words):
        loads(json.dumps(raw))


def test_curves_of_a_deleted_element_go_with_it():
    model = with_view(pendulum(), VIEW)
    left = deleted(model, ["revolute_1"]).view.plots
    assert left == (VIEW.plots[0], replace(VIEW.plots[1], section=None), Bars())
    left = deleted(model, ["rod_1"]).view.plots
    assert left == (Curves(channels=("total_energy",), log=True), Bars())
    assert model.view == VIEW  # for undo


def test_a_model_that_is_shown_otherwise_is_the_same_mechanism():
    model = pendulum()
    assert with_plots(model, ()) is model
    shown = with_plots(model, [Bars()])
    assert shown is not model and same_mechanism(shown, model)
    assert not same_mechanism(model, replace(model, name="another"))
    assert not same_mechanism(model, replace(shown, settings=replace(model.settings, t_end=3.0)))
    assert not same_mechanism(model, deleted(model, ["revolute_1"]))
