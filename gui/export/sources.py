"""What exports read: the document, the runs, the stage, the plots and the units of the user."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDir, QStandardPaths

from engine.errors import EngineError
from engine.results.results import Results
from gui.state.document import Document
from gui.state.playback import Playback, RunRecord
from gui.state.preferences import Preferences

if TYPE_CHECKING:  # pyqtgraph takes long to load
    from gui.plots.plot_area import PlotArea

_UNSAFE = re.compile(r"[^\w.-]+")
_FOLDER = "export/folder"  # in QSettings: where the last file went


@dataclass(slots=True, eq=False)
class Sources:
    """One window as exports see it."""

    document: Document
    playback: Playback
    preferences: Preferences
    stage: Any = None  # the one that is shown
    plots: "PlotArea | None" = None  # once they are made

    @property
    def record(self) -> RunRecord | None:
        """The run that is exported: the current one, or the newest of the earlier ones."""
        if self.playback.current is not None:
            return self.playback.current if len(self.playback.current.results) else None
        return next(iter(self.playback.ghosts), None)

    @property
    def results(self) -> Results | None:
        """The frames of that run."""
        return None if self.record is None else self.record.results

    @property
    def plotted(self) -> list[str]:
        """The channels that are in plots now and that the run has."""
        results = self.results
        if self.plots is None or results is None:
            return []
        return [name for name in self.plots.shown_channels() if _has(results, name)]

    @property
    def plotted_span(self) -> tuple[float, float] | None:
        """The time that is visible in the plots."""
        return None if self.plots is None else self.plots.shown_span()

    def suggestion(self, suffix: str, what: str = "") -> Path:
        """A name for a new file, beside the last export or the model, that no file has yet."""
        path = self.document.path
        stem = path.stem if path is not None else self.document.model.name
        words = [_UNSAFE.sub("_", part).strip("_. ")[:60] for part in (stem or "mechanism", what)]
        stem = "-".join(word for word in words if word) or "mechanism"
        folder = self.folder()
        target, n = folder / f"{stem}{suffix}", 2
        while target.exists():
            target, n = folder / f"{stem}-{n}{suffix}", n + 1
        return target

    def folder(self) -> Path:
        """Where the last export went; at first where the model is, or the user's documents."""
        last = str(self.preferences.settings.value(_FOLDER, "", str))
        if last and Path(last).is_dir():
            return Path(last)
        if self.document.path is not None:
            return self.document.path.absolute().parent
        place = QStandardPaths.StandardLocation.DocumentsLocation
        documents = QStandardPaths.writableLocation(place)
        return Path(documents if documents and Path(documents).is_dir() else QDir.homePath())

    def remember(self, path: Path) -> None:
        """Suggest the folder of this file next time; changes the settings."""
        self.preferences.settings.setValue(_FOLDER, str(path.absolute().parent))


def _has(results: Results, name: str) -> bool:
    """Whether a run has a channel of this name."""
    try:
        results.channel(name)
    except EngineError:
        return False
    return True
