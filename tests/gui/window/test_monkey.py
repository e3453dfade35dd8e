"""Eight thousand random events raise nothing, and the model can always be saved and undone."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox

from engine.files.model_files import dumps
from engine.model.elements import with_view
from tests.gui.monkey import Monkey
from tests.gui.space_monkey import SpaceMonkey

N_EVENTS = {Monkey: 2000, SpaceMonkey: 1000}  # with each seed; `make abuse` tries a million
CHECKS = 10  # round trips of the model on the way


@pytest.fixture
def cage(qapp, tmp_path, monkeypatch):
    """No question waits for ever, nothing outside is opened, and the colours come back."""
    path = str(tmp_path / "saved.json")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("", ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (path, ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda self: QMessageBox.StandardButton.Discard)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda *_: True)
    palette = qapp.palette()
    yield
    qapp.setPalette(palette)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [(Monkey, 1), (Monkey, 2), (Monkey, 3), (SpaceMonkey, 5), (SpaceMonkey, 7)],
)
def test_a_monkey_breaks_nothing(cage, window, kind, seed, tmp_path):
    monkey = kind(window, seed, tmp_path)
    for _ in range(CHECKS):
        monkey.play(N_EVENTS[kind] // CHECKS)
        monkey.check()
    monkey.stop()
    assert monkey.events >= N_EVENTS[kind]
    document = window.document
    kept = document.model.view.camera  # that of the window is written when it is saved
    final, stack = dumps(document.model), document.undo_stack
    count = stack.index()
    while stack.can_undo():
        stack.undo()
    while stack.index() < count:
        stack.redo()
    assert dumps(document.model) == final
    document.save(tmp_path / "model.json")
    document.open(tmp_path / "model.json")
    opened = document.model
    assert dumps(with_view(opened, replace(opened.view, camera=kept))) == final
