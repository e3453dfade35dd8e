"""How fast the window is without a graphics card: playing, editing, long curves, and the start."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from bench.tables import Table
from bench.timing import Effort
from engine.editing.builder import Mechanism
from engine.model.elements import Model, put
from engine.running.simulate import prepare, run

ROOT = Path(__file__).parent.parent
N_CELLS = 100  # of a lazy tongs: two rods and three pins each, 200 bodies and 300 joints in all
WANTED = 30.0  # frames per second
SIZE = (1280, 720)


def bench(effort: Effort) -> list[Table]:
    """Frames per second of stage and plots, and seconds until the window can be used."""
    if not (os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM")):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return [frame_rates(effort), start_times(effort)]


def lazy_tongs(n_cells: int = N_CELLS) -> Model:
    """Crossed rods pinned in their middles and at their ends, on a pin and a slider: it has one DOF."""
    m = Mechanism("Lazy tongs", gravity=(0.0, -9.81))
    before: list[str] = []
    for n in range(n_cells):
        rods = [m.rod((n, 0.0), (n + 1, 1.0), mass=1), m.rod((n, 1.0), (n + 1, 0.0), mass=1)]
        m.revolute(*rods, at=(n + 0.5, 0.5))
        if before:
            m.revolute(before[1], rods[0], at=(n, 0.0))
            m.revolute(before[0], rods[1], at=(n, 1.0))
        else:
            m.revolute("ground", rods[0], at=(0.0, 0.0))
            m.point_on_line("ground", rods[1], at=(0.0, 1.0), axis=(0.0, 1.0))
        before = rods
    return m.model


def frame_rates(effort: Effort) -> Table:
    """Frames painted per second: every frame is computed, moved and drawn in full."""
    table = Table(
        "Frames per second of the window, drawn by the processor",
        ("what", "frames/s", "slowest [ms]", f"at least {WANTED:g}"),
        notes=[f"Stage and plots of {SIZE[0]} x {SIZE[1]} pixels; time of the processor counts."],
    )
    n_frames = max(int(200 * effort.share), 3)
    cells = N_CELLS if effort.share >= 0.1 else 5
    model = lazy_tongs(cells)
    n_bodies, n_joints = len(model.of("body")), len(model.of("joint"))
    what = f"{n_bodies} bodies, {n_joints} joints"
    for title, paint in (
        (f"play {what}", playing(model)),
        (f"play {what} with reactions", playing(model, arrows=True)),
        (f"edit {what}", editing(model)),
        *(
            (title.format(int(1e6 * effort.share)), paint)
            for title, paint in curves(int(1e6 * effort.share))
        ),
    ):
        rate, slowest = measure(paint, n_frames)
        table.rows.append((title, rate, 1e3 * slowest, rate >= WANTED))
    return table


def measure(paint: Callable[[float], object], n_frames: int) -> tuple[float, float]:
    """Frames per second and the slowest frame [s] of painting at places from 0 to 1.

    The time of this thread on the processor counts, so that other work on the machine does not.
    """
    paint(0.0)
    times = []
    for place in np.linspace(0.0, 1.0, n_frames):
        before = thread_time()
        paint(float(place))
        times.append(thread_time() - before)
    return len(times) / sum(times), max(times)


def playing(model: Model, *, arrows: bool = False) -> Callable[[float], object]:
    """Paint the stage at a time of a run."""
    from gui.stages.plane.view import StageView
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection
    from gui.window.app import application

    application()
    document, playback = Document(), Playback()
    document.new(model)
    running = prepare(model, t_end=0.5, output_step=2e-3)
    playback.start(run(running.compiled, t_end=0.5, output_step=2e-3), running.mobility)
    view = StageView(document, Selection(), playback)
    view.resize(*SIZE)
    view.show()
    view.fit()
    if arrows:
        view.show_arrows("reactions", True)

    def paint(place: float) -> None:
        """Show another moment."""
        playback.set_time(place * playback.t_last)
        view.viewport().repaint()

    return paint


def editing(model: Model) -> Callable[[float], object]:
    """Paint the stage while one body is moved, as each move of the mouse does."""
    from gui.stages.plane.view import StageView
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection
    from gui.window.app import application

    application()
    document = Document()
    document.new(model)
    view = StageView(document, Selection(), Playback())
    view.resize(*SIZE)
    view.show()
    view.fit()
    body: Any = model.of("body")[-1]

    def paint(place: float) -> None:
        """Show the body somewhere else."""
        x, y = body.position
        document.preview(put(model, replace(body, position=(x + place, y))))
        view.viewport().repaint()

    return paint


def curves(n_points: int) -> list[tuple[str, Callable[[float], object]]]:
    """Paint long curves over time while the view moves, and a phase portrait while time goes on."""
    from PySide6.QtCore import QCoreApplication

    from gui.plots.plot_area import PlotArea
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection
    from gui.window.app import application

    application()
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    document, playback = Document(), Playback()
    document.new(m.model)
    t_end = 1e-3 * max(n_points - 1, 1)
    running = prepare(m.model, t_end=t_end, output_step=1e-3)
    playback.start(run(running.compiled, t_end=t_end, output_step=1e-3), running.mobility)
    area = PlotArea(document, Selection(), playback)
    area.resize(*SIZE)
    area.show()
    over_time = area.add_time_plot([f"{rod}.angle", f"{rod}.angular_velocity", "total_energy"])
    phase = area.add_phase_plot(f"{rod}.angle", f"{rod}.angular_velocity")
    stop = perf_counter() + 60.0
    while area.columns.is_busy and perf_counter() < stop:
        QCoreApplication.processEvents()

    def pan(place: float) -> None:
        """Show another tenth of the curves."""
        over_time.canvas.setXRange(0.9 * place * t_end, (0.9 * place + 0.1) * t_end, padding=0)
        over_time.redraw()
        over_time.widget.viewport().repaint()

    def whole(place: float) -> None:
        """Redraw all curves."""
        over_time.canvas.setXRange(0.0, (1.0 - 0.1 * place) * t_end, padding=0)
        over_time.redraw()
        over_time.widget.viewport().repaint()

    def move(place: float) -> None:
        """Move the clock in the phase portrait."""
        playback.set_time(place * t_end)
        phase.widget.viewport().repaint()

    return [
        ("pan three curves of {} points", pan),
        ("zoom three curves of {} points", whole),
        ("play a phase portrait of {} points", move),
    ]


def start_times(effort: Effort) -> Table:
    """Seconds from the start of the program to the first paint, the stage and the plots."""
    table = Table(
        "Start of the window in a fresh process, kernels compiled [s]",
        ("start", "first paint", "stage and tools", "plots"),
        notes=["Counted from the start of Python; the best of several counts."],
    )
    repeats = max(effort.repeats // 2, 1)
    best = [min(times) for times in zip(*(start_once() for _ in range(repeats)))]
    table.rows.append(("best", *best))
    return table


def start_once() -> tuple[float, ...]:
    """The marks of one start."""
    with TemporaryDirectory(prefix="kardan-bench-") as folder:
        began = perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "bench.first_window", folder],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        whole = perf_counter() - began
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    marks = json.loads(done.stdout.splitlines()[-1])
    lost = whole - marks["whole"]  # starting Python itself, and ending it
    return tuple(marks[name] + lost for name in ("painted", "completed", "plotted"))
