"""Simulate without a window and write a table and a picture."""

from pathlib import Path

from PySide6.QtCore import QSize

from assets import example_paths
from engine.errors import EngineError
from engine.export import write_csv
from engine.files import load
from engine.simulate import run
from gui.app import application
from gui.view import render_frame

SIZE = QSize(1280, 720)
TRAIL = 100  # frames before the last one whose trails are drawn


def write_snapshot(name: str, folder: str) -> tuple[Path, Path]:
    """Simulate an example or a model file; write <name>.csv and <name>.png into the folder."""
    path = example_paths().get(name, Path(name))
    results = run(load(path))
    if not len(results):
        raise EngineError(results.ending.sentence if results.ending else "The run has no frames.")
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    table, picture = out / f"{path.stem}.csv", out / f"{path.stem}.png"
    write_csv(results, table)
    app = application()  # kept until the picture is written
    if not render_frame(results.compiled, results.q[-TRAIL:], SIZE).save(str(picture)):
        raise EngineError(f"Cannot write '{picture}'. Make room, or choose another folder.")
    del app
    return table, picture
