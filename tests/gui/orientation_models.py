"""Small models of bodies that turn in space, for the tests of orientation."""

from dataclasses import replace

from engine.editing.builder import Mechanism
from engine.model.elements import Model, put


def flyer(
    w: tuple[float, float, float] = (0.1, 0.8, 0.3),
    *,
    orientation: str = "3-2-1",
    t_end: float = 1.0,
    near_lock: str = "warn",
    bodies: int = 1,
) -> Model:
    """Free blocks without weight that turn with w [rad/s, body axes], followed by `orientation`."""
    m = Mechanism("Flyer", dim=3, gravity=(0.0, 0.0, 0.0))
    ids = [m.box((2.0 * n, 0, 0), 1.0, 0.8, 0.3, name=f"Flyer {n + 1}") for n in range(bodies)]
    inertia = (0.1, 0.2, 0.25, 0.0, 0.0, 0.0)
    turning = [replace(m.model[id], angular_velocity=w, mass=1.0, inertia=inertia) for id in ids]
    settings = replace(
        m.model.settings,
        orientation=orientation,
        t_end=t_end,
        near_lock=near_lock,
        step=2e-3,
        output_step=0.02,
    )
    return replace(put(m.model, *turning), settings=settings)


def diver(t_end: float = 2.0, near_lock: str = "warn") -> Model:
    """A block whose pitch of 3-2-1 rises with 1.2 rad/s: it is in lock at t = 1.309 s."""
    return flyer((0.0, 1.2, 0.002), t_end=t_end, near_lock=near_lock)
