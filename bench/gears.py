"""A pair of involute gears that turns steadily against a brake: error of transmission, and time.

Teeth 80/40, module 1.35 mm, 20 degrees, wheel 1 at 10 rad/s, 0.05 N m on wheel 2, 3.1e6 N/m for a pair
of teeth, no friction: four pitches of a tooth, of which the last two count. Wheel 2 lags behind an
ideal one by F/(2k) or F/k along the line of action, as two or one pair of teeth carry F = T/r_b. The
error is the mean of how far the lag is from the nearer of these, over their mean: 1 is as wrong as rigid
teeth are.
"""

from collections.abc import Callable
from importlib.util import find_spec
from math import cos, pi, radians

import numpy as np

from bench.peers.gear_teeth import Pair, mujoco_gears
from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.model.joints.involute import ToothedWheel, mesh_of
from engine.running.simulate import run

R_1, R_2, MODULE, TEETH = 0.054, 0.027, 1.35e-3, (80, 40)
J_1, J_2, SPEED, BRAKE, STIFFNESS = 2.170442e-4, 1.356527e-5, 10.0, 0.05, 3.1e6
PITCH = 2.0 * pi / TEETH[0] / SPEED  # [s]
PITCHES, FRAMES = 4, 100  # pitches of a run, and frames of each


def model() -> Model:
    """The wheels with teeth in contact, a drive and a brake."""
    m = Mechanism("pair", gravity=(0.0, 0.0))
    for n, (x, r, J) in enumerate(((0.0, R_1, J_1), (R_1 + R_2, R_2, J_2)), 1):
        m.disc((x, 0.0), r, mass=1.0, inertia=J, thickness=0.013, id=f"wheel_{n}")
        m.revolute("ground", f"wheel_{n}", (x, 0.0), id=f"axle_{n}")
    firm = {"stiffness": STIFFNESS, "damping": 60.0, "full_depth": 1e-8}
    m.gear("axle_1", "axle_2", teeth="contact", teeth_1=TEETH[0], id="mesh", **firm)
    m.motion("axle_1", f"{SPEED}*t", id="drive")
    m.torque("wheel_2", BRAKE, id="brake")
    return m.model


def wheels(of: Model) -> tuple[ToothedWheel, ToothedWheel]:
    """Both toothed wheels."""
    one, other = of["mesh"].wheels(of)
    return one, other


def error_of(lag: np.ndarray) -> float:
    """How far lags of the last two pitches are from the exact ones, over the mean of those.

    One pair carries the load for a part 2 - ratio of each pitch.
    """
    one, other = wheels(model())
    ratio = mesh_of(one, other, R_1 + R_2).ratio
    soft = BRAKE / (R_2 * cos(radians(20.0))) / STIFFNESS
    mean = soft * (2.0 - ratio) + 0.5 * soft * (ratio - 1.0)
    off = np.minimum(np.abs(lag - soft), np.abs(lag - 0.5 * soft))
    return float(off.mean() / mean)


def ours(method: str, **settings: float) -> Callable[[], float]:
    """A run of Kardan from its model on; returns the error."""
    given = model()

    def take() -> float:
        steps = {"t_end": PITCHES * PITCH, "output_step": PITCH / FRAMES}
        results = run(given, method=method, **steps, **settings)
        return error_of(results["mesh.transmission_error"][-2 * FRAMES :])

    return take


def cases(share: float) -> list[tuple[str, Callable[[], float]]]:
    """Name and run of each program; a small share leaves out what takes long."""
    found = [
        ("Kardan teeth, dop853 1e-6", ours("dop853", tolerance=1e-6)),
        ("Kardan teeth, dopri5 1e-5", ours("dopri5", tolerance=1e-5)),
        ("Kardan teeth, rk4 5e-6 s", ours("rk4", step=5e-6)),
    ]
    if find_spec("mujoco"):
        pair = Pair(*wheels(model()), R_1 + R_2, J_1, J_2, SPEED, BRAKE, STIFFNESS)
        for h in (2e-5,) if share < 0.1 else (2e-5, 5e-6):
            take = mujoco_gears(pair, h, PITCHES * PITCH, 2 * FRAMES, PITCH / FRAMES)
            found.append((f"MuJoCo convex teeth {h:g} s", lambda take=take: error_of(take())))
    return found
