"""A page of Learn or Analyse as a picture, in a file or in the clipboard, and as tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from engine.errors import EngineError
from gui.export.pictures import copy_to_clipboard, write_image
from gui.export.sources import Sources
from gui.look.icons import icon
from gui.state.passing import open_menu

SHARP = 2  # dots per pixel: sharp on dense screens and in print


@runtime_checkable
class Tabled(Protocol):
    """A page with numbers of its own."""

    def write_csv(self, path: Path) -> None:
        """Write them; an EngineError says why there are none."""


@runtime_checkable
class Drawn(Protocol):
    """A page with a drawing of its own, without its fields and tables."""

    def save_picture(self, path: str) -> None:
        """Write it as SVG or PNG, by the end of the name; an EngineError says why there is none."""


class PageExport:
    """What the button of a page offers."""

    def __init__(
        self,
        window: QWidget,
        sources: Callable[[], Sources],
        table: QAction,
        say: Callable[[str], object],
    ) -> None:
        self.window, self.sources, self.table, self.say = window, sources, table, say

    def menu(self, title: str, content: QWidget) -> QMenu:
        """The ways to export a page."""
        tr, menu = self.window.tr, QMenu(self.window)
        menu.addAction(
            icon("picture"), tr("&Picture of this page (PNG) ..."), lambda: self.ask(title, content)
        )
        if isinstance(content, Drawn):
            words = tr("&Drawing of this page (SVG, PNG) ...")
            menu.addAction(icon("picture"), words, lambda: self.ask_drawing(title, content))
        menu.addAction(
            icon("copy"), tr("&Copy this page as a picture"), lambda: self.copy(title, content)
        )
        menu.addSeparator()
        if isinstance(content, Tabled):
            words = tr("T&able of this page (CSV) ...")
            menu.addAction(icon("csv"), words, lambda: self.ask_table(title, content))
        menu.addAction(self.table)
        return menu

    def open_below(self, title: str, content: QWidget, place: QPoint) -> None:
        """Offer them at a place of the screen."""
        open_menu(self.menu(title, content), place)

    def ask(self, title: str, content: QWidget) -> None:
        """Ask for a file and write the picture."""
        tr, sources = self.window.tr, self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window, title, str(sources.suggestion(".png", title)), tr("Picture (*.png)")
        )
        if chosen:
            path = Path(chosen)
            self.write(content, path if path.suffix else path.with_suffix(".png"))

    def write(self, content: QWidget, path: Path) -> None:
        """Write the picture of a page; a failure is told in the window."""
        try:
            write_image(picture_of(content), path)
        except EngineError as error:
            self.say(error.sentence)
        else:
            self.sources().remember(path)
            self.say(self.window.tr("Written: {0}").format(path.name))

    def ask_drawing(self, title: str, content: Drawn) -> None:
        """Ask for a file and write the drawing of a page; a failure is told in the window."""
        tr, sources = self.window.tr, self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window,
            title,
            str(sources.suggestion(".svg", title)),
            tr("Drawing (*.svg);;Picture (*.png)"),
        )
        if not chosen:
            return
        path = Path(chosen)
        path = path if path.suffix.lower() in (".svg", ".png") else path.with_suffix(".svg")
        try:
            content.save_picture(str(path))
        except EngineError as error:
            self.say(error.sentence)
        else:
            sources.remember(path)
            self.say(tr("Written: {0}").format(path.name))

    def ask_table(self, title: str, content: Tabled) -> None:
        """Ask for a file and write the table of a page; a failure is told in the window."""
        tr, sources = self.window.tr, self.sources()
        chosen, _ = QFileDialog.getSaveFileName(
            self.window, title, str(sources.suggestion(".csv", title)), tr("Table (*.csv)")
        )
        if not chosen:
            return
        path = Path(chosen)
        path = path if path.suffix else path.with_suffix(".csv")
        try:
            content.write_csv(path)
        except EngineError as error:
            self.say(error.sentence)
        else:
            sources.remember(path)
            self.say(tr("Written: {0}").format(path.name))

    def copy(self, title: str, content: QWidget) -> None:
        """Put the picture of a page into the clipboard."""
        copy_to_clipboard(picture_of(content))
        self.say(self.window.tr("'{0}' is in the clipboard as a picture.").format(title))


def picture_of(content: QWidget) -> QImage:
    """What a page shows, with more dots than the screen has."""
    size: QSize = content.size() * SHARP
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARP)
    image.fill(content.palette().window().color())
    content.render(image)
    return image
