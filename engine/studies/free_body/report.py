"""Free-body diagrams as tables, sentences and pictures for people."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.errors import EngineError, say
from engine.model.elements import GROUND, Id
from engine.studies.free_body.diagrams import BodyDiagram, Diagrams
from engine.studies.free_body.picture import colour_of, svg
from engine.studies.free_body.scene import ALL, SCALES, Drawing, View, acting, quantity, tones
from engine.studies.free_body.wrenches import WEIGHT, Wrench
from engine.studies.tables import text_table

KINDS = {
    "weight": say("weight"),
    "reaction": say("reaction"),
    "drive": say("drive"),
    "force": say("force"),
    "inertia": say("inertia"),
}
ROUNDING = 1e-12  # of the largest force: a sum that is no larger vanishes
NOISE = 1e-13  # likewise: less is written as 0 in the table


def columns(diagrams: Diagrams) -> tuple[str, ...]:
    """The heads of the table."""
    values: tuple[str, ...]
    if diagrams.compiled.system.dim == 2:
        values = ("F_x [N]", "F_y [N]", "M [N m]", "x [m]", "y [m]")
    else:
        axes = "xyz"
        values = (
            *(f"F_{a} [N]" for a in axes),
            *(f"M_{a} [N m]" for a in axes),
            *(f"{a} [m]" for a in axes),
        )
    return ("body", "what", "kind", *values)


def numbers(force: np.ndarray, moment: np.ndarray, place: np.ndarray) -> tuple[float, ...]:
    """The numbers of a line of a table in space."""
    return (*map(float, force), *map(float, moment), *map(float, place))


def in_plane(values: tuple[float, ...]) -> tuple[float, ...]:
    """Those of the plane alone."""
    fx, fy, _, _, _, m, x, y, _ = values
    return fx, fy, m, x, y


def table_rows(
    diagrams: Diagrams, body: Id = "", with_inertia: bool = True
) -> list[tuple[Wrench, tuple[Any, ...]]]:
    """A line for each force and moment, and for the inertia of each body."""
    found = list[tuple[Wrench, tuple[Any, ...]]]()
    for one in (diagrams.of(body),) if body else diagrams.bodies:
        for wrench in acting(one, with_inertia):
            found.append((wrench, _line(diagrams, one, wrench)))
    return found


def _line(diagrams: Diagrams, one: BodyDiagram, wrench: Wrench) -> tuple[Any, ...]:
    """The body, what acts, of which kind, and its numbers."""
    values = numbers(wrench.force, wrench.moment, wrench.place)
    values = in_plane(values) if diagrams.compiled.system.dim == 2 else values
    return (one.label, wrench.label, KINDS.get(wrench.kind, ""), *values)


def rows_of(diagrams: Diagrams, body: Id = "") -> list[tuple[Any, ...]]:
    """The same for files, and what is left over of each body."""
    found = list[tuple[Any, ...]]()
    for one in (diagrams.of(body),) if body else diagrams.bodies:
        found += [cells for _, cells in table_rows(diagrams, one.body)]
        if one.inertia is not None:
            F, T = one.left_over
            rest = one.inertia._replace(kind="", label=say("left over"), force=F, moment=T)
            found.append(_line(diagrams, one, rest))
    return found


def size_of_noise(diagrams: Diagrams) -> float:
    """What is smaller is rounding: of forces, of moments, and of places."""
    largest, length = largest_force(diagrams), diagrams.compiled.length
    return NOISE * max(largest, length, largest * length)


def sentences(one: BodyDiagram, largest: float) -> Iterator[str]:
    """The sum of all forces and moments in words, and what is not unique."""
    if one.inertia is not None:
        F, T = one.left_over
        rest = float(np.linalg.norm(F))
        yield say(
            "Forces add up to {force}, moments about the mass centre to {moment}; "
            "with inertia {rest} and {turn} are left over.",
            force=quantity(float(np.linalg.norm(one.inertia.force)), "N"),
            moment=quantity(float(np.linalg.norm(one.inertia.moment)), "N m"),
            rest=_rounded(rest, largest, "N"),
            turn=_rounded(float(np.linalg.norm(T)), largest, "N m"),
        )
    if one.not_unique:
        yield say(
            "Not unique: {joints} share the load, as joints constrain the same twice; other shares "
            "hold the body as well.",
            joints=", ".join(one.not_unique),
        )


def _rounded(value: float, largest: float, unit: str) -> str:
    """A rest as a number, with the word for rounding."""
    if value == 0.0:
        return f"0 {unit}"
    if value <= ROUNDING * max(largest, 1e-300):
        return say("{value} (rounding)", value=quantity(float(f"{value:.1e}"), unit))
    return quantity(value, unit)


def lines_of(diagrams: Diagrams, body: Id = "") -> Iterator[str]:
    """What the command line prints."""
    yield say("t = {t} s", t=f"{diagrams.t:g}")
    largest, noise = largest_force(diagrams), size_of_noise(diagrams)
    chosen = (diagrams.of(body),) if body else diagrams.bodies
    for one in chosen:
        if not one.wrenches:
            continue
        heads = columns(diagrams)[1:]
        rows = [
            (what, *(_written(cell, noise) for cell in rest))
            for _, (_, what, *rest) in table_rows(diagrams, one.body)
        ]
        yield ""
        yield one.label
        yield text_table(heads, rows)
        yield from sentences(one, largest)


def _written(cell: Any, noise: float) -> Any:
    """A number with six digits, 0 for rounding; a word as it is."""
    return f"{0.0 if abs(cell) <= noise else cell:.6g}" if isinstance(cell, float) else cell


def largest_force(diagrams: Diagrams) -> float:
    """The largest force at this time."""
    every = [float(np.linalg.norm(w.force)) for one in diagrams.bodies for w in one.wrenches]
    return max(every, default=0.0)


def picture(diagrams: Diagrams, body: Id, inertia: bool, scale: str) -> str:
    """The diagram of a body as SVG, or all bodies pulled apart."""
    if scale not in SCALES:
        raise EngineError(
            "There is no scale '{scale}'. Choose one of {known}.",
            scale=scale,
            known=", ".join(SCALES),
        )
    if body == GROUND:
        raise EngineError("The ground has no diagram of its own. Name a moving body, or none.")
    view = View(body=body, inertia=inertia, scale=scale, width=900.0, height=620.0)
    if body == ALL:
        view = View(inertia=inertia, scale=scale, width=1100.0, height=760.0)
    drawing, known = Drawing(diagrams.compiled), tones(diagrams.compiled)
    scene = drawing.scene(diagrams, view)
    name = diagrams.compiled.model.name or say("Model")
    what = say("all bodies") if body == ALL else diagrams.of(body).label
    title = say("{model}: {what}, t = {t} s", model=name, what=what, t=f"{diagrams.t:g}")
    bodies = diagrams.bodies if body == ALL else (diagrams.of(body),)
    legend = dict[str, str]()
    drawn = {id(one.wrench) for one in scene.arrows} | {id(one.wrench) for one in scene.arcs}
    for wrench in (w for one in bodies for w in acting(one, inertia)):
        if id(wrench) in drawn:
            legend.setdefault(_name(wrench), colour_of(wrench, known))
    return svg(scene, known, title, [(colour, words) for words, colour in legend.items()])


def _name(wrench: Wrench) -> str:
    """What the legend calls a force."""
    return wrench.label if wrench.source or wrench.kind == WEIGHT else KINDS[wrench.kind]
