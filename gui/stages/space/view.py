"""The stage of models in space: drawn, picked, played and rendered here."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from engine.model.elements import Id, Model
from gui.look.theme import theme_of
from gui.placing.space.camera import home_of
from gui.stages.space.arrows import SpaceArrows
from gui.stages.space.glb import glb_of
from gui.stages.space.graphics.frames import BodyFrames
from gui.stages.space.hands import HandledCanvas
from gui.stages.space.overlay import Overlay
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection


class Stage3D(HandledCanvas):
    """Follows the document, the selection and the clock; drawn, picked and moved below."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
        preferences: Any = None,
        *,
        is_software: bool = True,
    ) -> None:
        shared = (document, selection, playback, parent, preferences)
        super().__init__(*shared, is_software=is_software)
        self.is_asleep = False  # another stage is shown
        self.arrows = SpaceArrows()
        self.body_frames = BodyFrames(self.renderer)
        self.overlay = Overlay(self)
        self._opened: Model | None = None
        self._connect()
        self.join_tool(self.active_tool)
        self.show_shown()

    def _connect(self) -> None:
        """Follow document, selection and playback."""
        self.document.changed.connect(self._show_model)
        self.document.file_changed.connect(self._fit_if_opened)
        self.selection.changed.connect(self.show_selection)
        self.selection.hover_changed.connect(self.show_selection)
        self.playback.time_changed.connect(self.show_pose)
        self.playback.run_changed.connect(self._show_run)
        self.playback.frames_grew.connect(self._frames_grew)

    # --- what is shown

    def show_trails(self, shown: bool) -> None:
        """Draw the trails of tracers, or not."""
        self.trails.set_shown(shown)
        self._show_trails()

    def show_center_trails(self, shown: bool) -> None:
        """Draw the trails of all mass centres too, or not."""
        self.trails.of_centers = shown
        self._show_run()

    def show_frames(self, shown: bool) -> None:
        """Draw the axes of all body frames, or not."""
        self.body_frames.is_shown = shown
        self.body_frames.show(self.scene)
        self.refresh()

    def show_arrows(self, kind: str, on: bool) -> None:
        """Draw arrows of one of `SpaceArrows.kinds_known`, or not."""
        self.arrows.show(kind, on)
        self._show_arrows()

    @property
    def arrow_scale(self) -> float:
        """By how much arrows are longer than the scale the program finds."""
        return self.arrows.scale

    @arrow_scale.setter
    def arrow_scale(self, factor: float) -> None:
        """Make all arrows longer or shorter; changes the scale."""
        self.arrows.scale = float(factor)
        self._show_arrows()

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements."""
        self.scene.set_hidden(ids)
        self.refresh()

    def highlight(self, ids: Iterable[Id], kind: str = "problem") -> None:
        """Paint elements red and the rest faint; () clears."""
        self.scene.set_problems(ids if kind == "problem" else ())
        self.refresh()

    def show_gap(self, marker_i: Id | None, marker_j: Id | None = None) -> None:
        """Draw the gap between two markers as a red dashed line with its length; None clears."""
        gap = None if marker_i is None or marker_j is None else (marker_i, marker_j)
        self.overlay.gap = gap
        self.update()

    def look_from(self, name: str, *, smoothly: bool = True) -> None:
        """Look from the front, the top, the right ..., or as a new model is seen; changes the eye."""
        if name != "home":
            super().look_from(name, smoothly=smoothly)
            return
        azimuth, elevation = home_of(self.scene.model.dim, self.scene.model.gravity)
        eye = replace(self.eye, azimuth=azimuth, elevation=elevation)
        self.go_to(self._fitted(eye) if self.is_fitted else eye, smoothly=smoothly)

    def glb(self) -> bytes:
        """What is shown, in its pose, as the content of a .glb file."""
        return glb_of(self.scene)

    @property
    def hidden(self) -> frozenset[Id]:
        """The elements that are hidden."""
        return self.scene.hidden

    def twin(self, document: Document, selection: Selection, playback: Playback) -> "Stage3D":
        """Another stage of the same kind for other data."""
        shared, how = (document, selection, playback), self.is_software
        return type(self)(*shared, preferences=self.preferences, is_software=how)

    def look_as(self, other: "Stage3D") -> None:
        """See the same as another stage; changes the eye."""
        self.is_fitted = False
        self.go_to(other.eye)
        self.show_names(other.overlay.all_names)
        self.show_centers(other.overlay.centers)
        self.show_frames(other.body_frames.is_shown)

    def set_asleep(self, asleep: bool) -> None:
        """Follow model and clock no more, or take them up again; changes the stage."""
        if asleep != self.is_asleep:
            self.is_asleep = asleep
            if not asleep:
                self.show_shown(is_same=self._opened is self.document.model)

    def show_shown(self, *, is_same: bool = False) -> None:
        """Take over the model that the document shows; changes the scene."""
        model = self.document.shown
        up = "z" if model.dim == 3 else "y"
        if self.eye.up != up:
            azimuth, elevation = home_of(model.dim, model.gravity)
            self.eye = replace(self.eye, up=up, azimuth=azimuth, elevation=elevation)
        self.scene.show_model(model)
        self._show_run()
        self.show_selection()
        self._opened = self.document.model
        if is_same and not self.is_fitted:
            self.go_to(self.eye)
        else:
            self.fit()

    def _show_model(self, before: Model, after: Model) -> None:
        if self.is_asleep:
            return
        if before.dim != after.dim:
            self.show_shown()
            return
        self.scene.show_model(after)
        self.body_frames.show(self.scene)
        self.show_pose()
        self.show_selection()
        low, high = self.scene.reach()
        self.scene.room.lay_grid(low, high, self.eye.height)

    def show_pose(self, _time: float = 0.0) -> None:
        """Put the drawing into the pose of the clock: of the run, or as designed."""
        if self.is_asleep:
            return
        scene, results = self.scene, self.playback.results
        if results is not None and len(results) and results.model is self.document.shown:
            time = self.playback.time
            scene.put(scene.placement.frames_of(results, time), time)
        elif scene.placement.frames is not scene.placement.drawn:
            scene.put(scene.placement.drawn)
        self.body_frames.follow(scene)
        self.ghosts.put(self.playback.time)
        self.overlay.locks.find()
        self._show_trails()
        self._show_arrows()
        self.refresh()

    def is_playing(self) -> bool:
        """Whether a pose of a run is shown, not the design pose."""
        return self.scene.placement.frames is not self.scene.placement.drawn

    def _show_run(self) -> None:
        """Another run is current: its trails, arrows and ghosts."""
        if self.is_asleep:
            return
        self.trails.follow(self.playback, self.document.shown, self.scene)
        self.ghosts.show(self.playback, self.scene)
        self.arrows.forget()
        self.body_frames.show(self.scene)
        self.show_pose()
        self._stay_fitted()

    def _frames_grew(self) -> None:
        if self.is_asleep:
            return
        self.trails.grow()
        self._show_trails()
        self._stay_fitted()

    def _stay_fitted(self) -> None:
        """Widen the view where a run leaves it, unless the user chose what is seen."""
        if self.is_fitted and self.playback.current is not None and not self.is_live:
            seen = self.eye.project(self.drawn_places(), *self.extent)
            inside = (seen >= -1.0) & (seen <= np.array(self.extent) + 1.0)
            if not inside.all():
                self.fit()

    def _show_trails(self) -> None:
        self.trails.show(self.playback.time)
        self.refresh()

    def _show_arrows(self) -> None:
        self.arrows.update(self.playback, self.document, self.scene.placement)
        self.update()

    def _fit_if_opened(self) -> None:
        """Fit a model that was just opened or made anew."""
        if self.is_asleep:
            return
        fresh = self.document.undo_stack.count() == 0 and self.document.model is not self._opened
        if fresh:
            self._opened = self.document.model
            if self.document.model.dim == 3:
                azimuth, elevation = home_of(3, self.document.model.gravity)
                self.eye = replace(self.eye, azimuth=azimuth, elevation=elevation)
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "body_frames"):
            theme = theme_of(self.palette())
            if theme is not self.scene.inks.theme:
                self.scene.set_theme(theme)
                self._show_run()
