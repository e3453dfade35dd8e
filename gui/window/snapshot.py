"""Simulate without a window and write a table and a picture."""

from pathlib import Path

from PySide6.QtCore import QSize

from engine.errors import EngineError
from engine.files.finding import model_path
from engine.files.model_files import load
from engine.results.export import write_csv
from engine.running.simulate import run
from gui.look.theme import theme_of
from gui.stages.plane.view import render_model
from gui.window.app import application

SIZE = QSize(1280, 720)


def write_snapshot(name: str, folder: str) -> tuple[Path, Path]:
    """Simulate an example or a model file; write <name>.csv and <name>.png into the folder."""
    path = model_path(name)
    results = run(load(path))
    if not len(results):
        raise EngineError(results.ending.sentence if results.ending else "The run has no frames.")
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    table, picture = out / f"{path.stem}.csv", out / f"{path.stem}.png"
    write_csv(results, table)
    app = application()  # kept until the picture is written
    drawn = render_model(results.model, SIZE, theme_of(app.palette()), results)
    if not drawn.save(str(picture)):
        raise EngineError(f"Cannot write '{picture}'. Make room, or choose another folder.")
    return table, picture
