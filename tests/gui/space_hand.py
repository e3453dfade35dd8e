"""A stage in space in a window of its own, a simulated mouse on it, and models to draw."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from engine.editing.builder import Mechanism
from engine.model.tracers import Tracer
from gui.stages.space.view import Stage3D
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection

NONE = Qt.KeyboardModifier.NoModifier
LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
RIGHT, NOTHING = Qt.MouseButton.RightButton, Qt.MouseButton.NoButton


def table():
    """A box, a cylinder and a ball beside each other, standing on the floor."""
    m = Mechanism("Table", dim=3)
    m.box((0.0, 0.0, 0.25), 0.8, 0.6, 0.5, id="box")
    m.cylinder((1.5, 0.0, 0.0), (1.5, 0.0, 0.8), 0.3, id="drum")
    m.sphere((-1.5, 0.0, 0.4), 0.4, id="ball")
    return m


def pendulum():
    """A rod on a ball joint that is pushed, with a tracer."""
    m = Mechanism("Pendulum", dim=3)
    rod = m.rod((0, 0, 1), (0.8, 0, 1), width=0.05, id="rod", angular_velocity=(0.0, 1.0, 3.0))
    m.spherical("ground", rod, (0, 0, 1), id="pivot")
    m.settings(t_end=0.5, step=2e-3, output_step=2e-2)
    marker = m.marker(rod, (0.8, 0, 1), id="end")
    return with_elements(m.model, Tracer(id="pen", marker=marker))


def with_elements(model, *elements):
    """A model with more elements."""
    more = {element.id: element for element in elements}
    return replace(model, elements=MappingProxyType({**model.elements, **more}))


class SpaceHand:
    """A stage with its document, and gestures at places of space or of the widget."""

    def __init__(self, qtbot, model=None, size=(700, 500)):
        self.document, self.selection, self.playback = Document(), Selection(), Playback()
        if model is not None:
            self.document.new(model.model if isinstance(model, Mechanism) else model)
        self.view = Stage3D(self.document, self.selection, self.playback)
        qtbot.addWidget(self.view, before_close_func=lambda view: view.close_drawing())
        self.view.resize(*size)
        self.view.show()
        qtbot.waitExposed(self.view)
        self.view.fit()

    def at(self, place):
        """A place of space, or of the widget, as a point of the widget."""
        if isinstance(place, QPointF):
            return place
        return QPointF(*self.view.to_pixels(place))

    def pick(self, place, **how):
        """The pick of the stage at a place."""
        return self.view.pick(self.at(place), **how)

    def send(self, kind, place, button=NOTHING, held=NOTHING, modifiers=NONE):
        """One mouse event."""
        at = self.at(place)
        everywhere = QPointF(self.view.mapToGlobal(at.toPoint()))
        event = QMouseEvent(kind, at, everywhere, button, held, modifiers)
        QApplication.sendEvent(self.view, event)

    def move(self, place, held=NOTHING):
        """Move the mouse."""
        self.send(QEvent.Type.MouseMove, place, NOTHING, held)

    def click(self, place, button=LEFT, modifiers=NONE):
        """Press and release without moving."""
        at = self.at(place)
        self.send(QEvent.Type.MouseButtonPress, at, button, button, modifiers)
        self.send(QEvent.Type.MouseButtonRelease, at, button, NOTHING, modifiers)

    def drag(self, a, b, button=LEFT, steps=4):
        """Press at one place and release at another."""
        a, b = self.at(a), self.at(b)
        self.send(QEvent.Type.MouseButtonPress, a, button, button)
        for n in range(1, steps + 1):
            self.send(QEvent.Type.MouseMove, a + (b - a) * (n / steps), NOTHING, button)
        self.send(QEvent.Type.MouseButtonRelease, b, button, NOTHING)

    def wheel(self, place, notches):
        """Turn the wheel."""
        at = self.at(place)
        nothing, turn = QPointF().toPoint(), QPointF(0, 120 * notches).toPoint()
        phase = Qt.ScrollPhase.NoScrollPhase
        everywhere = QPointF(self.view.mapToGlobal(at.toPoint()))
        event = QWheelEvent(at, everywhere, nothing, turn, NOTHING, NONE, phase, False)
        QApplication.sendEvent(self.view, event)

    def picture(self):
        """What is on the screen, as an array (height, width, 3)."""
        image = self.view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        flat = np.frombuffer(image.constBits(), np.uint8)
        wide = image.bytesPerLine()
        rows = flat.reshape(image.height(), wide)[:, : 3 * image.width()]
        return rows.reshape(image.height(), image.width(), 3).astype(int)


def actor_frame(view, id):
    """Origin and axes of the first actor of a body, as VTK has them."""
    matrix = view.scene.graphics[id].body_actors[0][0].GetUserMatrix()
    T = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    return T[:3, 3], T[:3, :3]
