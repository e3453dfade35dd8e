"""What the file of a solid does not say: its unit and its material, and how fine it is filled."""

from PySide6.QtGui import QDoubleValidator, QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from engine.compiling.elastic.tetrahedra import Solid
from engine.editing.solid_parts import check_material
from engine.errors import EngineError
from gui.look.theme import theme_of
from gui.state.numbers import written

STEEL = Solid(2.1e11, 0.3, 7850.0)


class SolidDialog(QDialog):
    """Asks for unit, material and edge length of a solid."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Let '{0}' bend").format(name))
        self.unit = QComboBox()
        for words, scale in (
            (self.tr("millimetres"), 1e-3),
            (self.tr("metres"), 1.0),
            (self.tr("inches"), 0.0254),
        ):
            self.unit.addItem(words, scale)
        self.fields = [QLineEdit(written(value)) for value in _numbers(STEEL)]
        self.edge_field = QLineEdit()
        self.edge_field.setPlaceholderText(self.tr("a twelfth of its length"))
        self.told = QLabel(wordWrap=True)
        self.told.setStyleSheet(f"color: {theme_of(self.palette()).problem}")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.fill = self.buttons.addButton(self.tr("Fill"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.fill.setDefault(True)
        for button in self.buttons.buttons():
            button.setIcon(QIcon())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("Its lengths are in"), self.unit)
        titles = (
            self.tr("Young's modulus [Pa]"),
            self.tr("Poisson's ratio"),
            self.tr("Density [kg/m\u00b3]"),
        )
        for title, field in zip(titles, self.fields):
            form.addRow(title, field)
        form.addRow(self.tr("Edge of elements [m]"), self.edge_field)
        for field in (*self.fields, self.edge_field):
            field.setValidator(QDoubleValidator())
            field.textChanged.connect(lambda _: self._judge())
        hint = QLabel(
            self.tr(
                "The solid is filled with quadratic tetrahedra, which are then condensed onto a few of "
                "their nodes. Thin walls need edges as long as they are thick."
            ),
            wordWrap=True,
        )
        hint.setProperty("role", "quiet")
        whole = QVBoxLayout(self)
        whole.addLayout(form)
        for part in (hint, self.told, self.buttons):
            whole.addWidget(part)
        self.resize(420, 0)

    @property
    def material(self) -> Solid:
        """What was typed; what is no number is zero."""
        return Solid(*(_number(field.text()) for field in self.fields))

    @property
    def scale(self) -> float:
        """Metres per unit of the file."""
        return float(self.unit.currentData())

    @property
    def edge(self) -> float | None:
        """How long edges are wanted, if that was typed  [m]."""
        return _number(self.edge_field.text()) or None

    def _judge(self) -> None:
        """Allow filling, or say what is wrong; changes the dialog."""
        sentence = ""
        try:
            check_material(self.material)
            if self.edge is not None and not self.edge > 0.0:
                sentence = self.tr("Edges must be longer than zero.")
        except EngineError as error:
            sentence = error.sentence
        self.told.setText(sentence)
        self.fill.setEnabled(not sentence)


def _numbers(material: Solid) -> tuple[float, float, float]:
    return material.youngs_modulus, material.poisson_ratio, material.density


def _number(text: str) -> float:
    """A number in a field; zero for anything else."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return 0.0
