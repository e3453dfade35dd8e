"""What the stage shows by the view of the model: arrows, trails and the camera.

A switch is a step of undo. The camera is none: it is read when the model is saved, and used when it is
opened.
"""

from dataclasses import replace
from typing import Any
from weakref import WeakMethod

from PySide6.QtCore import QCoreApplication, QObject, Signal

from engine.model.elements import with_view
from engine.model.views import ARROWS, Camera, View
from gui.stages.stages import Stages
from gui.state.document import Document

LONGEST = 1e6  # the factor of arrows, and its reciprocal


class ModelView(QObject):
    """Keeps the stages as the view of the model says, and the view as the user wants it."""

    changed = Signal()

    def __init__(self, document: Document, stages: Stages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document, self.stages = document, stages
        self._shown: View | None = None
        document.committed.connect(self.follow)
        seen = WeakMethod(self.camera)  # the document must not keep the stages alive
        document.camera = lambda: camera() if (camera := seen()) is not None else None
        self.follow()

    @property
    def view(self) -> View:
        """The view of the model that is open."""
        return self.document.model.view

    def follow(self) -> None:
        """Show what the view says; changes the stages."""
        before, self._shown = self._shown, self.view
        if before is not None and _looks(before) == _looks(self.view):
            return
        for kind in ARROWS:
            self.stages.show_arrows(kind, kind in self.view.arrows)
        self.stages.arrow_scale = float(self.view.arrow_scale)
        self.stages.show_trails(self.view.trails)
        self.stages.show_center_trails(self.view.center_trails)
        self.stages.magnify_beams(float(self.view.beams_bent))
        self.stages.colour_beams(self.view.beam_colours)
        self.changed.emit()

    def show_arrows(self, kind: str, on: bool) -> None:
        """Draw a kind of arrows, or not, as a step of undo."""
        kinds = {*self.view.arrows, kind} if on else {*self.view.arrows} - {kind}
        words = _tr("Show arrows") if on else _tr("Hide arrows")
        self._edit(words, arrows=tuple(one for one in ARROWS if one in kinds))

    def scale_arrows(self, factor: float) -> None:
        """Make all arrows longer or shorter, as a step of undo."""
        scale = min(max(float(self.view.arrow_scale) * factor, 1.0 / LONGEST), LONGEST)
        words = _tr("Longer arrows") if factor > 1.0 else _tr("Shorter arrows")
        self._edit(words, arrow_scale=scale)

    def show_trails(self, on: bool) -> None:
        """Draw the trails of tracers, or not, as a step of undo."""
        self._edit(_tr("Show trails") if on else _tr("Hide trails"), trails=on)

    def show_center_trails(self, on: bool) -> None:
        """Draw the trails of all mass centres, or not, as a step of undo."""
        self._edit(_tr("Show trails") if on else _tr("Hide trails"), center_trails=on)

    def magnify_beams(self, factor: float) -> None:
        """Draw beams bent by so much more, as a step of undo."""
        self._edit(_tr("Bend beams more or less"), beams_bent=factor)

    def colour_beams(self, colouring: str) -> None:
        """Colour beams by something, or by nothing, as a step of undo."""
        self._edit(_tr("Colour beams"), beam_colours=colouring)

    def camera(self) -> Camera | None:
        """From where the drawing is seen now; None: the whole of it, as it was opened."""
        return self.stages.camera_now()

    def _edit(self, words: str, **changes: Any) -> None:
        """Change the view as one step of undo."""
        before = self.document.model
        after = with_view(before, replace(before.view, **changes))
        if after is not before:
            self.document.edit(words, after)


def _looks(view: View) -> View:
    """The part of a view that the stage shows."""
    return replace(view, plots=(), sliders=(), camera=None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("View", text)
