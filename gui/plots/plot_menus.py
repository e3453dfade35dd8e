"""The menus of plots: what can be done with a plot, a curve or a place of the phase plane."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF
from PySide6.QtWidgets import QMenu

from engine.model.views import Curves, Portrait

if TYPE_CHECKING:
    from gui.plots.phase.phase_plot import PhasePlot
    from gui.plots.time_plot import TimePlot


def time_menu(plot: "TimePlot") -> QMenu:
    """What can be done with a plot over time."""
    menu = QMenu(plot)
    menu.addAction(_tr("Choose variables ..."), lambda: plot.choose_curves(""))
    menu.addAction(_tr("Show everything"), plot.autoscale)
    log = menu.addAction(_tr("Logarithmic values"), lambda: plot.set_log(not plot.is_log))
    log.setCheckable(True)
    log.setChecked(plot.is_log)
    pair = plot.pair()
    phase = menu.addAction(_tr("As a phase portrait"), lambda: _as_phase(plot, pair))
    phase.setEnabled(pair is not None)
    _add_differences(menu, plot)
    menu.addSeparator()
    entries = plot.entries()
    for name in plot.names:
        entry = entries[name]
        words = entry.label if entry is not None else name
        menu.addAction(_tr("Remove {0}").format(words), partial(plot.remove, name))
    return menu


def _add_differences(menu: QMenu, plot: "TimePlot") -> None:
    """The runs from which the present one may be subtracted."""
    runs = menu.addMenu(_tr("Difference from"))
    earlier = [record for record in plot.records() if record is not plot.context.playback.current]
    runs.setEnabled(bool(earlier) and plot.context.playback.current is not None)
    for record in reversed(earlier):
        action = runs.addAction(record.title, partial(plot.subtract, record))
        action.setCheckable(True)
        action.setChecked(plot.reference is record)
    runs.addSeparator()
    nothing = runs.addAction(_tr("Nothing: the run itself"), partial(plot.subtract, None))
    nothing.setCheckable(True)
    nothing.setChecked(plot.reference is None)


def curve_menu(plot: "TimePlot", name: str) -> QMenu:
    """What can be done with one curve over time."""
    menu = QMenu(plot)
    is_hidden = name in plot.hidden
    for mark in plot.marks(name):
        action = menu.addAction(mark.text)
        action.setEnabled(mark.t is not None)
        if mark.t is not None:
            action.triggered.connect(lambda _=False, t=mark.t: plot.context.playback.scrub(t))
    menu.addSeparator()
    menu.addAction(_tr("Remove"), lambda: plot.remove(name))
    menu.addAction(_tr("Show") if is_hidden else _tr("Hide"), lambda: plot.flip_hidden(name))
    menu.addAction(_tr("Change variable ..."), lambda: plot.choose_instead(name))
    owner, context = name.partition(".")[0], plot.context
    if owner in context.document.model:
        label = context.document.model[owner].label
        menu.addAction(_tr("Select {0}").format(label), lambda: context.selection.set([owner]))
    if rate := context.catalogue.rate_of(name):
        menu.addAction(_tr("Phase portrait"), lambda: _as_phase(plot, (name, rate)))
    return menu


def phase_menu(plot: "PhasePlot", at: QPointF | None = None) -> QMenu:
    """What can be done with a phase portrait, and from a place in it."""
    menu = QMenu(plot)
    menu.setToolTipsVisible(True)
    if at is not None:
        restart = menu.addAction(
            _tr("Restart from here (Shift+click)"), lambda: plot.restart_from(at)
        )
        can = plot.field.plane is not None and plot.context.simulator is not None
        restart.setEnabled(can)
        restart.setToolTip("" if can else plot.field.reason or _tr("Run the model first."))
        menu.addSeparator()
    menu.addAction(_tr("Variable along x ..."), lambda: plot.choose_axis("x"))
    menu.addAction(_tr("Variable along y ..."), lambda: plot.choose_axis("y"))
    menu.addAction(_tr("Show everything"), plot.autoscale)
    menu.addSeparator()
    for name, text in (
        ("wraps", _tr("Angles between −180° and 180°")),
        ("as_frequency", _tr("Angular velocity as turns per second")),
        ("shows_field", _tr("Direction field")),
    ):
        action = menu.addAction(text, partial(plot.flip, name))
        action.setCheckable(True)
        action.setChecked(getattr(plot, name))
        if name == "shows_field" and plot.field.reason:
            action.setEnabled(False)
            action.setToolTip(plot.field.reason)
    menu.addAction(_tr("Poincaré section ..."), plot.choose_section)
    over_time = Curves(channels=plot.content.names)
    menu.addAction(_tr("Over time"), lambda: plot.replaced.emit(over_time))
    return menu


def _as_phase(plot: "TimePlot", pair: tuple[str, str] | None) -> None:
    if pair is not None:
        plot.replaced.emit(Portrait(x=pair[0], y=pair[1]))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Plots", text)
