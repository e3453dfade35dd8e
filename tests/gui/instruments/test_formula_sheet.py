"""Formulas on narrow paper: they break at their signs, matrices shrink, and nothing is lost."""

import pytest
import sympy as sp
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from assets import example_paths
from engine.compiling.system import compile_model
from engine.files.model_files import load
from engine.symbols.equations import Equations
from engine.symbols.views import Views
from gui.instruments.equations.numbers import LEAST, LETTER, NumberSheet, system_at
from gui.instruments.formula.boxes import INK, LIT, Box
from gui.instruments.formula.paper import Paper
from gui.instruments.formula.sheet import MARGIN, SHRUNK, SMALLEST, Line, Sheet
from gui.instruments.formula.typesetter import Typesetter
from gui.instruments.formula.wrapping import INDENT, wrapped

LETTERS = 18.0
COLOURS = {INK: QColor("black"), LIT: QColor("yellow")}
x = sp.symbols("x_1:13", real=True)
LONG = sum((n + 1) * sp.sin(one) for n, one in enumerate(x))


def ink(image: QImage, x: int, y: int, width: int, height: int) -> set[tuple[int, int]]:
    """Where something dark is."""
    places = ((a, b) for a in range(x, x + width) for b in range(y, y + height))
    return {at for at in places if image.pixelColor(*at).lightness() < 120}


def statement(*pieces) -> Box:
    return Typesetter(LETTERS, str).statement(pieces)


def texts(box: Box) -> list[str]:
    """What is written, from left to right and line by line."""
    inside = [t for _, _, child in box.children for t in texts(child)]
    return [box.text, *inside] if box.text else inside


@pytest.fixture
def sheet(qtbot):
    made = Sheet()
    made.colours = COLOURS
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("width", [60.0, 150.0, 333.0, 600.0])
def test_a_sum_breaks_before_its_signs_and_loses_nothing(width, qapp):
    whole = statement(x[0], "=", LONG)
    made = wrapped(whole, width, LETTERS)
    assert texts(made) == texts(whole)
    longest = max(statement("+", 12 * sp.sin(one)).width for one in x)  # what stays together
    assert made.width <= max(width, longest + (INDENT + 0.5) * LETTERS)  # the gap before a sign
    assert made.up <= whole.up and made.down > whole.down
    starts = {round(dy) for _, dy, _ in made.children}
    assert len(starts) >= whole.width / max(width, longest)


def test_a_short_left_side_is_not_left_alone(qapp):
    wide = sum(one**n for n, one in enumerate(x, 2)) / (x[0] + x[1])
    whole = statement(x[0], "=", wide)
    assert wrapped(whole, 0.9 * whole.width, LETTERS) is whole


def test_what_is_narrow_enough_stays_as_it_is(qapp):
    whole = statement(x[0], "=", LONG)
    assert wrapped(whole, whole.width, LETTERS) is whole
    matrix = statement(sp.eye(9))
    assert wrapped(matrix, 20.0, LETTERS) is matrix


def test_lines_fit_the_paper_and_are_found_by_the_mouse(sheet):
    sheet.show_lines([Line(statement(x[0], "=", LONG), "a hinge", "")], LETTERS)
    wide, flat = sheet.width(), sheet.height()
    sheet.set_room(400)
    assert sheet.width() <= 400 < wide and sheet.height() > flat
    ((at, line),) = sheet.places()
    hit = {}
    for dx, dy, child in line.box.children:
        found = sheet.part_at(QPointF(at.x() + dx + child.width - 3, at.y() + dy - 2))
        hit[found] = dy
    assert {"x_1", "x_12"} <= hit.keys() and hit["x_12"] > hit["x_1"]  # on another line
    sheet.set_room(2000)
    assert (sheet.width(), sheet.height()) == (wide, flat)


def test_a_matrix_shrinks_as_far_as_it_can_be_read_and_then_the_paper_scrolls(sheet):
    wide = statement(sp.Matrix(1, 12, x))
    sheet.show_lines([Line(wide)], LETTERS)
    for share, scale in ((0.8, 0.8), (0.3, max(SHRUNK, SMALLEST / LETTERS))):
        sheet.set_room(round(wide.width * share + 2 * MARGIN))
        ((at, line),) = sheet.places()
        assert line.scale == pytest.approx(scale, abs=0.01)
        last = line.box.width * line.scale
        middle = QPointF(at.x() + last - 20 * scale, at.y() - 3)
        assert sheet.part_at(middle) == "x_12"
    assert sheet.width() > 0.3 * wide.width + 2 * MARGIN


def test_long_words_stand_below_a_long_formula_and_headings_break(sheet):
    words = "what is turned about the axis of the crank by the motor at its end " * 2
    sheet.show_lines([Line(None, words), Line(statement(x[0], "=", LONG), words)], LETTERS)
    sheet.set_room(700)
    headings = [line.words for line in sheet.lines if line.box is None]
    assert len(headings) > 1 and " ".join(headings) == words.strip()
    assert sheet.lines[-1].is_below


def test_a_picture_of_a_shrunk_formula_has_ink_where_the_screen_has(sheet):
    sheet.show_lines([Line(statement(sp.Matrix(1, 12, x)))], LETTERS)
    sheet.set_room(420)
    shown = [QImage(sheet.size(), QImage.Format.Format_RGB32) for _ in range(2)]
    for image, seen in zip(shown, (QRectF(sheet.rect()), None)):  # on the screen, in a file
        image.fill(QColor("white"))
        painter = QPainter(image)
        sheet.draw(painter, seen)
        painter.end()
    columns = [{x // 8 for x, _ in ink(one, 0, 0, one.width(), one.height())} for one in shown]
    assert len(columns[0] & columns[1]) > 0.9 * len(columns[0] | columns[1])


@pytest.fixture
def numbers(qtbot):
    compiled = compile_model(load(example_paths()["four_bar"]))
    views = Views(Equations(compiled))
    sheet = NumberSheet()
    sheet.colours = COLOURS
    paper = Paper(sheet)
    qtbot.addWidget(paper)
    sheet.show_system(system_at(views, 0.0, compiled.q0, compiled.v0, None))
    return sheet, paper


def test_numbers_shrink_to_their_paper_and_grow_when_asked(numbers):
    sheet, paper = numbers
    natural = sheet.width()
    paper.resize(round(0.9 * natural), 300)
    paper.show()
    assert sheet.width() <= paper.width() and LEAST / LETTER < sheet.scale < 1.0
    paper.resize(200, 300)
    assert sheet.scale == pytest.approx(LEAST / LETTER)
    small = sheet.width()
    sheet.set_zoom(2.0)
    assert sheet.width() == pytest.approx(2 * small, abs=2)


def test_names_of_numbers_stay_in_sight_and_know_their_parts(numbers):
    sheet, paper = numbers
    paper.resize(420, 200)
    paper.show()
    across, down = paper.horizontalScrollBar(), paper.verticalScrollBar()
    before = ink(paper.grab().toImage(), 0, 60, 60, 100)
    across.setValue(across.maximum())
    after = ink(paper.grab().toImage(), 0, 60, 60, 100)
    assert len(before & after) > 0.9 * len(before | after) > 50  # the names of the rows
    down.setValue(down.maximum())
    last = len(sheet.system.parts) - 1
    place = sheet.cell(0, last).center() * sheet.scale
    inside = QPointF(place.x(), down.value() + 5.0)
    assert sheet.part_at(inside) == sheet.system.parts[last]
    assert (
        sheet.part_at(QPointF(place.x(), sheet.cell(last, 0).center().y() * sheet.scale))
        == sheet.system.parts[last]
    )
