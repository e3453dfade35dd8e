"""The gear pair in MuJoCo: a convex solid for each tooth, whose flanks are sampled involutes."""

from collections.abc import Callable
from importlib import import_module
from math import pi
from typing import NamedTuple

import numpy as np

from engine.model.joints.involute import ToothedWheel

SAMPLES = 24  # of a flank: chords are off by 0.1 um at most
THICK = 0.013  # m


class Pair(NamedTuple):
    """Two wheels, how far their axles are apart, their inertias, speed, brake and stiffness of teeth."""

    one: ToothedWheel
    other: ToothedWheel
    apart: float
    J_1: float
    J_2: float
    speed: float
    brake: float
    stiffness: float


def tooth(wheel: ToothedWheel) -> str:
    """The corners of a tooth about the x axis, of both faces."""
    radii = np.linspace(max(wheel.root, wheel.base), wheel.tip, SAMPLES)
    half = np.array([wheel.half_angle(float(r)) for r in radii])
    flank = np.concatenate([half, -half])
    x, y = np.tile(radii, 2) * np.cos(flank), np.tile(radii, 2) * np.sin(flank)
    corners = [(a, b, z) for z in (-0.5 * THICK, 0.5 * THICK) for a, b in zip(x, y)]
    return " ".join(f"{c:.12g}" for corner in corners for c in corner)


def mujoco_gears(
    pair: Pair, step: float, end: float, n: int, between: float
) -> Callable[[], np.ndarray]:
    """How far wheel 2 lags behind, along the line of action, in the last n frames."""
    mujoco = import_module("mujoco")
    r_1, r_2 = pair.one.base, pair.other.base
    inv_m = r_1**2 / pair.J_1 + r_2**2 / pair.J_2  # of what moves along the line of action
    # MuJoCo is given accelerations: those of the spring on this mass, with some damping
    touch = f'solref="-{pair.stiffness * inv_m:g} -{60.0 * inv_m:g}" solimp="0.9999 0.9999 1e-9"'

    def wheel(name: str, of: ToothedWheel, x: float, J: float, first: float, kind: int) -> str:
        teeth = "".join(
            f'<geom type="mesh" mesh="{name}" euler="0 0 {first + 2.0 * pi * k / of.z:.15g}" '
            f'contype="{kind}" conaffinity="{3 - kind}" condim="1" mass="0" {touch}/>'
            for k in range(of.z)
        )
        return (
            f'<body pos="{x} 0 0"><inertial pos="0 0 0" mass="1" diaginertia="{J} {J} {J}"/>'
            f'<joint name="{name}" type="hinge" axis="0 0 1"/>{teeth}</body>'
        )

    meshes = "".join(
        f'<mesh name="{name}" vertex="{tooth(of)}"/>'
        for name, of in (("one", pair.one), ("two", pair.other))
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" inertiafromgeom="false" boundmass="0"/>'
        f'<option timestep="{step}" gravity="0 0 0"/><asset>{meshes}</asset><worldbody>'
        f"{wheel('one', pair.one, 0.0, pair.J_1, 0.0, 1)}"
        f"{wheel('two', pair.other, pair.apart, pair.J_2, pi + pi / pair.other.z, 2)}</worldbody>"
        f'<actuator><velocity joint="one" kv="10"/></actuator></mujoco>'
    )
    state = mujoco.MjData(model)

    def take() -> np.ndarray:
        mujoco.mj_resetData(model, state)
        state.qvel[:] = pair.speed, -pair.speed * r_1 / r_2
        state.ctrl[0] = pair.speed
        state.qfrc_applied[1] = pair.brake
        mujoco.mj_step(model, state, round((end - n * between) / step))
        every, lags = max(1, round(between / step)), []
        for _ in range(n):
            mujoco.mj_step(model, state, every)
            lags.append(r_1 * state.qpos[0] + r_2 * state.qpos[1])
        return np.array(lags)

    return take
