"""The toothed wheels of a model: which gear draws which wheel, the teeth, and phases that mesh as drawn."""

from math import atan2, pi
from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.model.elements import Id, Model
from engine.model.joints import Gear
from engine.model.joints.involute import ToothedWheel
from engine.model.joints.tooth_contact import TEETH_OF_SMALLEST, tooth_phases
from gui.placing.plane.placement import Placement

MOST_TEETH = 720  # drawn on one wheel, whatever its size beside the smallest


class Wheel(NamedTuple):
    """A toothed wheel at a marker."""

    marker: int
    radius: float
    teeth: int
    phase: float  # of the middle of a tooth, from the x axis of the marker
    is_ring: bool  # teeth point inwards
    flanks: ToothedWheel | None = None  # of teeth in contact, which are drawn as they are

    @property
    def module(self) -> float:
        """The size of a tooth: the diameter by the number of teeth."""
        return 2.0 * self.radius / self.teeth


def wheels_of(placement: Placement) -> dict[Id, list[Wheel]]:
    """The wheels that each gear draws; one that several gears share is drawn by the first."""
    model = placement.model
    gears = [g for g in model.of("joint") if isinstance(g, Gear)]
    radii_of = {g.id: radii for g in gears if (radii := pitch_radii(model, g)) is not None}
    smallest = min(map(min, radii_of.values()), default=1.0)
    module = 2.0 * smallest / TEETH_OF_SMALLEST
    known: dict[tuple[int, float], Wheel] = {}
    drawn: dict[Id, list[Wheel]] = {}
    for gear in gears:
        ends, radii = _ends(placement, gear), radii_of.get(gear.id)
        if ends is None or radii is None:
            continue
        if gear.is_in_contact and (pair := _in_contact(placement, gear)):
            for wheel in pair:
                key = (wheel.marker, round(wheel.radius, 9))
                if known.setdefault(key, wheel) is wheel:
                    drawn.setdefault(gear.id, []).append(wheel)
            continue
        keys = [(n, round(r, 9)) for n, r in zip(ends, radii)]
        for key in sorted(keys, key=lambda key: key not in known):
            if key not in known:
                other = known.get(keys[1 - keys.index(key)])
                known[key] = _wheel(placement, gear, ends, radii, keys.index(key), module, other)
                drawn.setdefault(gear.id, []).append(known[key])
    return drawn


def _in_contact(placement: Placement, gear: Gear) -> list[Wheel]:
    """Both wheels of teeth in contact, as the engine has them; none where they cannot be."""
    model = placement.model
    try:
        mesh, phases = gear.meeting(model), tooth_phases(model)
        return [
            Wheel(
                *(placement.marker_index[marker], flanks.radius, flanks.z, phases[marker]),
                *(False, flanks),
            )
            for marker, flanks in zip((mesh.marker_i, mesh.marker_j), gear.wheels(model))
        ]
    except (EngineError, KeyError):
        return []


def pitch_radii(model: Model, gear: Gear) -> tuple[float, float] | None:
    """The radii of both wheels; None where one is empty and there is no disc to take it from."""
    try:
        return gear.radii(model)
    except (EngineError, KeyError):  # no disc, or no joint
        return None


def _ends(placement: Placement, gear: Any) -> tuple[int, int] | None:
    """The markers about which both wheels turn."""
    joints = [placement.model.elements.get(j) for j in (gear.joint_1, gear.joint_2)]
    found = [placement.marker_index.get(getattr(j, "marker_j", ""), -1) for j in joints]
    return None if min(found) < 0 else (found[0], found[1])


def _wheel(
    placement: Placement,
    gear: Any,
    ends: tuple[int, int],
    radii: tuple[float, float],
    side: int,
    module: float,
    other: Wheel | None,
) -> Wheel:
    """One wheel of a gear; a tooth of it, or the gap between teeth, meets the other wheel."""
    ways = contact_ways(placement, gear, ends, radii)
    count = min(max(round(2.0 * radii[side] / module), 8), MOST_TEETH)
    pitch = 2.0 * pi / count
    share = 0.0  # how far, in teeth, the line of centres is past the middle of a tooth
    if other is not None:
        turned = placement.pose.markers[other.marker][2] + other.phase
        met = ((ways[1 - side] - turned) / (2.0 * pi / other.teeth)) % 1.0
        share = met if gear.inside else 0.5 - met
    phase = ways[side] - placement.pose.markers[ends[side]][2] - share * pitch
    is_ring = bool(gear.inside) and radii[side] == max(radii)
    return Wheel(ends[side], radii[side], count, phase, is_ring)


def contact_ways(
    placement: Placement, gear: Any, ends: tuple[int, int], radii: tuple[float, float]
) -> tuple[float, float]:
    """The directions from both centres to where the wheels touch."""
    (ax, ay, _), (bx, by, _) = (placement.pose.markers[n] for n in ends)
    way = atan2(by - ay, bx - ax)
    if not gear.inside:
        return way, way + pi
    return (way, way) if radii[0] > radii[1] else (way + pi, way + pi)
