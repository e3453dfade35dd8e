"""One orientation in every description, as texts with units."""

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.state.preferences import Preferences
from rotations import convert, gimbal_lock
from rotations.gimbal_lock import Level

QUATERNION = "quaternion"
FINEST = 1e-5  # of a turn and of a unit: what is rounding beside it, below 1e-14, is 0
FIRST = ("3-1-3", "1-2-3", "3-2-1")  # sequences that are shown by default


def angle_text(preferences: Preferences, angle: float, digits: int = 6) -> str:
    """An angle with its unit, as the user reads angles."""
    unit = preferences.unit("rad")
    number, _ = preferences.shown(angle, "rad", digits, scale_si=FINEST)
    return f"{number}°" if unit == "deg" else f"{number} rad"


def numbers_text(preferences: Preferences, q: np.ndarray, name: str) -> str:
    """An orientation, given as a unit quaternion, in one description."""
    if name == "axis-angle":
        *n, phi = convert(q, QUATERNION, name)
        axis = "; ".join(preferences.digits(float(x), 4, FINEST) for x in n)
        return tr("{0} about ({1})").format(angle_text(preferences, float(phi), 5), axis)
    if name == QUATERNION:
        return "; ".join(preferences.digits(float(x), 5, FINEST) for x in q)
    values = convert(q, QUATERNION, name)
    if name == "rotation vector":
        return "; ".join(preferences.digits(float(x), 5, FINEST) for x in values) + " rad"
    return "; ".join(angle_text(preferences, float(x), 5) for x in values)


def near_lock_words(preferences: Preferences, q: np.ndarray, sequence: str) -> str:
    """What is wrong with the angles of a sequence at an orientation; empty if nothing is."""
    angles = convert(q, QUATERNION, sequence)
    level = Level(int(gimbal_lock.level_at(gimbal_lock.measure(sequence, angles))))
    if level == Level.FINE:
        return ""
    away = float(np.radians(gimbal_lock.degrees_to_lock(sequence, angles)))
    words = tr(
        "{0} from gimbal lock of {1}: the first and the last angle turn about nearly the same axis."
    )
    return words.format(angle_text(preferences, away, 3), sequence)


def listed(preferences: Preferences, q: np.ndarray, *first: str) -> list[tuple[str, str]]:
    """Names and texts of all descriptions, those in `first` before the usual ones."""
    names = dict.fromkeys((*first, QUATERNION, "axis-angle", "rotation vector", *FIRST))
    return [(name_words(name), numbers_text(preferences, q, name)) for name in names if name]


def name_words(name: str) -> str:
    """The name of a description as people say it."""
    known = {
        QUATERNION: tr("Quaternion"),
        "axis-angle": tr("Axis and angle"),
        "rotation vector": tr("Rotation vector"),
        "matrix": tr("Matrix"),
    }
    return known.get(name, tr("Angles {0}").format(name))


class Representations(QLabel):
    """A small table of one orientation in several descriptions; its text can be copied."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent, wordWrap=True)
        self.preferences = preferences
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setProperty("role", "quiet")

    def show_orientation(self, q: np.ndarray, *first: str, with_matrix: bool = False) -> None:
        """Show a unit quaternion in all descriptions; changes the table."""
        lines = listed(self.preferences, q, *first)
        rows = "".join(
            f"<tr><td>{name}&nbsp;&nbsp;</td><td>{text}</td></tr>" for name, text in lines
        )
        if with_matrix:
            R = convert(q, QUATERNION, "matrix")
            cells = "<br/>".join(
                "&nbsp;&nbsp;".join(self.preferences.digits(float(x), 4, FINEST) for x in row)
                for row in R
            )
            rows += f"<tr><td>{name_words('matrix')}</td><td>{cells}</td></tr>"
        text = f"<table cellspacing='0' cellpadding='1'>{rows}</table>"
        if text != self.text():
            self.setText(text)


def tr(text: str) -> str:
    """A text of the forms in the language of the user."""
    return QCoreApplication.translate("Forms", text)
