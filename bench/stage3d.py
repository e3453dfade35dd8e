"""How fast the stage in space plays: every frame is moved, drawn and shown in full."""

import os
from time import perf_counter
from typing import Any

import numpy as np

from bench.tables import Table
from bench.timing import Effort
from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.running.simulate import run

SIZE = (1000, 700)
WANTED = {50: 45.0, 500: 12.0}  # bodies, and frames per second required without a graphics card
SHOTS = 40  # frames of one timing


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
        return [table]
    cases = [(50, False), (50, True), (500, False)] if effort.share >= 0.1 else [(5, True)]
    for n, joined in cases:
        model = swarm(n, joined=joined)
        rate, slowest = playing(model, max(int(SHOTS * min(effort.share * 10, 1)), 3), effort)
        wanted = WANTED.get(n, 0.0)
        table.rows.append((n, n * joined, rate, 1e3 * slowest, wanted, rate >= wanted))
    return [table]


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
