"""How fast the stage in space plays: every frame is moved, drawn and shown in full."""

import os
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from assets import example_paths
from bench.tables import Table
from bench.timing import Effort
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.model.elements import Model
from engine.running.simulate import run

SIZE = (1000, 700)
WANTED = {50: 45.0, 500: 12.0}  # bodies, and frames per second required without a graphics card
SHOTS = 40  # frames of one timing
FRAME = 16.6  # ms of a frame at 60 Hz
WITH_PLOTS = 25.0  # ms of a frame where plots follow the clock too
ROUNDS = 5  # the best of their medians counts


def bench(effort: Effort) -> list[Table]:
    """Frames per second with bodies alone, and with a joint at each."""
    if not (os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM")):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gui.stages.space.screen.opengl import opengl

    found = opengl()
    table = Table(
        "Frames per second of the stage in space",
        ("bodies", "joints", "frames/s", "slowest [ms]", "wanted", "reached"),
        notes=[f"{SIZE[0]} x {SIZE[1]} pixels, drawn by {found.renderer or found.reason}."],
    )
    if not found.works:
        return [table, frame_times(effort, spatial=False)]
    cases = [(50, False), (50, True), (500, False)] if effort.share >= 0.1 else [(5, True)]
    for n, joined in cases:
        model = swarm(n, joined=joined)
        rate, slowest = playing(model, max(int(SHOTS * min(effort.share * 10, 1)), 3), effort)
        wanted = WANTED.get(n, 0.0)
        table.rows.append((n, n * joined, rate, 1e3 * slowest, wanted, rate >= wanted))
    return [table, frame_times(effort, spatial=True)]


def frame_times(effort: Effort, *, spatial: bool) -> Table:
    """Milliseconds of a frame of a finished run in both stages, and with two plots beside it."""
    table = Table(
        "Milliseconds of a frame of a finished run",
        ("what", "median", "wanted", "reached"),
        notes=[f"{SIZE[0]} x {SIZE[1]} pixels; the best of {ROUNDS} medians."],
    )
    n = 50 if effort.share >= 0.1 else 3
    cases = [(f"{n} links in the plane", links(n))]
    if spatial:
        platform = load(example_paths()["stewart_platform"])
        short = replace(platform, settings=replace(platform.settings, t_end=1.0))
        cases += [(f"{n} bodies in space", swarm(n, joined=False)), ("Stewart platform", short)]
    shots = max(int(SHOTS * min(effort.share * 10, 1)), 3)
    for what, model in cases:
        took = median_time(model, shots)
        table.rows.append((what, took, FRAME, took <= FRAME))
    took = median_time(links(n), shots, with_plots=True)
    table.rows.append((f"{n} links and two plots", took, WITH_PLOTS, took <= WITH_PLOTS))
    return table


def links(n: int) -> Model:
    """Rods that swing on pins, in rows."""
    m = Mechanism("Links")
    side = int(np.ceil(np.sqrt(n)))
    for k in range(n):
        x, y = 1.0 * (k % side), -1.0 * (k // side)
        rod = m.rod((x, y), (x + 0.6, y - 0.4))
        m.revolute("ground", rod, at=(x, y))
    m.settings(t_end=0.4, step=0.01, output_step=0.01)
    return m.model


def median_time(model: Model, n_frames: int, *, with_plots: bool = False) -> float:
    """Milliseconds of a frame, moved, drawn and shown: the best of the medians of several rounds."""
    view, playback = stage_of(model)
    screens = [view.viewport() if hasattr(view, "viewport") else view]
    area = plots_beside(view) if with_plots else None
    screens += [plot.widget.viewport() for plot in area.plots()] if area is not None else []
    times = np.linspace(0.0, playback.t_last, n_frames + 1)[1:]
    medians = []
    for _ in range(ROUNDS + 1):  # the first one decides how finely it is drawn
        took = []
        for t in times:
            before = perf_counter()
            playback.set_time(float(t))
            for screen in screens:
                screen.repaint()
            took.append(1e3 * (perf_counter() - before))
        medians.append(float(np.median(took)))
        playback.set_time(0.0)
    if hasattr(view, "close_drawing"):
        view.close_drawing()
    view.close()
    if area is not None:
        area.shutdown()
        area.close()
    return min(medians[1:])


def plots_beside(view: Any) -> Any:
    """Two plots over time, of two curves each, that follow the clock of a stage."""
    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest

    from gui.plots.plot_area import PlotArea
    from gui.state.preferences import Preferences

    area = PlotArea(view.document, view.selection, view.playback, Preferences(QSettings()))
    area.resize(SIZE[0], SIZE[1] // 3)
    area.show()
    rods = [body.id for body in view.document.model.of("body")[:2]]
    for quantity in ("angle", "angular_velocity"):
        area.add_time_plot([f"{rod}.{quantity}" for rod in rods])
    while area.columns.is_busy or any(plot.is_stale for plot in area.plots()):
        QTest.qWait(20)
    return area


def swarm(n: int, *, joined: bool) -> Model:
    """Boxes, cylinders and balls in rows that tumble, free or on ball joints."""
    m = Mechanism("Swarm", dim=3)
    side = int(np.ceil(np.sqrt(n)))
    for k in range(n):
        x, y, z = k % side, k // side, 0.5
        spin = (1.0 + 0.1 * (k % 7), 2.0, 3.0 - 0.2 * (k % 5))
        if k % 3 == 0:
            body = m.box((x, y, z), 0.5, 0.3, 0.2, angular_velocity=spin)
        elif k % 3 == 1:
            body = m.cylinder((x, y, z - 0.2), (x, y, z + 0.2), 0.2, angular_velocity=spin)
        else:
            body = m.sphere((x, y, z), 0.25, angular_velocity=spin)
        if joined:
            m.spherical("ground", body, (x, y, z))
    m.settings(t_end=0.4, step=0.01, output_step=0.01)
    return m.model


def playing(model: Model, n_frames: int, effort: Effort) -> tuple[float, float]:
    """Frames per second and the slowest frame [s] of the best of several rounds."""
    view, playback = stage_of(model)
    results = playback.results
    times = np.linspace(0.0, float(results.t[-1]), n_frames + 1)
    best, slowest = np.inf, np.inf
    for _ in range(max(effort.repeats, 1)):
        took = []
        for t in times[1:]:
            before = perf_counter()
            playback.set_time(float(t))
            view.repaint()
            took.append(perf_counter() - before)
        best, slowest = min(best, float(np.mean(took))), min(slowest, max(took))
        playback.set_time(0.0)
    view.close_drawing()
    view.close()
    return 1.0 / best, slowest


def stage_of(model: Model) -> tuple[Any, Any]:
    """A stage on the screen that shows the run of a model."""
    from gui.stages.stages import make_stage
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection
    from gui.window.app import application

    app = application()
    document, playback = Document(), Playback()
    document.new(model)
    view = make_stage(document, Selection(), playback)
    view.resize(*SIZE)
    view.show()
    playback.start(run(model), None)  # type: ignore[arg-type]
    view.fit()
    for _ in range(3):
        app.processEvents()
    return view, playback
