"""The sweep of a parameter: the model is run once for each value, and a table tells what is worn."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import Model
from gui.instruments.page import Finding
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from engine.studies.archard import Wear

HEIGHT = 120  # px of the table

Ask = Callable[[Any], "Wear"]  # results -> what is worn, with the numbers of the page


class Sweep(QWidget):
    """A line for a parameter and its values, a button, and a table: a row for each value."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preferences = preferences
        self._finding: Finding | None = None
        self.asked = QLineEdit()
        self.asked.setPlaceholderText(self.tr("mu = 0.3, 0.25, 0.2"))
        self.asked.setToolTip(
            self.tr("A parameter of the model and its values: it is run once for each of them.")
        )
        self.button = QPushButton(self.tr("Run each"))
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setProperty("role", "quiet")
        self.words.hide()
        self.table = QTableWidget(0, 1)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.setFixedHeight(HEIGHT)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.hide()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(QLabel(self.tr("Vary")))
        row.addWidget(self.asked, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.words)
        column.addWidget(self.table)

    @property
    def is_busy(self) -> bool:
        """Whether runs are under way."""
        return self._finding is not None

    def start(self, model: Model, ask: Ask) -> None:
        """Run the model for each value in a thread; changes the table as they end."""
        self.shutdown()
        self.table.setRowCount(0)
        try:
            from engine.editing.edits.sizing import variants

            each = variants(model, self.asked.text())
        except EngineError as error:
            self._say(error.sentence)
            return
        self._say(self.tr("Running…"))
        self._finding = Finding(lambda finding: _sweep(finding, each, ask), self)
        self._finding.told.connect(self._on_told)
        self._finding.start()

    def _on_told(self, who: Finding, answer: Any, is_last: bool) -> None:
        if who is not self._finding:
            return
        if is_last:
            self.shutdown()
            self._say(answer)
        else:
            self._add(*answer)

    def _add(self, title: str, worn: "Wear") -> None:
        """Append a row: what all contacts lose together at each temperature."""
        from engine.studies.archard import MM3

        self.table.show()
        value = title.partition("=")[2].strip()
        name = title.partition("=")[0].strip()
        words = [
            self.tr("dry") if T is None else self.tr("{0} K").format(self.preferences.digits(T, 6))
            for T in worn.temperatures
        ]
        self.table.setColumnCount(1 + len(words))
        self.table.setHorizontalHeaderLabels([name, *(f"W [mm³] {T}" for T in words)])
        n = self.table.rowCount()
        self.table.setRowCount(n + 1)
        sums = worn.worn[:, :, -1].sum(axis=0) * MM3
        texts = [value, *(self.preferences.digits(float(W), 5) for W in sums)]
        for k, text in enumerate(texts):
            self.table.setItem(n, k, QTableWidgetItem(text))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def shutdown(self) -> None:
        """Nobody waits for the runs any more; changes what is under way."""
        if self._finding is not None:
            self._finding.let_go()
            self._finding = None


def _sweep(finding: Finding, each: list[tuple[str, Model]], ask: Ask) -> str:
    """Tell what is worn with each value; returns why it ended early, or nothing."""
    try:
        for told in _worn(finding, each, ask):
            finding.tell(told)
    except EngineError as error:
        return error.sentence
    return ""


def _worn(
    finding: Finding, each: list[tuple[str, Model]], ask: Ask
) -> Iterator[tuple[str, "Wear"]]:
    """Title and wear of each run, as long as somebody waits for it."""
    from engine.running.simulate import run

    for title, model in each:
        results = run(model, progress=lambda _: finding.is_wanted)
        if not finding.is_wanted:
            return
        yield title, ask(results)
