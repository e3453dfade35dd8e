"""Densities of common materials, to choose from beside the field of the density."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QToolButton

from gui.forms.fields import tr
from gui.forms.lines import LineField
from gui.look.icons import icon
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.preferences import Preferences

N = QT_TRANSLATE_NOOP

MATERIALS: tuple[tuple[str, float], ...] = (  # kg/m^3, at room temperature, rounded
    (N("Forms", "Steel"), 7850.0),
    (N("Forms", "Cast iron"), 7200.0),
    (N("Forms", "Aluminium"), 2700.0),
    (N("Forms", "Titanium"), 4500.0),
    (N("Forms", "Brass"), 8500.0),
    (N("Forms", "Copper"), 8960.0),
    (N("Forms", "Magnesium"), 1740.0),
    (N("Forms", "Carbon fibre composite"), 1600.0),
    (N("Forms", "Acrylic glass"), 1190.0),
    (N("Forms", "ABS plastic"), 1050.0),
    (N("Forms", "Oak"), 700.0),
    (N("Forms", "Glass"), 2500.0),
)


class MaterialButton(QToolButton):
    """A button with the list of materials; the chosen density is committed to the field."""

    def __init__(self, field: LineField, preferences: Preferences) -> None:
        super().__init__()
        self.setToolTip(tr("Choose a material"))
        self.setIcon(icon("material"))
        self.list = QMenu(self)
        for name, density in MATERIALS:
            shown = " ".join((preferences.shown(density, "kg/m^3")[0], "kg/m³"))
            action = self.list.addAction(f"{tr(name)}\t{shown}")
            action.triggered.connect(lambda _=False, density=density: field.meant.emit(density))
        self.clicked.connect(lambda: self.list.popup(self.mapToGlobal(QPoint(0, self.height()))))
