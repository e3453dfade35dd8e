"""Names are text: no panel, tooltip, plot or file takes a name for markup or for a format."""

import ast
import csv
import json
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QAbstractListModel, Qt, QThread
from PySide6.QtGui import Qt as QtText
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QGraphicsTextItem,
    QLabel,
    QMessageBox,
    QWidget,
)

from assets import example_paths
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.builder.script import script
from engine.editing.robots.links import links_of
from engine.editing.robots.writing import mjcf_text, urdf_text
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.elements import Parameter
from engine.running.simulate import run
from engine.symbols.equations import Equations
from engine.symbols.views import Views
from engine.symbols.written.latex import latex_document
from engine.symbols.written.python_code import python_function, sympy_code
from gui.export.commands import ExportCommands
from gui.export.page_export import Drawn, Tabled
from gui.export.pictures import plot_svg, stage_svg
from gui.export.report.report import report_page
from gui.instruments.drawings import save_widget
from gui.window.pages import PAGES
from kardan import converge, write_csv
from tests.gui.stage_models import every_kind

BARE = "<img src='file:///etc/hostname'>"
NAME = f"{BARE}%s{{0}}&lt;b>%"


def hostile(model):
    """The model with a name that is markup and a format for itself and for each element."""
    named = {
        id: e if isinstance(e, Parameter) else replace(e, name=f"{NAME}{n}")
        for n, (id, e) in enumerate(model.elements.items())
    }
    return replace(model, elements=named, name=NAME, description=NAME)


def is_rich(text, format=Qt.TextFormat.AutoText):
    """Whether Qt would take a text for markup."""
    if format == Qt.TextFormat.AutoText:
        return QtText.mightBeRichText(text)
    return format in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText)


def item_tips(view):
    """The tooltips and texts of the rows of a list, tree or table."""
    model = view.model()
    todo = [model.index(r, 0) for r in range(model.rowCount())] if model is not None else []
    columns = 1 if isinstance(model, QAbstractListModel) else model and model.columnCount()
    for index in todo:
        for column in range(columns):
            yield str(index.siblingAtColumn(column).data(Qt.ItemDataRole.ToolTipRole) or "")
        todo += [model.index(r, 0, index) for r in range(model.rowCount(index))]


def taken_for_markup(window):
    """Every place in a window where the name would be shown as markup."""
    found = set()

    def look(owner, what, text, format=Qt.TextFormat.AutoText):
        if BARE in text and is_rich(text, format):
            found.add(f"{type(owner).__module__}.{type(owner).__name__} {what}: {text[:160]}")

    for widget in [window, *window.findChildren(QWidget)]:
        look(widget, "tooltip", widget.toolTip())
        if isinstance(widget, QLabel):
            look(widget, "label", widget.text(), widget.textFormat())
        if isinstance(widget, QAbstractItemView):
            for tip in item_tips(widget):
                look(widget, "tooltip of a row", tip)
        for action in widget.actions():
            look(action, "tooltip", action.toolTip())
        if hasattr(widget, "scene") and callable(widget.scene) and widget.scene() is not None:
            for item in widget.scene().items():
                look(item, "tooltip", item.toolTip())
                if isinstance(item, QGraphicsTextItem) and "<img" in item.toHtml():
                    found.add(f"{type(item).__name__} on a plot: {item.toPlainText()[:80]}")
    return sorted(found)


def test_the_model_and_its_problems_are_shown_as_text(qtbot, window):
    model = hostile(every_kind())
    window.document.new(model)
    found = set()
    for id in model.elements:
        window.selection.set((id,))
        qtbot.wait(1)
        found.update(taken_for_markup(window))
    assert not found, "\n".join(sorted(found))
    broken = replace(
        model, elements={k: e for k, e in model.elements.items() if e.kind != "marker"}
    )
    window.document.edit("Delete", broken)
    qtbot.wait(50)
    found = taken_for_markup(window)
    assert not found, "\n".join(found)


def pendulum():
    """A damped pendulum in which everything has the hostile name."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1.0)
    m.revolute("ground", rod, (0, 0))
    m.damper((rod, (0.5, 0.0)), ("ground", (0.5, 1.0)))
    return replace(hostile(m.model), settings=replace(m.model.settings, t_end=0.2))


def test_runs_and_plots_show_names_as_text(qtbot, window):
    window.document.new(pendulum())
    with qtbot.waitSignal(window.simulator.finished):
        window.simulator.run()
    plots = window.plots
    for id in window.document.model.elements:
        plots.plot_ids([id])
    plots.add_energy_bars()
    plots.add_phase_plot()
    qtbot.wait(50)
    found = taken_for_markup(window)
    assert not found, "\n".join(found)


def test_channels_tables_and_reports_hold_names_as_text(tmp_path):
    results = run(pendulum())
    labels = [channel.label for channel in results.channels()]
    assert any(NAME in label for label in labels)
    assert BARE not in report_page(results)


def test_tables_hold_names_in_one_cell_and_never_as_a_formula(tmp_path):
    for name in ('=1+1"', "a\nb;c,d", "@x", '"', "\r\n"):
        model = pendulum()
        elements = {
            id: e if isinstance(e, Parameter) else replace(e, name=name)
            for id, e in model.elements.items()
        }
        results = run(replace(model, elements=elements))
        for comma in (False, True):
            write_csv(results, tmp_path / "run.csv", decimal_comma=comma)
            separator = ";" if comma else ","
            for part, width in (("run.csv", None), ("run.columns.csv", 5)):
                with (tmp_path / part).open(newline="") as file:
                    rows = list(csv.reader(file, delimiter=separator))
                assert {len(row) for row in rows} == {width or len(rows[0])}
                cells = [cell for row in rows[: 1 if width is None else None] for cell in row]
                assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "-"))]
                assert width is None or len(rows) == len(results.channels(everyday=True)) + 2


def elements_of(svg):
    """The names of all elements of a drawing, which must be well formed."""
    return {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}


def test_drawings_and_dialogs_show_names_as_text(qtbot, window, monkeypatch):
    window.document.new(pendulum())
    with qtbot.waitSignal(window.simulator.finished):
        window.simulator.run()
    plot = window.plots.add_time_plot(["rod_1.angle", "revolute_1.force"])
    exports = ExportCommands(window, window.sources, window.stages, lambda words: None)
    svgs = [plot_svg(plot, NAME), stage_svg(exports.sources())]
    judged = converge(window.document.model, ["rod_1.angle"], t_end=0.05, step=0.01)
    svgs.append(judged.picture().encode())
    for svg in svgs:
        assert not {"img", "script", "foreignObject"} & elements_of(svg)
    shown = []

    def look(dialog):
        shown.append(type(dialog).__name__)
        assert not taken_for_markup(dialog), "\n".join(taken_for_markup(dialog))
        return 0

    monkeypatch.setattr(QDialog, "exec", look)
    monkeypatch.setattr(QMessageBox, "exec", look)
    monkeypatch.setattr(QDialog, "open", look)
    window.document.edit("Name", replace(window.document.model, name=f"{NAME}!"))
    window.files.may_leave()
    window.files.show_gallery()
    window.show_about()
    exports.open_table()
    exports.open_picture()
    assert len(shown) == 5, shown


LINES = '=1+1\n"""\nimport os\n\\input{/etc/passwd}\'"%{0}<b>]]>&'  # code of many kinds


def named(model, name):
    """The model with one name for everything; parameters keep theirs."""
    elements = {
        id: e if isinstance(e, Parameter) else replace(e, name=f"{name}{n}" if name else "")
        for n, (id, e) in enumerate(model.elements.items())
    }
    return replace(model, elements=elements, name=name, description=name)


def statements(text):
    """The kinds of statements of a program, one after the other."""
    return [type(one).__name__ for one in ast.parse(text).body]


def test_programs_that_are_written_take_no_name_for_code():
    plain, evil = named(pendulum(), "a"), named(pendulum(), LINES)
    assert statements(script(evil)) == statements(script(plain))
    built = {}
    exec(compile(script(evil), "script", "exec"), built)
    assert built["m"].model == evil
    for write in (python_function, sympy_code):
        texts = [write(Equations(compile_model(model))) for model in (evil, plain)]
        assert statements(texts[0]) == statements(texts[1])


def test_latex_takes_no_name_for_a_command():
    views = Views(Equations(compile_model(named(pendulum(), LINES))))
    text = "".join(latex_document(views.view(name)) for name in ("newton_euler", "matrix"))
    commands = [line for line in text.splitlines() if not line.startswith("%")]
    assert "passwd" in text and not any("\\input" in line for line in commands)
    assert all(line.startswith((r"\[", "  ", r"\]")) for line in commands)


def test_robots_and_scenes_take_no_name_for_markup(qtbot, window):
    hung = load(example_paths()["robot_arm_in_space"])
    plain, evil = named(hung, "a"), named(hung, LINES)
    for write in (urdf_text, mjcf_text):
        tags = [
            [e.tag for e in ElementTree.fromstring(write(links_of(model), "arm")).iter()]
            for model in (plain, evil)
        ]
        assert tags[0] == tags[1]
    window.document.new(evil)
    qtbot.waitUntil(lambda: window.stages.is_spatial)
    content = window.stages.shown.glb()
    length = int.from_bytes(content[12:16], "little")
    names = {node.get("name") for node in json.loads(content[20 : 20 + length])["nodes"]}
    assert any(name and LINES in name for name in names)


@pytest.mark.parametrize("example", ["pendulum", "spinning_top", "cantilever"])
def test_pages_show_and_write_names_as_text(qtbot, window, tmp_path, example):
    window.document.new(named(load(example_paths()[example]), f"=1+1 {BARE}"))
    with qtbot.waitSignal(window.simulator.finished):
        window.simulator.run()
    for page in PAGES:
        content = window.page(page.name)
        window.show_panel(page.name)
        qtbot.waitUntil(partial(is_told, content))
        assert not taken_for_markup(content), taken_for_markup(content)[:3]
        if isinstance(content, Drawn):
            look_into_drawing(content, tmp_path / f"{page.name}.svg")
        if isinstance(content, Tabled):
            look_into_table(content, tmp_path / f"{page.name}.csv")


def look_into_drawing(content, path):
    """Write the drawing of a page, if it has one; it holds nothing but lines and words."""
    if written(lambda: content.save_picture(str(path))):
        assert not {"img", "script", "foreignObject"} & elements_of(path.read_bytes())


def look_into_table(content, path):
    """Write the table of a page, if it has one; no cell of it is a formula."""
    if written(lambda: content.write_csv(path)):
        with path.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert cells and not [cell for cell in cells if cell.startswith(("=", "@", "+"))]


def is_told(content):
    """Whether no thread of a page is at work any more."""
    return not any(thread.isRunning() for thread in content.findChildren(QThread))


def written(work):
    """Whether something was written; a sentence may say why there is nothing."""
    try:
        work()
    except EngineError as error:
        assert error.sentence
        return False
    return True


def test_a_drawing_that_cannot_be_written_says_so_and_keeps_the_old_one(qtbot, tmp_path):
    shown = QLabel("words")
    shown.draw = lambda painter: painter.drawText(5, 20, "words")
    qtbot.addWidget(shown)
    for suffix in (".svg", ".png"):
        with pytest.raises(EngineError, match=r"folder|written"):
            save_widget(str(tmp_path / "gone" / f"page{suffix}"), shown)
        save_widget(str(tmp_path / f"page{suffix}"), shown)
        assert (tmp_path / f"page{suffix}").stat().st_size > 100
