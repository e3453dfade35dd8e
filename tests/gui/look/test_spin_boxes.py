"""Spin boxes look like the other fields."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSpinBox

from gui.look.style import style_sheet
from gui.look.theme import DARK, LIGHT, palette_of


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_spin_box_has_an_arrow_on_each_of_its_buttons(qtbot, theme):
    box = QSpinBox()
    qtbot.addWidget(box)
    box.setPalette(palette_of(theme))
    box.setStyleSheet(style_sheet(theme))
    box.resize(120, 28)
    image = box.grab().toImage()
    arrow = QColor(theme.quiet).name()
    places = [
        y
        for y in range(image.height())
        for x in range(image.width() - 20, image.width() - 3)
        if image.pixelColor(x, y).name() == arrow
    ]
    assert any(y < 14 for y in places) and any(y > 14 for y in places)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_spin_box_that_is_disabled_looks_so(qtbot, theme):
    box = QSpinBox()
    qtbot.addWidget(box)
    box.setPalette(palette_of(theme))
    box.setStyleSheet(style_sheet(theme))
    box.resize(120, 28)
    assert box.grab().toImage().pixelColor(90, 6).name() == QColor(theme.paper).name()
    box.setEnabled(False)
    assert box.grab().toImage().pixelColor(90, 6).name() == QColor(theme.window).name()
