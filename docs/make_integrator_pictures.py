"""Draw the pictures of docs/integrators.md, and write the numbers of its tables.

    .venv/bin/python docs/make_integrator_pictures.py

All numbers are computed from the coefficients that the program integrates with.
"""

from pathlib import Path

import numpy as np

from assets import EXAMPLES
from docs.stability import (
    bdf_angle,
    generalised_alpha,
    growth_of,
    hht,
    imaginary_limit,
    oscillator_radius,
    outlines,
    real_limit,
)
from engine.files.model_files import load
from engine.integrators.amplification import amplification
from engine.running.formulation import SUITED
from engine.studies import compare
from engine.studies.pictures import COLOURS, Area, Chart, Curve, figure

DOCS = Path(__file__).parent
PAGE, IMAGES = DOCS / "integrators.md", DOCS / "images"
EXPLICIT = ("euler", "heun", "rk4", "dopri5", "dop853")
IMPLICIT = ("implicit_euler", "trapezoid", "radau")
BDF = ("bdf1", "bdf2", "bdf3", "bdf4", "bdf5")
CONSTRAINT_METHODS = (
    *("heun", "rk4", "implicit_euler", "trapezoid", "euler", "euler_cromer"),
)  # of the table of amplifications
METHODS_COMPARED = ("euler", "heun", "rk4", "dopri5", "dop853", "ida")
STEPS = (0.02, 0.01, 0.005, 0.0025, 0.00125)
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)


def region(method: str, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
    """The outlines of the stability region of a method, within a window."""
    z = x[None, :] + 1j * y[:, None]
    return outlines(1.0 - growth_of(method)(z), x, y)


def plane(title: str, areas: list[Area], window: tuple[float, float, float, float]) -> Chart:
    """A chart of the complex plane."""
    return Chart(
        "Re h s",
        "Im h s",
        areas=areas,
        title=title,
        limits=window,
        is_equal=True,
        lines_at=[("x", 0.0), ("y", 0.0)],
    )


def axes_of(
    window: tuple[float, float, float, float], n: int = 321
) -> tuple[np.ndarray, np.ndarray]:
    """The grid of a window."""
    return np.linspace(*window[:2], n), np.linspace(*window[2:], n)


def explicit_regions() -> str:
    """Explicit methods are stable inside a bounded region."""
    window = (-7.5, 3.0, -7.0, 7.0)
    x, y = axes_of(window)
    areas = [Area(name, region(name, x, y)) for name in EXPLICIT]
    near = (-3.6, 1.4, -3.2, 3.2)
    x, y = axes_of(near)
    close = [Area(name, region(name, x, y)) for name in EXPLICIT[:4]]
    charts = [plane("stable inside", areas, window), plane("closer", close, near)]
    return figure(charts, "Stability of explicit methods")


def implicit_regions() -> str:
    """Implicit methods are unstable inside a bounded region, or in the right half-plane."""
    window = (-7.0, 19.0, -12.5, 12.5)
    x, y = axes_of(window, 161)
    z = x[None, :] + 1j * y[:, None]
    areas = {
        name: Area(name, outlines(growth_of(name)(z) - 1.0, x, y), is_filled=name == "trapezoid")
        for name in (*IMPLICIT, *BDF)
    }
    charts = [
        plane("unstable inside (trapezoid: right half)", [areas[m] for m in IMPLICIT], window),
        plane("BDF: unstable inside", [areas[m] for m in BDF], window),
    ]
    return figure(charts, "Stability of implicit methods")


def spectral_radii() -> str:
    """The amplification of an oscillation in one step of the generalised alpha method."""
    per_period = np.logspace(-2, 3, 200)  # h / T
    curves = []
    for k, damping in enumerate((1.0, 0.9, 0.8, 0.5, 0.0)):
        radius = oscillator_radius(generalised_alpha(damping), 2 * np.pi * per_period)
        name = f"rho = {damping:g}"
        curves.append(Curve(name, per_period, radius, has_markers=False, colour=COLOURS[k]))
    radius = oscillator_radius(hht(-0.1), 2 * np.pi * per_period)
    curves.append(
        Curve(
            "HHT, alpha = -0.1",
            per_period,
            radius,
            has_markers=False,
            dash="7 4",
            colour=COLOURS[6],
        )
    )
    chart = Chart("h / T", "spectral radius", curves, log_x=True, limits=(0.01, 1000.0, 0.0, 1.05))
    return figure([chart], "Generalised-alpha", columns=1)


def work_and_precision() -> str:
    """Error against evaluations on a smooth model and on a stiff one."""
    charts = []
    for name, t_end in (("double_pendulum", 2.0), ("car_suspension", 2.0)):
        found = compare(
            load(EXAMPLES / f"{name}.json"),
            methods=METHODS_COMPARED,
            steps=STEPS,
            tolerances=TOLERANCES,
            repeats=1,
            t_end=t_end,
            output_step=0.1,
        )
        chart = found.chart("evaluations")
        charts.append(Chart(**{**_fields(chart), "title": found.model}))
    return figure(charts, "Work and precision")


def _fields(chart: Chart) -> dict:
    """The fields of a chart by name."""
    return {name: getattr(chart, name) for name in Chart.__dataclass_fields__}


def limits_table() -> str:
    """The stability limits of the methods on the two axes."""
    lines = [
        "| method | decay: h s > | oscillation: ω h < | A(α) stable up to |",
        "|---|---|---|---|",
    ]
    for name in (*EXPLICIT, *IMPLICIT, *BDF):
        growth = growth_of(name)
        real, imaginary = real_limit(growth), imaginary_limit(growth)
        angle = f"{bdf_angle(int(name[3:])):.2f}°" if name in BDF else ""
        if name in IMPLICIT:
            angle = "90°"
        lines.append(f"| `{name}` | {_limit(-real)} | {_limit(imaginary)} | {angle} |")
    return "\n".join(lines)


def _limit(value: float) -> str:
    """A limit as text."""
    if np.isinf(value):
        return "no limit"
    return "never" if value == 0 else f"{value:.3f}".replace("-", "−")


def amplification_table() -> str:
    """What is left of an error of the constraints after a step under Baumgarte's terms."""
    lines = [
        "| method | α = 1/h, β = √2/h | chosen by the program | with that |",
        "|---|---|---|---|",
    ]
    for name in CONSTRAINT_METHODS:
        a, b = SUITED.get(name, (1.0, 2**0.5))
        chosen = f"α = {a:g}/h, β = {'√2' if b == 2**0.5 else f'{b:g}'}/h"
        usual, own = amplification(name, 1.0, 2**0.5), amplification(name, a, b)
        lines.append(f"| `{name}` | {_factor(usual)} | {chosen} | {_factor(own)} |")
    return "\n".join(lines)


def _factor(value: float) -> str:
    """An amplification; rounding in a double eigenvalue is zero."""
    return (
        "0 (dead-beat)" if value < 1e-6 else f"{value:.3f}" + (" (grows)" if value > 1.001 else "")
    )


PICTURES = {
    "stability-explicit.svg": explicit_regions,
    "stability-implicit.svg": implicit_regions,
    "generalised-alpha.svg": spectral_radii,
    "work-precision.svg": work_and_precision,
}
TABLES = {"limits": limits_table, "amplification": amplification_table}


def with_tables(page: str) -> str:
    """The page with its tables recomputed."""
    for name, table in TABLES.items():
        begin, end = f"<!-- begin {name} -->\n", f"\n<!-- end {name} -->"
        before, rest = page.split(begin)
        page = before + begin + table() + end + rest.split(end)[1]
    return page


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
