"""Files that once ended or blocked the window, or left the engine as a foreign exception."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from engine.cli.commands import main

FILES = Path(__file__).parents[2] / "data" / "hostile"
REFUSED = {
    "far_wheel": "Element 'wheel': 'position' is 1e+308 m",
    "huge_crank": "Element 'crank': 'shape' (a rod): 'length' is 1e+308 m",
    "far_marker": "Element 'marker_2': 'position' is 1e+308 m",
    "far_pin": "Element 'marker_2': 'position' is -1e+308 m",
}
MASS = "The mass of 'lower' is 9.99989e-321 kg, but the program computes with at least 1e-30 kg"


def path_of(name):
    """Where a file is."""
    return FILES / f"{name}.json"


def select_each(window, qtbot):
    """Select the elements one by one, and all together."""
    ids = list(window.document.model.elements)
    for chosen in ([id] for id in ids):
        window.selection.set(chosen)
        qtbot.wait(1)
    window.selection.set(ids)
    window.grab()


def test_every_file_is_tried():
    assert {path.stem for path in FILES.iterdir()} == {*REFUSED, "tiny_mass", "percent_in_a_name"}


@pytest.mark.parametrize("name", REFUSED)
def test_a_number_beyond_all_measure_is_refused_by_its_place(window, qtbot, name):
    before = window.document.model
    assert not window.files.open_path(path_of(name))
    assert REFUSED[name] in window.messages.sentence("file")
    assert window.document.model is before
    select_each(window, qtbot)


@pytest.mark.parametrize("command", ["check", "simulate"])
@pytest.mark.parametrize("name", [*REFUSED, "tiny_mass"])
def test_the_command_line_says_the_same(capsys, name, command):
    assert main([command, str(path_of(name))]) == 2
    assert REFUSED.get(name, MASS) in "".join(capsys.readouterr())


def test_a_mass_too_small_to_divide_by_is_a_problem_of_an_open_model(window, qtbot):
    assert window.files.open_path(path_of("tiny_mass"))
    select_each(window, qtbot)
    with qtbot.waitSignal(window.simulator.failed) as failed:
        window.simulator.run()
    assert MASS in failed.args[0]


def test_a_per_cent_sign_in_a_name_reaches_plots_and_tables(window, qtbot, tmp_path):
    file = str(path_of("percent_in_a_name"))
    assert window.files.open_path(file)
    select_each(window, qtbot)
    with qtbot.waitSignal(window.simulator.finished):
        window.simulator.run()
    window.plots.plot_ids(["A"])
    window.grab()
    table = tmp_path / "table.csv"
    assert main(["simulate", file, "--t-end", "0.1", "--csv", str(table)]) == 0
    assert "Slip 50%" in table.with_suffix(".columns.csv").read_text(encoding="utf-8")


def test_huge_numbers_typed_into_every_field_change_no_drawing(window, qtbot):
    window.files.open_path(path_of("percent_in_a_name"))
    model, typed = window.document.model, 0
    for id in ("crank", "A"):
        window.selection.set([id])
        qtbot.wait(1)
        for n in range(len(fields_of(window))):
            field = fields_of(window)[n]
            if field.text() and not field.text()[0].isalpha():
                field.setFocus()
                field.selectAll()
                QTest.keyClicks(field, "1e308")
                QTest.keyClick(field, Qt.Key.Key_Return)
                typed += 1
        window.grab()
    assert typed > 8
    assert {e.id: e for e in window.document.model} == {e.id: e for e in model}


def fields_of(window):
    """The fields of the form that can be typed into."""
    fields = window.properties.findChildren(QLineEdit)
    return [field for field in fields if field.isVisible() and field.isEnabled()]
