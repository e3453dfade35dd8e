"""Films: what is in the files, cancelling and failing without a rest, and a window that stays alive."""

import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QObject, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QDialog

from engine.errors import EngineError
from gui.export.film import film_files
from gui.export.film.film_dialog import FilmDialog
from gui.export.film.film_files import FilmForm, ffmpeg
from gui.export.film.film_job import FilmJob, frame_times
from gui.export.twin import Twin
from tests.gui.export_samples import sample_results, staged_sources

SIZE = QSize(120, 90)


def moving_dot(t):
    """A red dot that moves to the right."""
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setBrush(QColor("red"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(QPointF(20 + 40 * t, 45), 15, 15)
    painter.end()
    return image


def place_of_dot(picture):
    """The column around which a picture is red."""
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    red = (pixels[:, :, 0] > 180) & (pixels[:, :, 1] < 120)
    return np.flatnonzero(red.any(axis=0)).mean()


def make_film(qtbot, path, times, rate=20.0, paint=moving_dot):
    """Run a job to its end."""
    owner = QObject()
    job = FilmJob(paint, times, FilmForm(SIZE.width(), SIZE.height(), rate), path, owner)
    with qtbot.waitSignal(job.finished):
        job.start()
    job.owner = owner
    return job


def frames_of_mp4(path):
    """The pictures of a film, by the same program that wrote it."""
    command = [ffmpeg(), "-loglevel", "error", "-i", str(path), "-f", "rawvideo"]
    done = subprocess.run([*command, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    pixels = np.frombuffer(done.stdout, np.uint8).reshape(-1, SIZE.height(), SIZE.width(), 3)
    return [Image.fromarray(frame) for frame in pixels]


@pytest.mark.parametrize(
    "stop, speed, rate, count, last",
    [(2.0, 1.0, 25.0, 51, 2.0), (2.0, 0.5, 25.0, 101, 2.0), (1.0, 4.0, 30.0, 8, 14 / 15)],
)
def test_the_frames_of_a_film_follow_speed_and_rate(stop, speed, rate, count, last):
    times = frame_times(0.0, stop, speed, rate)
    assert len(times) == count
    assert np.diff(times) == pytest.approx(speed / rate, rel=1e-9)  # rounding
    assert times[-1] == pytest.approx(last, rel=1e-12)  # rounding


def test_an_mp4_has_every_frame_in_order(qtbot, tmp_path):
    path = tmp_path / "film.mp4"
    job = make_film(qtbot, path, frame_times(0.0, 2.0, 1.0, 20.0))
    assert job.sentence == "" and not job.was_cancelled
    pictures = frames_of_mp4(path)
    assert len(pictures) == 41
    # a dot of 15 pixels, blurred by the compression: its middle is known to a pixel
    assert [place_of_dot(p) for p in pictures[::20]] == pytest.approx([20, 60, 100], abs=1.0)


def test_a_gif_has_every_frame_and_lasts_as_long_as_the_film(qtbot, tmp_path):
    path = tmp_path / "film.gif"
    job = make_film(qtbot, path, frame_times(0.0, 2.0, 1.0, 30.0), rate=30.0)
    assert job.sentence == ""
    with Image.open(path) as gif:
        places, pauses = [], []
        for n in range(gif.n_frames):
            gif.seek(n)
            places.append(place_of_dot(gif))
            pauses.append(gif.info["duration"])
    assert len(places) == 61 and gif.info["loop"] == 0
    assert np.diff(places).min() > 0.0
    assert places[0] == pytest.approx(19.5, abs=1.0) and places[-1] == pytest.approx(99.5, abs=1.0)
    assert sum(pauses) == pytest.approx(61 / 30 * 1000, abs=10)  # pauses are whole hundredths


def test_frames_that_do_not_change_cost_nothing_in_a_gif(qtbot, tmp_path):
    still, moving = tmp_path / "still.gif", tmp_path / "moving.gif"
    make_film(qtbot, still, frame_times(0.0, 2.0, 1.0, 20.0), paint=lambda t: moving_dot(0.0))
    make_film(qtbot, moving, frame_times(0.0, 2.0, 1.0, 20.0))
    assert still.stat().st_size < moving.stat().st_size / 3
    with Image.open(still) as gif:
        assert gif.info["duration"] == 41 * 50


@pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
def test_a_cancelled_film_leaves_the_old_file_and_no_rest(qtbot, tmp_path, name):
    path = tmp_path / name
    path.write_text("old")
    owner = QObject()
    times = frame_times(0.0, 100.0, 1.0, 25.0)
    job = FilmJob(moving_dot, times, FilmForm(120, 90, 25.0), path, owner)
    QTimer.singleShot(150, job.cancel)
    with qtbot.waitSignal(job.finished):
        job.start()
    assert job.was_cancelled and job.sentence == ""
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_a_program_that_fails_is_quoted_and_leaves_no_rest(qtbot, tmp_path, monkeypatch):
    script = "import sys; sys.exit('no such codec')"
    popen = subprocess.Popen

    def failing(command, **options):
        """Another program in the place of ffmpeg."""
        return popen([sys.executable, "-c", script], **options)

    monkeypatch.setattr(film_files.subprocess, "Popen", failing)
    job = make_film(qtbot, tmp_path / "film.mp4", frame_times(0.0, 20.0, 1.0, 20.0))
    assert job.sentence == "ffmpeg could not write the film: no such codec."
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_cannot_be_painted_ends_the_film_with_its_sentence(qtbot, tmp_path):
    def fail(t):
        """Paint for a while, then not."""
        if t > 0.5:
            raise EngineError("The paint is used up.")
        return moving_dot(t)

    job = make_film(qtbot, tmp_path / "film.mp4", frame_times(0.0, 2.0, 1.0, 20.0), paint=fail)
    assert job.sentence == "The paint is used up." and list(tmp_path.iterdir()) == []


def test_a_fault_while_painting_ends_the_film_instead_of_waiting_for_ever(qtbot, tmp_path):
    def fail(t):
        """A mistake in the program."""
        return moving_dot(t) if t < 0.5 else 1 / 0

    job = make_film(qtbot, tmp_path / "film.mp4", frame_times(0.0, 2.0, 1.0, 20.0), paint=fail)
    assert "ZeroDivisionError" in job.sentence and list(tmp_path.iterdir()) == []


def test_a_missing_ffmpeg_is_told_with_two_remedies(monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(EngineError, match=r"pip install imageio-ffmpeg.*write a GIF instead"):
        ffmpeg()


def test_the_window_answers_while_a_film_is_made(qtbot, tmp_path):
    sources = staged_sources(qtbot, tmp_path)
    twin = Twin(sources, sources.record)
    happened = []
    timer = QTimer()
    timer.timeout.connect(lambda: happened.append("answer"))
    timer.start(0)  # whenever the window has a turn

    def paint(t):
        happened.append("frame")
        return twin.image(t, QSize(120, 90))

    times = frame_times(0.0, 2.0, 1.0, 30.0)
    make_film(qtbot, tmp_path / "film.mp4", times, paint=paint)
    timer.stop()
    twin.close()
    assert happened.count("frame") == len(times) > 10
    # the window has its turn between any two frames
    assert all({*pair} != {"frame"} for pair in pairwise(happened))


def test_a_twin_shows_another_time_and_leaves_the_window_alone(qtbot, tmp_path):
    sources = staged_sources(qtbot, tmp_path)
    sources.stage.zoom(1.5)
    before = sources.stage.grab().toImage()
    twin = Twin(sources, sources.record)
    at_start, later = (twin.image(t, QSize(480, 320)) for t in (0.0, 1.0))
    twin.close()
    assert at_start != later
    assert sources.playback.time == 0.0 and sources.stage.grab().toImage() == before
    here = sources.stage.render_image(QSize(480, 320))
    same = sum(
        here.pixelColor(x, y) == at_start.pixelColor(x, y)
        for x in range(0, 480, 6)
        for y in range(0, 320, 6)
    )
    assert same > 0.97 * 80 * 54  # the same part of the plane; the selection may differ


@pytest.fixture
def dialog(qtbot, tmp_path):
    """The dialog over a stage with a run of two seconds."""
    opened = FilmDialog(staged_sources(qtbot, tmp_path))
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitExposed(opened)
    return opened


def test_the_dialog_makes_a_gif(qtbot, dialog):
    dialog.format.setCurrentIndex(1)
    dialog.stop.setValue(0.5)
    dialog.rate.setValue(10)
    assert dialog.length_told.text() == "6 frames, a film of 0.6 s"
    path = dialog.target.path
    assert path.suffix == ".gif"
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    assert dialog.result() == QDialog.DialogCode.Accepted
    with Image.open(path) as gif:
        assert gif.n_frames == 6 and gif.size == (640, 480)


def test_cancelling_in_the_dialog_keeps_it_open(qtbot, dialog, tmp_path):
    dialog.speed.setCurrentIndex(0)  # a tenth: a long film
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.box.isVisible() and dialog.box.bar.value() > 0)
    qtbot.mouseClick(dialog.box.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Cancelled" in dialog.told.text())
    assert dialog.isVisible() and dialog.isEnabled()
    assert [e.name for e in tmp_path.iterdir() if e.suffix != ".ini"] == []


def test_the_dialog_says_what_cannot_be(dialog):
    dialog.start.setValue(1.0)
    dialog.stop.setValue(0.5)
    assert "no length" in dialog.told.text() and not dialog.write_button.isEnabled()
    dialog.start.setValue(0.0)
    dialog.stop.setValue(2.0)
    assert dialog.write_button.isEnabled()
    assert math.isclose(dialog.times[-1], sample_results().t[-1])
