"""Paint flat faces in space with QPainter: seen by a camera, shaded, the far ones first."""

import functools
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter

from gui.instruments.gimbal import ring_geometry as geometry
from gui.instruments.gimbal.ring_geometry import Faces
from gui.look.theme import Theme

DISTANCE = 6.0  # of the eye from the centre: a mild perspective
LIGHT = np.array([0.35, 0.55, 0.76])  # direction to the light: right, up, towards the eye
SHADES = 24
SEAM = 0.7  # px by which the corners of neighbouring faces overlap
FAINTEST, BRIGHTEST = 0.52, 1.12  # of a colour, away from the light and facing it
HAZE = 0.3  # share of the paper in the colour of the farthest faces


class Camera(NamedTuple):
    """Where the eye is: angles about z and above the plane x-y [rad]."""

    azimuth: float = np.radians(-52.0)
    elevation: float = np.radians(24.0)

    def axes(self) -> np.ndarray:
        """Right, up and towards the eye, as rows in the world."""
        a, e = self.azimuth, self.elevation
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        return np.array([right, np.cross(towards, right), towards])

    def turned(self, across: float, up: float) -> "Camera":
        """The camera after a drag, by angles [rad]; it never goes over the top."""
        steepest = np.radians(89.0)
        return Camera(
            self.azimuth - across, float(np.clip(self.elevation + up, -steepest, steepest))
        )


class Screen(NamedTuple):
    """From the world to pixels: a camera, the middle of the picture, and pixels of a length of 1."""

    camera: Camera
    x: float
    y: float
    scale: float

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (..., 2) of points of the world, and how near (...,) they are to the eye."""
        seen = points @ self.camera.axes().T
        near = seen[..., 2]
        grown = self.scale * DISTANCE / (DISTANCE - near)
        return np.stack([self.x + grown * seen[..., 0], self.y - grown * seen[..., 1]], -1), near

    def point(self, place: np.ndarray) -> QPointF:
        """The pixel of one point."""
        return QPointF(*self.project(place)[0])


class Painted(NamedTuple):
    """Faces as they were painted, the far ones first."""

    pixels: np.ndarray  # (n, 4, 2)
    tags: list[str]


def base_colours(theme: Theme) -> dict[str, QColor]:
    """The colour of each part."""
    slate = QColor("#93a1b1" if theme.is_light else "#b9c4d0")
    return {
        **{tag: QColor(theme.bodies[n]) for n, tag in enumerate(geometry.RINGS)},
        geometry.SUPPORT: QColor(theme.ground),
        geometry.PIN: QColor(theme.ground),
        geometry.PLANE: slate,
        geometry.COCKPIT: QColor("#3a4a5c"),
        geometry.FIN: QColor(theme.accent),
    }


def paint_faces(
    painter: QPainter, screen: Screen, faces: Faces, colours: dict[str, QColor], paper: QColor
) -> Painted:
    """Paint the faces that are turned to the eye."""
    pixels, near = screen.project(faces.corners)
    x, y = pixels[:, :, 0], pixels[:, :, 1]
    area = (x[:, 2] - x[:, 0]) * (y[:, 3] - y[:, 1]) - (x[:, 3] - x[:, 1]) * (y[:, 2] - y[:, 0])
    seen = np.flatnonzero(area < 0.0)  # y goes down: what turns clockwise is seen from outside
    depth = near.mean(axis=1)
    order = seen[np.argsort(depth[seen])]
    shades = _shades(faces.normals @ screen.camera.axes().T, depth)
    behind = paper.rgb()
    bases = {tag: colour.rgb() for tag, colour in colours.items()}
    painter.setPen(Qt.PenStyle.NoPen)
    for n, corners in zip(order.tolist(), _grown(pixels[order]).tolist()):
        painter.setBrush(_shaded(bases[faces.tags[n]], behind, *shades[n]))
        painter.drawConvexPolygon([QPointF(x, y) for x, y in corners])
    return Painted(pixels[order], [faces.tags[n] for n in order])


def _grown(pixels: np.ndarray) -> np.ndarray:
    """Faces slightly enlarged, so that no gaps show between antialiased edges."""
    arms = pixels - pixels.mean(axis=1, keepdims=True)
    length = np.maximum(np.linalg.norm(arms, axis=2, keepdims=True), 1e-9)
    return pixels + SEAM * arms / length


def _shades(normals: np.ndarray, depth: np.ndarray) -> list[tuple[int, int]]:
    """How bright and how hazy each face is, in steps."""
    bright = np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), -0.35, 1.0) + 0.35
    haze = np.clip((1.0 - depth) / 2.0, 0.0, 1.0)
    steps = np.stack([bright / 1.35 * SHADES, haze * 8.0], axis=1).round().astype(int)
    return [tuple(step) for step in steps.tolist()]


@functools.lru_cache(maxsize=4096)
def _shaded(base: int, paper: int, bright: int, haze: int) -> QBrush:
    """A shaded colour, mixed with that of the paper where it is far away."""
    factor = FAINTEST + (BRIGHTEST - FAINTEST) * bright / SHADES
    share = HAZE * haze / 8.0
    mixed = [
        min(255.0, (1.0 - share) * factor * own + share * behind)
        for own, behind in zip(_rgb(base), _rgb(paper))
    ]
    return QBrush(QColor(*(round(part) for part in mixed)))


def _rgb(value: int) -> tuple[int, int, int]:
    """Red, green and blue of a colour, from 0 to 255."""
    colour = QColor(value)
    return colour.red(), colour.green(), colour.blue()


def face_at(painted: Painted | None, x: float, y: float) -> str:
    """The part that is visible at a pixel, or an empty text."""
    if painted is None or not len(painted.pixels):
        return ""
    corners = painted.pixels - np.array([x, y])
    following = np.roll(corners, -1, axis=1)
    cross = corners[..., 0] * following[..., 1] - corners[..., 1] * following[..., 0]
    inside = np.flatnonzero((cross <= 0.0).all(axis=1) | (cross >= 0.0).all(axis=1))
    return painted.tags[inside[-1]] if len(inside) else ""


def paint_label(
    painter: QPainter, at: QPointF, words: str, colour: QColor, paper: QColor, taken: list[QRectF]
) -> None:
    """Write a label near a place, moved until it overlaps no earlier one; changes `taken`."""
    size = QFontMetricsF(painter.font()).boundingRect(words).size()
    box = QRectF(at.x() - size.width() / 2.0 - 4.0, at.y() - size.height() / 2.0 - 1.0, 0.0, 0.0)
    box.setSize(size)
    box.adjust(0.0, 0.0, 8.0, 2.0)
    room = QRectF(painter.viewport()).adjusted(3.0, 3.0, -3.0, -3.0)
    box.moveLeft(min(max(box.left(), room.left()), room.right() - box.width()))
    box.moveTop(min(max(box.top(), room.top()), room.bottom() - box.height()))
    while any(box.intersects(other) for other in taken) and box.bottom() < room.bottom() + 60.0:
        box.translate(0.0, 4.0)
    taken.append(box)
    painter.setPen(Qt.PenStyle.NoPen)
    behind = QColor(paper)
    behind.setAlpha(215)
    painter.setBrush(behind)
    painter.drawRoundedRect(box, 4.0, 4.0)
    painter.setPen(colour)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
