"""How soon the page of equations is there for a dozen bodies, whether the window goes on, and playback."""

import os
from collections.abc import Callable
from time import perf_counter, thread_time

import numpy as np

from bench.tables import Table
from bench.timing import Effort
from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.running.simulate import prepare, run

BODIES = 12
SOON, PLAYED = 2.0, 20.0  # s, frames/s
SIZE = (1280, 720)
TICK = 5  # ms between two signs of life of the window


def bench(effort: Effort) -> list[Table]:
    """Seconds until the equations stand there, the longest standstill, and frames per second of numbers."""
    if not (os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM")):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    count = BODIES if effort.share >= 0.1 else 2
    table = Table(
        "The page of equations",
        ("what", "there after [s]", "standstill [ms]", "frames/s", f"{SOON:g} s, {PLAYED:g}/s"),
        notes=[
            "By the clock; the standstill is the longest time in which the window did not answer."
        ],
    )
    for title, model in (
        (f"{count} rods in the plane", hanging(count)),
        (f"{count} hinged bodies in space", hinged(count)),
    ):
        opened, still, rate = measured(model, max(int(100 * effort.share), 3))
        table.rows.append((title, opened, 1e3 * still, rate, opened <= SOON and rate >= PLAYED))
    return [table]


def hanging(count: int) -> Model:
    """Rods in a row, pinned to each other and to the ground."""
    m = Mechanism("Hanging rods", gravity=(0.0, -9.81))
    before = "ground"
    for n in range(count):
        rod = m.rod((n, 0.0), (n + 1, 0.0), mass=1)
        m.revolute(before, rod, at=(n, 0.0))
        before = rod
    return m.model


def hinged(count: int) -> Model:
    """Boxes in a row, with hinges whose axes turn by a right angle each."""
    m = Mechanism("Hinged boxes", dim=3, gravity=(0.0, 0.0, -9.81))
    before = "ground"
    for n in range(count):
        box = m.box((n + 0.5, 0.0, 0.0), 0.9, 0.2, 0.1, mass=1)
        m.revolute(before, box, at=(n, 0.0, 0.0), axis=(0, 1, 0) if n % 2 else (0, 0, 1))
        before = box
    return m.model


def measured(model: Model, n_frames: int) -> tuple[float, float, float]:
    """Seconds until the page is filled, its longest standstill, and frames per second of the numbers."""
    from PySide6.QtCore import QTimer

    from gui.instruments.equations.panel import NUMBERS, EquationsPanel
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection
    from gui.window.app import application

    app = application()
    document, playback = Document(), Playback()
    page = EquationsPanel(document, Selection(), playback)
    page.resize(*SIZE)
    page.show()
    waited(app.processEvents, lambda: not page.is_finding)
    signs = [perf_counter()]
    pulse = QTimer(interval=TICK)
    pulse.timeout.connect(lambda: signs.append(perf_counter()))
    pulse.start()
    begin = perf_counter()
    document.new(model)
    waited(app.processEvents, lambda: page.made is not None and page.made.model is model)
    page.sheet.repaint()
    opened = perf_counter() - begin
    pulse.stop()
    running = prepare(model, t_end=0.2, output_step=2e-3)
    playback.start(run(running.compiled, t_end=0.2, output_step=2e-3), running.mobility)
    page.choose(NUMBERS)
    app.processEvents()
    before = thread_time()
    for place in np.linspace(0.0, 1.0, n_frames):
        playback.set_time(place * playback.t_last)
        page.show_numbers()
        page.numbers.repaint()
    rate = n_frames / (thread_time() - before)
    page.shutdown()
    page.close()
    page.deleteLater()
    return opened, float(np.diff(signs).max(initial=0.0)), rate


def waited(step: Callable[[], object], until: Callable[[], bool]) -> None:
    """Take steps until something is so."""
    while not until():
        step()
