"""The problems in MuJoCo with its RK4; what a problem does not need is turned off.

Points are held together by its soft constraints, as hard as steps allow: the reference acceleration
of a gap r is  -k r - 2 sqrt(k) r'  with k = (1 / 2h)^2.
"""

from importlib import import_module
from typing import Any

import numpy as np

from bench.peers.mechanisms import TURN, Between, Mechanism
from bench.peers.samples import Sampler, Span

LEAST = 1e-14  # [kg m^2] it takes no body without inertia
HARD = "0.9999 0.9999 1"  # nearest to rigid that it knows


def tree(mechanism: Mechanism, span: Span) -> Sampler:
    """A sampler of a tree, with closed loops and springs."""
    mujoco = _quiet()
    model = mujoco.MjModel.from_xml_string(_text(mechanism))
    for n, pin in enumerate(mechanism.pins):  # not those of the pose where all coordinates are zero
        model.eq_data[n, :6] = *pin.at_i, *pin.at_j
    data = mujoco.MjData(model)
    start = np.array([link.start for link in mechanism.links])
    speed = np.array([link.speed for link in mechanism.links])
    q = np.empty((span.n + 1, len(start)))
    order = [model.joint(f"joint_{n}").qposadr[0] for n in range(len(start))]

    def sample(per_interval: int) -> np.ndarray:
        h = span.interval / per_interval
        model.opt.timestep = h
        if mechanism.pins:
            k = 0.25 / h**2
            model.eq_solref[:] = -k, -2.0 * np.sqrt(k)
        mujoco.mj_resetData(model, data)
        data.qpos[order], data.qvel[order] = start, speed
        if mechanism.torques:
            data.qfrc_applied[order] = mechanism.torques
        q[0] = start
        for n in range(1, span.n + 1):
            mujoco.mj_step(model, data, per_interval)
            q[n] = data.qpos[order]
        return mechanism.observe(q)

    return sample


def _quiet() -> Any:
    """MuJoCo, which says nothing of steps that are too long: their error tells."""
    mujoco = import_module("mujoco")
    mujoco.set_mju_user_warning(lambda text: None)
    return mujoco


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(map(repr, values))


def _text(mechanism: Mechanism) -> str:
    """The model in MuJoCo's own form."""
    sites = [point for spring in mechanism.springs for point in _ends(spring.ends)]

    def inside(parent: int) -> str:
        points = "".join(
            f'<site name="site_{n}" pos="{_numbers(place)}"/>'
            for n, (on, place) in enumerate(sites)
            if on == parent
        )
        bodies = []
        for n, link in enumerate(mechanism.links):
            if link.parent != parent:
                continue
            kind = "hinge" if link.joint == TURN else "slide"
            axis = " ".join("1" if axis == link.axis else "0" for axis in "xyz")
            spring = f'stiffness="{link.stiffness!r}" damping="{link.damping!r}"'
            inertia = _numbers(tuple(max(J, LEAST) for J in link.inertia))
            mass = f'mass="{link.mass!r}" diaginertia="{inertia}"'
            bodies.append(
                f'<body name="body_{n}" pos="{_numbers(link.place)}">'
                f'<joint name="joint_{n}" type="{kind}" axis="{axis}" {spring}/>'
                f'<inertial pos="{_numbers(link.center)}" {mass}/>{inside(n)}</body>'
            )
        return points + "".join(bodies)

    springs = "".join(
        f'<spatial stiffness="{spring.stiffness!r}" damping="{spring.damping!r}" '
        f'springlength="{spring.free_length!r}">'
        f'<site site="site_{2 * n}"/><site site="site_{2 * n + 1}"/></spatial>'
        for n, spring in enumerate(mechanism.springs)
    )
    marks = {n: _ends(pin) for n, pin in enumerate(mechanism.pins)}
    pins = "".join(
        f'<connect body1="body_{i}" body2="body_{j}" anchor="{_numbers(at)}" solimp="{HARD}"/>'
        for (i, at), (j, _) in marks.values()
    )
    off = '<flag contact="disable" eulerdamp="disable"'
    off += "/>" if mechanism.pins else ' constraint="disable"/>'
    gravity = f'integrator="RK4" gravity="{_numbers(mechanism.gravity)}"'
    # for points that stay together, one iteration of Newton's is exact
    option = f'<option {gravity} tolerance="0" iterations="1">{off}</option>'
    world = f"<worldbody>{inside(-1)}</worldbody>"
    return (
        f'<mujoco><compiler angle="radian"/>{option}{world}'
        f"<tendon>{springs}</tendon><equality>{pins}</equality></mujoco>"
    )


def _ends(points: Between) -> tuple[tuple[int, tuple[float, ...]], ...]:
    """Both points, each with its link."""
    return (points.i, points.at_i), (points.j, points.at_j)


def tumbler(p: dict, span: Span) -> Sampler:
    """The free body."""
    mujoco = _quiet()
    body = f'<inertial pos="0 0 0" mass="{p["m"]!r}" diaginertia="{_numbers(tuple(p["I"]))}"/>'
    off = '<flag contact="disable" constraint="disable" eulerdamp="disable"/>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option integrator="RK4" gravity="0 0 0">{off}</option>'
        f"<worldbody><body><freejoint/>{body}</body></worldbody></mujoco>"
    )
    data, axes = mujoco.MjData(model), np.empty((span.n + 1, 6))

    def sample(per_interval: int) -> np.ndarray:
        model.opt.timestep = span.interval / per_interval
        mujoco.mj_resetData(model, data)
        data.qvel[3:] = p["omega0_body"]
        R = np.eye(3).ravel()
        for n in range(span.n + 1):
            if n:
                mujoco.mj_step(model, data, per_interval)
            mujoco.mju_quat2Mat(R, data.qpos[3:])
            axes[n] = R.reshape(3, 3).T[:2].ravel()
        return axes.copy()

    return sample
