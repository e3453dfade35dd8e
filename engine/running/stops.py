"""When a joint ran into its stops and when shapes touched, as events on the time line.

Methods that find events within their steps record this themselves, to 1e-9 s. For the others it is found
from the frames: what begins and ends between two of them is not seen.
"""

import numpy as np

from engine.errors import say
from engine.kinematics.limits import contact_modes
from engine.model.elements import Id
from engine.model.forces.joint_forces import JointLimits, meeting
from engine.model.methods import BY_NAME
from engine.results.endings import Event
from engine.results.results import Results
from engine.running.telling import Teller

MAX_EVENTS = 200  # of one element; more from a rattling joint add nothing new


def events_of_frames(results: Results) -> list[Event]:
    """What stops and contacts do that the run has not recorded, at the first frame that shows it."""
    return sorted([*stop_events(results), *contact_events(results)])


def contact_events(results: Results) -> list[Event]:
    """The first frame after each touch, parting, stick or slip; none where the method finds them itself."""
    compiled = results.compiled
    if len(results) < 2 or not BY_NAME[results.settings.method].is_fixed:
        return []
    y = compiled.layout.y(results.q, results.v, results.z)
    modes = contact_modes(compiled, results.t, y)
    first = {which: float(column[0]) for which, column in modes.items()}
    changes = sorted(
        (float(results.t[n + 1]), which, float(column[n + 1]))
        for which, column in modes.items()
        for n in np.flatnonzero(np.diff(column))
    )
    events = Teller(compiled, first, float(results.settings.t_end)).told(changes)
    return [one for id in dict.fromkeys(compiled.switch_ids) for one in _few(events, id)]


def _few(events: list[Event], id: Id) -> list[Event]:
    """The first events of one element."""
    return [event for event in events if id in event.ids][:MAX_EVENTS]


def stop_events(results: Results) -> list[Event]:
    """The first frame of each contact of a joint with its stops that the run has not recorded."""
    events: list[Event] = []
    recorded = {id for event in results.events for id in event.ids}
    for force in results.compiled.resolved.of("force"):
        if isinstance(force, JointLimits) and len(results) and force.id not in recorded:
            events += _of_limits(results, force)
    return sorted(events)


def _of_limits(results: Results, limits: JointLimits) -> list[Event]:
    """The contacts of one pair of stops."""
    kinds = ("angle", "displacement", "length")
    names = {f"{limits.id}.{kind}" for kind in kinds}
    travel = next(c for c in results.channels() if c.name in names)
    x, label = travel.values, results.model[limits.joint].label
    events = []
    for side, outside in ((-1.0, x < float(limits.low)), (1.0, x > float(limits.high))):
        enters = np.flatnonzero(outside & ~np.concatenate([[False], outside[:-1]]))
        events += [
            Event(
                float(results.t[n]),
                "stop",
                say("{meeting} at t = {t:.4g} s.", meeting=meeting(label, side), t=results.t[n]),
                (limits.id, limits.joint),
            )
            for n in enters[:MAX_EVENTS]
        ]
    return events
