"""Golden cases at one state: accelerations, multipliers, forces, closed joints, mobility."""

from collections.abc import Callable
from math import degrees, pi, radians
from typing import Any

import numpy as np

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import Equations, equations
from engine.kinematics.mobility import mobility
from engine.model.elements import Model
from engine.running.simulate import run
from tests.validation import models
from tests.validation.golden import (
    GOLDEN,
    Case,
    at_start,
    both_multipliers,
    crane,
    double_pendulum,
    forces_of,
)


def rod_with(p: dict, draw: Callable[[Mechanism, str], None], spin: float = 0.0) -> Model:
    """A horizontal rod pinned at the origin, and a force on it."""
    m = Mechanism("rod", gravity=(0, -p.get("g", 0.0)))
    across = (0.0, p["l"] / 2 * spin)
    rod = m.rod((0, 0), (p["l"], 0), mass=p.get("m", 1.0), spin=spin, velocity=across)
    m.revolute("ground", rod, at=(0, 0), id="A")
    draw(m, rod)
    return m.model


def rod_accelerations(e: Equations) -> dict[str, Any]:
    """Accelerations and multipliers of one rod on a pin."""
    return {"xdd": e.a[0], "ydd": e.a[1], "phidd": e.a[2], "lam": e.lam}


def knife_edge_curl(p):
    """a . curl a of the knife edge's row a(x, y, phi), from the engine's own D."""
    compiled = compile_model(models.knife_edge((0.0, 0.0), 0.0))
    assert not mobility(compiled).is_holonomic
    q, h = np.array([0.3, -0.2, 0.7]), 1e-3

    def a(shift):
        return equations(compiled, 0.0, q + shift, compiled.v0).D[0]

    # central differences of fourth order of a sine: 3e-14 of truncation, 1e-13 of rounding
    e = np.eye(3) * h
    J = np.array([(8 * (a(s) - a(-s)) - (a(2 * s) - a(-2 * s))) / (12 * h) for s in e])
    curl = np.array([J[1, 2] - J[2, 1], J[2, 0] - J[0, 2], J[0, 1] - J[1, 0]])
    return {"a_dot_curl_a": a(np.zeros(3)) @ curl}


def assembled_four_bar(p):
    """The four-bar drawn roughly, its crank held at 60 degrees by a motion."""
    m = models.four_bar(p["a"], p["b"], p["c"], p["d"], crank=radians(50))
    m.motion("A", radians(p["phi1_deg"] - 50))
    compiled = compile_model(m.model)
    q = assemble(compiled).q
    x, y, phi2 = q[3:6]
    end = np.array([x, y]) + models.polar(p["b"] / 2, phi2)
    angles = {"phi2_deg": degrees(phi2), "phi3_deg": degrees(q[8])}
    return {"joint3_x": end[0], "joint3_y": end[1], **angles}


def four_bar_counts(p):
    """Absolute: three bodies, four pins. Relative: cut one pin. Natural: two points, three rods."""
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, radians(60))
    closed = compile_model(m.model)
    open_chain = mobility(compile_model(models.rod_chain((1.0, 0.5, -1.0), (1.0,) * 3, (1.0,) * 3)))
    natural = Mechanism("points")
    B, C = (0.5, 0.8), (3.0, 2.5)
    points = natural.particle(B), natural.particle(C)
    for end in ("ground", (0, 0)), (points[1], C):
        natural.massless_rod(end, (points[0], B))
    natural.massless_rod(("ground", (3, 0)), (points[1], C))
    absolute, by_points = mobility(closed), mobility(compile_model(natural.model))
    assert by_points.dof == absolute.dof
    return {
        "absolute": {"n": absolute.n_velocities, "m": absolute.n_rows},
        "relative": {"n": open_chain.dof, "m": len(closed.rows_of["C"])},
        "natural": {"n": by_points.n_velocities, "m": by_points.n_rows},
        "dof": absolute.dof,
    }


def crane_counts(p):
    """Trolley along the rail and the rod: the row of the rail counts against the trolley's y."""
    compiled = compile_model(crane(GOLDEN["crane_reference"]["inputs"]))
    found = mobility(compiled)
    on_rail = found.n_velocities - len(compiled.rows_of["rail"])
    return {"dof": found.dof, "n": on_rail, "m": len(compiled.rows_of["pin"])}


def pendulum_equations(p):
    """The rod on a pin."""
    model = models.rod_chain((p["phi_rad"],), (p["m"],), (p["l"],), (p["phidot"],))
    _, e = at_start(model)
    return {**rod_accelerations(e), "reaction_on_rod": -(e.D.T @ e.lam)[:2]}


def distance_reaction(p):
    """Our rod row is |d| - length, not d.d - l^2: its multiplier is 2 l times that of the source."""
    _, e = at_start(models.particle_pendulum(p["theta"] - pi / 2, p["l"], p["m"]))
    reaction = -(e.D.T @ e.lam)[:2]
    size = float(np.linalg.norm(reaction))
    return {"lam": e.lam[0] / (2 * p["l"]), "reaction": reaction, "reaction_magnitude": size}


def spring_on_rod(p):
    """The spring alone; the gradient of its length from the engine's force."""
    length, s = p["l"], p["s"]

    def draw(m, rod):
        m.spring(
            ("ground", (0, length / 2)), (rod, (2 * length / 3, 0)), stiffness=s, free_length=length
        )

    compiled, e = at_start(rod_with(p, draw))
    Q = forces_of(compiled, e)
    stretch = 5 * length / 6 - length
    results = run(compiled, t_end=1e-3, output_step=1e-3)
    return {
        "spring_length": results["spring_1.length"][0],
        "elongation": results["spring_1.length"][0] - length,
        "gradient": -Q / (s * stretch),
        "generalised_force": Q,
    }


def spring_accelerates_rod(p):
    """The rod with its spring."""
    length = p["l"]

    def draw(m, rod):
        m.spring(
            ("ground", (0, length / 2)),
            (rod, (2 * length / 3, 0)),
            stiffness=p["s"],
            free_length=length,
        )

    return rod_accelerations(at_start(rod_with(p, draw))[1])


def damper_on_rod(p):
    """A damper follows the rate of its length."""
    length, k, w = p["l"], p["k"], p["phidot"]

    def draw(m, rod):
        m.damper(("ground", (0, length)), (rod, (length / 4, 0)), damping=k, id="damper")

    compiled, e = at_start(rod_with(p, draw, spin=w))
    Q = forces_of(compiled, e)
    results = run(compiled, t_end=1e-3, output_step=1e-3)
    rate = results["damper.length_rate"][0]
    return {
        "length": results["damper.length"][0],
        "gradient": -Q / (k * rate),
        "rate": rate,
        "generalised_force": Q,
        "power": Q @ compiled.v0,
        **rod_accelerations(e),
    }


def crane_accelerations(p):
    """At the start, in the signs of the source."""
    _, e = at_start(crane(p))
    x1dd, phi = -e.a[0], radians(p["phi0_deg"])
    numerator = -4 * p["s"] * p["x1_0"] + 1.5 * p["m2"] * p["g"] * np.sin(2 * phi)
    return {"x1dd": x1dd, "phidd": e.a[5], "denominator": numerator / x1dd}


def crane_dae(p):
    """With the multipliers of the pin."""
    compiled, e = at_start(crane(p))
    lam = e.lam[compiled.rows_of["pin"]]
    on_rod = -(e.D[compiled.rows_of["pin"]].T @ lam)[3:5]
    return {"qdd": [-e.a[0], e.a[3], e.a[4], e.a[5]], "lam": lam, "pin_force_on_rod": on_rod}


def double_pendulum_accelerations(p):
    """In any state; the source uses case A."""
    phi1, phi2, w1, w2 = p["state"]
    A = GOLDEN["dpA_accel0"]["inputs"]
    return {"phidd": at_start(double_pendulum(A, (phi1, phi2), (w1, w2)))[1].a[2::3]}


def double_pendulum_starts(p):
    """Case A at rest."""
    return {"phidd": at_start(double_pendulum(p))[1].a[2::3]}


def double_pendulum_dae(p):
    """Case B with multipliers."""
    compiled, e = at_start(double_pendulum(p, p.get("phi"), p.get("phidot", (0.0, 0.0))))
    lam = both_multipliers(compiled, e.lam)
    return {"qdd": e.a, "phidd": e.a[2::3], "lam": lam, "reactions": -lam}


AT_ONE_STATE: dict[str, Case] = {
    "frobenius_knife_edge": knife_edge_curl,
    "fourbar_assembly": assembled_four_bar,
    "fourbar_dof": four_bar_counts,
    "crane_dof": crane_counts,
    "pendulum_dae_horizontal": pendulum_equations,
    "pendulum_dae_m30": pendulum_equations,
    "pendulum_dae_bottom": pendulum_equations,
    "pendulum_distance_constraint_multiplier": distance_reaction,
    "spring_rod_static": spring_on_rod,
    "spring_rod_accel": spring_accelerates_rod,
    "spring_rod_accel_nogravity": spring_accelerates_rod,
    "damper_rod": damper_on_rod,
    "crane_initial_accel": crane_accelerations,
    "crane_initial_dae": crane_dae,
    "dp_accel_state": double_pendulum_accelerations,
    "dpA_accel0": double_pendulum_starts,
    "dpB_accel0": double_pendulum_dae,
    "dpB_state_lambda": double_pendulum_dae,
}
