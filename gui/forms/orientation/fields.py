"""Editors of orientation and angular velocity: as angles or a quaternion, in body or world axes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel

from engine.errors import EngineError
from engine.formulas.expressions import names, parse, value
from engine.formulas.resolve import parameter_values
from engine.model.elements import Model
from gui.forms.fields import tr
from gui.forms.lines import LineField, VectorField
from gui.forms.orientation.representations import (
    FINEST,
    QUATERNION,
    name_words,
    near_lock_words,
    numbers_text,
)
from gui.look.buttons import icon_button
from gui.look.still import StillComboBox
from gui.state.preferences import Preferences
from rotations import RotationError, convert, quaternion

GREEK = ("φ", "θ", "ψ")
BODY, WORLD = "body", "world"
SAME = 1e-12  # two quaternions this near are the same orientation


def worked_out(model: Model, numbers: Any) -> np.ndarray:
    """The numbers of a vector of numbers and formulas."""
    known = parameter_values(model) if any(isinstance(n, str) for n in numbers) else {}
    return np.array([value(n, known) if isinstance(n, str) else float(n) for n in numbers])


def read_numbers(
    preferences: Preferences, model: Model, text: str, units: tuple[str, ...]
) -> tuple[Any, ...]:
    """Numbers or formulas in one text, between semicolons or spaces; EngineError if they are wrong."""
    parts = [part for part in text.strip().strip("()").split(";") if part.strip()]
    if len(parts) == 1:
        parts = text.strip().strip("()").split()
    if len(parts) != len(units):
        sentence = tr("Give {0} numbers with semicolons between them.")
        raise EngineError(sentence.format(len(units)))
    return tuple(preferences.parse(part, unit, model) for part, unit in zip(parts, units))


def unit_quaternion(numbers: np.ndarray, source: str) -> tuple[float, ...]:
    """The unit quaternion of an orientation in any description; EngineError if it is invalid."""
    try:
        if source == QUATERNION:
            length = float(np.linalg.norm(numbers))
            if not length > 0.0:
                raise EngineError(tr("All four numbers are zero: this is no orientation."))
            numbers = numbers / length
        return tuple(float(x) for x in convert(numbers, source, QUATERNION))
    except RotationError as error:
        raise EngineError(str(error)) from None


class OrientationField(VectorField):
    """Three angles of a sequence, or four numbers of a quaternion on one line."""

    def __init__(
        self,
        preferences: Preferences,
        model: Callable[[], Model],
        typed_as: Callable[[], str],
        check: Callable[[Any], None],
        ask: Callable[[tuple[float, ...]], tuple[float, ...] | None],
        may_lock: Callable[[], bool] = lambda: True,
    ) -> None:
        self.preferences, self.model, self.typed_as = preferences, model, typed_as
        self.may_lock = may_lock  # its angles may be integrated: not those of a point
        self._check, self._ask = check, ask
        self._value: tuple[Any, ...] = (1.0, 0.0, 0.0, 0.0)
        self._typed: tuple[Any, ...] = ()  # the last angles that were typed, and of which sequence
        super().__init__([self._angle(n) for n in range(3)], (), 3)
        self.line = LineField(self._written, self._read, check)
        self.line.meant.connect(self.meant)
        self.convert_button = icon_button(
            "convert", tr("This orientation in every description ...")
        )
        self.convert_button.clicked.connect(self._convert)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self.convert_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(0)
        self.column.addLayout(row)
        self.caption = QLabel()
        self.caption.hide()
        self.caption.setProperty("role", "quiet")
        row.insertWidget(0, self.caption, 1)

    def _angle(self, n: int) -> LineField:
        def read(text: str) -> float:
            number = self.preferences.parse(text, "rad", self.model())
            if isinstance(number, str):  # the file keeps the quaternion: a formula cannot stay
                return float(value(number, parameter_values(self.model())))
            return float(number)

        def explain(angle: Any) -> str:
            line = self.parts[n].line
            text = self.preferences.without_comma(line.text()) if line.isModified() else ""
            try:
                has_names = bool(text.strip()) and bool(names(parse(text)))
            except EngineError:
                has_names = False
            return tr("kept as a number") if has_names else ""

        return LineField(
            lambda a: self.preferences.shown(a, "rad", scale_si=FINEST)[0], read, self._try, explain
        )

    def _try(self, angle: float) -> None:
        """Any finite angle will do."""

    # --- showing

    def context(self) -> Any:
        """What else the editor depends on: another description needs other numbers."""
        return self.typed_as()

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show an orientation by the description in which it is typed."""
        self._value = tuple(value)
        how = self.typed_as()
        is_angles = how != QUATERNION
        for n, part in enumerate(self.parts):
            part.setVisible(is_angles)
            part.line.set_unit(f"{GREEK[n]} {self.preferences.unit_text('rad')}")
        self.line.setVisible(not is_angles)
        self.caption.setVisible(is_angles)
        self.caption.setText(tr("angles {0}").format(how) if is_angles else "")
        unit = self._unit()
        if unit is None:
            self.say(tr("These numbers are no orientation: give a unit quaternion."), "wrong")
            self.line.show_value(self._value, mixed)
            return
        if is_angles:
            super().show_value(self._angles(how, unit), mixed)
        else:
            self.line.show_value(self._value, mixed)
        self._say(how, unit, mixed)

    def _unit(self) -> np.ndarray | None:
        """The orientation as numbers; None where it has none."""
        try:
            return np.array(unit_quaternion(worked_out(self.model(), self._value), QUATERNION))
        except EngineError:
            return None

    def _angles(self, sequence: str, unit: np.ndarray) -> tuple[float, ...]:
        """The angles as they were typed, if they still hold; else those of the quaternion."""
        if self._typed and self._typed[0] == sequence:
            typed = np.array(unit_quaternion(np.array(self._typed[1]), sequence))
            if abs(abs(float(typed @ unit)) - 1.0) < SAME:
                return tuple(self._typed[1])
        return tuple(float(a) for a in convert(unit, QUATERNION, sequence))

    def _say(self, how: str, unit: np.ndarray, mixed: bool) -> None:
        """The same orientation in another description, and what is wrong with this one."""
        if mixed:
            self.say("")
            return
        lines = []
        warning = near_lock_words(self.preferences, unit, how) if how != QUATERNION else ""
        if warning and self.may_lock():
            lines.append(f"⚠ {warning}")
        if how != QUATERNION and any(isinstance(number, str) for number in self._value):
            lines.append(
                tr("Given by formulas of its quaternion; an angle replaces them by numbers.")
            )
        others = (QUATERNION, "axis-angle") if how != QUATERNION else ("axis-angle", "1-2-3")
        for name in others:
            lines.append(f"{name_words(name)}: {numbers_text(self.preferences, unit, name)}")
        self.say("\n".join(lines), "warning" if lines[0].startswith("⚠") else "quiet")

    # --- reading

    def _written(self, numbers: Any) -> str:
        parts = [
            n if isinstance(n, str) else self.preferences.digits(float(n), scale=FINEST)
            for n in numbers
        ]
        return "; ".join(parts)

    def _read(self, text: str) -> tuple[Any, ...]:
        """Four numbers, made a unit quaternion; formulas stay as they are."""
        found = read_numbers(self.preferences, self.model(), text, ("",) * 4)
        if any(isinstance(number, str) for number in found):
            return found
        return unit_quaternion(np.array(found), QUATERNION)

    def _mean(self, n: int, value: Any) -> None:
        """An angle was typed."""
        if value is None:
            return
        how = self.typed_as()
        base = self._values if self._values else (0.0, 0.0, 0.0)
        angles = tuple(float(a) for a in (*base[:n], value, *base[n + 1 :]))
        self._typed = (how, angles)
        self.meant.emit(unit_quaternion(np.array(angles), how))

    def _convert(self) -> None:
        unit = self._unit()
        found = self._ask(tuple(unit) if unit is not None else (1.0, 0.0, 0.0, 0.0))
        if found is not None:
            self._typed = ()
            self.meant.emit(found)

    def forget(self) -> None:
        """Give up what was typed, because another element is shown."""
        super().forget()
        self.line.forget()
        self._typed = ()


class SpinField(VectorField):
    """Angular velocity in body axes, as the model keeps it, or in world axes."""

    def __init__(
        self,
        parts: list[LineField],
        orientation: Callable[[], np.ndarray | None],
        model: Callable[[], Model],
    ) -> None:
        super().__init__(parts, ("x", "y", "z"), 3)
        self._orientation, self.model = orientation, model
        self.axes = StillComboBox()
        self.axes.addItem(tr("in body axes"), BODY)
        self.axes.addItem(tr("in world axes"), WORLD)
        self.axes.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.axes.activated.connect(self._again)
        self.column.addWidget(self.axes)
        self._value: tuple[Any, ...] | None = None
        self._mixed, self._grey = False, ""

    @property
    def in_world(self) -> bool:
        """Whether the numbers are components along world axes."""
        return self.axes.currentData() == WORLD

    def context(self) -> Any:
        """What else the editor depends on: the orientation changes the components."""
        R = self._orientation()
        return (self.in_world, None if R is None else tuple(R.ravel()))

    def _again(self) -> None:
        self.show_value(self._value, self._mixed, self._grey)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the components along the chosen axes."""
        self._value, self._mixed, self._grey = value, mixed, computed
        R = self._orientation()
        self.axes.setEnabled(R is not None)
        if R is None:
            self.axes.setCurrentIndex(0)
            self.axes.setToolTip(tr("Bodies of different orientation share only their body axes."))
        shown = self._value
        if self.in_world and R is not None and value is not None:
            try:
                shown = tuple(float(w) for w in R @ worked_out(self.model(), value))
            except EngineError:
                self.axes.setCurrentIndex(0)
        if value is None:  # what is computed is in body axes
            self.axes.setCurrentIndex(0)
        super().show_value(shown, mixed, computed)

    def _mean(self, n: int, value: Any) -> None:
        """A component was typed."""
        R = self._orientation()
        if value is None:
            return
        base = self._worked_out if self._is_computed else self._values
        base = tuple(base) if base is not None else (0.0, 0.0, 0.0)
        given = (*base[:n], value, *base[n + 1 :])
        if not self.in_world or R is None:
            self.meant.emit(given)
            return
        turned = R.T @ worked_out(self.model(), given)
        self.meant.emit(tuple(float(w) if abs(w) > 1e-15 else 0.0 for w in turned))


def orientation_matrix(model: Model, orientation: Any) -> np.ndarray | None:
    """The rotation matrix of an orientation of the model; None where it is invalid."""
    try:
        return quaternion.matrix(worked_out(model, orientation))
    except (EngineError, RotationError):
        return None
