"""A hand that also fills in the properties of what is selected."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.forms.fields import ChoiceField


class FormHand:
    """Mixed into a hand on a stage; the properties are those of its window."""

    qtbot = None

    def rows(self):
        """The rows of the form of what is selected."""
        panel = self.window.properties
        panel.bring_up_to_date()
        return panel.form.rows

    def fill(self, **texts):
        """Type into fields over what is there, each with Enter; choose from those with a list."""
        for name, text in texts.items():
            name = name.replace("__", ".")
            self._fill(lambda row, name=name: row.field.objectName() == name, text)

    def fill_point(self, which, **texts):
        """The same for one of the points of a joint or force, by the field that refers to it."""
        one = self.window.document.model[self.window.selection.ids[0]]
        marker = getattr(one, which)
        for name, text in texts.items():
            self._fill(
                lambda row, name=name: (row.place.name, row.place.ids) == (name, (marker,)), text
            )

    def _fill(self, is_meant, text):
        def found():
            return [row.field for row in self.rows() if is_meant(row)]

        self.qtbot.waitUntil(lambda: bool(found()))
        editor = found()[-1]
        if isinstance(editor, ChoiceField):
            editor.box.setCurrentIndex(editor.box.findData(text))
            editor.box.activated.emit(editor.box.currentIndex())
        else:
            parts = editor.parts if isinstance(text, tuple) else (editor,)
            for part, one in zip(parts, text if isinstance(text, tuple) else (text,)):
                part.line.setFocus()
                part.line.selectAll()
                QTest.keyClicks(part.line, one)
                QTest.keyClick(part.line, Qt.Key.Key_Return)
        QApplication.processEvents()
