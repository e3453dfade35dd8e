"""The shape of involute teeth: a wheel of z teeth by module, pressure angle, profile shift and thickness.

    r = z m / 2            r_b = r cos(alpha)          r_a = r + m (h_a + x)      r_f = r - m (h_f - x)
    s = m (pi/2 + 2 x tan(alpha)) - j/2                the tooth on the pitch circle; j is the backlash
    psi(r_y) = s/(2 r) + inv(alpha) - inv(alpha_y)     half a tooth at r_y, cos(alpha_y) = r_b / r_y

with inv(alpha) = tan(alpha) - alpha. Two wheels have no backlash but j where

    inv(alpha_w) = inv(alpha) + 2 (x_1 + x_2) tan(alpha) / (z_1 + z_2)
    a_w = (r_b1 + r_b2) / cos(alpha_w)
"""

from math import acos, cos, pi, sin, sqrt, tan
from typing import NamedTuple

DEDENDUM = 1.25  # of the module: how far the gaps reach below the pitch circle
ON_A_FLANK = 7  # points of a drawn flank


def inv(alpha: float) -> float:
    """The involute function."""
    return tan(alpha) - alpha


class ToothedWheel(NamedTuple):
    """A wheel with involute teeth."""

    z: int
    module: float
    alpha: float  # pressure angle of the tool
    shift: float = 0.0  # in modules
    thinned: float = 0.0  # of each tooth, for backlash
    addendum: float = 1.0  # in modules

    @property
    def radius(self) -> float:
        """Of the pitch circle."""
        return 0.5 * self.z * self.module

    @property
    def base(self) -> float:
        """The radius of the base circle."""
        return self.radius * cos(self.alpha)

    @property
    def tip(self) -> float:
        """The radius of the tip circle."""
        return self.radius + self.module * (self.addendum + self.shift)

    @property
    def root(self) -> float:
        """The radius at the bottom of the gaps."""
        return self.radius - self.module * (DEDENDUM - self.shift)

    @property
    def base_pitch(self) -> float:
        """The distance of flanks along the line of action."""
        return 2.0 * pi * self.base / self.z

    @property
    def half_tooth(self) -> float:
        """The angle of half a tooth on the base circle."""
        thick = self.module * (0.5 * pi + 2.0 * self.shift * tan(self.alpha)) - self.thinned
        return 0.5 * thick / self.radius + inv(self.alpha)

    def half_angle(self, radius: float) -> float:
        """The angle of half a tooth at a radius; below the base circle flanks are straight."""
        if radius <= self.base:
            return self.half_tooth
        return self.half_tooth - inv(acos(self.base / radius))

    @property
    def reach(self) -> float:
        """How far its flanks reach along the line of action, from its base circle."""
        return sqrt(max(self.tip**2 - self.base**2, 0.0))

    def outline(self, phase: float) -> list[tuple[float, float]]:
        """The corners of its picture, anticlockwise; phase: where the middle of a tooth is."""
        low, high = self.root, self.tip
        start = max(low, self.base)
        radii = [start + (high - start) * n / (ON_A_FLANK - 1) for n in range(ON_A_FLANK)]
        if low < start:
            radii = [low, *radii]
        angles = [self.half_angle(r) for r in radii]
        flank = list(zip(radii, angles))
        points = []
        for n in range(self.z):
            middle = phase + 2.0 * pi * n / self.z
            points += [(r * cos(middle - a), r * sin(middle - a)) for r, a in flank]
            points += [(r * cos(middle + a), r * sin(middle + a)) for r, a in reversed(flank)]
        return points


def free_distance(one: ToothedWheel, other: ToothedWheel) -> float:
    """The distance of centres at which there is no backlash beyond the one that was asked for."""
    shifts = 2.0 * (one.shift + other.shift) * tan(one.alpha) / (one.z + other.z)
    wanted, low, high = inv(one.alpha) + shifts, 0.0, 0.5 * pi - 1e-9
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (low, middle) if inv(middle) > wanted else (middle, high)
    return (one.base + other.base) / cos(0.5 * (low + high))


class Mesh(NamedTuple):
    """How two wheels mesh at a distance of centres."""

    alpha: float  # the working pressure angle
    ratio: float  # pairs of teeth in contact on average
    backlash: float  # along the line of action; negative: the teeth do not fit
    is_undercut: bool  # a tip would reach below a base circle


def mesh_of(one: ToothedWheel, other: ToothedWheel, apart: float) -> Mesh | None:
    """How two wheels mesh; None where they are so near that their base circles overlap."""
    bases = one.base + other.base
    if apart <= bases:
        return None
    alpha = acos(bases / apart)
    L, pitch = apart * sin(alpha), one.base_pitch
    low, high = max(0.0, L - other.reach), min(L, one.reach)
    # both teeth and both gaps at the line of centres: 2 pi r_b (1/z) less what the teeth take
    taken = sum(2.0 * w.base * (w.half_tooth - inv(alpha)) for w in (one, other))
    undercut = one.reach > L * (1.0 + 1e-9) or other.reach > L * (1.0 + 1e-9)
    return Mesh(alpha, max(high - low, 0.0) / pitch, pitch - taken, undercut)
