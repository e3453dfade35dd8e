"""What a channel is: a named column over time with its unit, its frame and a label."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.model.elements import GROUND, Id, Model, references

if TYPE_CHECKING:
    from engine.results.results import Results

WORLD = "world axes"
AXES = "xyz"


class PointColumn(NamedTuple):
    """A component of the motion of a point, by which many channels are computed together."""

    body: int
    s_loc: tuple[float, ...]  # from the mass centre, body axes
    derivative: int  # 0: place, 1: velocity, 2: acceleration
    axis: int


@dataclass(frozen=True, slots=True)
class Channel:
    """One column of a run, computed from its frames on demand."""

    name: str  # "rod_1.angle"
    label: str  # for a legend
    unit: str  # of engine.formulas.units; empty: a plain number
    frame: str  # the axes of a component, in words; empty: a scalar
    compute: Callable[[], np.ndarray] = field(repr=False)
    about: str = ""  # sign, body and point, where the label does not say it
    twin_of: str = ""  # another channel that always has the same values
    point: PointColumn | None = field(
        default=None, repr=False
    )  # what it is of a point, where it is that

    @property
    def meaning(self) -> str:
        """What it is, in full: its label, and what else must be known to use the numbers."""
        return f"{self.label}. {self.about}" if self.about else self.label

    @property
    def values(self) -> np.ndarray:
        """The column (n_frames,), computed on every access: keep it."""
        return np.ascontiguousarray(self.compute())


class Family(NamedTuple):
    """A family of channels: its title, which elements have it, and how it is computed."""

    title: str
    owner: str  # a family of elements, or "model" for channels of the whole model
    channels: Callable[["Results", Any], Iterable[Channel]]  # of one element; None for the model
    everyday: bool = True  # False: long lists that are exported only by name


def component(compute: Callable[[], np.ndarray], axis: int) -> Callable[[], np.ndarray]:
    """One column of a stack (n_frames, 3) that is computed on demand."""
    return partial(_column, compute, axis)


def vector(
    stem: str,
    label: str,
    unit: str,
    frame: str,
    dim: int,
    compute: Callable[[], np.ndarray],
    about: str = "",
    twin_of: str = "",
) -> list[Channel]:
    """A channel for each component of a vector; a * in a stem becomes x, y or z."""
    return [
        Channel(
            stem.replace("*", a),
            f"{label}, {a}",
            unit,
            frame,
            component(compute, c),
            about,
            twin_of.replace("*", a),
        )
        for c, a in enumerate(AXES[:dim])
    ]


def magnitude(
    name: str,
    label: str,
    unit: str,
    compute: Callable[[], np.ndarray],
    about: str = "",
    twin_of: str = "",
) -> Channel:
    """The length of a vector that is computed on demand."""

    def length() -> np.ndarray:
        return np.linalg.norm(compute(), axis=1)

    return Channel(name, label, unit, "", length, about, twin_of)


def body_words(model: Model, marker: Id) -> str:
    """What people call the body of a marker: markers have no names that they know."""
    body = model[marker].body if marker in model else GROUND
    return "the ground" if body == GROUND else model[body].label


def point_words(model: Model, marker: Id) -> str:
    """What people call a marker: its name, or the tracer, joint or force that uses it on its body."""
    if model[marker].name:
        return str(model[marker].name)
    user = next((e for e in model if marker in references(e)), None)
    if user is None:
        return f"point of {body_words(model, marker)}"
    return user.label if user.family == "tracer" else f"{user.label} on {body_words(model, marker)}"


def owner_words(model: Model, id: Id) -> str:
    """What people call the element of a channel."""
    return point_words(model, id) if model[id].family == "marker" else str(model[id].label)


def joint_axes(model: Model, marker_i: Id) -> str:
    """The frame of components along the axes of marker i of a joint or force."""
    return f"joint axes on {body_words(model, marker_i)}"


def doubt(results: "Results", id: str) -> str:
    """The warning in the label of a quantity that the model does not determine."""
    return " (not unique)" if id in results.not_unique else ""


def _column(compute: Callable[[], np.ndarray], axis: int) -> np.ndarray:
    return compute()[:, axis]
