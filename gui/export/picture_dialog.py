"""Export a picture of the stage or of a plot, or copy it."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QBrush, QImage, QPainter, QPixmap, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from gui.export.dialog import ExportDialog
from gui.export.pictures import (
    copy_to_clipboard,
    plot_image,
    plot_size,
    plot_svg,
    stage_image,
    stage_svg,
    write_image,
    write_svg,
)
from gui.export.sources import Sources

LEAST, MOST = 64, 8192  # pixels
PREVIEW = QSize(420, 280)
VECTORS = 1  # the place of SVG in the list of types


class PictureDialog(ExportDialog):
    """Chooses what is in the picture, how large it is and where it goes."""

    def __init__(self, sources: Sources, parent: QWidget | None = None) -> None:
        super().__init__(sources, self.tr("Export a picture"), ".png", self.tr("Picture"), parent)
        self._make_fields()
        self._lay_out()
        self._connect()
        self._choose_what()

    def _make_fields(self) -> None:
        self.what = QComboBox()
        if self.sources.stage is not None:
            self.what.addItem(self.tr("Stage"), None)
        if self.sources.plots is not None:
            plots = self.sources.plots.plots()
            for n, plot in enumerate(plots):
                title = plot.windowTitle() or self.tr("Plot {0}").format(n + 1)
                self.what.addItem(title, plot)
        self.format = QComboBox()
        self.format.addItem(self.tr("PNG, pixels"), ".png")
        self.format.addItem(self.tr("SVG, vectors for print"), ".svg")
        self.width_field = QSpinBox(minimum=LEAST, maximum=MOST, value=1920, suffix=" px")
        self.height_field = QSpinBox(minimum=LEAST, maximum=MOST, value=1080, suffix=" px")
        self.transparent = QCheckBox(self.tr("No background"))
        self.preview = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(PREVIEW)
        self.copy_button = self.buttons.addButton(
            self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.copy_button.setAutoDefault(False)
        self._later = QTimer(self, singleShot=True, interval=40)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("What"), self.what)
        form.addRow(self.tr("File type"), self.format)
        form.addRow(self.tr("Width"), self.width_field)
        form.addRow(self.tr("Height"), self.height_field)
        form.addRow("", self.transparent)
        upper = QHBoxLayout()
        upper.addLayout(form, 1)
        upper.addWidget(self.preview)
        column = QVBoxLayout(self)
        column.addLayout(upper)
        column.addWidget(self.target)
        column.addWidget(self.told)
        column.addWidget(self.buttons)

    def _connect(self) -> None:
        self._later.timeout.connect(self.refresh)
        self.what.currentIndexChanged.connect(self._choose_what)
        self.format.currentIndexChanged.connect(self._choose_format)
        self.width_field.valueChanged.connect(self._follow_width)
        self.height_field.valueChanged.connect(lambda _: self._later.start())
        self.transparent.toggled.connect(lambda _: self._later.start())
        self.target.changed.connect(self._later.start)
        self.copy_button.clicked.connect(self.copy)
        self.buttons.accepted.connect(self.write)

    @property
    def widget(self) -> QWidget | None:
        """The plot that is chosen; None means the stage."""
        return self.what.currentData()

    def _choose_what(self) -> None:
        """A plot keeps its proportions and is drawn twice as large; the stage takes any size."""
        if self.widget is not None:
            self.width_field.setValue(2 * plot_size(self.widget).width())
        self._allow_vectors()
        self.height_field.setEnabled(self.widget is None and self.format.currentData() == ".png")
        self._follow_width()

    def _allow_vectors(self) -> None:
        """Disable SVG where surfaces are drawn, which have no vector form; changes the list of types."""
        solid = self.widget is None and hasattr(self.sources.stage, "glb")
        types = self.format.model()
        assert isinstance(types, QStandardItemModel), "so a combo box is made"
        item = types.item(VECTORS)
        item.setEnabled(not solid)
        reason = self.tr("The stage in space draws surfaces: take PNG, in any size.")
        item.setToolTip(reason if solid else "")
        if solid and self.format.currentIndex() == VECTORS:
            self.format.setCurrentIndex(0)

    def _choose_format(self) -> None:
        is_png = self.format.currentData() == ".png"
        self.target.set_suffix(self.format.currentData(), self.tr("Picture"))
        self.width_field.setEnabled(is_png)
        self._choose_what()

    def _follow_width(self) -> None:
        widget = self.widget
        if widget is not None:
            size = plot_size(widget)
            ratio = size.height() / max(size.width(), 1)
            self.height_field.setValue(round(ratio * self.width_field.value()))
        self._later.start()

    def image(self, largest: QSize | None = None) -> QImage:
        """The picture as chosen, or a smaller one of the same proportions."""
        size = QSize(self.width_field.value(), self.height_field.value())
        if largest is not None:
            size = size.scaled(largest, Qt.AspectRatioMode.KeepAspectRatio)
        size = size.expandedTo(QSize(1, 1))
        clear = self.transparent.isChecked()
        if self.widget is None:
            return stage_image(self.sources, size, transparent=clear)
        return plot_image(self.widget, size.width(), transparent=clear)

    def refresh(self) -> None:
        """Show what the picture will be and what is wrong; changes the dialog."""
        if not self.what.count():
            self.say(self.tr("There is nothing to draw."), True)
            self.write_button.setEnabled(False)
            return
        picture = self.image(PREVIEW)
        shown = QPixmap(picture.size())
        shown.fill(self.palette().base().color())
        painter = QPainter(shown)
        if self.transparent.isChecked():
            dots = QBrush(self.palette().placeholderText().color(), Qt.BrushStyle.Dense6Pattern)
            painter.fillRect(shown.rect(), dots)
        painter.drawImage(0, 0, picture)
        painter.end()
        self.preview.setPixmap(shown)
        self.judge(self.target.problem)

    def copy(self) -> None:
        """Put the picture into the clipboard; the dialog stays."""
        copy_to_clipboard(self.image())
        self.say(self.tr("The picture is in the clipboard."), False)

    def write(self) -> None:
        """Write the file and close; on a failure the dialog stays open and shows it."""
        try:
            path = self.target.checked()
            if self.format.currentData() == ".png":
                write_image(self.image(), path)
            else:
                write_svg(self._svg(path), path)
        except EngineError as error:
            self.say(error.sentence, True)
            return
        self.sources.remember(path)
        self.accept()

    def _svg(self, path: Path) -> bytes:
        if self.widget is None:
            return stage_svg(self.sources)
        return plot_svg(self.widget, path.stem, transparent=self.transparent.isChecked())
