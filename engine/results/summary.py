"""What a run was and how it went, as a few lines of text."""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.kinematics.mobility import mobility
from engine.model.elements import Settings
from engine.model.methods import BY_NAME
from engine.results.balance import Exchange, balance_of, exchange_of
from engine.results.results import Results


class Measured(NamedTuple):
    """What the summary says about the frames of a run."""

    n_frames: int = 0
    start: tuple[np.ndarray, np.ndarray, float] | None = None  # q, v and t of the first frame
    t_last: float = 0.0  # [s]
    exchange: Exchange = Exchange()
    violation: float = 0.0  # the largest |Phi| of any frame

    def joined(self, results: Results, exchange: Exchange, n_new: int) -> "Measured":
        """With further frames: the last `n_new` of some whose exchange is given."""
        violated = float(results["constraint_violation"].max()) if results.compiled.n_rows else 0.0
        return Measured(
            self.n_frames + n_new,
            self.start or (results.q[0], results.v[0], float(results.t[0])),
            float(results.t[-1]),
            self.exchange.joined(exchange),
            float(np.maximum(self.violation, violated)),
        )


def measured(results: Results) -> Measured:
    """What the summary says about all frames at once."""
    n_frames = len(results)
    return Measured().joined(results, exchange_of(results), n_frames) if n_frames else Measured()


def summary(results: Results, frames: Measured | None = None) -> str:
    """What was run and how it went, as a few lines of text; `frames` if results hold only some of them."""
    frames = measured(results) if frames is None else frames
    model, settings = results.model, results.settings
    n_moving = results.compiled.system.n_bodies
    n_joints = len(model.of("joint"))
    lines = {
        "Model": f"{model.name or 'unnamed'}, in {'the plane' if model.dim == 2 else 'space'}",
        "Bodies": f"{n_moving} moving, {len(model.of('body')) - n_moving} fixed",
        "Joints": f"{n_joints}, with {_counted(len(model.of('motion')), 'motion')}",
        **(_mobility_lines(results.compiled, frames.start) if frames.n_frames else {}),
        "Method": _method_words(settings, n_joints > 0),
        **_work_lines(results, frames),
        **_quality_lines(results, frames),
    }
    if results.ending is not None and results.ending.sentence:
        lines["Ended early"] = results.ending.sentence
    notes = [("Note", note) for note in results.notes]
    near = [event.sentence for event in results.events if event.kind.startswith("gimbal")]
    if near and (results.ending is None or results.ending.reason != "gimbal lock"):
        more = f" ({len(near) - 1} more of this kind)" if len(near) > 1 else ""
        notes.append(("Gimbal lock", near[-1] + more))
    return "\n".join(f"{what + ':':<15}{words}" for what, words in [*lines.items(), *notes])


def _method_words(settings: Settings, has_joints: bool) -> str:
    """The method, its step or tolerance, and the stabilisation."""
    method = BY_NAME.get(settings.method)
    if method is None:
        return settings.method  # auto, before it has chosen
    size = f"step {settings.step:g} s" if method.is_fixed else f"tolerance {settings.tolerance:g}"
    closed = ", joints closed by the method itself"
    if not method.is_direct:
        closed = f", joints closed by {settings.stabilisation}"
    return f"{settings.method}, {size}{closed if has_joints else ''}"


def _mobility_lines(
    compiled: Compiled, state: tuple[np.ndarray, np.ndarray, float] | None = None
) -> dict[str, str]:
    """Degrees of freedom and redundant constraints, in this (q, v, t) or as drawn."""
    found = mobility(compiled, *(state or (compiled.q0, compiled.v0, 0.0)))
    dof, redundant = (
        _counted(found.dof, "degree"),
        _counted(found.redundant, "redundant constraint"),
    )
    return {"Freedom": f"{dof}, {redundant}"}


def _counted(n: int, what: str) -> str:
    """A count with its noun."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _work_lines(results: Results, frames: Measured) -> dict[str, str]:
    """Steps and time; empty if they were not counted."""
    n = frames.n_frames
    span = f"{frames.t_last:g} s in {n} frames" if n else "no frames"
    if results.statistics is None:
        return {"Run": span}
    counted = results.statistics
    return {"Run": f"{span}, {counted.steps} steps, {counted.wall_time:.3g} s of computing"}


def _quality_lines(results: Results, frames: Measured) -> dict[str, str]:
    """The work balance and the largest violations."""
    if not frames.n_frames:
        return {}
    lines = {"Energy": balance_of(results, frames.exchange).sentence}
    if results.compiled.n_rows:
        lines["Largest |Phi|"] = f"{frames.violation:.3g} m or rad"
    return lines
