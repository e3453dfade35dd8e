"""The stage of models in space: drawn, picked, played and rendered here."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import QWidget

from engine.compiling.elastic.records import Elastic
from engine.model.elements import Id, Model, same_mechanism
from engine.model.views import Camera
from gui.placing.space.bends import shaped
from gui.placing.space.camera import home_of
from gui.placing.space.picking import Screen
from gui.stages.labels import Labels
from gui.stages.pressing import Pressing
from gui.stages.space.animation import tracks_of
from gui.stages.space.arrows import SpaceArrows
from gui.stages.space.bending import SolidBending
from gui.stages.space.cube import square_of
from gui.stages.space.gizmo import handle_lines
from gui.stages.space.glb import glb_of
from gui.stages.space.graphics.frames import BodyFrames
from gui.stages.space.hands import HandledCanvas
from gui.stages.space.overlay import Overlay
from gui.stages.space.scene import Scene
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection


class Stage3D(HandledCanvas):
    """Follows the document, the selection and the clock; drawn, picked and moved below."""

    dim = 3
    overlay: Overlay

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
        self.arrows = SpaceArrows()
        self.body_frames = BodyFrames(self.renderer)
        self.pressing, self.bending = Pressing(), SolidBending(self)
        self.overlay = self.laid_over = Overlay(self)
        self.labels = Labels(self, self)
        self.follow()
        self.join_tool(self.active_tool)
        self.show_shown()

    @property
    def drawing(self) -> Scene:
        """The scene in space."""
        return self.scene

    def redraw(self) -> None:
        """Draw again soon; changes the picture."""
        self.refresh()

    def body_pixel(self, body: Id, point: tuple[float, float, float]) -> QPointF | None:
        """A point of a body in pixels of the widget; None behind the camera."""
        placement = self.scene.placement
        return (
            self.overlay.at(placement.to_world(body, point))
            if body in placement.body_index
            else None
        )

    def grips_of_tool(self) -> list[QRectF]:
        """Where the gizmo and the cube of the view are, in pixels of the widget."""
        gizmo = getattr(self.active_tool.preview, "gizmo", None)
        cube = square_of(QRectF(self.rect()))
        if gizmo is None:
            return [cube]
        lines = handle_lines(gizmo, self.eye.pixel(gizmo.at, self.height()))
        ends = [self.overlay.at(tuple(place)) for line in lines.values() for place in line]
        seen = QPolygonF([end for end in ends if end is not None])
        return [seen.boundingRect(), cube]

    def place_at(self, at: QPointF, body: Id, side: int) -> tuple[float, ...]:
        """Where the mouse pulls an end of a link to: in the plane through it that faces the camera."""
        shape, placement = self.scene.model[body].shape, self.scene.placement
        end = placement.to_world(body, (side * shape.length / 2.0, 0.0, 0.0))
        pick = self.pick(at, without=(body,))
        if pick.snap_kind and pick.snap_kind != "grid":
            return pick.place
        return tuple(self.across(Screen(self.scene, self, at.x(), at.y()).ray, end))

    # --- what is shown

    def show_frames(self, shown: bool) -> None:
        """Draw the axes of all body frames, or not."""
        self.body_frames.is_shown = shown
        self.body_frames.show(self.scene)
        self.refresh()

    def look_from(self, name: str, *, smoothly: bool = True) -> None:
        """Look from the front, the top, the right ..., or in the initial view; changes the camera."""
        if name != "home":
            super().look_from(name, smoothly=smoothly)
            return
        azimuth, elevation = home_of(self.scene.model.dim, self.scene.model.gravity)
        eye = replace(self.eye, azimuth=azimuth, elevation=elevation)
        self.go_to(self._fitted(eye) if self.is_fitted else eye, smoothly=smoothly)

    def glb(self) -> bytes:
        """What is shown, in its pose and with the motion of the run, as the content of a .glb file."""
        results = self.playback.results
        if results is None or len(results) < 2:
            return glb_of(self.scene)
        if not same_mechanism(results.model, self.document.shown):
            return glb_of(self.scene)
        return glb_of(self.scene, tracks_of(self.scene, results, self.playback.time))

    def twin(self, document: Document, selection: Selection, playback: Playback) -> "Stage3D":
        """Another stage of the same kind for other data."""
        shared, how = (document, selection, playback), self.is_software
        return type(self)(*shared, preferences=self.preferences, is_software=how)

    def magnify_beams(self, factor: float) -> None:
        """Draw beams bent by so much more; changes the stage."""
        self.bending.set_magnification(factor)

    def colour_beams(self, colouring: str) -> None:
        """Colour beams by something, or by nothing; changes the stage."""
        self.bending.set_colouring(colouring)

    def show_shape(
        self, id: Id | None, record: Elastic | None = None, nodal: np.ndarray | None = None
    ) -> None:
        """Bend a beam of the design by nodal coordinates, or straighten it again; changes the stage."""
        scene = self.scene
        if self.is_asleep:
            return
        bends = {} if id is None or record is None or nodal is None else {id: shaped(record, nodal)}
        scene.put(scene.placement.drawn, 0.0, bends)
        if not bends:
            self.show_pose()
        self.refresh()

    def look_as(self, other: "Stage3D") -> None:
        """Show the same view as another stage; changes the camera."""
        self.is_fitted = False
        self.go_to(other.eye)
        self.show_names(other.overlay.all_names)
        self.show_centers(other.overlay.centers)
        self.show_frames(other.body_frames.is_shown)
        self.bending.take(other.bending)

    def set_asleep(self, asleep: bool) -> None:
        """Stop following model and clock, or resume; changes the stage."""
        if asleep != self.is_asleep:
            self.is_asleep = asleep
            if not asleep:
                self.show_shown(is_same=self._opened is self.document.model)

    def show_shown(self, *, is_same: bool = False) -> None:
        """Load the model that the document shows; changes the scene."""
        model = self.document.shown
        up = "z" if model.dim == 3 else "y"
        if self.eye.up != up:
            azimuth, elevation = home_of(model.dim, model.gravity)
            self.eye = replace(self.eye, up=up, azimuth=azimuth, elevation=elevation)
        self._load(model)
        self.try_finely()
        self.show_run()
        self.show_selection()
        self._opened = self.document.model
        if is_same and not self.is_fitted:
            self.go_to(self.eye)
        else:
            super().fit_opened()

    def show_model(self, before: Model, after: Model) -> None:
        """Draw a model that has changed; changes the scene."""
        if self.is_asleep:
            return
        if before.dim != after.dim:
            self.show_shown()
            return
        self._load(after)
        self.show_pose()
        self.show_selection()
        low, high = self.scene.reach()
        self.scene.room.lay_grid(low, high, self.eye.height)

    def _load(self, model: Model) -> None:
        """Draw a model and the frames of its bodies, which follow every pose; changes the scene."""
        self.scene.show_model(model)
        self.body_frames.show(self.scene)

    def show_pose(self) -> None:
        """Put the drawing into the pose of the clock: of the run, or as designed; changes it."""
        if self.is_asleep:
            return
        scene, results = self.scene, self.playback.results
        if results is not None and not (
            len(results) and same_mechanism(results.model, self.document.shown)
        ):
            results = None  # the drawing is shown, not a frame
        if results is not None:
            time = self.playback.time
            bends = self.bending.at(results, time)
            scene.put(scene.placement.frames_of(results, time), time, bends)
        elif scene.placement.frames is not scene.placement.drawn:
            scene.put(scene.placement.drawn)
        scene.set_pressed(self.pressing.bodies(results, self.playback.time))
        self.body_frames.follow(scene)
        self.keep_followed()
        self.ghosts.put(self.playback.time, self.hidden)
        self.overlay.locks.find()
        self.show_trails_now()
        self.show_arrows_now()

    def carry(self, way: tuple[float, ...]) -> None:
        """Move the view by a way in the model; changes the camera."""
        self.is_fitted = False
        x, y, z = (a + b for a, b in zip(self.eye.focus, way))
        self.go_to(replace(self.eye, focus=(x, y, z)))

    def fit_to(self, ids: Iterable[str]) -> None:
        """Show some elements as large as they fit; changes the camera."""
        places = self.scene.places([id for id in ids if id in self.scene.model])
        if len(places):
            self.is_fitted = False
            found = self.eye.fitted(places, max(self.width(), 1), max(self.height(), 1))
            least = 12.0 * self.scene.unit
            self.go_to(replace(found, height=max(found.height, least)), smoothly=True)

    def is_playing(self) -> bool:
        """Whether a pose of a run is shown, not the design pose."""
        return self.scene.placement.frames is not self.scene.placement.drawn

    def run_leaves_view(self) -> bool:
        """Whether a part of the drawing or of the run is not seen."""
        return not self._is_whole()

    def fit_opened(self) -> None:
        """Show a model that was just opened in the initial view; changes the camera."""
        if self.document.model.dim == 3:
            azimuth, elevation = home_of(3, self.document.model.gravity)
            self.eye = replace(self.eye, azimuth=azimuth, elevation=elevation)
        self.try_finely()
        super().fit_opened()

    def camera_now(self) -> Camera | None:
        """Direction, and the part of space that is seen; None while a model is seen as it was opened."""
        eye, model = self.eye, self.document.model
        is_home = (eye.azimuth, eye.elevation) == home_of(model.dim, model.gravity)
        if self.is_fitted and is_home and not eye.is_parallel:
            return None
        seen = Camera(
            focus=(0.0, 0.0, 0.0),
            azimuth=eye.azimuth,
            elevation=eye.elevation,
            parallel=eye.is_parallel,
        )
        return seen if self.is_fitted else replace(seen, focus=eye.focus, height=eye.height)

    def look_by(self, camera: Camera) -> None:
        """See space from where it was saved, all of it if that was in the plane; changes the camera."""
        if len(camera.focus) < 3:
            self.fit()
            return
        eye = replace(
            self.eye,
            azimuth=float(camera.azimuth),
            elevation=float(camera.elevation),
            is_parallel=camera.parallel,
        )
        if camera.height is None:
            self.go_to(eye)
            self.fit()
            return
        x, y, z = map(float, camera.focus)
        self.is_fitted = False
        self.go_to(replace(eye, focus=(x, y, z), height=float(camera.height)))
