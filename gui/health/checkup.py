"""Examine a model in the background: problems, mobility, redundant constraints, open joints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from engine.compiling.checks import Problem, problems, remarks
from engine.errors import EngineError
from engine.model.elements import Id, Model
from gui.state.document import Document
from gui.state.threads import BackgroundThread

if TYPE_CHECKING:  # they load the kernels
    from engine.kinematics.assemble import Start
    from engine.kinematics.mobility import Mobility

PAUSE = 250  # ms without an edit before a model is examined
WAIT = 1000  # ms between two checks whether the kernels are compiled
OPEN = 1e-7  # of the size of the model: a smaller gap counts as closed


@dataclass(frozen=True, slots=True)
class Checkup:
    """Everything known about a model without running it; None where it is unknown."""

    model: Model
    problems: tuple[Problem, ...] = ()
    mobility: "Mobility | None" = None
    gap: float | None = None  # of the drawing                                 [m, rad]
    gap_sentence: str = ""  # where the drawing is open, in words
    gap_id: Id = ""
    is_open: bool = False  # the gap is more than rounding
    start: "Start | None" = None  # the assembled pose
    speeds: Mapping[Id, Mapping[str, Any]] = field(default_factory=dict)  # that a run starts with
    remarks: tuple[Problem, ...] = ()  # what is unusual, though it runs
    trouble: str = ""  # why it cannot be assembled
    trouble_ids: tuple[Id, ...] = ()


def examine(model: Model, with_kernels: bool = True) -> Checkup:
    """The checkup of a model; without kernels only what needs no compiled code."""
    found = tuple(problems(model))
    moving = [b for b in model.of("body") if not b.fixed]
    unusual = () if found else tuple(remarks(model))
    if found or not with_kernels or not moving:
        return Checkup(model, found, remarks=unusual)
    from engine.compiling.system import compile_model, workspace
    from engine.kinematics.assemble import assemble, gap_sentence
    from engine.kinematics.evaluate import fill
    from engine.kinematics.mobility import mobility
    from engine.kinematics.speeds import start_values

    try:
        compiled = compile_model(model)
    except EngineError as error:
        return Checkup(model, (Problem(error.sentence, tuple(error.ids)),))
    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, compiled.q0, compiled.v0)
    gap = float(abs(ws.Phi).max(initial=0.0))
    is_open = gap > OPEN * compiled.length
    where, id = gap_sentence(compiled, ws.Phi) if is_open else ("", "")
    try:
        start = assemble(compiled)
    except EngineError as error:
        return Checkup(
            *(model, found, mobility(compiled), gap, where, id, is_open, None),
            remarks=unusual,
            trouble=error.sentence,
            trouble_ids=tuple(error.ids),
        )
    return Checkup(
        *(model, found, mobility(compiled, start.q, start.v), gap, where, id, is_open, start),
        speeds=start_values(compiled, start.q, start.v),
        remarks=unusual,
    )


class _Examination(BackgroundThread):
    """One examination in a thread of its own."""

    def __init__(self, model: Model, with_kernels: bool) -> None:
        super().__init__()
        self.model, self.with_kernels = model, with_kernels
        self.checkup = Checkup(model)

    def run(self) -> None:
        """Examine; failures of the program itself are reported like any problem."""
        try:
            self.checkup = examine(self.model, self.with_kernels)
        except Exception as error:
            words = QCoreApplication.translate("Checkup", "The model could not be examined: {0}.")
            self.checkup = Checkup(self.model, (Problem(words.format(repr(error))),))


class Examiner(QObject):
    """Examines the model of a document a moment after each edit; `examined` gives the checkup."""

    examined = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.checkup = Checkup(document.model)
        self._thread: _Examination | None = None
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.start)
        self._is_stopped = False
        document.committed.connect(self._timer.start)

    @property
    def is_current(self) -> bool:
        """Whether the last checkup is that of the open model, and complete."""
        return self.checkup.model is self.document.model and self._thread is None

    def start(self) -> None:
        """Examine the model as it is now."""
        if self._thread is not None or self._is_stopped:
            return  # the end of the running examination starts the next
        from engine.integrators.warm_up import are_compiled

        self._thread = _Examination(self.document.model, are_compiled())
        self._thread.finished.connect(self._take)
        self._thread.start()

    def _take(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None or self._is_stopped:
            return
        thread.wait()
        self.checkup = thread.checkup
        if thread.model is not self.document.model:
            self._timer.start()
            return
        self.examined.emit(self.checkup)
        if not thread.with_kernels:
            QTimer.singleShot(WAIT, self, self.start)

    def stop(self) -> None:
        """End the examination before the window is destroyed."""
        self._is_stopped = True
        self._timer.stop()
        if self._thread is not None:
            self._thread.let_go()
