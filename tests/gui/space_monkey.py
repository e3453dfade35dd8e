"""Random testing of the stage in space: as in the plane, with orbits, handles and the rings."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest

from engine.model.elements import spatial
from gui.stages.space.gizmo import handle_lines
from tests.gui.monkey import LEFT, MIDDLE, NONE, PLAIN, Monkey

PRESS, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease
MOVE = QEvent.Type.MouseMove
TYPED = ("0.3", "-20", "50mm", "1e9", "x0.2", "2*", "0", "z", "1/0")


class SpaceMonkey(Monkey):
    """Plays with a window whose model is in space most of the time."""

    left_out = ("quit", "gallery", "other_branch")  # slow, and the same as in the plane
    most_elements = 32
    examples = (
        "spatial_four_bar",
        "spinning_top",
        "rolling_disc",
        "gyroscope_in_gimbals",
        "pendulum",
    )

    dims = (3,)

    def __init__(self, window: Any, seed: int, folder: Path) -> None:
        super().__init__(window, seed, folder)
        self.plays += (
            (self.draw, 16),
            (self.orbit, 8),
            (self.take_handle, 14),
            (self.look, 3),
            (self.rings, 3),
            (self.choose_one, 10),
            (self.come_back, 6),
        )
        window.document.new(self.nothing())

    def nothing(self) -> Any:
        """An empty room."""
        return spatial()

    def place(self) -> QPoint:
        """A place of the stage: two of three on a body, so that things meet."""
        stage, bodies = self.window.stages.shown, list(self.window.document.model.of("body"))
        if self.random.random() < 0.33 or not bodies or stage is not self.window.stages.spatial:
            return super().place()
        where = self.random.choice(bodies).position
        if any(isinstance(x, str) for x in where):
            return super().place()
        x, y = stage.to_pixels((*where, 0.0)[:3])  # a planar model may be shown in space
        at = QPoint(*(max(-9999, min(9999, round(p))) for p in (x, y) if p == p))
        at += QPoint(self.random.randint(-12, 12), self.random.randint(-12, 12))
        return at if self.board.rect().contains(at) else super().place()

    def draw(self) -> None:
        """Take a tool, press, move, type something perhaps, release."""
        self.take_tool()
        a, b = self.place(), self.place()
        self.note(f"draw {a.x()},{a.y()} to {b.x()},{b.y()}", 4)
        self.mouse(self.board, MOVE, a, NONE, NONE, PLAIN)
        self.mouse(self.board, PRESS, a, LEFT, LEFT, PLAIN)
        self.mouse(self.board, MOVE, b, NONE, LEFT, PLAIN)
        if self.random.random() < 0.4:
            self.type(self.random.choice(TYPED))
        self.mouse(self.board, RELEASE, b, LEFT, NONE, PLAIN)
        if self.random.random() < 0.5:
            self.click_stage()

    def type(self, text: str) -> None:
        """Type characters and Enter to the stage."""
        self.note(f"type {text}", 2 * len(text) + 2)
        QTest.keyClicks(self.board, text)
        QTest.keyClick(self.board, "\r")

    def orbit(self) -> None:
        """Turn or move the view."""
        button = self.random.choice((MIDDLE, LEFT))
        a, b = QPoint(self.random.randint(1, 60), self.board.height() - 4), self.place()
        self.note("orbit", 4)
        self.mouse(self.board, PRESS, a, button, button, PLAIN)
        for at in ((a + b) / 2, b):
            self.mouse(self.board, MOVE, at, NONE, button, PLAIN)
        self.mouse(self.board, RELEASE, b, button, NONE, PLAIN)

    def take_handle(self) -> None:
        """Drag a handle of the gizmo, typing sometimes; a key may come in between."""
        stage = self.window.stages.shown
        gizmo = getattr(stage.active_tool.preview, "gizmo", None)
        if gizmo is None:
            self.choose_one()
            return
        name = self.random.choice(gizmo.handles)
        line = handle_lines(gizmo, stage.eye.pixel(gizmo.at, stage.height()))[name]
        seen = stage.to_pixels(tuple(self.random.choice(line)))
        if seen is None or not all(abs(x) < 1e4 for x in seen):
            return
        a, b = QPoint(*(round(x) for x in seen)), self.place()
        self.note(f"handle {name}", 4)
        self.mouse(self.board, MOVE, a, NONE, NONE, PLAIN)
        self.mouse(self.board, PRESS, a, LEFT, LEFT, PLAIN)
        self.mouse(self.board, MOVE, b, NONE, LEFT, PLAIN)
        if self.random.random() < 0.3:
            self.type(self.random.choice(TYPED))
        if self.random.random() < 0.1:
            self.random.choice((self.undo_or_redo, self.command, self.run_or_cancel))()
        self.mouse(self.board, RELEASE, b, LEFT, NONE, PLAIN)

    def look(self) -> None:
        """Look from another side, fit."""
        self.note("look")
        self.window.stages.look_from(self.random.choice(("front", "top", "right")))
        self.window.stages.fit()

    def rings(self) -> None:
        """Open or close the panel of the gimbal rings."""
        self.note("rings")
        self.window.commands["gimbal"].trigger()

    def choose_one(self) -> None:
        """Select something, as a click in the tree does."""
        ids = [element.id for element in self.window.document.model]
        self.note("select")
        self.window.selection.set(self.random.sample(ids, min(len(ids), 1)))

    def come_back(self) -> None:
        """Go back to the design pose, where handles are."""
        self.note("come back")
        self.window.simulator.stop_live()
        self.window.playback.leave()
        if self.window.document.model.dim == 2:
            self.window.document.new(self.nothing())
