"""Draws the pictures of docs/instruments.md: python -m docs.make_instrument_pictures."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from assets import example_paths
from gui.instruments.coordinates.page import CoordinatesPage
from gui.instruments.equations.panel import REDUCED, EquationsPanel
from gui.instruments.free_body.page import ALL, FreeBodyPage
from gui.instruments.freedom.page import FreedomPage
from gui.instruments.microscope.page import MicroscopePage
from gui.instruments.modes.page import ModesPage
from gui.instruments.rotation.page import RotationPage
from gui.instruments.tree.page import TreePage
from gui.look.theme import LIGHT, palette_of
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection

IMAGES = Path(__file__).parent / "images"
PICTURES = (
    ("equations_four_bar.png", "four_bar", "index_1", "coupler"),
    ("equations_reduced.png", "double_pendulum", REDUCED, ""),
)


def main() -> None:
    """Draw every picture."""
    app = QApplication(sys.argv)
    app.setStyle("Fusion")
    app.setPalette(palette_of(LIGHT))
    for file, example, view, part in PICTURES:
        document, selection = Document(), Selection()
        page = EquationsPanel(document, selection, Playback())
        page.resize(1100, 640)
        page.show()
        document.open(example_paths()[example])
        while page.views is None:
            app.processEvents()
        page.choose(view)
        while page.reduction is not None and page.reduction.state == "working":
            app.processEvents()
        selection.set([part] if part else [])
        app.processEvents()
        page.grab().save(str(IMAGES / file))
        page.shutdown()
    draw_freedom(app)
    draw_microscope(app)
    draw_coordinates(app)
    draw_free_bodies(app)
    draw_rotation(app)
    draw_tree(app)
    draw_modes(app)


def draw_modes(app: QApplication) -> None:
    """The shapes of the rod of a flexible slider-crank."""
    shared = Document(), Selection(), Playback()
    stages = Stages(*shared)
    page = ModesPage(*shared, stages)
    page.resize(460, 640)
    page.show()
    shared[0].open(example_paths()["flexible_slider_crank"])
    page.renew()
    app.processEvents()
    page.grab().save(str(IMAGES / "modes.png"))
    page.shutdown()


def draw_tree(app: QApplication) -> None:
    """The page of the tree of a linkage whose loop is cut."""
    document = Document()
    page = TreePage(document, Selection(), Playback())
    page.resize(560, 520)
    page.show()
    document.open(example_paths()["four_bar"])
    while page.tree is None:
        app.processEvents()
    page.choose("J")
    app.processEvents()
    page.grab().save(str(IMAGES / "tree.png"))
    page.shutdown()


def draw_freedom(app: QApplication) -> None:
    """The page of freedom of a linkage in space whose hinges hold three things twice."""
    document = Document()
    page = FreedomPage(document, Selection(), Playback())
    page.resize(460, 620)
    page.show()
    document.open(example_paths()["spatial_four_bar"])
    while page.found is None or page.found.freedom is None:
        app.processEvents()
    app.processEvents()
    page.grab().save(str(IMAGES / "freedom.png"))
    page.shutdown()


def draw_microscope(app: QApplication) -> None:
    """One step of the index-3 trapezoid of a four-bar linkage."""
    document = Document()
    page = MicroscopePage(document, Selection(), Playback())
    page.resize(900, 560)
    page.show()
    document.open(example_paths()["four_bar"])
    while page.seen is None or page.seen.opened is None:
        app.processEvents()
    app.processEvents()
    page.grab().save(str(IMAGES / "microscope.png"))
    page.shutdown()


def draw_free_bodies(app: QApplication) -> None:
    """The coupler of a four-bar with its inertia, and the whole linkage pulled apart."""
    document = Document()
    page = FreeBodyPage(document, Selection(), Playback())
    page.resize(760, 680)
    page.show()
    document.open(example_paths()["four_bar"])
    while page.diagrams is None:
        app.processEvents()
    for file, body in (("free_body.png", "coupler"), ("free_bodies_apart.png", ALL)):
        page.choose(body)
        page.inertia.setChecked(body != ALL)
        app.processEvents()
        page.grab().save(str(IMAGES / file))
    page.shutdown()


def draw_rotation(app: QApplication) -> None:
    """Three turns of the sequence 3-1-3, and the same in the reverse order."""
    page = RotationPage(Document(), Selection(), Playback())
    page.resize(760, 900)
    page.show()
    app.processEvents()
    page.grab().save(str(IMAGES / "rotation.png"))
    page.shutdown()


def draw_coordinates(app: QApplication) -> None:
    """Four kinds of coordinates of a four-bar linkage, with the equations of the relative ones."""
    with TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        document, selection, playback = Document(), Selection(), Playback()
        preferences = Preferences(settings)
        document.open(example_paths()["four_bar"])
        stages = Stages(document, selection, playback, preferences)
        page = CoordinatesPage(document, selection, playback, preferences, stages)
        for part, size in ((page, (1000, 820)), (stages, (760, 560))):
            part.resize(*size)
            part.show()
        while page.found is None or not page.found.is_over:
            app.processEvents()
        page.choose("relative")
        app.processEvents()
        page.grab().save(str(IMAGES / "coordinates.png"))
        page.choose("natural")
        stages.fit()
        app.processEvents()
        stages.grab().save(str(IMAGES / "coordinates_on_stage.png"))
        page.shutdown()


if __name__ == "__main__":
    main()
