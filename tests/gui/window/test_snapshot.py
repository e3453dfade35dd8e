"""Without a window: a table and a picture of the last frame."""

import pytest
from PySide6.QtGui import QColor, QImage

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import save
from gui.look.colors import body_colors
from gui.look.theme import theme_of
from gui.stages.plane.graphics.inks import Inks
from gui.window.snapshot import SIZE, write_snapshot


def swing(folder):
    """A pendulum file with a short run."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    path = folder / "pendulum.json"
    save(m.model, path)
    return m.model, path


def test_a_table_and_a_picture_are_written(qapp, tmp_path):
    model, path = swing(tmp_path)
    table, picture = write_snapshot(str(path), str(tmp_path / "out"))
    assert table.read_text(encoding="utf-8").count("\n") > 1000  # 10 s in frames of 0.01 s
    image = QImage(str(picture))
    assert image.size() == SIZE
    theme = theme_of(qapp.palette())
    fill = Inks(theme).body_fill(body_colors(model, theme)["rod_1"]).color()
    seen = {image.pixelColor(x, y).name() for x in range(0, 1280, 3) for y in range(0, 720, 3)}
    assert QColor(fill).name() in seen


def test_a_model_without_bodies_is_refused_in_words(qapp, tmp_path):
    path = tmp_path / "nothing.json"
    save(Mechanism("Nothing").model, path)
    with pytest.raises(EngineError, match="no moving body"):
        write_snapshot(str(path), str(tmp_path))
