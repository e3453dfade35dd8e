"""A panel of plots with real runs, for the tests of plots."""

import json

import numpy as np
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from engine.results.blocks import Block
from engine.results.results import Results
from engine.running.simulate import prepare
from gui.plots.base import IDS
from gui.plots.chooser import ChannelChooser
from gui.plots.plot_area import PlotArea
from gui.running.simulator import Simulator
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection
from tests.run_models import double_pendulum, lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


def panel_of_plots(qtbot, tmp_path):
    """A panel of plots beside a double pendulum of two seconds."""
    document, selection, playback = Document(), Selection(), Playback()
    document.new(double_pendulum())
    settings = QSettings(str(tmp_path / "p.ini"), QSettings.Format.IniFormat)
    simulator = Simulator(document, playback)
    panel = PlotArea(document, selection, playback, Preferences(settings), simulator)
    qtbot.addWidget(panel)
    panel.resize(1000, 320)
    panel.show()
    qtbot.waitExposed(panel)
    qtbot.waitUntil(lambda: simulator.state == "idle", timeout=PATIENCE)
    yield panel
    panel.shutdown()
    simulator.shutdown()


def solve(qtbot, area):
    """Run the model to its end."""
    simulator = area.context.simulator
    simulator.run()
    qtbot.waitUntil(lambda: simulator.state == "idle", timeout=PATIENCE)
    settle(qtbot, area)


def settle(qtbot, area):
    """Wait until all plots show what there is."""

    def rests():
        is_drawing = any(plot.is_stale for plot in area.plots())
        return not area.columns.is_busy and not is_drawing

    for _ in range(2):  # what has arrived is drawn, and drawing may ask for more
        qtbot.wait(30)
        qtbot.waitUntil(rests)


def drop(widget, ids):
    """Drop elements on a widget, as a drag from the tree does."""
    data = QMimeData()
    data.setData(IDS, json.dumps(ids).encode())
    place = QPointF(widget.rect().center())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    event = QDropEvent(place, Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(widget, event)
    assert event.isAccepted()


def pixel(plot, x, y):
    """Where a place of the data is in the viewport of a plot."""
    return plot.widget.mapFromScene(plot.canvas.mapViewToScene(QPointF(x, y)))


def drawn(plot, name):
    """The points of the curve of the current run: times and values in SI units."""
    curve = plot._curves[plot.context.playback.current, name]
    t, y = curve.getData()
    entry = plot.entries()[name]
    axis = plot.axes[entry.unit]
    return t, (axis.low + y * (axis.high - axis.low)) * plot.shown(entry.unit).factor


def long_record(area, n):
    """A run of n frames without a simulation."""
    running = prepare(pendulum())
    t = np.linspace(0.0, 100.0, n)
    q = np.stack([np.cos(t), np.sin(t), 5.0 * np.sin(3.0 * t)], axis=1)
    v = np.stack([-np.sin(t), np.cos(t), 15.0 * np.cos(3.0 * t)], axis=1)
    settings = lasting(pendulum(), 100.0).settings
    results = Results(running.compiled, settings)
    zero = np.zeros(n)
    lam = np.zeros((n, running.compiled.n_rows))
    results.append(Block(t, q, v, np.zeros_like(v), lam, zero, zero, zero.astype(np.int64)))
    area.context.document.new(running.compiled.model)
    return area.context.playback.start(results, running.mobility)


def chooser_of(plot):
    """The chooser that is open over a plot."""
    return plot.findChild(ChannelChooser)
