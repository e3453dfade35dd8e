"""The page of equations with real mouse and keys: it writes, follows, lights up both ways, and copies."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from assets import example_paths
from engine.files.model_files import load
from engine.kinematics.evaluate import equations
from engine.model.elements import planar, put
from engine.model.joints import Revolute
from engine.running.simulate import run
from gui.instruments.equations.panel import CHOICES, NUMBERS, REDUCED, EquationsPanel
from gui.instruments.formula.boxes import family
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from tests.engine.symbols.lecture_models import chain


class Bench:
    """The page with what it looks at."""

    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.document, self.selection, self.playback = Document(), Selection(), Playback()
        self.page = EquationsPanel(self.document, self.selection, self.playback)
        qtbot.addWidget(self.page)
        self.page.resize(1000, 700)
        self.page.show()
        qtbot.waitExposed(self.page)

    def open(self, model):
        with self.qtbot.waitSignal(self.page.ready):
            self.document.new(model)

    def over(self, part):
        """A place on the sheet where a symbol of this part is."""
        sheet = self.page.sheet
        for y in range(0, sheet.height(), 4):
            for x in range(0, sheet.width(), 4):
                if sheet.part_at(QPoint(x, y).toPointF()) == part:
                    return QPoint(x, y)
        raise AssertionError(f"nothing of {part}")


@pytest.fixture
def bench(qtbot):
    made = Bench(qtbot)
    yield made
    made.page.shutdown()


def example(name):
    return load(example_paths()[name])


def test_the_font_of_formulas_comes_with_the_program(qapp):
    assert family() == "STIX Two Math"


@pytest.mark.parametrize("name", ["four_bar", "crane_trolley", "spinning_top", "knife_edge_sled"])
def test_every_view_is_written(bench, name):
    bench.open(example(name))
    for view, _ in CHOICES:
        bench.page.choose(view)
        if view == REDUCED and bench.page.reduction is not None:
            bench.qtbot.waitUntil(lambda: bench.page.reduction.state == "done")
            bench.qtbot.waitUntil(lambda: not bench.page.cancel.isVisible())
        shown = bench.page.numbers if view == NUMBERS else bench.page.sheet
        assert shown.width() > 200 or bench.page.words.text()
        assert not bench.page.grab().isNull()


def test_a_term_under_the_mouse_lights_up_its_part_and_a_click_selects_it(bench):
    bench.open(example("four_bar"))
    bench.page.choose("index_1")
    place = bench.over("coupler")
    QTest.mouseMove(bench.page.sheet, place)
    assert bench.selection.hovered == "coupler"
    assert "coupler" in bench.page.sheet.lit
    QTest.mouseClick(bench.page.sheet, Qt.MouseButton.LeftButton, pos=place)
    assert bench.selection.ids == ("coupler",)


def test_what_is_selected_elsewhere_lights_up_in_the_equations(bench):
    bench.open(example("four_bar"))
    bench.selection.set(["rocker"])
    before = bench.page.sheet.grab().toImage()
    assert bench.page.sheet.lit == {"rocker"}
    bench.selection.clear()
    assert bench.page.sheet.grab().toImage() != before


def test_a_click_on_a_force_law_unfolds_it(bench):
    bench.open(example("crane_trolley"))
    bench.page.choose("newton_euler")
    folded = max(line.box.width for line in bench.page.sheet.lines if line.box)
    place = bench.over("wall")
    QTest.mouseClick(bench.page.sheet, Qt.MouseButton.LeftButton, pos=place)
    assert max(line.box.width for line in bench.page.sheet.lines if line.box) > folded
    assert bench.page.unfolded == {"wall"}


def test_numbers_are_those_of_the_frame_that_is_shown(bench):
    model = example("four_bar")
    bench.open(model)
    bench.page.choose(NUMBERS)
    results = run(model, t_end=0.5, output_step=0.1)
    bench.playback.start(results, None)
    bench.playback.set_time(0.3)
    drawn = bench.page.numbers.system

    def follows():
        return bench.page.numbers.system is not drawn and not bench.page._frame.isActive()

    bench.qtbot.waitUntil(follows)
    k = results.frame_at(0.3)
    here = equations(results.compiled, results.t[k], results.q[k], results.v[k])
    system, views = bench.page.numbers.system, bench.page.views
    np.testing.assert_array_equal(system.x[: system.n_v], here.a)
    np.testing.assert_array_equal(system.x[system.n_v :], here.lam[views.order])
    np.testing.assert_allclose(system.A @ system.x, system.b, atol=1e-9 * np.abs(system.b).max())


def test_powers_follow_the_run(bench):
    model = example("rheonomic_pendulum")
    bench.open(model)
    bench.page.choose("power")
    bench.playback.start(run(model, t_end=0.5, output_step=0.5), None)
    bench.playback.set_time(0.5)
    bench.qtbot.waitUntil(lambda: "1.8456" in bench.page.words.text())
    assert "rope: -0.57446 W" in bench.page.words.text()


def test_an_edit_writes_the_equations_anew(bench):
    bench.open(example("pendulum"))
    views = bench.page.views
    with bench.qtbot.waitSignal(bench.page.ready):
        bench.document.edit("chain", chain(2))
    assert bench.page.views is not views
    assert len(bench.page.views.a) == 6


def test_a_model_that_cannot_run_and_an_empty_one_say_why(bench):
    bench.open(planar())
    assert "first equation" in bench.page.words.text()
    broken = put(example("pendulum"), Revolute(id="loose", marker_i="nowhere", marker_j=""))
    bench.open(broken)
    assert "loose" in bench.page.words.text()
    assert bench.page.sheet.lines == []


def test_a_large_model_in_space_is_shown_in_numbers(bench):
    bench.open(example("governor"))
    assert bench.page.choice.currentData() == NUMBERS
    assert "operations in symbols" in bench.page.words.text()


def test_a_reduction_can_be_cancelled_by_its_button(bench):
    bench.open(chain(8))
    bench.page.choose(REDUCED)
    process = bench.page.reduction.process
    QTest.mouseClick(bench.page.cancel, Qt.MouseButton.LeftButton)
    assert process.poll() is not None
    assert "cancelled" in bench.page.words.text()


def test_copies_run_and_pictures_are_written(bench, tmp_path):
    bench.open(example("pendulum"))
    for action in bench.page.copy.menu().actions():
        action.trigger()
        assert len(QGuiApplication.clipboard().text()) > 200
    assert "def derivative" in QGuiApplication.clipboard().text()
    for name in ("sheet.svg", "sheet.png"):
        bench.page.save_picture(str(tmp_path / name))
    assert (tmp_path / "sheet.svg").read_text("utf-8").count("<path") > 10
    assert QImage(str(tmp_path / "sheet.png")).width() == 2 * bench.page.sheet.width()


def test_ctrl_and_the_wheel_make_letters_larger(bench):
    bench.open(example("pendulum"))
    before = bench.page.sheet.width()
    bench.page.sheet.zoomed.emit(1.5)
    assert bench.page.sheet.width() > before


def test_the_page_is_one_of_learn_and_is_made_once(window):
    page = window.session.page("equations")
    assert page.isVisible() and window.frame.panels["equations"].isVisible()
    assert window.session.page("equations") is page


LATER = """
import sys
from PySide6.QtCore import QCoreApplication
from gui.instruments.equations.loading import load_symbols
app = QCoreApplication([])
loader = load_symbols()
assert loader is not None and loader.wait(60_000) and "engine.symbols.views" in sys.modules
assert load_symbols() is None
"""


def test_symbols_are_loaded_once_and_before_they_are_needed(window, monkeypatch):
    subprocess.run([sys.executable, "-c", LATER], check=True, timeout=120)  # where none are yet
    begun = []
    monkeypatch.setattr("gui.instruments.equations.loading.load_symbols", lambda: begun.append(1))
    for name in ("run", "learn"):
        window.commands[f"work_{name}"].trigger()
    assert begun == [1]
