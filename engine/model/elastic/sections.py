"""Sections of beams: area, second moments of area and torsion constant.

The section lies in y and z, with y along the width in the plane of the drawing:

    A = integral dA      I_z = integral y^2 dA  (bends in x-y)      I_y = integral z^2 dA  (bends in x-z)
"""

from math import pi, tanh
from typing import Any, NamedTuple

from engine.errors import EngineError

RECTANGLE, CIRCLE, TUBE, I_BEAM = "rectangle", "circle", "tube", "I"
SECTIONS = (RECTANGLE, CIRCLE, TUBE, I_BEAM)
# --- how a beam is held while its shapes are found, and the lines from which its deflection is shown
INTERFACE, FREE, CLAMPED, PINNED = "interface", "free", "clamped", "pinned"
HOLDINGS = (INTERFACE, FREE, CLAMPED, PINNED)
CHORD, CLAMP, MEAN_AXIS = "chord", "clamp", "mean axis"
LINES = (CHORD, CLAMP, MEAN_AXIS)


class Section(NamedTuple):
    """The numbers of a section."""

    A: float  # [m^2]
    I_z: float  # [m^4]
    I_y: float  # [m^4]
    J_t: float  # [m^4] for torsion
    half_y: float  # distance of the outer fibres, for stress   [m]
    half_z: float
    W_t: float  # torque over the largest shear stress   [m^3]


def section(kind: str, width: float, thickness: float, wall: float) -> Section:
    """A section by its kind: width along y, thickness along z; tubes and I beams have a wall."""
    if kind == RECTANGLE:
        A = width * thickness
        a, b = max(width, thickness), min(width, thickness)
        I_z, I_y = A * width**2 / 12, A * thickness**2 / 12
        W_t = a**2 * b**2 / (3.0 * a + 1.8 * b)  # within 4 % of Saint-Venant's
        return Section(A, I_z, I_y, _torsion_of_rectangle(a, b), width / 2, thickness / 2, W_t)
    if kind in (CIRCLE, TUBE):
        inner = max(width - 2 * wall, 0.0) if kind == TUBE else 0.0
        A, second = pi / 4 * (width**2 - inner**2), pi / 64 * (width**4 - inner**4)
        W_t = 4.0 * second / width
        return Section(A, second, second, 2 * second, width / 2, width / 2, W_t)
    web = width - 2 * wall
    A = 2 * thickness * wall + web * wall
    I_z = (thickness * width**3 - (thickness - wall) * web**3) / 12
    I_y = (2 * wall * thickness**3 + web * wall**3) / 12
    J_t = (2 * thickness + web) * wall**3 / 3  # thin walls
    return Section(A, I_z, I_y, J_t, width / 2, thickness / 2, J_t / wall)


def check_section(kind: str, width: float, thickness: float, wall: float) -> None:
    """Raise EngineError unless a section has an area and its wall fits into it."""
    if width == 0.0 or (thickness == 0.0 and kind in (RECTANGLE, I_BEAM)):
        raise EngineError(
            "A beam without width or thickness does not resist bending; give it both."
        )
    least = min(width, 2.0 * thickness) if kind == I_BEAM else width
    if kind in (TUBE, I_BEAM) and 2.0 * wall >= least:
        raise EngineError(
            "The wall of the section is thicker than the section; make it thinner than "
            "{half:.3g} m.",
            half=least / 2.0,
        )


def check_beam(beam: Any) -> None:
    """Raise EngineError unless the section of a beam is possible and what is counted is whole."""
    check_section(beam.section, beam.width, beam.thickness, beam.wall)
    for name in ("elements", "modes", "stretch", "twist"):
        count = getattr(beam, name, 0)
        if count != round(count):
            raise EngineError(
                "The number of {name} of a beam is {count:g}, but it must be whole.",
                name=name,
                count=count,
            )


def _torsion_of_rectangle(a: float, b: float) -> float:
    """a b^3 (1/3 - 64/pi^5 b/a sum tanh(n pi a / 2 b)/n^5, n odd): Saint-Venant's series, a >= b."""
    if b == 0.0:
        return 0.0
    rest = sum(tanh(n * pi * a / (2 * b)) / n**5 for n in (1, 3, 5, 7, 9))
    return a * b**3 * (1 / 3 - 64 / pi**5 * b / a * rest)
