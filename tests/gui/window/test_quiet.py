"""What made Qt complain; any such word fails a test, by `qt_log_level_fail` in pyproject.toml."""

import pytest
from PySide6.QtCore import QSize, qWarning
from PySide6.QtGui import QIcon

from gui.look.icons import icon


@pytest.mark.parametrize("size", [QSize(), QSize(0, 0), QSize(0, 16), QSize(-1, 8)])
def test_an_icon_of_no_size_is_an_empty_picture(qapp, size):
    assert icon("body").pixmap(size, QIcon.Mode.Normal, QIcon.State.Off).isNull()


def test_a_complaint_of_qt_is_noticed(pytestconfig, qtlog):
    assert pytestconfig.getini("qt_log_level_fail") == "WARNING"
    with qtlog.disabled():
        qWarning("said while nobody listens")
    assert not qtlog.records
