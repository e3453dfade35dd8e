"""A second stage, and second plots, that show any time of a run without touching the window."""

from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractButton

from engine.model.elements import with_plots as with_the_plots
from gui.export.sources import Sources
from gui.state.document import Document
from gui.state.playback import Playback, RunRecord
from gui.state.selection import Selection

PLOT_SHARE = 0.42  # of the width of a film with plots


class Twin:
    """Stage and plots of their own, never on the screen, that look like those of the window."""

    def __init__(self, sources: Sources, record: RunRecord, *, with_plots: bool = False) -> None:
        self.document, self.selection, self.playback = Document(), Selection(), Playback()
        shown = sources.document.model.view.plots if with_plots else ()
        self.document.new(with_the_plots(record.results.model, shown))
        self.playback.ghosts = [g for g in sources.playback.ghosts if g is not record]
        self.playback.promote(record)
        shared = (self.document, self.selection, self.playback)
        self.stage: Any = sources.stage.twin(*shared)
        self.plots: Any = None
        self._is_drawn = False
        self._hide(self.stage, sources.stage)
        _copy_look(sources.stage, self.stage)
        if with_plots and sources.plots is not None:
            self.plots = type(sources.plots)(*shared, sources.preferences)
            self._hide(self.plots, sources.plots)
            self.plots.stack_up()
            for button in self.plots.findChildren(QAbstractButton):
                button.hide()  # a film has nothing to press

    def is_ready(self) -> bool:
        """Whether the plots have all their curves; calling it draws pending ones. Changes the twin."""
        if self.plots is None or self._is_drawn:
            return True
        if not self.plots.columns.is_busy:
            for plot in self.plots.plots():
                plot.redraw()
            self._is_drawn = not self.plots.columns.is_busy
        return self._is_drawn

    def image(self, t: float, size: QSize) -> QImage:
        """The picture at a time of the run, with the plots at the right if they are wanted."""
        self.playback.set_time(t)
        if self.plots is None:
            return self.stage.render_image(size)
        beside = round(PLOT_SHARE * size.width())
        self.plots.resize(beside, size.height())
        left = self.stage.render_image(QSize(size.width() - beside, size.height()))
        whole = QImage(size, QImage.Format.Format_RGB32)
        whole.fill(self.plots.palette().window().color())
        painter = QPainter(whole)
        try:
            painter.drawImage(0, 0, left)
            self.plots.render(painter, QPoint(size.width() - beside, 0))
        finally:
            painter.end()
        return whole

    def _hide(self, widget: Any, model: Any) -> None:
        """Lay a widget out without putting it on the screen."""
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.setPalette(model.palette())
        widget.resize(model.size())
        widget.show()

    def close(self) -> None:
        """Delete the widgets; changes the twin."""
        if self.plots is not None:
            self.plots.shutdown()
        for widget in (self.stage, self.plots):
            if widget is not None:
                widget.close()
                widget.deleteLater()


def _copy_look(stage: Any, twin: Any) -> None:
    """Show the same part with the same arrows, trails and grid; hide the same elements."""
    twin.look_as(stage)
    twin.show_grid(stage.has_grid)
    twin.show_trails(stage.trails.is_shown)
    twin.show_center_trails(stage.trails.of_centers)
    twin.arrow_scale = stage.arrow_scale
    for kind in stage.arrows.kinds:
        twin.show_arrows(kind, True)
    twin.set_hidden(stage.hidden)
