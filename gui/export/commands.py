"""The commands of File > Export."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from engine.errors import EngineError
from engine.files.atomic import replace_file
from gui.export.dialog import ExportDialog
from gui.export.sources import Sources
from gui.look.icons import icon
from gui.look.tooltips import allow, tip
from gui.stages.stages import Stages
from gui.state.passing import open_dialog

_DELETE = Qt.WidgetAttribute.WA_DeleteOnClose


class ExportCommands(QObject):
    """Makes the actions and disables them, with the reason, while they do not apply."""

    def __init__(
        self,
        window: QWidget,
        sources: Callable[[], Sources],
        stages: Stages,
        say: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self.window_, self.sources, self.say = window, sources, say
        self.dialog: ExportDialog | None = None  # the one that was opened last
        tr = self.tr
        self.table = self._action("table", tr("&Table (CSV, NPZ) ..."), self.open_table)
        self.picture = self._action("picture", tr("&Picture (PNG, SVG) ..."), self.open_picture)
        self.copy = self._action("copy", tr("&Copy the stage as a picture"), self.copy_stage)
        self.film = self._action("film", tr("&Film (MP4, GIF) ..."), self.open_film)
        self.report = self._action("report", tr("&Report of the run ..."), self.write_report)
        self.solid = self._action("solid", tr("3D &scene (glTF) ..."), self.write_solid)
        self.robot = self._action("robot", tr("R&obot (URDF, MJCF) ..."), self.write_robot)
        self.table.setShortcut("Ctrl+E")
        self.copy.setShortcut("Ctrl+Shift+C")
        self.actions = [self.table, self.picture, self.copy, self.film, self.solid, self.robot]
        self.actions.append(self.report)
        for action in (self.picture, self.copy):
            action.setToolTip(tip(action))
        playback = sources().playback
        playback.run_changed.connect(self.refresh)
        playback.frames_grew.connect(self.refresh)
        stages.shown_changed.connect(self._allow_solid)
        self._there: bool | None = None
        self._allow_solid()
        self.refresh()

    def _action(self, name: str, text: str, work: Callable[[], object]) -> QAction:
        action = QAction(icon(name), text, self.window_)
        action.setObjectName(f"export_{name}")
        action.triggered.connect(lambda _=False: work())
        return action

    def refresh(self) -> None:
        """Disable what needs a run while there is none; changes the actions."""
        there = self.sources().record is not None
        if there is self._there:
            return
        self._there = there
        reason = "" if there else self.tr("There is no run yet: press play first.")
        for action in (self.table, self.film, self.report):
            allow(action, reason)

    def _allow_solid(self) -> None:
        """Disable the export of solids while no stage in space is shown; changes the action."""
        there = hasattr(self.sources().stage, "glb")
        allow(
            self.solid, "" if there else self.tr("Show the model in 3D first: View > Show in 3D.")
        )

    def write_solid(self) -> None:
        """Ask for a file and write the scene in the pose that is shown."""
        sources = self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window_,
            self.tr("3D scene"),
            str(sources.suggestion(".glb")),
            self.tr("glTF (*.glb)"),
        )
        if chosen:
            path = Path(chosen)
            self.write_solid_to(sources, path if path.suffix else path.with_suffix(".glb"))

    def write_solid_to(self, sources: Sources, path: Path) -> None:
        """Write the scene that is shown; failures are reported in the window."""
        content = sources.stage.glb()
        try:
            replace_file(path, lambda file: file.write(content), "write")
        except EngineError as error:
            self._complain(error.sentence)
        else:
            sources.remember(path)
            self.say(self.tr("Written: {0}").format(path.name))

    def write_robot(self) -> None:
        """Ask for a file and write the model as a robot description."""
        sources = self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window_,
            self.tr("Robot description"),
            str(sources.suggestion(".urdf")),
            self.tr("URDF (*.urdf);;MJCF of MuJoCo (*.xml)"),
        )
        if chosen:
            path = Path(chosen)
            self.write_robot_to(sources, path if path.suffix else path.with_suffix(".urdf"))

    def write_robot_to(self, sources: Sources, path: Path) -> None:
        """Write the open model; failures, and what the file cannot hold, are reported in the window."""
        from engine.editing.robots.writing import write_robot

        try:
            remarks = write_robot(sources.document.model, path)
        except EngineError as error:
            self._complain(error.sentence)
        else:
            sources.remember(path)
            self.say(" ".join([self.tr("Written: {0}.").format(path.name), *remarks]))

    def open_table(self) -> None:
        """Ask what goes into a table and write it."""
        from gui.export.table_dialog import TableDialog

        sources = self.sources()
        self._open(TableDialog(sources, self.window_))

    def open_picture(self) -> None:
        """Ask what a picture shows and write it."""
        from gui.export.picture_dialog import PictureDialog

        self._open(PictureDialog(self.sources(), self.window_))

    def open_film(self) -> None:
        """Ask how a film is made and make it."""
        from gui.export.film.film_dialog import FilmDialog

        self._open(FilmDialog(self.sources(), self.window_))

    def copy_stage(self) -> None:
        """Put the visible stage into the clipboard."""
        from gui.export.pictures import copy_to_clipboard, stage_image

        sources = self.sources()
        size = 2 * sources.stage.size()  # sharp on dense screens and in print
        copy_to_clipboard(stage_image(sources, size))
        self.say(self.tr("The stage is in the clipboard as a picture."))

    def write_report(self) -> None:
        """Ask for a file and write the report of the run."""
        sources = self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window_,
            self.tr("Report of the run"),
            str(sources.suggestion(".html", "report")),
            self.tr("Page (*.html)"),
        )
        if chosen:
            path = Path(chosen)
            self.write_report_to(sources, path if path.suffix else path.with_suffix(".html"))

    def write_report_to(self, sources: Sources, path: Path) -> None:
        """Write the report of the run; failures are reported in the window."""
        from gui.export.pictures import stage_svg
        from gui.export.report.report import write_report

        results = sources.results
        assert results is not None, "the command is grey while there is no run"
        try:
            write_report(results, path, stage_svg(sources), sources.preferences)
        except EngineError as error:
            self._complain(error.sentence)
        else:
            sources.remember(path)
            self.say(self.tr("Written: {0}").format(path.name))

    def _open(self, dialog: ExportDialog) -> None:
        """Show a dialog over the window, which stays usable."""
        dialog.setAttribute(_DELETE)
        dialog.accepted.connect(
            lambda: self.say(self.tr("Written: {0}").format(dialog.target.path.name))
        )
        self.dialog = dialog
        open_dialog(dialog)

    def _complain(self, sentence: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, self.tr("Export"), sentence)
        box.setParent(self.window_, box.windowFlags())
        box.setAttribute(_DELETE)
        box.open()
