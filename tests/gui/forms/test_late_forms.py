"""A form follows its model in a turn of its own; until then it writes into no other one."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent

from engine.editing.builder import Mechanism
from engine.model.elements import planar
from gui.forms.panel import PropertiesPanel
from gui.state.document import Document
from gui.state.selection import Selection


@pytest.fixture
def panel(qtbot, preferences):
    """The panel of a document with a rod that is selected."""
    m = Mechanism("Rod")
    m.rod((0, 0), (1, 0), id="rod_1")
    document, selection = Document(), Selection()
    document.new(m.model)
    shown = PropertiesPanel(document, selection, preferences)
    qtbot.addWidget(shown)
    shown.show()
    selection.set(["rod_1"])
    return shown


def field(panel, name):
    """The editor of a field of the form."""
    panel.bring_up_to_date()
    return next(row.field for row in panel.form.rows if row.field.objectName() == name)


@pytest.mark.parametrize("name", ["mass", "position"])
def test_a_field_whose_element_has_just_left_says_so(panel, name):
    editor = field(panel, name)
    line = getattr(editor, "line", None) or editor.parts[0].line
    panel.document.new(planar())  # the form follows in a turn of its own
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(line, QKeyEvent(kind, 0x37, Qt.KeyboardModifier.NoModifier, "7"))
    told = editor if hasattr(editor, "line") else editor.parts[0]
    assert told.is_wrong and "no longer" in told.note.text()


def test_what_is_committed_to_a_model_of_other_dimension_changes_nothing(panel):
    editor = field(panel, "position")
    room = Mechanism("room", dim=3)
    room.rod((0, 0, 0), (1, 0, 0), id="rod_1")
    panel.document.new(room.model)  # the form follows in a turn of its own
    before = panel.document.model
    editor.meant.emit((1.0, 2.0))
    assert panel.document.model is before
    panel.form.refresh()
    assert len(field(panel, "position").parts) == 3
