"""Labels of the selected body on the stage: its sizes and its angle, to be typed over or dragged.

While one body is selected, no tool is active and nothing plays, its dimensions are shown. A click on
a label opens a field in its place; every text that can be read is previewed, Enter takes it as one step of
undo. The handles beyond the ends of a link change length and angle about the other end; the others follow.
"""

from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPolygonF
from PySide6.QtWidgets import QMenu, QWidget

from engine.editing.edits import end_moved, resized, turned_to, with_fields
from engine.errors import EngineError
from engine.integrators.warm_up import are_compiled
from engine.model.elements import Id, Model
from engine.model.solids import hull
from gui.look.icons import icon
from gui.look.theme import theme_of
from gui.placing.dimensions import ANGLE, dimensions_of
from gui.stages.dimension_marks import (
    BEYOND,
    Handle,
    Mark,
    handles_of,
    mark_of,
    near,
    paint_handle,
    paint_mark,
    paint_text,
    places_of,
    turn_of,
)
from gui.stages.label_field import LabelField
from gui.state.passing import open_menu
from gui.tools.typed import PLAIN, quantity

MOST_NEIGHBOURS, MOST_OF_NAMES = 60, 20  # bodies that labels, and names, keep away from
SCALE_BAR = QRectF(0.0, -52.0, 190.0, 52.0)  # at the lower left corner
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
Type = QEvent.Type
MOUSE = (Type.MouseMove, Type.MouseButtonPress, Type.MouseButtonRelease, Type.MouseButtonDblClick)


class Typing(NamedTuple):
    """A label that is being typed over, and the model from which it started."""

    line: LabelField
    body: Id
    field: str
    model: Model
    text: str


class Drag(NamedTuple):
    """A handle that is being dragged, and the model from which it started."""

    body: Id
    side: int
    model: Model


class Labels(QObject):
    """Shows the dimensions of the selected body on one stage, and edits them; changes the document."""

    parameter_wanted = Signal(str, str)  # make a parameter of this size of this body

    def __init__(self, stage: Any, board: QWidget) -> None:
        super().__init__(stage)
        self.stage, self.board = stage, board
        self.marks: list[tuple[Mark, QRectF]] = []  # as they were painted last
        self.handles: tuple[Handle, ...] = ()
        self.typing: Typing | None = None
        self.drag: Drag | None = None
        self.menu: QMenu | None = None
        self._hot: object = None  # the label or handle under the mouse
        board.installEventFilter(self)
        stage.document.committed.connect(self._on_committed)
        stage.document.opened.connect(self.cancel)

    # --- what is shown

    def body(self) -> Any:
        """The body whose dimensions are shown; None if there are none."""
        stage = self.stage
        ids, model = stage.selection.ids, stage.drawing.model
        if len(ids) != 1 or ids[0] not in model or ids[0] in stage.hidden or stage.page_marks:
            return None
        is_still = not stage.playback.is_playing and not stage.is_live
        at_rest = stage.tool is None and not stage.active_tool.is_busy
        body = model[ids[0]]
        has_shape = body.family == "body" and getattr(body, "shape", None) is not None
        return body if is_still and at_rest and has_shape else None

    def paint(self, painter: QPainter) -> None:
        """Paint lines, labels and handles where they were arranged."""
        theme = theme_of(self.stage.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for handle in self.handles:
            paint_handle(painter, theme, handle, self._hot == ("handle", handle.side))
        for mark, rect in self.marks:
            paint_mark(painter, theme, mark, rect)
        for mark, rect in self.marks:
            if self.typing is None or self.typing.field != mark.field:
                paint_text(painter, theme, rect, mark.text, self._hot == ("label", mark.field))
        painter.restore()

    def arrange(self, area: QRectF) -> None:
        """Find where the labels and handles are now; changes them."""
        self.marks, self.handles = [], ()
        body, shown = self.body(), self.stage.document.shown
        if body is None or getattr(shown.elements.get(body.id), "shape", None) is None:
            return
        written = shown[body.id]
        dim, marks = self.stage.drawing.model.dim, list[Mark]()
        middle = self.stage.body_pixel(body.id, (0.0, 0.0, 0.0))
        for one in dimensions_of(body.shape, dim):
            a, b = (self.stage.body_pixel(body.id, end) for end in (one.a, one.b))
            if a is None or b is None or middle is None:
                continue
            text = self._text(
                getattr(body.shape, one.field), getattr(written.shape, one.field), "m"
            )
            marks.append(mark_of(one, text, a, b, middle))
            if (
                body.shape.kind in ("rod", "beam") and dim == self.stage.dim
            ):  # seen in space, a plane has no grips
                marks += self._angle(body, written, a, b) if dim == 2 else []
                if not isinstance(written.shape.length, str) and not body.fixed:
                    self.handles = handles_of(a, b)
        marks = [mark for mark in marks if _is_seen(mark, area)]
        self.marks = list(
            zip(marks, places_of(marks, area, self._taken(area), self._neighbours(body.id)))
        )

    def _angle(self, body: Any, written: Any, at: QPointF, other: QPointF) -> list[Mark]:
        """The mark of the angle of a link, at its first end."""
        angle = turn_of(self.stage.angle_of(body.id))
        text = self._text(angle, written.angle, "rad")
        return [Mark(ANGLE, text, at, other, QPointF(), angle)]

    def _taken(self, area: QRectF) -> list[QRectF]:
        """What labels may not cover: the scale bar, cards over the stage, and what a tool is held by."""
        cards = [
            QRectF(card.geometry().translated(-self._corner_of(card)))
            for card in (*self.board.findChildren(QWidget, options=DIRECT), *self._above())
            if card.isVisible() and not isinstance(card, LabelField)
        ]
        return [SCALE_BAR.translated(area.bottomLeft()), *cards, *self.stage.grips_of_tool()]

    def _neighbours(self, body: Id) -> list[QPolygonF]:
        """The outlines of the other bodies in sight, in pixels; none where there are very many."""
        stage = self.stage
        ids = [e.id for e in stage.drawing.model.of("body") if e.id not in {body, *stage.hidden}]
        outlines = [] if len(ids) > MOST_NEIGHBOURS else [self.outline(id) for id in ids]
        return [outline for outline in outlines if not outline.isEmpty()]

    def outline(self, body: Id) -> QPolygonF:
        """The convex outline of a body in pixels; empty for a body without a shape."""
        seen = (self.stage.body_pixel(body, tuple(p)) for p in self.stage.drawing.outline(body))
        points = np.array([(at.x(), at.y()) for at in seen if at is not None]).reshape(-1, 2)
        ring = hull(points) if len(points) > 2 else points
        return QPolygonF([QPointF(x, y) for x, y in ring.tolist()])

    def outlines(self) -> list[QPolygonF]:
        """The outlines of all bodies in sight that names keep away from; none of a crowd."""
        ids = [e.id for e in self.stage.drawing.model.of("body") if e.id not in self.stage.hidden]
        found = [] if len(ids) > MOST_OF_NAMES else [self.outline(id) for id in ids]
        return [outline for outline in found if not outline.isEmpty()]

    def _above(self) -> list[QWidget]:
        """What lies over the stage as a whole: messages and the card of sliders."""
        around = self.stage.parentWidget()
        found = around.findChildren(QWidget, options=DIRECT) if around is not None else []
        return [w for w in found if w is not self.stage and w.isVisible() and not w.isWindow()]

    def _corner_of(self, card: QWidget) -> QPoint:
        """The corner of the board in the coordinates of the widget that a card lies on."""
        parent = card.parentWidget()
        if parent is None or parent is self.board:
            return QPoint(0, 0)
        return self.board.mapTo(parent, QPoint(0, 0))

    def _text(self, value: float, written: Any, unit: str) -> str:
        """A label: the number in the unit of the user, with the formula it comes from."""
        words = quantity(value, unit, self.stage.preferences)
        return f"{written} = {words}" if isinstance(written, str) else words

    # --- the mouse

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Labels and handles come before what lies below them."""
        if event.type() == Type.Leave:
            self._point_at(None)
        if isinstance(event, QContextMenuEvent):
            return self._target_at(QPointF(event.pos())) is not None  # a label has its own menu
        if event.type() not in MOUSE or not isinstance(event, QMouseEvent):
            return False
        at = event.position()
        if event.type() == Type.MouseMove:
            return self._on_move(at, bool(event.buttons()))
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == Type.MouseButtonRelease:
            return left and self._end_drag()
        if event.type() == Type.MouseButtonDblClick:
            return self._target_at(at) is not None
        return self._on_press(at, event)

    def _on_press(self, at: QPointF, event: QMouseEvent) -> bool:
        target, body = self._target_at(at), self.body()
        if target is None or body is None:
            return False
        kind, which = target
        if event.button() == Qt.MouseButton.LeftButton:
            self.stage.playback.leave()
            if kind == "label":
                self.type_in(which)
            else:
                self.stage.setFocus(Qt.FocusReason.MouseFocusReason)
                self.drag = Drag(body.id, which, self.stage.document.model)
        elif event.button() == Qt.MouseButton.RightButton and kind == "label":
            self._open_menu(body.id, which, event.globalPosition().toPoint())
        return True

    def _on_move(self, at: QPointF, is_pressed: bool) -> bool:
        if self.drag is not None:
            self._drag_to(at)
            return True
        if is_pressed:
            return False
        target = self._target_at(at)
        self._point_at(target)
        return target is not None

    def _target_at(self, at: QPointF) -> tuple[str, Any] | None:
        """The label or handle at a place of the screen."""
        for mark, rect in self.marks:
            if rect.adjusted(-2.0, -2.0, 2.0, 2.0).contains(at):
                return "label", mark.field
        for handle in self.handles:
            if near(handle.at, at, 9.0):
                return "handle", handle.side
        return None

    def _point_at(self, target: tuple[str, Any] | None) -> None:
        """Highlight what is under the mouse, and show what it does by the cursor."""
        if target == self._hot:
            return
        self._hot = target
        if target is None:
            self.stage.set_tool_cursor(self.stage.active_tool.cursor)
        else:
            is_label = target[0] == "label"
            shape = Qt.CursorShape.IBeamCursor if is_label else Qt.CursorShape.SizeAllCursor
            self.board.setCursor(shape)
            self.stage.selection.hover("")
        self.stage.redraw()

    def _open_menu(self, body: Id, field: str, place: QPoint) -> None:
        """The menu of a label."""
        self.menu = QMenu(self.board)
        self.menu.addAction(_tr("Type a value"), lambda: self.type_in(field))
        shape = getattr(self.stage.document.model[body], "shape", None)
        if field != ANGLE and not isinstance(getattr(shape, field), str):
            make = self.menu.addAction(icon("parameter"), _tr("Make a parameter of it"))
            make.triggered.connect(lambda: self.parameter_wanted.emit(body, field))
        open_menu(self.menu, place)

    # --- typing

    def type_in(self, field: str) -> None:
        """Open the field of a label; changes the stage."""
        self.cancel()
        body = self.body()
        rect = next((rect for mark, rect in self.marks if mark.field == field), None)
        if body is None or rect is None:
            return
        model = self.stage.document.model
        written = model[body.id].angle if field == ANGLE else getattr(model[body.id].shape, field)
        text = written
        if not isinstance(written, str):
            preferences = self.stage.preferences or PLAIN
            text, _ = preferences.shown(
                turn_of(written) if field == ANGLE else written, _unit(field)
            )
        line = LabelField(self.board, text, rect)
        self.typing = Typing(line, body.id, field, model, text)
        line.textEdited.connect(lambda _: self._try())
        line.returnPressed.connect(self._take)
        line.left.connect(self._leave)
        line.given_up.connect(self.cancel)
        self._hot = None
        self.stage.redraw()

    def _try(self) -> Model | None:
        """Preview what is typed, or say what is wrong with it; None if it cannot be taken."""
        typing = self.typing
        assert typing is not None
        try:
            found = self._typed(typing)
        except EngineError as error:
            typing.line.complain(error.sentence)
            self.stage.document.preview(None)
            return None
        typing.line.complain("")
        self.stage.document.preview(found)
        return found

    def _typed(self, typing: Typing) -> Model:
        """The model with what is typed; EngineError if it cannot be read or is no such size."""
        preferences = self.stage.preferences or PLAIN
        value = preferences.parse(typing.line.text(), _unit(typing.field), typing.model)
        if not are_compiled():  # the joints are closed by Assemble, when the solver is ready
            name = ANGLE if typing.field == ANGLE else f"shape.{typing.field}"
            return with_fields(typing.model, (typing.body,), {name: value})
        if typing.field == ANGLE:
            return turned_to(typing.model, typing.body, value).model
        return resized(typing.model, typing.body, typing.field, value).model

    def _take(self) -> None:
        """Enter: make it one step of undo, unless it is wrong."""
        typing = self.typing
        if typing is None:
            return
        found = self._try() if typing.line.text() != typing.text else typing.model
        if found is None:
            return
        self._close()
        words = _tr("Change {0} of {1}").format(_tr(typing.field), typing.model[typing.body].label)
        self.stage.document.edit(words, found)

    def _leave(self) -> None:
        """The keyboard went elsewhere: take what is right, and say what was wrong with the rest."""
        if self.typing is not None:
            self._take()
        if self.typing is not None:
            sentence = self.typing.line.sentence.text()
            self.cancel()
            self.stage.complained.emit(sentence)

    def cancel(self) -> bool:
        """Give up what is typed or dragged; False if there was nothing."""
        busy = self.typing is not None or self.drag is not None
        self._close()
        self.drag = None
        if busy:
            self.stage.document.preview(None)
        return busy

    def _close(self) -> None:
        """Remove the field; changes the stage."""
        typing, self.typing = self.typing, None
        if typing is not None:
            typing.line.remove()
            self.stage.redraw()

    def _on_committed(self) -> None:
        """The model was changed elsewhere, by undo for instance."""
        typing, drag = self.typing, self.drag
        started = typing.model if typing is not None else drag.model if drag is not None else None
        if started is not None and started is not self.stage.document.model:
            self._close()
            self.drag = None

    # --- handles

    def _drag_to(self, at: QPointF) -> None:
        """Pull one end of a link; the other one stays, and the others follow."""
        drag = self.drag
        handle = next((h for h in self.handles if drag is not None and h.side == drag.side), None)
        if drag is None or handle is None:
            return
        other = next(h.end for h in self.handles if h.side != drag.side)
        way = at - other
        long = max((way.x() ** 2 + way.y() ** 2) ** 0.5, 1e-9)
        target = self.stage.place_at(at - way * min(BEYOND / long, 1.0), drag.body, drag.side)
        try:
            self.stage.document.preview(end_moved(drag.model, drag.body, drag.side, target).model)
        except EngineError as error:
            self.drag = None
            self.stage.complained.emit(error.sentence)

    def _end_drag(self) -> bool:
        """Let go of a handle: one step of undo."""
        drag, self.drag = self.drag, None
        if drag is None:
            return False
        words = _tr("Drag the end of {0}").format(drag.model[drag.body].label)
        self.stage.document.edit(words, self.stage.document.shown)
        return True


def _unit(field: str) -> str:
    """The SI unit of a label."""
    return "rad" if field == ANGLE else "m"


def _is_seen(mark: Mark, area: QRectF) -> bool:
    """Whether any part of a dimension is in sight."""
    box = QRectF(mark.a, mark.b).normalized().adjusted(-60.0, -60.0, 60.0, 60.0)
    return box.intersects(area)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Labels", text)
