"""What the tests of exports share: a run, and the sources of a window that shows it."""

from functools import cache

from PySide6.QtCore import QSettings

from assets import example_paths
from engine.files.model_files import load
from engine.running.simulate import prepare, run
from gui.export.sources import Sources
from gui.stages.plane.view import StageView
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection


class PlottedChannels:
    """Plots as exports see them: which channels they show, and which time."""

    def __init__(self, names, span=None):
        self.names, self.span = names, span

    def shown_channels(self):
        """The names of the channels in all plots."""
        return self.names

    def shown_span(self):
        """The time that is visible."""
        return self.span

    def plots(self):
        """No widgets."""
        return []


@cache
def sample_results(name="four_bar"):
    """A finished run of an example."""
    return run(load(example_paths()[name]), t_end=2.0)


def sample_sources(tmp_path, name="four_bar", plots=None):
    """The sources of a window that shows a run; preferences are in a file of their own."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("export/folder", str(tmp_path))
    document, playback = Document(), Playback()
    results = sample_results(name)
    document.new(results.model)
    playback.start(results, prepare(results.compiled).mobility)
    return Sources(document, playback, Preferences(settings), None, plots)


def staged_sources(qtbot, tmp_path, name="four_bar"):
    """The same with a stage that is on the screen."""
    sources = sample_sources(tmp_path, name)
    sources.stage = StageView(sources.document, Selection(), sources.playback)
    sources.stage.resize(480, 320)
    qtbot.addWidget(sources.stage)
    sources.stage.show()
    qtbot.waitExposed(sources.stage)
    sources.stage.fit()
    return sources
