"""The words of the health strip have the room they need."""

from PySide6.QtWidgets import QApplication

from engine.editing.builder import Mechanism
from engine.kinematics.checkup import Checkup

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


def test_words_of_the_strip_are_whole_as_soon_as_they_change(window, qtbot):
    window.resize(1280, 800)
    strip = window.health

    def widths():
        shown = [item for item in strip.items.values() if item.isVisible() and item.text()]
        return [(item.text(), item.width() - item.sizeHint().width()) for item in shown]

    m = Mechanism("Pendulum")
    m.revolute("ground", m.rod((0, 0), (1, 0)), at=(0, 0))
    window.document.new(m.model)
    qtbot.waitUntil(lambda: strip.text("dof") == "DOF 1", timeout=PATIENCE)
    found = strip.checkup
    strip.show_checkup(Checkup(found.model))  # nothing is known: shorter words
    QApplication.processEvents()
    strip.show_checkup(found)  # and no event follows
    assert all(spare >= 0 for _, spare in widths()), widths()
