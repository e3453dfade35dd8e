"""The background picture belongs to the model: kept in its file, undone, exported, never a danger."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QFileDialog

from engine.files.model_files import dumps, loads, save
from engine.model.elements import Backdrop, planar
from engine.running.simulate import run
from gui.export.twin import Twin
from gui.look.theme import LIGHT
from gui.stages.plane.background import MAX_BYTES, backdrop_of, picture_of
from gui.stages.plane.view import render_model
from tests.gui.export_samples import staged_sources

GREEN = "#00ff00"


@pytest.fixture
def photo(tmp_path):
    """The path of a green picture."""
    picture = QImage(200, 100, QImage.Format.Format_RGB32)
    picture.fill(QColor(GREEN))
    path = tmp_path / "my photo.png"
    picture.save(str(path))
    return path


def colors(image):
    """The colours of some pixels of a picture."""
    w, h = image.width(), image.height()
    return {image.pixelColor(x, y).name() for x in range(0, w, 7) for y in range(0, h, 7)}


def test_a_chosen_picture_is_kept_in_the_file_and_shown_when_it_is_opened(
    window, photo, monkeypatch, tmp_path
):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(photo), ""))
    options, document = window.stage_options, window.document
    options.chooser.trigger()
    next(a for a in options.opacities.actions() if a.data() == 1.0).trigger()
    assert document.undo_stack.count() == 2
    assert GREEN in colors(window.stage.render_image(QSize(400, 300)))
    path = tmp_path / "model.json"
    document.save(path)
    assert "my photo" not in path.read_text()  # no path of this machine
    photo.unlink()
    document.new()
    assert window.stage.background.rect().isNull()
    document.open(path)
    assert GREEN in colors(window.stage.render_image(QSize(400, 300)))
    assert all(action.isEnabled() for action in options.of_picture)
    assert GREEN in colors(render_model(document.model, QSize(300, 200), LIGHT))


def test_every_change_of_the_picture_is_one_step_of_undo(window, photo):
    options, document = window.stage_options, window.document
    options.show_picture(str(photo))
    first = window.stage.background.rect()
    left, right = (first.left(), 0.0), (first.right(), 0.0)
    options.set_distance(left, right, "500 mm")
    assert window.stage.background.rect().width() == pytest.approx(0.5)
    assert window.stage.background.rect().left() == pytest.approx(first.left())
    options.remove()
    assert window.stage.background.rect().isNull()
    for _ in range(2):
        document.undo_stack.undo()
    assert window.stage.background.rect() == first
    document.undo_stack.undo()
    assert document.model.background is None
    assert not any(action.isEnabled() for action in options.of_picture)


def test_a_large_picture_is_made_to_fit(qapp, tmp_path):
    noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 4), dtype=np.uint8)
    big = QImage(noise.data, 2000, 1500, QImage.Format.Format_RGB32)
    big.save(str(tmp_path / "big.png"))
    assert (tmp_path / "big.png").stat().st_size > MAX_BYTES
    backdrop = backdrop_of(str(tmp_path / "big.png"), 0.0, 0.0, 100.0)
    assert len(base64.b64decode(backdrop.picture)) <= MAX_BYTES
    image = picture_of(backdrop)
    assert image.width() / image.height() == pytest.approx(4 / 3, rel=0.01)
    assert max(image.width(), image.height()) * backdrop.pixel == pytest.approx(6.0)
    assert loads(dumps(replace(planar(), background=backdrop))).background == backdrop


@pytest.mark.parametrize("picture", ["?", "", "AAAA", base64.b64encode(b"<svg/>" * 9).decode()])
def test_a_broken_picture_is_told_and_the_model_opens(window, tmp_path, picture):
    path = tmp_path / "broken.json"
    save(replace(planar("Sound"), background=Backdrop(picture=picture)), path)
    window.document.open(path)
    assert window.document.model.name == "Sound"
    assert "background picture" in window.toaster.text.text()
    assert window.stage.background.rect().isNull()
    window.stage_options.remove()
    assert window.document.model.background is None


def test_films_and_pictures_show_it(qtbot, photo, tmp_path):
    sources = staged_sources(qtbot, tmp_path)
    backdrop = replace(backdrop_of(str(photo), 0.0, 0.0, 100.0), opacity=1.0)
    results = run(replace(sources.document.model, background=backdrop), t_end=0.1)
    sources.document.new(results.model)
    sources.playback.start(results, None)
    twin = Twin(sources, sources.playback.current)
    assert GREEN in colors(twin.image(0.1, QSize(320, 240)))
    twin.close()


def test_models_without_a_picture_are_written_as_before():
    assert "background" not in dumps(planar("Plain"))
