"""Pictures of the stage: size, background, vectors, the clipboard and the dialog."""

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QDialog, QGraphicsScene, QGraphicsView

from engine.errors import EngineError
from gui.export.picture_dialog import PictureDialog
from gui.export.pictures import (
    plot_image,
    plot_svg,
    stage_image,
    stage_svg,
    write_image,
)
from tests.gui.export_samples import staged_sources


@pytest.fixture
def sources(qtbot, tmp_path):
    """A stage with a four-bar that has run."""
    return staged_sources(qtbot, tmp_path)


@pytest.fixture
def plot(qtbot):
    """A drawing as plots are: a view with a background and one line."""
    scene = QGraphicsScene()
    scene.addLine(0, 0, 100, 60, QColor("red"))
    view = QGraphicsView(scene)
    view.kept = scene  # a view does not own its scene
    view.setBackgroundBrush(QColor("navy"))
    view.setFrameShape(QGraphicsView.Shape.NoFrame)
    view.resize(200, 100)
    qtbot.addWidget(view)
    view.show()
    return view


def colours(image):
    """The set of colours in a picture."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    pixels = np.frombuffer(plain.constBits(), np.uint8).reshape(-1, 4)
    return {tuple(map(int, pixel)) for pixel in np.unique(pixels, axis=0)}


def test_a_picture_of_the_stage_has_the_size_asked_for_and_shows_the_bodies(sources):
    image = stage_image(sources, QSize(900, 700))
    assert image.size() == QSize(900, 700)
    assert len(colours(image)) > 50  # bodies, pins and letters with smooth edges


def test_without_a_background_the_corners_are_clear(sources):
    image = stage_image(sources, QSize(600, 400), transparent=True)
    assert image.pixelColor(2, 2).alpha() == 0
    assert any(pixel[3] == 255 for pixel in colours(image))  # the mechanism is not
    assert stage_image(sources, QSize(600, 400)).pixelColor(2, 2).alpha() == 255


def test_the_svg_of_the_stage_draws_the_same_as_vectors(sources):
    svg = stage_svg(sources)
    renderer = QSvgRenderer(svg)
    assert renderer.isValid() and svg.count(b"<path") > 5
    assert b"<image" not in svg  # no pixels in it


def test_a_picture_of_a_widget_is_drawn_anew_in_its_size(plot):
    image = plot_image(plot, 800)
    assert image.size() == QSize(800, 400)
    assert image.pixelColor(5, 5) == QColor("navy")
    clear = plot_image(plot, 800, transparent=True)
    assert clear.pixelColor(5, 5).alpha() == 0
    assert any(pixel[0] > 200 and pixel[3] > 0 for pixel in colours(clear))  # the line stays
    assert plot.backgroundBrush().color() == QColor("navy")  # and the widget is as before


def test_a_widget_can_be_written_as_vectors(plot):
    svg = plot_svg(plot, "a plot")
    assert QSvgRenderer(svg).isValid() and b"<title>a plot</title>" in svg


def test_a_picture_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "a.png"
    path.write_text("old")
    with pytest.raises(EngineError, match="choose a smaller one"):
        write_image(QImage(), path)
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


@pytest.fixture
def dialog(qtbot, sources):
    """The dialog over that stage."""
    opened = PictureDialog(sources)
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitExposed(opened)
    return opened


def test_the_dialog_writes_a_png_of_the_chosen_size(qtbot, dialog):
    dialog.width_field.setValue(640)
    dialog.height_field.setValue(360)
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert QImage(str(dialog.target.path)).size() == QSize(640, 360)


def test_the_dialog_writes_an_svg(qtbot, dialog):
    dialog.format.setCurrentIndex(1)
    assert dialog.target.path.suffix == ".svg" and not dialog.width_field.isEnabled()
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    assert QSvgRenderer(str(dialog.target.path)).isValid()


def test_the_dialog_copies(qtbot, dialog):
    dialog.width_field.setValue(320)
    dialog.height_field.setValue(200)
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().image().size() == QSize(320, 200)
    assert "clipboard" in dialog.told.text() and dialog.isVisible()


def test_the_preview_follows_the_choices(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.preview.pixmap().isNull())
    dialog.width_field.setValue(500)
    dialog.height_field.setValue(500)
    qtbot.waitUntil(lambda: dialog.preview.pixmap().size() == QSize(280, 280))
    dialog.target.edit.setText("")
    qtbot.waitUntil(lambda: not dialog.write_button.isEnabled())
    assert dialog.told.text() == "Choose a file to write to."
