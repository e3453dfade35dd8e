"""Dialogs and menus leave no widgets behind when they are closed."""

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QTreeWidgetItem

from assets import example_paths
from engine.files.model_files import load
from gui.forms.orientation.converter import ask_orientation
from gui.forms.special import ask_table
from gui.state.passing import TITLE, answer_of, open_dialog

OPENINGS = 4


def _preferences(window):
    window.show_preferences()


def _about(window):
    window.show_about()


def _gallery(window):
    window.files.show_gallery()


def _question(window):
    window.document.edit("Nothing", load(example_paths()["pendulum"]))
    window.files.may_leave()


def _table(window):
    about = (window.preferences, window.document.model)
    columns, rows = [("x", "m"), ("y", "m")], ((0.0, 1.0), (1.0, 2.0))
    ask_table(window, "Points", columns, rows, *about, is_curve=True)


def _converter(window):
    ask_orientation(window, window.preferences, window.document.model, (1.0, 0.0, 0.0, 0.0))


def _menu_of_selection(window):
    window.session.show_menu([e.id for e in window.document.model.of("body")], QPoint(10, 10))


def _menu_of_stage(window):
    window.session.show_menu([], QPoint(10, 10))


OPENED = (
    *(_preferences, _about, _gallery, _question, _table, _converter),
    *(_menu_of_selection, _menu_of_stage),
)


def close_what_is_open():
    """Close the dialog or menu that waits for an answer."""
    for one in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
        if one is not None:
            one.close()


def count_widgets():
    """How many widgets there are when all that was deleted is gone."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    return len(QApplication.allWidgets())


@pytest.mark.parametrize("show", OPENED, ids=lambda f: f.__name__.strip("_"))
def test_what_was_closed_leaves_no_widgets(window, show):
    window.document.new(load(example_paths()["four_bar"]))
    timer = QTimer(interval=5)
    timer.timeout.connect(close_what_is_open)
    timer.start()
    counts = []
    for _ in range(OPENINGS):
        show(window)
        close_what_is_open()
        counts.append(count_widgets())
    timer.stop()
    assert counts[-1] <= counts[1], counts


def count_items():
    """How many widgets, and how many rows of trees there are when all that was deleted is gone."""
    widgets = count_widgets()
    return widgets, sum(type(one) is QTreeWidgetItem for one in gc.get_objects())


def test_models_that_were_left_leave_nothing_behind(window, qtbot):
    """Plots, sliders, forms and rows of a model in the plane and of one in space go with it."""
    examples, counts = example_paths(), []
    for _ in range(4):
        for name in ("four_bar", "spatial_four_bar"):
            window.document.open(examples[name])
            qtbot.waitUntil(lambda: len(window.plots.plots()) > 0)
        counts.append(count_items())
    assert counts[-1] == counts[1], counts


def test_a_dialog_is_never_larger_than_its_screen(qtbot):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    room = dialog.screen().availableGeometry().size()
    dialog.resize(room.width() + 300, room.height() + 300)
    open_dialog(dialog)
    assert dialog.width() == room.width() and dialog.height() == room.height() - TITLE
    small = QDialog()
    qtbot.addWidget(small)
    small.resize(300, 200)
    QTimer.singleShot(0, small.accept)
    assert answer_of(small) and small.size() == QSize(300, 200)
