"""How near bodies that bend come to their reference problems, F01 to F20.

The problems and their values are in tests/data/flexible.json; each value there was found in two ways, by
closed forms, elements, or another program. `python -m tests.validation.flexible_references` prints what
each asks for and what is reached.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from engine.compiling.elastic.beams import BeamMesh, Material
from engine.compiling.elastic.reduction import BENDING, craig_bampton
from engine.editing.builder import Mechanism
from tests.validation import reached
from tests.validation.linear_beams import Linear
from tests.validation.reached import Reached
from tests.validation.test_beam_references import (
    bent_flight,
    four_bar,
    middle_of,
    tuning_fork,
)
from tests.validation.test_beams import (
    PLAIN,
    UNIT,
    eigenvalues,
    pendulum,
    slider_crank,
    spin_up,
)
from tests.validation.test_beams_in_space import blade, elbow

DATA = reached.read("flexible.json")
compared = partial(reached.compared, DATA)
STEEL = {"youngs_modulus": 2.1e11, "density": 7850.0, "width": 0.02, "thickness": 0.02}
SMALL = 1e-8  # of the load: what is of second order in it is rounding then


def steel(m: Mechanism, *corners: tuple, **fields: Any) -> list[str]:
    """Steel beams 20 x 20 mm from corner to corner, welded."""
    given = {**STEEL, **PLAIN, "modes": 0, "stretch": 1, **fields}
    if m.model.dim == 3:
        given.pop("rotary")
    beams = [m.beam(*ends, **given) for ends in pairwise(corners)]
    for a, b, at in zip(beams, beams[1:], corners[1:]):
        m.weld(a, b, at)
    return beams


# --- the problems


def cantilever(name: str) -> Iterator[Reached]:
    """F01 to F03: bodies with all their shapes, held by joints."""
    for n in (1, 2, 4, 8):
        if f"n{n}" not in DATA[name]["values"]:
            continue
        m = Mechanism(gravity=(0.0, 0.0))
        beam = m.beam((0, 0), (1, 0), elements=n, modes=2 * n, **UNIT, **PLAIN)
        if name == "F01":
            m.weld("ground", beam, (0, 0))
        if name == "F02":
            m.revolute("ground", beam, (0, 0))
            m.point_on_line("ground", beam, (1, 0), axis=(1, 0))
        found = Linear(m).frequencies()
        yield compared(name, f"n{n}", found[: len(DATA[name]["values"][f"n{n}"]["value"])])


def sags(name: str) -> Iterator[Reached]:
    """F04: static deflections. Loads are small, and deflections large again: both are proportional."""
    for what, g, n in (("tip", 0.0, 1), ("sag_cantilever", 9.81, 4), ("sag_middle", 9.81, 4)):
        m = Mechanism(gravity=(0.0, -SMALL * g))
        (beam,) = steel(m, (0, 0), (1, 0), elements=n, modes=0 if what == "tip" else 2 * n)
        end = m.marker(beam, (0.5 if what == "sag_middle" else 1.0, 0))
        if what == "sag_middle":
            m.revolute("ground", beam, (0, 0))
            m.point_on_line("ground", beam, (1, 0), axis=(1, 0))
        else:
            m.weld("ground", beam, (0, 0))
        if what == "tip":
            m.force(beam, (1, 0), components=(0.0, -100.0 * SMALL))
        moved = Linear(m).of_marker(end) / SMALL
        yield compared(name, what, moved[1])
        if what == "tip":
            yield compared(name, "tip_turn", moved[5])


def frames(name: str) -> Iterator[Reached]:
    """F05: an elbow and a portal in the plane, an elbow in space."""
    m = Mechanism(gravity=(0.0, 0.0))
    beams = steel(m, (0, 0), (0, 0.8), (0.5, 0.8))
    m.weld("ground", beams[0], (0, 0))
    m.force(beams[1], (0.5, 0.8), components=(0.0, -100.0 * SMALL))
    end = m.marker(beams[1], (0.5, 0.8))
    moved = Linear(m).of_marker(end) / SMALL
    yield compared(name, "a_end", moved[[0, 1, 5]])
    for stretch in (1, 0):
        m = Mechanism(gravity=(0.0, 0.0))
        beams = steel(m, (0, 0), (0, 1), (1.5, 1), (1.5, 0), stretch=stretch)
        m.weld("ground", beams[0], (0, 0))
        m.weld("ground", beams[2], (1.5, 0))
        m.force(beams[0], (0, 1), components=(100.0 * SMALL, 0.0))
        corners = [m.marker(beams[1], at) for at in ((0, 1), (1.5, 1))]
        model = Linear(m)
        left, right = (model.of_marker(corner)[[0, 1, 5]] / SMALL for corner in corners)
        if stretch:
            yield compared(name, "b_left_corner", left)
            yield compared(name, "b_right_corner", right)
        else:
            yield compared(name, "b_sway_without_stretch", left[0])
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    beams = steel(m, (0, 0, 0), (0.8, 0, 0), (0.8, 0.5, 0), twist=1, torsional_stiffness=1820.0)
    m.weld("ground", beams[0], (0, 0, 0))
    m.force(beams[1], (0.8, 0.5, 0), components=(0.0, 0.0, -100.0 * SMALL))
    ends = [m.marker(beams[1], at) for at in ((0.8, 0.5, 0), (0.8, 0, 0))]
    model = Linear(m)
    yield compared(name, "c_end_z", model.of_marker(ends[0])[2] / SMALL)
    yield compared(name, "c_twist_at_corner", model.of_marker(ends[1])[3] / SMALL)


def coupled(name: str) -> Iterator[Reached]:
    """F06: two welded beams with k shapes each, and with all."""
    ways = {"k1": (1, 1, 3000.0), "k2": (2, 1, 3000.0), "k5": (4, 1, None), "full": (16, 7, None)}
    for what, (modes, stretch, below) in ways.items():
        m = Mechanism(gravity=(0.0, 0.0))
        fields = {**STEEL, **PLAIN, "modes": modes, "stretch": stretch, "below": below}
        a = m.beam((0, 0), (0.5, 0), **fields)
        b = m.beam((0.5, 0), (0.5, 0.4), **{**fields, "width": 0.012})
        m.weld("ground", a, (0, 0))
        m.weld(a, b, (0.5, 0))
        n = len(DATA[name]["values"][what]["value"])
        yield compared(name, what, Linear(m).frequencies()[:n])


def fork(name: str) -> Iterator[Reached]:
    """F07: a tuning fork of five beams with all their shapes."""
    for what, n in (("n8", 8), ("n2", 2)):
        m, _ = tuning_fork(modes=2 * n, elements=n, **{**PLAIN, "stretch": n})
        k = len(DATA[name]["values"][what]["value"])
        yield compared(name, what, Linear(m).frequencies()[:k] / (2.0 * np.pi))


def truncated(name: str) -> Iterator[Reached]:
    """F08: what few shapes cost."""
    exact = DATA["F01"]["values"]["exact"]["value"][0]
    for what, shapes, modes in (("free_4", "free", 4), ("free_10", "free", 10)):
        m = Mechanism(gravity=(0.0, 0.0))
        beam = m.beam((0, 0), (1, 0), elements=16, modes=modes, shapes=shapes, **UNIT, **PLAIN)
        m.weld("ground", beam, (0, 0))
        yield compared(name, what, Linear(m).frequencies()[0] / exact - 1.0)
    for what, shapes, modes in (
        ("cb_root_2_static", "clamped", 2),
        ("cb_root_tip_0_static", "interface", 0),
    ):
        m = Mechanism(gravity=(0.0, 0.0))
        beam = m.beam((0, 0), (1, 0), elements=16, modes=modes, shapes=shapes, **UNIT, **PLAIN)
        m.weld("ground", beam, (0, 0))
        m.force(beam, (1, 0), components=(0.0, SMALL))
        tip = m.marker(beam, (1, 0))
        yield compared(name, what, 3.0 * Linear(m).of_marker(tip)[1] / SMALL - 1.0)


def pendulums(name: str) -> Iterator[Reached]:
    """F09: three soft pendulums; the softest cut in two bodies, as the program advises."""
    EI, pieces = {"F09a": (5.0, 1), "F09b": (0.5, 1), "F09c": (0.1, 2)}[name]
    m, tip, middle = cut_pendulum(EI, pieces)
    run = m.run(t_end=1.0, output_step=0.05, method="dop853", tolerance=1e-9)
    end, half = (np.stack([run[f"{at}.x"], run[f"{at}.y"]], axis=1) for at in (tip, middle))
    yield compared(name, "tip_0.5", end[10])
    yield compared(name, "tip_1.0", end[20])
    away = (end[:, 0] * half[:, 1] - end[:, 1] * half[:, 0]) / np.linalg.norm(end, axis=1)
    yield compared(name, "largest_middle_from_chord", np.abs(away).max())


def cut_pendulum(EI: float, pieces: int) -> tuple[Mechanism, str, str]:
    """A pendulum of so many welded beams, its tip and its middle."""
    if pieces == 1:
        m, beam, tip = pendulum(EI)
        return m, tip, m.marker(beam, (0.5, 0))
    m = Mechanism(gravity=(0.0, -9.81))
    fields = {"bending_stiffness": EI, "mass": 0.5 / pieces, "modes": 3, **PLAIN}
    ends = [(k / pieces, 0.0) for k in range(pieces + 1)]
    beams = [m.beam(*piece, width=0.01, thickness=0.01, **fields) for piece in pairwise(ends)]
    m.revolute("ground", beams[0], (0, 0))
    for a, b, at in zip(beams, beams[1:], ends[1:]):
        m.weld(a, b, at)
    return m, m.marker(beams[-1], (1, 0)), m.marker(beams[pieces // 2], (0.5, 0))


def blades(name: str) -> Iterator[Reached]:
    """F10: flap and lag of a turning blade; lag is in F10 the nearest of the frequencies found."""
    for what, given in DATA[name]["values"].items():
        speed = float(what.removeprefix("Omega_"))
        found = blade(speed, modes=5)
        for way in ("flap", "lag"):
            value = np.array(given["value"][way])
            near = found[np.abs(found[:, None] - value).argmin(axis=0)]
            off = np.abs(near / value - 1.0)
            first = 1e-3 if way == "lag" and speed <= 8.0 else 5e-3
            yield Reached(name, f"{what} {way} 1", first, float(off[0]), "rel")
            yield Reached(name, f"{what} {way} 2", 5e-3, float(off[1]), "rel")


def stiff_pendulums(name: str) -> Iterator[Reached]:
    """F11: how far stiff pendulums are from a rigid one."""
    apart = []
    for EI in (None, 10.0, 40.0, 160.0, 640.0):
        m, _, tip = pendulum(EI or 10.0, modes=1, elements=4)
        if EI is None:
            m = Mechanism(gravity=(0.0, -9.81))
            rod = m.rod((0, 0), (1, 0), width=0.0, thickness=0.0, mass=0.5)
            m.revolute("ground", rod, (0, 0))
            tip = m.marker(rod, (1, 0))
        run = m.run(t_end=0.5, output_step=0.01, method="dop853", tolerance=1e-10)
        ends = np.stack([run[f"{tip}.x"], run[f"{tip}.y"]])
        apart.append(ends)
    off = [np.linalg.norm(ends - apart[0], axis=0).max() for ends in apart[1:]]
    yield compared(name, "distance", off)


def spun(name: str) -> Iterator[Reached]:
    """F12: the spin-up beam."""
    found = {}
    for way in ({}, {"stretch": 1, "elements": 8}, {"stiffening": False}):
        m, hub, tip = spin_up(**way)
        run = m.run(t_end=20.0, output_step=0.25, method="generalised_alpha", step=2e-3)
        angle, x, y = run[f"{hub}.angle"], run[f"{tip}.x"], run[f"{tip}.y"]
        c, s = np.cos(angle), np.sin(angle)
        found[next(iter(way), "plain")] = c * x + s * y - 10.0, c * y - s * x
    v = found["plain"][1]
    given = DATA[name]["values"]["v"]
    for t, value in given["value"].items():
        yield Reached(name, f"v at {t} s", given["tolerance"], abs(v[4 * int(t)] - value), "abs, m")
    yield compared(name, "v_min", v.min())
    off = np.abs(v - DATA[name]["samples"]["v"]).max()
    yield Reached(name, "v at all samples", given["tolerance"], off, "abs, m")
    yield compared(name, "u_end", found["stretch"][0][-4:].mean())
    yield compared(name, "without_stiffening", np.abs(found["stiffening"][1] - v).max())


def cranked(name: str) -> Iterator[Reached]:
    """F13: the slider-crank of Koppens."""
    found = {}
    for stiffening in (True, False):
        m, _, middle, slider = slider_crank(stiffening=stiffening)
        run = m.run(t_end=0.08, output_step=0.001, method="dop853", tolerance=1e-9)
        found[stiffening] = run[f"{middle}.deflection"], run[f"{slider}.x"]
    d, x = found[True]
    for what, values in (("d", d), ("x", x)):
        given = DATA[name]["values"][what]
        off = max(abs(values[round(float(t) / 1e-3)] - v) for t, v in given["value"].items())
        yield Reached(name, what, given["tolerance"], off, "abs, m")
    yield compared(name, "d_largest", np.abs(d).max())
    yield compared(name, "without_stiffening", np.abs(found[False][0] - d).max())


def linked(name: str) -> Iterator[Reached]:
    """F14: the four-bar."""
    m, *links = four_bar(**PLAIN)
    middles = [m.marker(link, middle_of(m, link)) for link in links]
    run = m.run(t_end=0.3, output_step=0.005, method="dop853", tolerance=1e-9)
    d = np.stack([run[f"{middle}.deflection"] for middle in middles], axis=1)
    given, samples = DATA[name]["values"]["d"], DATA[name]["samples"]
    expected = np.stack([samples["coupler"], samples["rocker"]], axis=1)
    yield Reached(
        name, "d at all samples", given["tolerance"], np.abs(d - expected).max(), "abs, m"
    )
    yield compared(name, "coupler_largest", np.abs(d[:, 0]).max())
    yield compared(name, "rocker_largest", np.abs(d[:, 1]).max())


def elbows(name: str) -> Iterator[Reached]:
    """F15: the elbow on a turning hub."""
    found = elbow()
    for what, n in (("at_0.5", 10), ("at_0.6", 12)):
        yield compared(name, what, found[n])
    off = np.abs(found - DATA[name]["samples"]["x_y_z_tilt"]).max(axis=0)
    yield Reached(name, "place at all samples", 1e-4, float(off[:3].max()), "abs, m")
    yield Reached(name, "tilt at all samples", 5e-4, float(off[3]), "abs")


def flights(name: str) -> Iterator[Reached]:
    """F16: the beam flying free, in the plane and in space."""
    for dim in (2, 3):
        run, beam, tip = bent_flight(dim)
        spin, turn = ("", "") if dim == 2 else ("_z", "_z")
        names = ("momentum_x", "momentum_y", f"angular_momentum{turn}")
        last = np.stack([run[n] for n in names])
        found = {
            "momentum": last[:, np.abs(last - last[:, :1]).max(axis=0).argmax()],
            "energy": run["total_energy"][-1],
            "w": run[f"{beam}.angular_velocity{spin}"],
            "tip": np.stack([run[f"{tip}.x"], run[f"{tip}.y"]], axis=1),
        }
        for what, value in found.items():
            yield compared(name, what, value)._replace(what=f"{what}, {dim}D")


def thick(name: str) -> Iterator[Reached]:
    """F17: sections that turn."""
    for what, given in DATA[name]["values"].items():
        inertia = 1.0 / (12.0 * float(what.removeprefix("L/h=")) ** 2)
        mesh = BeamMesh(np.linspace(-0.5, 0.5, 17), Material(1e6, 1.0, 1.0, inertia))
        w = craig_bampton(mesh, BENDING, {0, 1, 2}, 2, np.inf).held
        off = np.abs(w / given["value"]["rayleigh"] - 1.0).max()
        yield Reached(name, what, given["tolerance"], float(off), "rel")


def decay(name: str) -> Iterator[Reached]:
    """F19: the decay of one shape, for ratios of held shapes and, b, of modes of the record."""
    first = {}
    for modes in (1, 4):
        m = Mechanism(gravity=(0.0, 0.0))
        fields = {"rotary": False, "damping_ratio": 0.02, "modes": modes}
        beam = m.beam((0, 0), (1, 0), **UNIT, **fields)
        m.weld("ground", beam, (0, 0))
        rates = np.sort_complex(1j * eigenvalues(m))[len(eigenvalues(m)) // 2 :] / 1j
        first[modes] = rates[np.abs(rates).argmin()]
        model = Linear(m)
        record = model.compiled.elastic[beam]
        N, n = model.N, model.N.shape[1]
        M, K = N.T @ model.e.M @ N, N.T @ (model.w2[:, None] * N)
        c = np.zeros_like(model.w2)
        c[-record.n_f :] = 2.0 * 0.02 * record.frequencies
        C = N.T @ (c[:, None] * N)
        both = np.block(
            [[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]]
        )
        rates = np.linalg.eigvals(both)
        rates = rates[np.argsort(np.abs(rates))][::2]
        ratios = -rates.real / np.abs(rates)
        if modes == 1:
            yield compared(name, "b_ratio_1_mode", ratios[0])
        else:
            yield compared(name, "b_ratio_4_modes", ratios[:2])
    one = first[4]
    yield compared(name, "a_ratio", -one.real / abs(one))
    yield compared(name, "a_amplitude_per_period", np.exp(2 * np.pi * one.real / abs(one.imag)))
    yield compared(name, "a_damped_frequency", abs(one.imag))


def columns(name: str) -> Iterator[Reached]:
    """F20: a pinned column under an axial load."""
    for what in DATA[name]["values"]:
        P = float(what.removeprefix("P/pi^2=")) * np.pi**2
        m = Mechanism(gravity=(0.0, 0.0))
        beam = m.beam((0, 0), (1, 0), modes=3, **UNIT, **PLAIN)
        m.revolute("ground", beam, (0, 0))
        m.point_on_line("ground", beam, (1, 0), axis=(1, 0))
        m.force(beam, (1, 0), components=(-P, 0.0))
        yield compared(name, what, np.sort(np.abs(eigenvalues(m).imag))[::2][:2])


PROBLEMS: dict[str, Callable[[str], Iterator[Reached]]] = {
    **dict.fromkeys(("F01", "F02", "F03"), cantilever),
    "F04": sags,
    "F05": frames,
    "F06": coupled,
    "F07": fork,
    "F08": truncated,
    **dict.fromkeys(("F09a", "F09b", "F09c"), pendulums),
    "F10": blades,
    "F11": stiff_pendulums,
    "F12": spun,
    "F13": cranked,
    "F14": linked,
    "F15": elbows,
    "F16": flights,
    "F17": thick,
    "F19": decay,
    "F20": columns,
}


if __name__ == "__main__":
    reached.tell(PROBLEMS)
