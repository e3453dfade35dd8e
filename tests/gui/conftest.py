"""The window of the tests: complete, active, with settings and recovery in a temporary folder."""

from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt
from PySide6.QtGui import QGuiApplication

from gui.look.translation import choose_separator
from gui.stages.kernels import shadow_map

PATIENCE = 240_000  # ms that a test waits for an event; the kernels may have to be compiled


@pytest.fixture
def qtbot(qtbot):
    """The hand of the tests; it waits as long as a busy machine needs, unless told otherwise."""
    for wait in ("waitUntil", "waitSignal", "waitExposed", "waitActive"):
        setattr(qtbot, wait, partial(getattr(qtbot, wait), timeout=PATIENCE))
    return qtbot


@pytest.fixture(scope="session", autouse=True)
def collector(qapp):
    """Garbage is collected as in the program; threads of a test would destroy widgets of the last one."""
    from gui.state.garbage import GarbageCollector

    return GarbageCollector(qapp)


@pytest.fixture(scope="session")
def first_palette(qapp):
    """The colours of the application before any window."""
    return qapp.palette()


@pytest.fixture(scope="session", autouse=True)
def pictures():
    """Shadows and smooth edges are there from the first picture on, also where nothing was compiled."""
    shadow_map.exercise()


@pytest.fixture(autouse=True)
def plain_application(qapp, first_palette):
    """Every test begins without the style sheet and colours that a window before it has left."""
    if qapp.styleSheet():
        qapp.setStyleSheet("")
    if qapp.palette() != first_palette:
        qapp.setPalette(first_palette)


@pytest.fixture(autouse=True)
def decimal_point():
    """Every test begins with numbers written with a point, and leaves no comma behind."""
    choose_separator(decimal_comma=False)
    yield
    choose_separator(decimal_comma=False)


@pytest.fixture(autouse=True)
def own_thumbnails(tmp_path_factory, monkeypatch):
    """Pictures of models are kept in a folder of this run, not in that of the user."""
    folder = tmp_path_factory.getbasetemp() / "thumbnails"
    monkeypatch.setattr("gui.guide.thumbnails.cache_folder", lambda: folder)


@pytest.fixture
def preferences(qapp, tmp_path):
    """Preferences that leave those of the user alone; without the card of first steps."""
    from gui.state.preferences import Preferences

    chosen = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    chosen.set("show_first_steps", False)
    return chosen


def give_keyboard_to(window, qtbot):
    """Make a window active to stay: news about a window that was closed may make it passive once more."""
    while not window.isActiveWindow():
        window.activateWindow()
        qtbot.waitActive(window)
        QGuiApplication.sync()


@pytest.fixture
def open_window(qtbot, preferences, tmp_path):
    """Opens complete windows and closes them without dialogs."""
    from tests.gui.whole_window import WholeWindow

    opened = []

    def open_one(**options):
        is_first = not preferences.settings.contains("window/geometry")
        window = WholeWindow(preferences, tmp_path / "recovery")
        opened.append(window)
        if is_first:
            window.setWindowState(Qt.WindowState.WindowNoState)
            window.resize(1280, 720)  # on any screen
        window.show()
        window.complete()
        window.build_results()
        qtbot.waitExposed(window)
        qtbot.waitUntil(window.stage.isVisible)
        give_keyboard_to(window, qtbot)
        return window

    yield open_one
    for window in opened:
        window.files.may_leave = lambda: True
        window.close()
        window.deleteLater()
    # now, or the style sheets of the next test would be applied to these windows as well
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QGuiApplication.sync()


@pytest.fixture
def window(open_window):
    """One window."""
    return open_window()
