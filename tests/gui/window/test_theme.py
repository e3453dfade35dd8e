"""Another theme: the form follows in its own turn, and no event of it is taken for a key."""

from PySide6.QtWidgets import QApplication

from gui.state.keyboard import Keyboard


class Spy(Keyboard):
    """An owner of the keyboard that only counts what it sees."""

    seen = 0

    def eventFilter(self, watched, event):
        """Count."""
        self.seen += 1
        return False


def test_another_theme_is_not_watched_event_by_event(qtbot, qapp, window):
    sheet, form = qapp.styleSheet(), window.properties.form
    spy = Spy(window, lambda: window.stage, lambda: None)
    window.commands["theme_light" if window.preferences.theme == "dark" else "theme_dark"].trigger()
    assert qapp.styleSheet() != sheet
    assert spy.seen < len(QApplication.allWidgets())  # each gets several events when it is styled
    assert window.properties.form is form
    qtbot.waitUntil(lambda: window.properties.form is not form)  # in the new colours
    spy.seen = 0
    qtbot.keyClick(window.stage, "a")
    assert spy.seen  # it watches again
    qapp.removeEventFilter(spy)
