"""One small mechanism for every kind of joint, in the plane and in space."""

from engine.editing.builder import Mechanism
from engine.model.joints import JOINTS
from engine.model.making import Gesture

OBLIQUE = (1.0, 0.0, 0.4)


def _block(dim: int, **fields) -> tuple[Mechanism, str]:
    """A block near the origin, and a mechanism that holds it."""
    m = Mechanism("one joint", dim)
    turning = {"spin": 0.5} if dim == 2 else {"angular_velocity": (0.3, 0.2, 0.5)}
    return m, m.box((0.3, 0.2, 0.1)[:dim], 0.4, 0.3, 0.2, mass=2, **turning, **fields)


def _at_a_point(kind: type, dim: int) -> Mechanism:
    m, box = _block(dim)
    axis = {"axis": (1, 0.5) if dim == 2 else OBLIQUE}
    m.joint(kind, "ground", box, at=(0.1, 0.1, 0.0)[:dim], **axis)
    return m


def _on_shafts(kind: type, dim: int) -> Mechanism:
    m, box = _block(dim)
    m.on_shafts(kind, "ground", box, at=(0.1, 0.1, 0), axis_i=(1, 0, 0), axis_j=(1, 0.2, 0.3))
    return m


def _between(kind: type, dim: int) -> Mechanism:
    m, box = _block(dim)
    m.between(kind, ("ground", (0, 1, 0)[:dim]), (box, (0.4, 0.3, 0.2)[:dim]))
    return m


def _on_a_body(kind: type, dim: int) -> Mechanism:
    m, box = _block(dim)
    m.at_marker(kind, box, (0.4, 0.3, 0.2)[:dim], formula="x^2 + 2*y^2 - 0.1*x*y - 0.328")
    return m


def _rolling_disc(dim: int) -> Mechanism:
    m = Mechanism("rolling", dim)
    if dim == 2:
        disc = m.disc((0, 0.1), 0.1, velocity=(1, 0), spin=-10)
        m.rolling_disc("ground", disc, on=(0, 0), center=(0, 0.1), radius=0.1)
    else:
        disc = m.cylinder((0, -0.01, 0.1), (0, 0.01, 0.1), 0.1, velocity=(1, 0, 0))
        m.rolling_disc("ground", disc, on=(0, 0, 0), center=(0, 0, 0.1), radius=0.1, axle=(0, 1, 0))
    return m


def _two_wheels(dim: int) -> tuple[Mechanism, str, str, str]:
    """Two wheels side by side in hinges on the ground."""
    m = Mechanism("wheels", dim)
    hinges = []
    for n, x in enumerate((0.0, 0.3)):
        middle = (x, 0, 0)[:dim]
        if dim == 2:
            wheel = m.disc(middle, 0.1 + 0.1 * n)
        else:
            wheel = m.cylinder((x, 0, -0.01), (x, 0, 0.01), 0.1 + 0.1 * n)
        hinges.append(m.revolute("ground", wheel, at=middle))
    return m, wheel, *hinges


def _gear(dim: int) -> Mechanism:
    m, wheel, first, second = _two_wheels(dim)
    m.gear(first, second, 0.1, 0.2)
    m.torque(wheel, 2 if dim == 2 else (0, 0, 2))
    return m


def _rack_and_pinion(dim: int) -> Mechanism:
    m, box = _block(dim)
    slide = m.prismatic("ground", box, at=(0.3, 0.2, 0.1)[:dim], axis=(1, 0, 0)[:dim])
    wheel = m.body((0, 1, 0)[:dim], mass=1, inertia=0.1 if dim == 2 else (0.1, 0.1, 0.1, 0, 0, 0))
    turn = m.revolute("ground", wheel, at=(0, 1, 0)[:dim])
    m.rack_and_pinion(turn, slide, 0.1)
    m.force(box, (0.3, 0.2, 0.1)[:dim], ("5*cos(t)", 0, 0)[:dim])
    return m


_SPECIAL = {
    "rolling_disc": _rolling_disc,
    "gear": _gear,
    "rack_and_pinion": _rack_and_pinion,
}
_BY_GESTURE = {
    Gesture.AT_POINT: _at_a_point,
    Gesture.BLADE: _at_a_point,
    Gesture.ON_SHAFTS: _on_shafts,
    Gesture.BETWEEN: _between,
    Gesture.ON_BODY: _on_a_body,
}
CASES = [(joint.kind, dim) for joint in JOINTS for dim in joint.dims]


def mechanism(kind: str, dim: int) -> Mechanism:
    """A mechanism with one joint of this kind."""
    if kind in _SPECIAL:
        return _SPECIAL[kind](dim)
    joint = next(joint for joint in JOINTS if joint.kind == kind)
    assert joint.making, f"'{kind}' does not say how it is made: declare its `making`"
    return _BY_GESTURE[joint.making[0].gesture](joint, dim)
