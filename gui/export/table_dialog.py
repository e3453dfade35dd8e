"""Export a table: channels, rows, units and format, with the first rows shown as they will be."""

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.fields import plain
from engine.results.export import (
    SEPARATORS,
    Sampling,
    Table,
    motion_units,
    tabulated,
    write_csv_table,
    write_npz_table,
)
from engine.results.results import Results
from gui.export.channel_tree import ChannelTree
from gui.export.dialog import ExportDialog
from gui.export.job import Job, JobBox
from gui.export.sources import Sources
from gui.state.preferences import ANGLE_UNITS, LENGTH_UNITS

CSV, NPZ = "csv", "npz"
EVERY_FRAME, EVERY_NTH, EQUAL_STEPS = range(3)
PREVIEW_ROWS, PREVIEW_COLUMNS = 8, 40


class TableDialog(ExportDialog):
    """Chooses what goes into a CSV or NPZ file and writes it."""

    def __init__(self, sources: Sources, parent: QWidget | None = None) -> None:
        super().__init__(sources, self.tr("Export a table"), ".csv", self.tr("Table"), parent)
        results = sources.results
        assert results is not None, "the command is grey while there is no run"
        self.results = results
        if sources.record is not None:
            self.setWindowTitle(self.tr("Export a table of {0}").format(sources.record.title))
        self.plotted = sources.plotted
        self.resize(980, 720)
        self.channels = ChannelTree()
        self.as_plotted = QCheckBox(self.tr("Exactly what the plots show"))
        self.as_plotted.setToolTip(self.tr("The plotted channels over the time visible there."))
        self.as_plotted.setEnabled(bool(self.plotted))
        if not self.plotted:
            self.as_plotted.setToolTip(self.tr("There is nothing in the plots yet."))
        self.preview = QTableWidget()
        self.preview.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.preview.verticalHeader().hide()
        self.preview.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.preview.setAccessibleName(self.tr("First rows"))
        self.size_told = QLabel()
        self._later = QTimer(self, singleShot=True, interval=60)
        self._make_fields()
        self._lay_out()
        self.channels.set_results(results, self.plotted)
        self.channels.search.setFocus()
        self._connect()
        self.refresh()

    def _make_fields(self) -> None:
        preferences = self.sources.preferences
        between = self._between_frames()
        self.rows = QComboBox()
        self.rows.addItem(self.tr("every frame ({0} s)").format(preferences.digits(between)))
        self.rows.addItem(self.tr("every n-th frame"))
        self.rows.addItem(self.tr("equal time steps"))
        self.every = QSpinBox(minimum=1, maximum=10**6, value=10)
        self.step = QLineEdit(preferences.digits(10 * between))
        self.step.setToolTip(
            self.tr(
                "Between two frames, values are interpolated linearly. Units may be given: 5 ms."
            )
        )
        self.start = QLineEdit(preferences.digits(float(self.results.t[0])))
        self.stop = QLineEdit(preferences.digits(float(self.results.t[-1])))
        self.length_unit, self.angle_unit = QComboBox(), QComboBox()
        self.length_unit.addItems(LENGTH_UNITS)
        self.angle_unit.addItems(ANGLE_UNITS)
        self.length_unit.setCurrentText(preferences.length_unit)
        self.angle_unit.setCurrentText(preferences.angle_unit)
        self.format = QComboBox()
        self.format.addItem(self.tr("CSV, text for spreadsheets"), CSV)
        self.format.addItem(self.tr("NPZ, arrays for numpy"), NPZ)
        self.separator = QComboBox()
        words = (self.tr("comma"), self.tr("semicolon"), self.tr("tab"))
        for name, word in zip(SEPARATORS, words):
            self.separator.addItem(word, name)
        self.decimal_comma = QCheckBox(self.tr("decimal comma: 0,5"))
        self.decimal_comma.setChecked(preferences.decimal_comma)
        if preferences.decimal_comma:
            self.separator.setCurrentIndex(1)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("File type"), self.format)
        form.addRow(self.tr("Columns separated by"), _row(self.separator, self.decimal_comma))
        form.addRow(self.tr("Rows"), self.rows)
        form.addRow(self.tr("n"), self.every)
        form.addRow(self.tr("Step [s]"), self.step)
        form.addRow(self.tr("Time from, to [s]"), _row(self.start, self.stop))
        form.addRow(self.tr("Lengths, angles in"), _row(self.length_unit, self.angle_unit))
        self.form = form
        options = QGroupBox(self.tr("Table"))
        options.setLayout(form)
        left = QGroupBox(self.tr("Channels"))
        column = QVBoxLayout(left)
        column.addWidget(self.as_plotted)
        column.addWidget(self.channels, 1)
        below = QGroupBox(self.tr("First rows"))
        column = QVBoxLayout(below)
        column.addWidget(self.preview, 1)
        column.addWidget(self.size_told)
        upper = QSplitter(Qt.Orientation.Horizontal)
        upper.addWidget(left)
        upper.addWidget(options)
        upper.setStretchFactor(0, 1)
        whole = QSplitter(Qt.Orientation.Vertical)
        whole.addWidget(upper)
        whole.addWidget(below)
        whole.setSizes([360, 250])
        for splitter in (upper, whole):
            splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.addWidget(whole, 1)
        column.addWidget(self.target)
        last = QHBoxLayout()
        last.addWidget(self.told, 1)
        last.addWidget(self.buttons)
        column.addLayout(last)

    def _connect(self) -> None:
        self._later.timeout.connect(self.refresh)
        later: Any = self._later.start
        self.channels.changed.connect(later)
        self.target.changed.connect(later)
        for field in (self.step, self.start, self.stop):
            field.textChanged.connect(lambda _: later())
        for combo in (self.rows, self.length_unit, self.angle_unit, self.separator):
            combo.currentIndexChanged.connect(lambda _: later())
        self.every.valueChanged.connect(lambda _: later())
        self.decimal_comma.toggled.connect(self._choose_comma)
        self.as_plotted.toggled.connect(self._choose_plotted)
        self.format.currentIndexChanged.connect(self._choose_format)
        self.buttons.accepted.connect(self.write)

    def _choose_comma(self, on: bool) -> None:
        if on and self.separator.currentData() == "comma":
            self.separator.setCurrentIndex(list(SEPARATORS).index("semicolon"))
        self._later.start()

    def _choose_plotted(self, on: bool) -> None:
        if on:
            self.channels.choose(self.plotted)
            span = self.sources.plotted_span
            if span is not None:
                digits = self.sources.preferences.digits
                low, high = (
                    max(span[0], float(self.results.t[0])),
                    min(span[1], float(self.results.t[-1])),
                )
                self.start.setText(digits(low))
                self.stop.setText(digits(max(high, low)))
            self.rows.setCurrentIndex(EVERY_FRAME)
        for field in (self.channels, self.start, self.stop, self.rows):
            field.setEnabled(not on)
        self._later.start()

    def _choose_format(self) -> None:
        is_csv = self.format.currentData() == CSV
        self.separator.setEnabled(is_csv)
        self.decimal_comma.setEnabled(is_csv)
        self.target.set_suffix(".csv" if is_csv else ".npz", self.tr("Table"))
        self._later.start()

    @property
    def sampling(self) -> Sampling:
        """The rows that are chosen; EngineError if a field cannot be read."""
        span = self._seconds(self.start), self._seconds(self.stop)
        half = 0.5 * self._between_frames() * 1e-6  # typed ends are rounded
        span = span[0] - half, span[1] + half
        match self.rows.currentIndex():
            case 0:
                return Sampling(span=span)
            case 1:
                return Sampling(every=self.every.value(), span=span)
        return Sampling(step=self._seconds(self.step), resampled=True, span=span)

    @property
    def units(self) -> dict[str, str]:
        """What to write instead of SI units."""
        return motion_units(self.length_unit.currentText(), self.angle_unit.currentText())

    def first_rows(self, results: Results, names: list[str]) -> Table:
        """The first rows of the table, of a few columns; EngineError says what is wrong."""
        if not names:
            raise EngineError(self.tr("Choose at least one channel: tick it in the tree."))
        return tabulated(results, names[: PREVIEW_COLUMNS - 1], self.sampling, self.units)

    def refresh(self) -> None:
        """Show the first rows, the size and what is wrong; changes the dialog."""
        rows = self.rows.currentIndex()
        self.form.setRowVisible(self.every, rows == EVERY_NTH)
        self.form.setRowVisible(self.step, rows == EQUAL_STEPS)
        self.channels.show_units(self.units)
        try:
            self._show_first_rows()
            problem = self.target.problem
        except EngineError as error:
            self.preview.setRowCount(0)
            self.size_told.setText("")
            problem = error.sentence
        self.judge(problem)

    def _show_first_rows(self) -> None:
        """Fill the preview from as few frames as it needs."""
        sampling, names = self.sampling, self.channels.chosen
        times = tabulated(self.results, [], sampling).time
        if not len(times) and names:
            raise EngineError(self.tr("No frame lies between these times: choose others."))
        last = times[min(PREVIEW_ROWS, len(times)) - 1] if len(times) else 0.0
        n_frames = int((self.results.t <= last + self._between_frames()).sum())
        table = self.first_rows(self.results.first(max(n_frames, 1)), names)
        comma = self.decimal_comma.isChecked() and self.format.currentData() == CSV
        titles, columns = table.titles, [table.time, *table.columns]
        n_rows = min(PREVIEW_ROWS, len(table.time))
        self.preview.setColumnCount(len(titles))
        self.preview.setHorizontalHeaderLabels(titles)
        self.preview.setRowCount(n_rows)
        for c, column in enumerate(columns):
            for r, value in enumerate(column[:n_rows].tolist()):
                text = repr(value).replace(".", ",") if comma else repr(value)
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.preview.setItem(r, c, cell)
        self.preview.resizeColumnsToContents()
        sentence = self.tr("{0} rows of {1} columns").format(len(times), len(names) + 1)
        if len(names) + 1 > PREVIEW_COLUMNS:
            sentence += self.tr("; the first {0} columns are shown here").format(PREVIEW_COLUMNS)
        self.size_told.setText(sentence)

    def write(self) -> None:
        """Write the file in a thread, then close; on a failure the dialog stays open and shows it."""
        self.refresh()
        if not self.write_button.isEnabled():
            return
        path, is_csv = self.target.path, self.format.currentData() == CSV
        names, sampling, units = self.channels.chosen, self.sampling, self.units
        separator = SEPARATORS[self.separator.currentData()]
        comma, results = self.decimal_comma.isChecked(), self.results

        def work(progress: Any) -> None:
            table = tabulated(results, names, sampling, units)
            if is_csv:
                write_csv_table(
                    table, path, separator=separator, decimal_comma=comma, progress=progress
                )
            else:
                write_npz_table(table, path, results.model.name)

        self.setEnabled(False)
        title = self.tr("Writing {0}…").format(path.name)
        self.box = JobBox(Job(work), title, self)
        self.box.ended.connect(self.end)

    def reject(self) -> None:
        """Close without writing; not while a file is being written."""
        if self.isEnabled():
            super().reject()

    def _seconds(self, field: QLineEdit) -> float:
        preferences, model = self.sources.preferences, self.sources.document.model
        value = preferences.parse(field.text(), "s", model)
        if isinstance(value, str):
            raise EngineError(self.tr("Give a plain number of seconds, not a formula."))
        return plain(value)

    def _between_frames(self) -> float:
        t = self.results.t
        return float(t[1] - t[0]) if len(t) > 1 else 0.01


def _row(*widgets: QWidget) -> QWidget:
    """Widgets beside each other."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget, 1)
    return whole
