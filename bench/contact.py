"""Contact: ten bounces, a block that hangs on a slope, gears and a heap of discs, by Kardan and its peers.

Bounces: a ball of 1 kg falls 0.2 m onto a linear spring of 1e5 N/m without damping, ten periods. The error
is |y - 0.3 m| behind them; exact is 0. The same with a rigid floor, against its own period.

Slope: a block of 2 kg on 15 degrees with mu = 0.4, one second. The error is its speed at the end.
Gears and discs: see bench.gears and bench.discs.
What a peer takes is the call of one run that was set up before, as for Kardan.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import atan, cos, pi, radians, sin, sqrt
from typing import Any, NamedTuple

from bench import discs, gears
from bench.peers.in_contact import exudyn_ball, exudyn_block
from bench.tables import Table
from bench.timing import Effort, best_times
from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.model.forces import Contact
from engine.model.joints import PointOnLine
from engine.running.simulate import prepare

G, FALL, K, RADIUS = 9.81, 0.2, 1e5, 0.1
SPEED, W = sqrt(2.0 * G * FALL), sqrt(K)
PERIOD = 2.0 * SPEED / G + 2.0 / W * (pi - atan(SPEED * W / G))
RIGID_PERIOD = 2.0 * SPEED / G
BOUNCES, SLOPE, MU = 10, 15.0, 0.4


class Case(NamedTuple):
    """One program with one setting: it runs to the end and returns the error."""

    name: str
    run: Callable[[], float]


def ball(rigid: bool) -> Model:
    """The ball over its floor."""
    m = Mechanism("bounces", 2, gravity=(0.0, -G))
    m.disc((0.0, FALL + RADIUS), RADIUS, mass=1.0, id="ball")
    if rigid:
        ends = ("ground", (0.0, 0.0)), ("ball", (0.0, FALL))
        m.between(PointOnLine, *ends, id="floor", acts="above", restitution=1.0)
        m.prismatic("ground", "ball", (0.0, FALL + RADIUS), axis=(0.0, 1.0), id="guide")
    else:
        soft = {"law": "impact", "stiffness": K, "exponent": 1.0, "damping": 0.0}
        ends = ("ground", (0.0, 0.0)), ("ball", (0.0, FALL + RADIUS))
        m.contact(*ends, friction="none", id="floor", **soft)
    return m.model


def block(rigid: bool) -> Model:
    """The block on its slope, with a contact that sticks or on two rigid supports."""
    way = radians(SLOPE)
    m = Mechanism("slope", 2, gravity=(0.0, -G))
    middle = (-0.05 * sin(way), 0.05 * cos(way))
    m.box(middle, 0.2, 0.1, mass=2.0, angle=way, id="block")
    x = (cos(way), sin(way))
    if rigid:
        for k, along in enumerate((-0.1, 0.1), 1):
            at = (along * x[0], along * x[1])
            rubs = {"mu_static": MU, "mu_dynamic": MU, "acts": "above"}
            m.point_on_line("ground", "block", at, axis=x, id=f"foot_{k}", **rubs)
    else:
        ground, glued = m.marker("ground", (0.0, 0.0), angle=way), m.marker("block", middle)
        m.add(Contact(id="floor", marker_i=ground, marker_j=glued, mu_static=MU, mu_dynamic=MU))
    return m.model


def ours(model: Model, channel: str, exact: float, **settings: Any) -> Callable[[], float]:
    """A run of Kardan that is prepared once, as others are; returns the error of a channel at the end."""
    running = prepare(model, **settings)

    def take() -> float:
        last = None
        for one in running:
            last = one if len(one.t) else last
        assert last is not None
        if channel == "y":
            return abs(float(last.q[-1, 1]) - exact)
        return float((last.v[-1, 0] ** 2 + last.v[-1, 1] ** 2) ** 0.5)

    return take


def mujoco_run(
    text: str, step: float, end: float, error: Callable[[Any], float]
) -> Callable[[], float]:
    """A run of MuJoCo and what it returns of its state."""
    mujoco = import_module("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    state = mujoco.MjData(model)

    def take() -> float:
        mujoco.mj_resetData(model, state)
        mujoco.mj_step(model, state, round(end / step))
        return error(state)

    return take


def mujoco_ball(step: float, end: float) -> Callable[[], float]:
    """MuJoCo's contact with a spring of its own stiffness and no damping."""
    text = (
        f'<mujoco><option timestep="{step}" gravity="0 0 -{G}"/><worldbody>'
        f'<geom type="plane" size="5 5 1" solref="-{K} 0" solimp="0.9999 0.9999 1e-9"/>'
        f'<body pos="0 0 {FALL + RADIUS}"><joint type="slide" axis="0 0 1"/>'
        f'<geom type="sphere" size="{RADIUS}" mass="1" solref="-{K} 0" solimp="0.9999 0.9999 1e-9"/>'
        "</body></worldbody></mujoco>"
    )
    return mujoco_run(text, step, end, lambda state: abs(float(state.qpos[0])))


def mujoco_block(step: float, cone: str, more: str, end: float) -> Callable[[], float]:
    """MuJoCo's box on a plane whose gravity leans."""
    gx, gz = G * sin(radians(SLOPE)), -G * cos(radians(SLOPE))
    text = (
        f'<mujoco><option timestep="{step}" gravity="{gx} 0 {gz}" cone="{cone}" {more}/><worldbody>'
        f'<geom type="plane" size="5 5 1" friction="{MU} 0.005 0.0001"/>'
        f'<body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="2" '
        f'friction="{MU} 0.005 0.0001"/></body></worldbody></mujoco>'
    )
    return mujoco_run(text, step, end, lambda state: abs(float(state.qvel[0])))


def bounces(effort: Effort) -> list[Case]:
    """Programs that bounce."""
    n = max(1, round(BOUNCES * min(1.0, 10.0 * effort.share)))
    end, rigid = n * PERIOD, n * RIGID_PERIOD
    sharp = {"t_end": end, "output_step": end}
    soft = partial(ours, ball(rigid=False), "y", FALL + RADIUS, **sharp)
    cases = [
        Case("Kardan dopri5 1e-9", soft(method="dopri5", tolerance=1e-9)),
        Case("Kardan dop853 1e-11", soft(method="dop853", tolerance=1e-11)),
        Case(
            "Kardan rigid floor, dopri5 1e-9",
            ours(ball(rigid=True), "y", FALL + RADIUS, method="dopri5", tolerance=1e-9,
                 t_end=rigid, output_step=rigid),
        ),
    ]  # fmt: skip
    if find_spec("mujoco"):
        cases += [Case(f"MuJoCo {h:g} s", mujoco_ball(h, end)) for h in (1e-3, 1e-4)]
    if find_spec("exudyn"):
        for h in (1e-3, 1e-4):
            cases.append(Case(f"Exudyn {h:g} s", exudyn_ball(h, end, FALL, K, G)))
    return cases


def slope(effort: Effort) -> list[Case]:
    """Programs that stick."""
    end = max(0.1, min(1.0, 10.0 * effort.share))
    settings = {"t_end": end, "output_step": end}
    soft = {"method": "radau", "tolerance": 1e-5, **settings}
    hard = {"method": "dopri5", **settings}
    cases = [
        Case("Kardan sticking contact, radau", ours(block(rigid=False), "speed", 0.0, **soft)),
        Case("Kardan rigid supports", ours(block(rigid=True), "speed", 0.0, **hard)),
    ]
    if find_spec("mujoco"):
        cases += [
            Case("MuJoCo pyramidal 2 ms", mujoco_block(0.002, "pyramidal", "", end)),
            Case(
                "MuJoCo elliptic 2 ms, noslip 20",
                mujoco_block(0.002, "elliptic", 'noslip_iterations="20"', end),
            ),
            Case(
                "MuJoCo elliptic 2 ms, noslip 200",
                mujoco_block(
                    0.002, "elliptic", 'noslip_iterations="200" noslip_tolerance="0"', end
                ),
            ),
        ]
    if find_spec("exudyn"):
        pull, held = 2.0 * G * sin(radians(SLOPE)), MU * 2.0 * G * cos(radians(SLOPE))
        for h in (1e-2, 1e-3):
            cases.append(Case(f"Exudyn, one coordinate, {h:g} s", exudyn_block(h, end, pull, held)))
    return cases


def of_gears(effort: Effort) -> list[Case]:
    """Programs in which teeth touch."""
    return [Case(*one) for one in gears.cases(effort.share)]


def of_discs(effort: Effort) -> list[Case]:
    """Programs in which many bodies touch."""
    return [Case(*one) for one in discs.cases(effort.share)]


def bench(effort: Effort) -> list[Table]:
    """Error and time of each program in each case."""
    tables = []
    for title, cases in (
        ("Ten bounces on a spring: error [m] and time [ms]", bounces(effort)),
        ("Block that sticks on a slope: speed [m/s] and time [ms]", slope(effort)),
        ("Gears that turn steadily: error of their lag and time [ms]", of_gears(effort)),
        ("A hundred discs in a box: overlap at the end [m] and time [ms]", of_discs(effort)),
    ):
        errors = {case.name: case.run() for case in cases}
        best = best_times({case.name: case.run for case in cases}, effort.repeats)
        table = Table(title, ("program", "error", "time"))
        table.rows += [(name, error, 1e3 * best[name]) for name, error in errors.items()]
        if cases[0].name.startswith("Kardan teeth"):
            table.notes.append(
                "Exudyn has contact of balls with triangles, and no teeth. MuJoCo has a convex solid for "
                "each tooth, whose flanks are sampled involutes."
            )
        if cases[0].name.startswith("Kardan Euler-Cromer"):
            table.notes.append(f"The motion of {discs.length(effort.share):g} s; {discs.SETTING}")
        for missing in ("mujoco", "exudyn"):
            if not find_spec(missing):
                table.notes.append(f"{missing} is not installed: pip install '.[bench]'.")
        if cases[-1].name.startswith("Exudyn, one"):
            table.notes.append(
                "Exudyn has friction that sticks along one coordinate: it is told the normal force, and "
                "has no block that could tip. The others have a body on two or four corners."
            )
        tables.append(table)
    return tables
