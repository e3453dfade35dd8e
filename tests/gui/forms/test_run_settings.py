"""The settings of a run: only what matters is shown, and what the engine advises is offered."""

import subprocess
import sys
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt

from engine.editing.builder import Mechanism
from engine.model.bodies import PlanarBody
from engine.model.elements import Settings, planar, put, spatial
from engine.model.methods import METHOD_NAMES, METHODS, STABILISATION_NAMES
from engine.model.shapes import Beam, Polyline, Rod
from engine.running import formulation
from engine.running.live import Live
from engine.running.simulate import prepare
from gui.forms import methods
from gui.forms.panel import PropertiesPanel
from gui.look import method_words
from gui.state.document import Document
from gui.state.selection import Selection
from tests.run_models import lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile
ALWAYS = ["t_end", "output_step", "method", "step", "stabilisation", "coordinates"]


def with_settings(model, **changes):
    """The same model with other settings."""
    return replace(model, settings=replace(model.settings, **changes))


@pytest.fixture
def panel(qtbot, preferences):
    """The form of the run of a pendulum, shown."""
    document = Document()
    document.new(pendulum())
    shown = PropertiesPanel(document, Selection(), preferences)
    qtbot.addWidget(shown)
    shown.resize(300, 700)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def settings_rows(panel):
    """The rows of the run by the name of the setting."""
    panel.bring_up_to_date()
    return {row.place.name: row for row in panel.form.rows if row.place.part == "settings"}


def choose(qtbot, panel, name, value):
    """Choose a line of a list with the keys, as a person does."""
    box = settings_rows(panel)[name].field.box
    box.setFocus()
    lines = [n for n in range(box.count()) if box.itemData(n) is not None]  # headings are skipped
    wanted = lines.index(box.findData(value))
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(wanted):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == value


def test_every_method_has_words():
    for method in METHODS:
        assert method.title and method.short and method.full, method.name
        assert method.use.endswith("."), method.name
        assert method_words.method_title(method.name) == method.title
    assert all(method_words.stabilisation_title(name) for name in STABILISATION_NAMES)


def test_the_list_offers_all_methods_of_the_engine_once_under_headings():
    listed = method_words.method_choices(METHOD_NAMES)
    offered = [name for name, *_ in listed if name is not None]
    assert sorted(offered) == sorted(METHOD_NAMES) and offered[0] == "auto"
    assert [words for name, words, _ in listed if name is None][:2] == [
        "Fixed step",
        "Step control",
    ]


def test_the_words_of_methods_do_not_load_the_solver():
    script = (
        "import sys, gui.forms.form, gui.health.strip, gui.state.playback;"
        "print('engine.integrators' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ({"method": "rk4"}, []),
        ({"method": "dop853"}, ["tolerance"]),
        ({"method": "auto"}, ["tolerance"]),
        ({"stabilisation": "baumgarte"}, ["alpha", "beta"]),
        (
            {"stabilisation": "penalty"},
            ["penalty", "penalty_frequency", "penalty_ratio", "penalty_iterations"],
        ),
        ({"method": "generalised_alpha", "stabilisation": "penalty"}, ["damping"]),
    ],
    ids=str,
)
def test_only_settings_that_matter_are_shown(chosen, shown):
    names = [*(f.name for f in fields(Settings)), "damping"]
    settings = replace(Settings(), **{"method": "rk4", **chosen})
    found = methods.settings_that_matter(list(dict.fromkeys(names)), settings, planar())
    assert [n for n in found if n not in ALWAYS] == shown
    in_space = methods.settings_that_matter(names, settings, spatial())
    assert "orientation" in in_space and "orientation" not in found


@pytest.mark.parametrize("method", ["dop853", "auto"])
def test_a_method_of_its_own_steps_shows_its_tolerance_and_says_what_the_step_is_for(
    qtbot, panel, method
):
    assert "tolerance" not in settings_rows(panel)
    assert settings_rows(panel)["step"].label.text() == "Step"
    choose(qtbot, panel, "method", method)
    rows = settings_rows(panel)
    assert panel.document.model.settings.method == method
    assert rows["tolerance"].field.isVisible() and rows["step"].field.isEnabled()
    assert rows["step"].label.text() == "Step, live mode"
    assert "chooses its steps itself" in rows["step"].field.toolTip()
    choose(qtbot, panel, "method", "heun")
    assert settings_rows(panel)["step"].label.text() == "Step"
    assert "chooses its steps itself" not in settings_rows(panel)["step"].field.toolTip()


def test_the_step_beside_automatic_is_that_of_live_mode(qtbot, panel):
    choose(qtbot, panel, "method", "auto")
    line = settings_rows(panel)["step"].field.line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "0.004")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    model = panel.document.model
    assert model.settings.step == 0.004 and model.settings.method == "auto"
    assert Live(prepare(model)).h == pytest.approx(0.004)


def test_a_method_that_closes_joints_greys_the_stabilisation(qtbot, panel):
    choose(qtbot, panel, "method", "generalised_alpha")
    row = settings_rows(panel)["stabilisation"]
    assert not row.field.isEnabled() and "closes the joints itself" in row.field.toolTip()


def test_baumgarte_shows_in_grey_what_will_be_used(qtbot, panel):
    choose(qtbot, panel, "stabilisation", "baumgarte")
    alpha, beta = formulation.baumgarte(panel.document.model.settings, 1e-3)
    rows = settings_rows(panel)
    shown = [float(rows[name].field.line.placeholderText()) for name in ("alpha", "beta")]
    assert shown == pytest.approx([alpha, beta], rel=1e-4)  # rounded for people
    panel.document.edit("Adaptive", with_settings(panel.document.model, method="auto"))
    rows = settings_rows(panel)
    assert rows["alpha"].field.line.placeholderText() == "automatic"  # known when it has chosen


def test_a_method_tells_what_it_is_for(panel):
    box = settings_rows(panel)["method"].field.box
    assert "workhorse" in box.toolTip()
    at = box.findData("ida")
    assert "stiff" in box.itemData(at, Qt.ItemDataRole.ToolTipRole)


def test_the_strip_and_the_runs_name_the_tolerance_of_an_adaptive_method(qtbot, window):
    window.document.new(lasting(pendulum(), 0.5, method="dop853"))
    assert window.health.text("method") == "DOP853  tol 1e-10"
    record = solved(qtbot, window)
    assert record.title == "Run 1: DOP853, tol 1e-10"
    window.docks["runs"].show()
    window.docks["runs"].raise_()
    qtbot.waitUntil(window.runs.isVisible)
    words = window.runs.cards[0].details.text()
    assert "steps" in words and "evaluations" in words and "solves" not in words


def solved(qtbot, window):
    """Run the open model to its end and wait until it is measured."""
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    with qtbot.waitSignal(window.simulator.finished, timeout=PATIENCE) as finished:
        window.simulator.run()
    record = finished.args[0]
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    qtbot.waitUntil(lambda: record.quality is not None, timeout=PATIENCE)
    return record


def stiff(**settings):
    """A ball on a spring that swings at 1000 rad/s, with a step of 3 ms unless told otherwise."""
    m = Mechanism("Stiff")
    ball = m.particle((0, 0), 1.0)
    m.spring(("ground", (0, 1)), (ball, (0, 0)), stiffness=1e6, name="K2")
    return lasting(m.model, 0.1, **{"step": 3e-3, **settings})


def test_advice_is_told_when_a_run_begins_and_its_button_mends_it_as_one_edit(qtbot, window):
    window.document.new(stiff())
    record = solved(qtbot, window)
    bar = window.messages.bars["advice"]
    assert bar.kind == "warning" and "K2" in bar.sentence
    assert record.notes == [bar.sentence] == record.results.notes
    assert bar.sentence in record.results.summary()
    steps = window.document.undo_stack.count()
    with qtbot.waitSignal(window.simulator.finished, timeout=PATIENCE):
        qtbot.mouseClick(bar.buttons[0], Qt.MouseButton.LeftButton)
    assert window.document.undo_stack.count() == steps + 1
    assert window.document.model.settings.step == 2e-3
    assert "advice" not in window.messages.bars
    assert window.playback.current is not record and window.playback.current.notes == []


def test_what_auto_chose_is_told_with_the_run(qtbot, window):
    window.document.new(lasting(pendulum(), 0.2, method="auto"))
    assert window.health.text("method") == "auto"
    record = solved(qtbot, window)
    assert record.notes[0].startswith("auto chose Dormand-Prince 8")
    assert window.health.text("method") == "DOP853  tol 1e-10"
    assert "advice" not in window.messages.bars


def test_a_run_that_diverges_without_advice_offers_a_step_and_other_methods(qtbot, window):
    m = Mechanism("Runaway")
    ball = m.particle((1, 0), 1.0)
    m.general_force(("ground", (0, 0)), (ball, (1, 0)), "1e3*distance^3", name="Push")
    window.document.new(lasting(m.model, 5.0))
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    window.simulator.run()
    qtbot.waitUntil(lambda: bool(window.messages.sentence("run")), timeout=PATIENCE)
    words = [button.text() for button in window.messages.bars["run"].buttons]
    assert words[:3] == [
        "Run with h = 0.1 ms",
        "Run with Dormand-Prince 8",
        "Run with IDA (BDF 1 to 5)",
    ]


@pytest.mark.parametrize("method", ["dop853", "ida", "auto"])
def test_live_mode_uses_a_fixed_step_whatever_the_method_and_says_so(qtbot, window, method):
    window.document.new(lasting(pendulum(), 2.0, method=method))
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    window.simulator.start_live()
    qtbot.waitUntil(
        lambda: window.playback.current is not None and window.playback.t_last > 0.1,
        timeout=PATIENCE,
    )
    assert "Live mode uses RK4 with fixed step" in window.hint.text()
    assert window.playback.current.results.settings.method == "rk4"
    window.simulator.stop_live()
    assert not window.messages.bars and "Live mode" not in window.hint.text()


def test_live_mode_with_a_method_of_fixed_step_says_nothing_of_methods(qtbot, window):
    window.document.new(lasting(pendulum(), 2.0, method="heun"))
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    window.simulator.start_live()
    qtbot.waitUntil(lambda: window.playback.current is not None, timeout=PATIENCE)
    assert window.playback.current.results.settings.method == "heun"
    assert window.hint.text().endswith("on a spring.")
    window.simulator.stop_live()


def test_how_bending_bodies_begin_is_asked_only_where_something_bends():
    names = [f.name for f in fields(Settings)]
    for shape, asked in ((Rod(), False), (Beam(), True), (Polyline(), False)):
        model = put(planar(), PlanarBody(id="it", shape=shape))
        shown = methods.settings_that_matter(names, Settings(), model)
        assert ("flexible_start" in shown) == asked
